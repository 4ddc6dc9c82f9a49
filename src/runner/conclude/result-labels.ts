import { dataRecord } from '../../base/data-record.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'

type Results = readonly (readonly [id: string, result: ManifestScenario])[]

/** The columns that the results of a dataset name: those of conditions and those that comparisons hold side by side. */
export function namedColumns(
  dataset: string,
  results: Results,
  comparisons: Readonly<Record<string, ManifestComparison>>,
): ReadonlySet<string> {
  const own = results.filter(([, result]) => result.dataset === dataset)
  const ids = new Set(own.map(([id]) => id))
  const compared = Object.values(comparisons).flatMap(({ by, scenarios }) =>
    Object.entries(scenarios).flatMap(([id, result]) => (ids.has(id) ? [{ by, ...result }] : [])),
  )
  return new Set([
    ...own.flatMap(([, { shares, ranges, means = {} }]) => [shares, ranges, means].flatMap((of) => Object.keys(of))),
    ...compared.flatMap(({ by = [], shares, means }) => [...Object.keys(shares), ...Object.keys(means)].concat(by)),
  ])
}

/** The labels of some columns by name; undefined when none has one. */
export function labelsOf(
  schema: readonly AnySchemaColumn[],
  names: ReadonlySet<string>,
): Record<string, string> | undefined {
  const labels = schema.flatMap(({ name, label }) =>
    label !== undefined && names.has(name) ? [[name, label] as const] : [],
  )
  return labels.length === 0 ? undefined : dataRecord(labels)
}
