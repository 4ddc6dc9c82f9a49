import type { ManifestColumn } from '../../records/manifest/columns.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { OUTCOME_KIND_NAMES, OUTCOME_KINDS, type OutcomeKindName } from '../../study/outcomes/outcome.ts'
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
  // A program may hand over a manifest that nobody checked.
  const ofKind = (kind: OutcomeKindName, column: string): Outcome[] => {
    if (!Object.hasOwn(OUTCOME_KINDS, kind)) return []
    const { within } = OUTCOME_KINDS[kind]
    return within === 'level' ? levelsOf(column) : within === 'quantile' ? quantilesOf(column) : meanOf(column)
  }
  const named = new Set(outcomes.map(({ column, kind }) => `${kind} ${column}`))
  return [
    ...outcomes.flatMap(({ column, kind }) => ofKind(kind, column)),
    ...OUTCOME_KIND_NAMES.flatMap((kind) =>
      [...new Set(results.flatMap((result) => Object.keys(result[kind] ?? {})))]
        .filter((column) => !named.has(`${kind} ${column}`))
        .flatMap((column) => ofKind(kind, column)),
    ),
  ]
}

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
