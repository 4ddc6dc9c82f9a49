/**
 * Lays columns that are in the sequence of their cells into a random sequence of rows, without memory per row.
 *
 * R  rows
 *
 * Fisher and Yates swap the places last = R - 1 … 1 with one at or before each. The same swaps from the first to the last move what
 * lies at the places, instead of the places: so each column is shuffled where it is, and nobody keeps a list of places. Random numbers
 * are counted, so those of a chunk can be drawn before the ones that Fisher and Yates draw first.
 */
import { PURPOSE, RandomStream, wordsBelow } from '../sampling/random.ts'

/** Numbers of rows that are drawn together. */
const CHUNK = 65_536

export type ShuffledColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array

/**
 * @param columns Each of length R; changed. All in the same way, which seed and unit decide.
 * @param seed Any safe integer.
 * @param unit Of the table; each has a sequence of its own.
 */
export function shuffleRows(columns: readonly ShuffledColumn[], rows: number, seed: number, unit = 0): void {
  if (columns.length === 0) return
  const stream = new RandomStream(seed, PURPOSE.shuffle, unit)
  const others = new Uint32Array(Math.min(CHUNK, rows))
  for (let first = 1; first < rows; first += CHUNK) {
    const end = Math.min(rows, first + CHUNK)
    stream.skipTo(wordsBelow(end + 1, rows))
    for (let last = end - 1; last >= first; last--) others[last - first] = stream.below(last + 1)
    for (const column of columns) swapEach(column, others, first, end)
  }
}

function swapEach(column: ShuffledColumn, others: Uint32Array, first: number, end: number): void {
  for (let last = first; last < end; last++) {
    const other = others[last - first]!
    const value = column[last]!
    column[last] = column[other]!
    column[other] = value
  }
}
