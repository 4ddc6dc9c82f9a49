import type { AnySchemaColumn } from '../contract/datasets.ts'
import { MAX_ESTIMATED_SEGMENTS } from '../contract/limits.ts'
import { columnsOf } from '../study/conditions/condition.ts'
import type { Outcome } from '../study/outcomes/outcome.ts'
import { recordedFilters } from '../study/outcomes/row-filter.ts'
import { membersOf } from '../study/replicates.ts'
import type { Comparison, Study } from '../study/study.ts'
import { figuresOfOutcome } from './explored.ts'
import type { Asked, AskedOutcome, CountedIn, ExploredDataset } from './wire/messages.ts'

/** Of a file without a study: the last ones, because questions come after who was asked. */
const MOST_FIRST = 3

/** What the page shows of a dataset before anything is asked. */
export function exploredDataset(
  name: string,
  study: Study | null,
  rows: number | null,
  schema: readonly AnySchemaColumn[],
  studyFile: string | null,
): ExploredDataset {
  const comparisons = study === null ? [] : comparisonsOf(study, name, schema)
  // What the study's scenarios move comes first, and what most of them move before the others.
  const moves = new Map<string, number>()
  for (const { conditions } of study?.scenarios ?? [])
    for (const column of new Set(conditions.flatMap(columnsOf))) moves.set(column, (moves.get(column) ?? 0) + 1)
  const columns = [...schema].sort((a, b) => (moves.get(b.name) ?? 0) - (moves.get(a.name) ?? 0))
  return {
    name,
    rows,
    studyFile,
    columns: columns.map(({ name: column, levels, level_shares: shares, min, max, quantiles, format }) => ({
      name: column,
      levels: levels?.map((level, i) => ({ name: level, share: shares?.[i] ?? null })) ?? null,
      min: min ?? null,
      max: max ?? null,
      quantiles: Object.values(quantiles ?? {})
        .flatMap((value) => (typeof value === 'number' ? [value] : []))
        .sort((a, b) => a - b),
      isDate: format !== undefined,
    })),
    first: comparisons[0] === undefined ? lastColumns(schema) : together(comparisons),
    comparisons: comparisons.length > 1 ? comparisons : [],
  }
}

const lastColumns = (schema: readonly AnySchemaColumn[]): Asked => ({
  outcomes: schema
    .slice(-MOST_FIRST)
    .map(({ name: column, levels }) => ({ column, of: levels === undefined ? 'mean' : 'shares' })),
  where: [],
})

/** What the first comparison asks, and all others that count the same rows in the same segments. */
function together(comparisons: readonly Asked[]): Asked {
  const { where = [], base, by } = comparisons[0] ?? {}
  const rows = (one: Partial<Asked>): string => JSON.stringify([one.where, one.base, one.by])
  const same = comparisons.filter((one) => rows(one) === rows({ where, base, by }))
  const outcomes = new Map(same.flatMap((one) => one.outcomes.map((outcome) => [JSON.stringify(outcome), outcome])))
  return { outcomes: [...outcomes.values()], where, base, by }
}

/** The comparisons of a dataset, as far as the data have what they name. */
function comparisonsOf(
  study: Study,
  dataset: string,
  schema: readonly AnySchemaColumn[],
): ExploredDataset['comparisons'] {
  const hasRows = ({ column: name, levels }: CountedIn[number]): boolean => {
    const column = schema.find((one) => one.name === name)
    if (column === undefined) return false
    return (
      (column.levels === undefined) === (levels === undefined) &&
      (levels ?? []).every((one) => column.levels!.includes(one))
    )
  }
  const isOf = ({ against }: Comparison): boolean => {
    const [first] = membersOf(study, against)
    return study.scenarios.find(({ id }) => id === first)?.dataset === dataset
  }
  return study.comparisons.filter(isOf).flatMap((comparison) => {
    const { id, base, by } = comparison
    const segments = schema.find(({ name }) => name === by)?.levels
    const outcomes = comparison.outcomes
      .flatMap(askedOf)
      .filter((outcome) => figuresOfOutcome(schema, outcome).length > 0)
    const where = recordedFilters(comparison.where)
    return outcomes.length > 0 && where.every(hasRows)
      ? [
          {
            ...{ id, outcomes, where },
            ...(base !== null && { base }),
            ...(by !== null && segments !== undefined && segments.length <= MAX_ESTIMATED_SEGMENTS && { by }),
          },
        ]
      : []
  })
}

function askedOf(outcome: Outcome): AskedOutcome[] {
  const { column } = outcome
  switch (outcome.kind) {
    case 'shares':
      return [{ column, of: 'shares' }]
    case 'means':
      return [{ column, of: 'mean' }]
    case 'quantiles':
      return outcome.shares.map((of) => ({ column, of }))
  }
}
