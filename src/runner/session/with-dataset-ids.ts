import type { Study } from '../../study/study.ts'

/** `--dataset name=ds_…` replaces the study's dataset by a trained one. */
export function withDatasetIds(study: Study, ids: ReadonlyMap<string, string>): Study {
  if (ids.size === 0) return study
  const datasets = new Map(study.datasets)
  for (const [name, datasetId] of ids) {
    const source = datasets.get(name)
    if (source === undefined) continue
    const datasetIdRange = source.kind === 'file' ? source.fileRange : source.datasetIdRange
    datasets.set(name, { kind: 'existing', id: name, datasetId, datasetIdRange })
  }
  return { ...study, datasets }
}
