import { LEAST_PARTED_ROWS, type RowPart, UNIT_ROWS } from '../../engine/sampling/batches.ts'
import { ROW_GROUP_ROWS } from '../../formats/join-tables.ts'

/** Least rows of a part: whole units of the engine, and whole row groups of Parquet. */
export const PART_ROWS = leastCommonMultiple(UNIT_ROWS, ROW_GROUP_ROWS)
/** Larger generations have larger parts, because a tenant's parts wait in its queue and are recorded together. */
const MOST_PARTS = 100

/**
 * The parts in which a generation is made; none if it is made as a whole. They depend on its rows alone.
 *
 * @param splitRows Generations of more rows than this are made in parts.
 */
export function partsOf(rowCount: number, splitRows: number): readonly RowPart[] {
  if (rowCount <= mostWholeRows(splitRows)) return []
  const partRows = PART_ROWS * Math.ceil(rowCount / (PART_ROWS * MOST_PARTS))
  return Array.from({ length: Math.ceil(rowCount / partRows) }, (_, i) => ({
    firstRow: i * partRows,
    endRow: Math.min(rowCount, (i + 1) * partRows),
  }))
}

/** Most rows of a generation that is made as a whole; `splitRows` as in `partsOf`. */
export function mostWholeRows(splitRows: number): number {
  return Math.max(splitRows, LEAST_PARTED_ROWS)
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a
  while (multiple % b !== 0) multiple += a
  return multiple
}
