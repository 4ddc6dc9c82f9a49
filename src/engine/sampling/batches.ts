/** How a table is cut into batches of blocks, and so into parts. */

import { BLOCK_ROWS } from '../model/model.ts'

/** Most blocks of a batch: 32,768 rows, a few megabytes of values. */
export const BATCH_BLOCKS = 32
export const BATCH_ROWS = BATCH_BLOCKS * BLOCK_ROWS

/**
 * From so many rows on every batch but the last has BATCH_BLOCKS blocks. So a table of more rows can be cut at any multiple of
 * BATCH_ROWS, and its parts have the rows that the whole would have.
 */
export const LEAST_PARTED_ROWS = BATCH_BLOCKS * (BATCH_BLOCKS - 1) * BLOCK_ROWS

/** Rows of a unit: 491,520. */
export const UNIT_ROWS = 15 * BATCH_ROWS

/**
 * Rows of the units in which what a scenario presets is laid over a table; the last unit has the rest. They depend on the table's rows
 * alone, because a unit has random numbers of its own.
 */
export function unitRowsOf(rowCount: number): number {
  return rowCount <= LEAST_PARTED_ROWS ? rowCount : UNIT_ROWS
}

/** Rows firstRow up to, not including, endRow of a table. */
export interface RowPart {
  readonly firstRow: number
  readonly endRow: number
}
