/**
 * The nearest of many rows by Gower's distance (see `row-points.ts`).
 *
 * Levels in which two rows differ are their least distance. Four levels are a 32-bit word, a byte each, and a row that differs in
 * too many of them is given up after few instructions (of Adult 99 in 100). Levels that share a byte only make it less.
 */

import type { Points } from './row-points.ts'

/** Distances this near to each other are one: coordinates are 32-bit. */
export const TIE = 1e-5

/** One row, at hand. */
export interface Query {
  readonly coordinates: Float64Array
  readonly words: Int32Array
}

export function emptyQuery(d: number, w: number): Query {
  return { coordinates: new Float64Array(d), words: new Int32Array(w) }
}

export function takeQuery(query: Query, { coordinates, words }: Points, row: number): void {
  const d = query.coordinates.length
  const w = query.words.length
  for (let c = 0; c < d; c++) query.coordinates[c] = coordinates[row * d + c]!
  for (let k = 0; k < w; k++) query.words[k] = words[row * w + k]!
}

/** Columns added up before a look at whether the row can still be the nearest. */
const STRIDE = 2

/**
 * Smallest distance below `bound` to a row of `first … end - 1`, or `bound`. A row is left as soon as it cannot be the nearest
 * any more.
 */
export function nearest(query: Query, base: Points, bound: number, first: number, end: number): number {
  const { coordinates, words } = base
  const { coordinates: point, words: levels } = query
  const d = point.length
  const w = levels.length
  let best = bound
  // As whole numbers: levels that differ are counted.
  let most = Math.min(d + 1, Math.ceil(best))
  const last = end * d
  for (let from = first * d, word = first * w; from < last; from += d, word += w) {
    let differing = 0
    for (let k = 0; k < w && differing < most; k++) differing += differingBytes(levels[k]! ^ words[word + k]!)
    if (differing >= most) continue
    let sum = 0
    for (let c = 0; c < d && sum < best; ) {
      const stop = Math.min(d, c + STRIDE)
      for (; c < stop; c++) {
        const difference = Math.abs(point[c]! - coordinates[from + c]!)
        sum += difference < 1 ? difference : 1
      }
    }
    if (sum < best) {
      best = sum
      most = Math.ceil(best)
    }
  }
  return best
}

/** Bytes that are not 0, counted within the word (Warren 2012, 6-1). */
function differingBytes(word: number): number {
  const marks = ((((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080) >>> 7
  return Math.imul(marks, 0x01010101) >>> 24
}
