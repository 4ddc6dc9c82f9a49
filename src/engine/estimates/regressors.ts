/**
 * What the weights of a side are calibrated to, as the vector x of each row: 1; for each conditioned column the indicators of its
 * margins but the last, which depend on the row's pattern alone; and a number for each mean that the side fixes.
 *
 * n  kept rows of the seed, D  conditioned categorical columns, K  patterns, m  entries of x, p  of them numbers, which come last
 */

import type { Margins } from '../scenario/margins.ts'
import type { SeedPatterns } from './seed-patterns.ts'

export interface Regressors {
  /** Length n: the pattern of each row; -1 outside. */
  readonly ofRow: Int32Array
  /** K × (D + 1), row-major: the entries of x that are 1; -1 for the last margin of a column. */
  readonly entries: Int32Array
  /** D + 1 */
  readonly width: number
  /** K */
  readonly patternCount: number
  /** p arrays of length n. */
  readonly numbers: readonly Float64Array[]
  /** m */
  readonly m: number
}

export function regressorsOf(
  { ofRow, margins: ofPattern, rows }: SeedPatterns,
  { start }: Margins,
  numbers: readonly Float64Array[],
): Regressors {
  const D = start.length - 1
  const K = rows.length
  const entries = new Int32Array(K * (D + 1))
  for (let k = 0; k < K; k++) {
    entries[k * (D + 1)] = 0
    for (let d = 0; d < D; d++) {
      const margin = ofPattern[k * D + d]!
      // The columns before have start[d] - d entries, because each leaves out its last margin.
      entries[k * (D + 1) + d + 1] = margin === start[d + 1]! - 1 ? -1 : 1 + margin - d
    }
  }
  return { ofRow, entries, width: D + 1, patternCount: K, numbers, m: 1 + start[D]! - D + numbers.length }
}

/** m × m, row-major: the sum of w x x'. */
export function gramOf({ ofRow, entries, width, patternCount, numbers, m }: Regressors, weights: Float64Array) {
  const masses = new Float64Array(patternCount)
  for (let row = 0; row < weights.length; row++) if (ofRow[row]! >= 0) masses[ofRow[row]!]! += weights[row]!
  const gram = new Float64Array(m * m)
  for (let k = 0; k < patternCount; k++) {
    for (let i = k * width; i < (k + 1) * width; i++) {
      const a = entries[i]!
      if (a < 0) continue
      for (let j = k * width; j < (k + 1) * width; j++) if (entries[j]! >= 0) gram[a * m + entries[j]!]! += masses[k]!
    }
  }
  const first = m - numbers.length
  numbers.forEach((own, j) => {
    const sums = new Float64Array(patternCount)
    for (let row = 0; row < own.length; row++) if (weights[row]! > 0) sums[ofRow[row]!]! += weights[row]! * own[row]!
    for (let i = 0; i < entries.length; i++) {
      const a = entries[i]!
      if (a < 0) continue
      const sum = sums[Math.floor(i / width)]!
      gram[a * m + first + j]! += sum
      gram[(first + j) * m + a]! += sum
    }
    for (let l = 0; l <= j; l++) {
      const other = numbers[l]!
      let sum = 0
      for (let row = 0; row < own.length; row++) sum += weights[row]! * own[row]! * other[row]!
      gram[(first + j) * m + first + l] = sum
      gram[(first + l) * m + first + j] = sum
    }
  })
  return gram
}
