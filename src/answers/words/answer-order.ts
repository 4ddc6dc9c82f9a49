import type { ManifestColumn } from '../../records/manifest/columns.ts'
import type { ComparedColumn, ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { comparedScenario } from './compared-scenario.ts'

/** An outcome of a comparison: a share of a level, or a mean or a quantile (`level` null). */
export interface Outcome {
  readonly column: string
  readonly level: string | null
  /** The share of the rows up to a quantile, as a manifest writes it; null: no quantile. */
  readonly quantile: string | null
}

/**
 * The outcomes of a comparison: columns in the sequence of the study, levels in the sequence of the data, as far as the
 * manifest has them. Earlier manifests have neither; then shares come before means, by name. Outcomes that no list names
 * come last.
 */
export function outcomesInOrder(manifest: Manifest, comparison: ManifestComparison): Outcome[] {
  const { outcomes = [] } = comparison
  const results = Object.values(comparison.scenarios)
  const shared = new Set([...declared(outcomes, 'shares'), ...results.flatMap(({ shares }) => Object.keys(shares))])
  const averaged = new Set([...declared(outcomes, 'means'), ...results.flatMap(({ means }) => Object.keys(means))])
  const divided = new Set(results.flatMap(({ quantiles = {} }) => Object.keys(quantiles)))
  const levelsOf = (column: string): Outcome[] => {
    const found = results.flatMap(({ shares }) => Object.keys(own(shares, column) ?? {}))
    const first =
      outcomes.find((one) => one.column === column && one.kind === 'shares')?.levels ??
      dataLevels(manifest, comparison.against, column)
    const present = new Set(found)
    return [...new Set([...first.filter((level) => present.has(level)), ...found])].map((level) => ({
      column,
      level,
      quantile: null,
    }))
  }
  const quantilesOf = (column: string): Outcome[] => {
    const asked = outcomes.find((one) => one.column === column && one.kind === 'quantiles')?.quantiles ?? []
    const found = results.flatMap(({ quantiles = {} }) => Object.keys(own(quantiles, column) ?? {}))
    return [...new Set([...asked.map(String), ...found])].map((quantile) => ({ column, level: null, quantile }))
  }
  const meanOf = (column: string): Outcome[] => [{ column, level: null, quantile: null }]
  const inStudy = outcomes.flatMap(({ column, kind }) =>
    kind === 'means' ? meanOf(column) : kind === 'quantiles' ? quantilesOf(column) : levelsOf(column),
  )
  const named = new Set(outcomes.map(({ column, kind }) => `${kind} ${column}`))
  return [
    ...inStudy,
    ...[...shared].filter((column) => !named.has(`shares ${column}`)).flatMap(levelsOf),
    ...[...averaged].filter((column) => !named.has(`means ${column}`)).flatMap(meanOf),
    ...[...divided].filter((column) => !named.has(`quantiles ${column}`)).flatMap(quantilesOf),
  ]
}

const declared = (outcomes: readonly ComparedColumn[], kind: ComparedColumn['kind']): string[] =>
  outcomes.filter((one) => one.kind === kind).map(({ column }) => column)

/** The levels of a column as its dataset lists them; empty when the manifest does not say. */
const dataLevels = (manifest: Manifest, scenario: string, column: string): string[] =>
  (describedColumn(manifest, scenario, column)?.levels ?? []).map(({ level }) => level)

/** What the manifest says about a column of a scenario's dataset. */
function describedColumn(manifest: Manifest, scenario: string, column: string): ManifestColumn | undefined {
  return own(own(manifest.datasets, comparedScenario(manifest, scenario)?.dataset ?? '')?.columns ?? {}, column)
}

/** Whether figures of the column are milliseconds since 1970. */
export const isDateColumn = (manifest: Manifest, scenario: string, column: string): boolean =>
  describedColumn(manifest, scenario, column)?.kind === 'date'

/** Names come from data, so `constructor` is one only if the record itself has it. */
const own = <V>(record: Record<string, V>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
