import { dataRecord } from '../../base/data-record.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ManifestColumn, NaturalQuantiles } from '../../records/manifest/columns.ts'
import type { ComparedColumn, ManifestComparison } from '../../records/manifest/comparisons.ts'
import { columnsOf } from '../../study/conditions/condition.ts'
import { OUTCOME_KINDS, type Outcome } from '../../study/outcomes/outcome.ts'
import { percentageBase } from '../../study/percentage-base.ts'
import { comparedName } from '../../study/replicates.ts'
import type { Study } from '../../study/study.ts'

/** The columns of a dataset that conditions and comparisons of the study name. */
export function usedColumns({ scenarios, comparisons }: Study, dataset: string): ReadonlySet<string> {
  const own = scenarios.filter((scenario) => scenario.dataset === dataset)
  const ids = new Set(own.map(comparedName))
  const compared = comparisons.filter((c) => ids.has(c.against) || c.scenarios.some((id) => ids.has(id)))
  return new Set([
    ...own.flatMap(({ conditions }) => conditions.flatMap(columnsOf)),
    ...compared.flatMap(({ outcomes, by, where }) => [
      ...[...outcomes, ...where].map(({ column }) => column),
      ...(by === null ? [] : [by]),
    ]),
  ])
}

/** Some columns of a cleaned schema by name, as far as the service reports them; undefined when there are none. */
export function manifestColumns(
  schema: readonly AnySchemaColumn[],
  names: ReadonlySet<string>,
): Record<string, ManifestColumn> | undefined {
  const columns = schema.flatMap((column) => {
    const kind = kindOf(column)
    return kind !== null && names.has(column.name) ? [[column.name, manifestColumn(column, kind)] as const] : []
  })
  return columns.length === 0 ? undefined : dataRecord(columns)
}

/** Null when the service reports neither levels nor bounds. */
function kindOf({ type, levels, format, min, max }: AnySchemaColumn): ManifestColumn['kind'] | null {
  if (levels !== undefined || type === 'categorical') return 'categorical'
  if (format !== undefined) return 'date'
  return type === 'numeric' || min !== undefined || max !== undefined ? 'numeric' : null
}

function manifestColumn(column: AnySchemaColumn, kind: ManifestColumn['kind']): ManifestColumn {
  const { label, levels, level_shares: shares } = column
  const shareOf = new Map(levels?.map((level, i) => [level, shares?.[i] ?? null]))
  const quantiles = kind === 'categorical' ? undefined : allQuantiles(column)
  return {
    kind,
    ...(label !== undefined && { label }),
    ...(levels !== undefined && column.ordered !== undefined && { ordered: true as const }),
    ...(levels !== undefined && {
      levels: sequenceOf(column).map((level) => {
        const share = shareOf.get(level) ?? null
        return share === null ? { level } : { level, share }
      }),
    }),
    ...(quantiles !== undefined && { quantiles }),
  }
}

/** The levels in their order, those apart from it last; without an order as the service lists them. */
export function sequenceOf({ levels = [], ordered }: AnySchemaColumn): readonly string[] {
  if (ordered === undefined) return [...new Set(levels)]
  const known = new Set(levels)
  return [...new Set([...ordered.levels.filter((level) => known.has(level)), ...levels])]
}

function allQuantiles({ quantiles }: AnySchemaColumn): NaturalQuantiles | undefined {
  if (quantiles === undefined) return undefined
  const { q05, q25, q50, q75, q95 } = quantiles
  if (q05 === undefined || q25 === undefined || q50 === undefined || q75 === undefined || q95 === undefined)
    return undefined
  return { q05, q25, q50, q75, q95 }
}

/** The comparisons, each with the columns that it holds side by side. `schemaOf`: of the dataset of a comparison's scenario. */
export function withOutcomes(
  study: Study,
  results: Readonly<Record<string, ManifestComparison>>,
  schemaOf: (scenario: string) => readonly AnySchemaColumn[],
): Record<string, ManifestComparison> {
  return dataRecord(
    study.comparisons.flatMap((comparison) => {
      const result = results[comparison.id]
      if (result === undefined) return []
      const schema = new Map(schemaOf(comparison.against).map((column) => [column.name, column]))
      const recorded = (outcome: Outcome): ComparedColumn => {
        const { kind, column } = outcome
        const isOfValid = percentageBase(study, comparison, column) === 'valid'
        return {
          ...{ column, kind },
          ...(OUTCOME_KINDS[kind].within === 'level' && {
            ...(isOfValid && { base: 'valid' as const }),
            levels: levelsOf(column, schema.get(column), result),
          }),
          ...('shares' in outcome && { quantiles: outcome.shares }),
        }
      }
      const outcomes = [...comparison.outcomes].sort(
        ({ place: { start: a } }, { place: { start: b } }) => a.line - b.line || a.column - b.column,
      )
      return [[comparison.id, { ...result, outcomes: outcomes.map(recorded) }] as const]
    }),
  )
}

/** Levels that only the results have, because the schema is not known or has changed, come last. */
function levelsOf(name: string, column: AnySchemaColumn | undefined, { scenarios }: ManifestComparison): string[] {
  const found = new Set(Object.values(scenarios).flatMap(({ shares }) => Object.keys(shares[name] ?? {})))
  const known = column === undefined ? [] : sequenceOf(column)
  return [...new Set([...known, ...[...found].sort()])]
}
