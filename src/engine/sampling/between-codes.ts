/**
 * Moves the codes of a leaf's rows into the gaps to the neighbouring codes of the leaf: the leaf's distribution function becomes
 * piecewise linear, from midpoint to midpoint, instead of a staircase. Values between those of two training rows occur as well, and
 * fewer generated rows lie nearer to a training row than to a held-out one.
 *
 * Only codes that stand for several values move, only over gaps that are small relative to the column, inside the leaf, and never
 * from or to the ends of the column. So spikes, meaningful gaps and extremes stay.
 *
 * K  codes of a column     n  codes of a leaf, ascending
 */

import type { EncodedColumn } from '../model/model.ts'

/** Widest gap, in codes: about an eighth of the rows of a column with 256 bins. */
const WIDEST_GAP = 32
/** -1 … 1 */
const UNIT_31 = 2 ** -31

export interface Moves {
  /** Length K: see denseCodes. */
  readonly dense: Uint8Array
  /** A random word for each row of the block. */
  readonly words: Uint32Array
}

/** Length K: 1 for codes that may move; null for columns in which every value may have a meaning of its own. */
export function denseCodes(column: EncodedColumn | undefined): Uint8Array | null {
  if (column?.kind !== 'numeric' || !column.jitter) return null
  const { binStart, missing, codeCount } = column
  const dense = new Uint8Array(codeCount)
  for (let bin = 1; bin < binStart.length - 2; bin++) {
    if (binStart[bin + 1]! - binStart[bin]! > 1) dense[bin + missing] = 1
  }
  return dense
}

/**
 * The code that replaces the leaf's code at a position.
 *
 * codes     of all leaves; the leaf's codes begin at `start`
 * word      random
 */
export function movedCode(
  codes: Uint16Array,
  start: number,
  n: number,
  position: number,
  dense: Uint8Array,
  word: number,
): number {
  const code = codes[start + position]!
  if (dense[code] !== 1) return code
  const way = word * UNIT_31 - 1
  const beside = position + (way < 0 ? -1 : 1)
  if (beside < 0 || beside === n) return code
  const next = codes[start + beside]!
  const gap = Math.abs(next - code)
  if (gap < 2 || gap > WIDEST_GAP || dense[next] !== 1) return code
  const moved = Math.round(code + (way * gap) / 2)
  return dense[moved] === 1 ? moved : code
}
