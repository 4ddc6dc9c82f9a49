/**
 * Weighted rows as trees are grown on them: each row stands there as often as its weight says, its copies one after the other.
 * So every count of copies is a weighted count, and a draw from the copies of a leaf is a weighted draw. What depends on how
 * many people there are (sizes of leaves) counts the rows behind the copies, and what depends on how much they say (gains)
 * counts effective rows.
 *
 *   copies of row i = round(k (a_1 + … + a_i)) - round(k (a_1 + … + a_{i-1}))     (systematic sampling, Cochran 1977, chapter 8)
 *
 * A row has less than one copy more or less than k a, and so has any run of rows. Rounding adds at most n / (4 k²) to the sampling
 * variance of a total of about sum of a², which is at least n: 1/16 of it with 2 copies per row, 1/256 with 8.
 *
 * n  rows     d  columns     a  case weights, mean 1     k  copies of a row of weight 1     N  copies, about k n
 */

import { sharedInt32, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'
import { effectiveRows } from './case-weights.ts'

/** k; in large tables the sampling error is small in itself, and time and memory count for more. */
const FEWEST_COPIES = 2
const MOST_COPIES = 8
/** N, and N d, while k is between these. */
const COPIES_IN_ALL = 400_000
const CELLS_IN_ALL = 20_000_000

export interface RowCopies {
  /** n */
  readonly rowCount: number
  /** Length N, ascending, shared: the row of each copy. */
  readonly rowOf: Int32Array
  /** Length N, shared: 1 at the first copy of a row. */
  readonly isFirst: Uint8Array
  /** Copies for each effective row. */
  readonly perEffectiveRow: number
}

/**
 * @param weights Length n, mean 1.
 * @param d At least 1.
 */
export function copyRows(weights: Float64Array, d: number): RowCopies {
  const n = weights.length
  const most = Math.min(MOST_COPIES, Math.floor(COPIES_IN_ALL / n), Math.floor(CELLS_IN_ALL / (n * d)))
  const k = Math.max(FEWEST_COPIES, most)
  const ends = new Int32Array(n)
  let running = 0
  for (let row = 0; row < n; row++) {
    running += k * weights[row]!
    ends[row] = Math.round(running)
  }
  const total = ends[n - 1]!
  const rowOf = sharedInt32(total)
  const isFirst = sharedUint8(total)
  for (let row = 0, at = 0; row < n; row++) {
    if (at < ends[row]!) isFirst[at] = 1
    while (at < ends[row]!) rowOf[at++] = row
  }
  return { rowCount: n, rowOf, isFirst, perEffectiveRow: total / effectiveRows(weights) }
}

/** Length N, shared. codes  length n */
export function codesOfCopies(codes: Uint16Array, { rowOf }: RowCopies): Uint16Array {
  const out = sharedUint16(rowOf.length)
  for (let i = 0; i < out.length; i++) out[i] = codes[rowOf[i]!]!
  return out
}

/**
 * How many effective rows each of some copies is worth, in (0, 1]; 1 where rows have no weights. Some copies of all, evenly
 * spaced, are worth more each than all are: fewer of them are of one row.
 *
 * @param copies Null or absent: rows have no weights.
 * @param read Copies, ascending.
 */
export function worthOfCopies(copies: Pick<RowCopies, 'rowOf'> | null | undefined, read: Int32Array): number {
  if (!copies || read.length === 0) return 1
  const { rowOf } = copies
  let squares = 0
  let times = 0
  for (let i = 0; i < read.length; i++) {
    times = i > 0 && rowOf[read[i]!] === rowOf[read[i - 1]!] ? times + 1 : 1
    // The squares of 1, 2, 3 … differ by 1, 3, 5 …
    squares += 2 * times - 1
  }
  return read.length / squares
}
