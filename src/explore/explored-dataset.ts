import type { AnySchemaColumn } from '../contract/datasets.ts'
import { columnsOf } from '../study/conditions/condition.ts'
import type { Study } from '../study/study.ts'
import type { ExploredDataset } from './wire/messages.ts'

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
  const known = new Set(schema.map((column) => column.name))
  const compared = (study?.comparisons ?? []).flatMap(({ outcomes }) => outcomes.map(({ column }) => column))
  const first = [...new Set(compared)].filter((column) => known.has(column))
  // What the study's scenarios move comes first.
  const moved = new Set((study?.scenarios ?? []).flatMap(({ conditions }) => conditions.flatMap(columnsOf)))
  const columns = [...schema].sort((a, b) => Number(moved.has(b.name)) - Number(moved.has(a.name)))
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
    outcomes: first.length > 0 ? first : schema.slice(-MOST_FIRST).map((column) => column.name),
  }
}
