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

/** Rows firstRow up to, not including, endRow of a table. */
export interface RowPart {
  readonly firstRow: number
  readonly endRow: number
}
