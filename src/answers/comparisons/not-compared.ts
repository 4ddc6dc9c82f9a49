/** What a comparison names although its data do not have it. It has no figures, and a gate on it fails. */

import type { NotCompared } from '../../records/manifest/comparisons.ts'
import { OUTCOME_KIND_NAMES, outcomeColumns } from '../../study/outcomes/outcome.ts'
import type { Comparison } from '../../study/study.ts'
import { isLevelGone, lacksColumn, type NamedAs, type NamedSide, schemaHasLevel } from '../counts/known-names.ts'

/**
 * In the sequence of the study: outcomes, the column of the segments, levels of gates.
 *
 * @param sides those with rows; none: nothing is known.
 */
export function notCompared(comparison: Comparison, sides: readonly NamedSide[]): NotCompared[] {
  if (sides.length === 0) return []
  const schemas = new Set(sides.map(({ schema }) => schema))
  const isLacking = (column: string, as: NamedAs) => [...schemas].some((schema) => lacksColumn(schema, column, as))
  const columns = (names: readonly string[], as: NamedAs): NotCompared[] =>
    [...new Set(names)].filter((column) => isLacking(column, as)).map((column) => ({ column, as }))
  const asked = outcomeColumns(comparison)
  const found = [
    ...OUTCOME_KIND_NAMES.flatMap((kind) => columns(asked[kind], kind)),
    ...columns(comparison.by === null ? [] : [comparison.by], 'segments'),
    ...columns(
      comparison.where.map(({ column }) => column),
      'where',
    ),
  ]
  const gone = new Set(found.map(({ column }) => column))
  const levels = new Map<string, NotCompared>()
  for (const filter of comparison.where) {
    if (filter.kind !== 'levels' || gone.has(filter.column)) continue
    const { column } = filter
    for (const { value: level } of filter.levels)
      if ([...schemas].some((schema) => schemaHasLevel(schema, column, level) === false))
        levels.set(JSON.stringify([column, level, 'where']), { column, level, as: 'where' })
  }
  for (const { column, level } of [...comparison.expect, ...comparison.warn]) {
    if (level === null || gone.has(column) || !isLevelGone(column, level, sides)) continue
    levels.set(JSON.stringify([column, level]), { column, level, as: 'shares' })
  }
  return [...found, ...levels.values()]
}
