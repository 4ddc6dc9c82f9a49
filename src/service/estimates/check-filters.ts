import { momentOf } from '../../base/rfc3339.ts'
import type { SchemaColumn } from '../../contract/datasets.ts'
import type { RowFilters } from '../../contract/estimates.ts'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import { type Faults, noFaults, problemOf, unknownColumn } from '../generations/condition-faults.ts'
import { echo } from '../http/request-shape.ts'
import { dataKey } from '../http/strict-json.ts'
import type { CheckedConditions } from '../records/generation-records.ts'

/**
 * The rows that `where` asks for, as conditions: levels with shares that sum to 1, and ranges whose open ends are infinite.
 *
 * @throws ProblemError with all faults: `svc_unknown_condition_column` with a schema hint if a column or level is not in the schema,
 * `svc_invalid_field` for a filter that does not fit its column.
 */
export function checkFilters(
  { categorical = {}, numeric = {} }: RowFilters,
  schema: readonly SchemaColumn[],
): CheckedConditions {
  const faults = noFaults()
  const columns = new Map(schema.map((column) => [column.name, column]))
  const find = <K extends SchemaColumn['type']>(name: string, kind: K): Extract<SchemaColumn, { type: K }> | null => {
    const field = `where.${kind}.${echo(name)}`
    const column = columns.get(name)
    if (column === undefined) {
      unknownColumn(columns, name, field, faults)
      return null
    }
    if (column.type === kind) return column as Extract<SchemaColumn, { type: K }>
    const wanted = column.type === 'numeric' ? 'ends under where.numeric' : 'levels under where.categorical'
    faults.errors.push({ field, message: `is a ${column.type} column: it takes ${wanted}` })
    return null
  }
  const shares = Object.entries(categorical).flatMap(([key, listed]) => {
    const name = dataKey(key)
    const column = find(name, 'categorical')
    if (column === null) return []
    const levels = [...new Set(listed)]
    for (const level of levels) checkLevel(column, level, faults)
    return [{ column: name, levels: levels.map((level) => [level, 1 / levels.length] as const) }]
  })
  const ranges = Object.entries(numeric).flatMap(([key, range]) => {
    const name = dataKey(key)
    const column = find(name, 'numeric')
    return column === null ? [] : [{ column: name, ...checkEnds(column, range, faults) }]
  })
  if (faults.errors.length > 0) throw problemOf(faults)
  return { shares, ranges }
}

function checkLevel(
  { name, levels }: Extract<SchemaColumn, { type: 'categorical' }>,
  level: string,
  faults: Faults,
): void {
  if (levels.includes(level)) return
  faults.hint ??= { column: name, levels: faults.search.nearest(level, levels, MAX_PROBLEM_ENTRIES) }
  const suggestion = faults.search.likely(level, levels)
  faults.errors.push({
    field: `where.categorical.${echo(name)}`,
    message: `has the level ${echo(level)}, which the column does not have`,
    ...(suggestion !== null && { suggestion }),
  })
}

function checkEnds(
  { name, format }: Extract<SchemaColumn, { type: 'numeric' }>,
  range: NonNullable<RowFilters['numeric']>[string],
  faults: Faults,
): { min: number; max: number } {
  const field = `where.numeric.${echo(name)}`
  const ends = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  for (const end of ['min', 'max'] as const) {
    const bound = range[end]
    if (bound === undefined) continue
    // Values of a date column are midnights: the last one in a range is the midnight that begins its last day.
    const value =
      typeof bound === 'number' ? bound : format === undefined ? null : momentOf(bound, format === 'date' ? 'min' : end)
    if (value !== null) ends[end] = value
    else {
      const wanted = format === undefined ? 'a number' : 'an RFC 3339 date or date-time, or milliseconds since 1970'
      faults.errors.push({ field: `${field}.${end}`, message: `must be ${wanted}` })
    }
  }
  if (ends.min > ends.max) faults.errors.push({ field, message: 'has a min above its max' })
  return ends
}
