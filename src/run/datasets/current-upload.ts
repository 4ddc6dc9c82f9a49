import type { DatasetFacts, ExistingRecord, UploadRecord } from '../../plan/study-state.ts'
import { datasetKeyHash } from '../../study/hashing/request-key.ts'
import type { FileDataset } from '../../study/study.ts'
import type { RunContext } from '../session/run-context.ts'

/** The newest upload of this seed file under this run's scope. */
export function currentUpload(context: RunContext, dataset: FileDataset): UploadRecord | null {
  const seed = context.seedFiles.get(dataset.id)
  if (seed === undefined) return null
  const { autoClean, displayName } = dataset
  const hash = datasetKeyHash({ fileSha256: seed.sha256, autoClean, displayName })
  let newest: UploadRecord | null = null
  for (const record of context.state.uploads.values()) {
    if (record.hash !== hash || record.label !== context.options.scope) continue
    if (newest === null || newest.epoch < record.epoch) newest = record
  }
  return newest
}

/** What is known of a dataset of the study, whether it was uploaded or named by id. */
export function datasetRecord(context: RunContext, name: string): UploadRecord | ExistingRecord | null {
  const source = context.study.datasets.get(name)
  if (source === undefined) return null
  return source.kind === 'file'
    ? currentUpload(context, source)
    : (context.state.existing.get(source.datasetId) ?? null)
}

/** Facts of a dataset whose schema is known. */
export function knownFacts(context: RunContext, name: string): DatasetFacts | null {
  const record = datasetRecord(context, name)
  return record === null || record.schema === null ? null : record
}
