/**
 * The margins that a side's weights are calibrated to, as a regression: what they determine of an outcome has no sampling error.
 *
 *   A = (sum of w x x')⁻¹     r = u - x' A (sum of w x u)     h = w x' A x
 *
 * x is that of regressors.ts. Most of its entries depend on a row's pattern (its combination of margins) alone, so all but the sums
 * over rows is done once for each pattern.
 *
 * n  kept rows of the seed, D  conditioned categorical columns, K  patterns, m  entries of x, p  of them numbers
 *
 * Deville and Särndal 1992; Särndal, Swensson and Wretman 1992, section 6.6. Leverage: MacKinnon and White 1985 (HC3).
 */

import { generalisedInverse } from './generalised-inverse.ts'
import { gramOf, regressorsOf } from './regressors.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { spreadOf } from './spread.ts'

/** Above this leverage a row would decide its own fit. */
const MOST_LEVERAGE = 0.999

export interface Calibration {
  /** Length n: w. */
  readonly weights: Float64Array
  /** Length n: w / (1 - h). */
  readonly corrected: Float64Array
  /** k of the weights (spread.ts): Infinity where all are equal. */
  readonly spread: number
  /** Length n: the pattern of each row; those outside have the weight 0. */
  readonly ofRow: Int32Array
  /** p arrays of length n: the numbers of x. */
  readonly numbers: readonly Float64Array[]
  /**
   * The fitted part x' A (sum of w x u) of each pattern, without that of the numbers.
   *
   * @param sums Length K: sum of w u over the rows of each pattern.
   * @param fitted Length K: receives it.
   * @param totals Length p: sum of w u times each number.
   * @returns Length p: what each number adds to the fitted part of a row, a unit of it.
   */
  readonly predict: (sums: Float64Array, fitted: Float64Array, totals?: Float64Array) => Float64Array
  /** K */
  readonly patternCount: number
}

/** Of sides that are asked for more than once. */
const known = new WeakMap<WeightedSeed, Calibration>()

export function calibrationOf(side: WeightedSeed): Calibration {
  let calibration = known.get(side)
  if (calibration === undefined) {
    calibration = calibrated(side)
    known.set(side, calibration)
  }
  return calibration
}

function calibrated({ weights, patterns, margins, numbers }: WeightedSeed): Calibration {
  const regressors = regressorsOf(patterns, margins, numbers)
  const { ofRow, entries, width, patternCount: K, m } = regressors
  const A = generalisedInverse(gramOf(regressors, weights), m)
  const first = m - numbers.length
  const leverage = new Float64Array(K)
  // K × p, row-major.
  const mixed = new Float64Array(K * numbers.length)
  for (let k = 0; k < K; k++) {
    for (let i = k * width; i < (k + 1) * width; i++) {
      if (entries[i]! < 0) continue
      for (let j = k * width; j < (k + 1) * width; j++) {
        if (entries[j]! >= 0) leverage[k]! += A[entries[i]! * m + entries[j]!]!
      }
      for (let j = 0; j < numbers.length; j++) mixed[k * numbers.length + j]! += A[entries[i]! * m + first + j]!
    }
  }
  const ofNumbers = (row: number): number => {
    let sum = 0
    numbers.forEach((own, j) => {
      let slope = 2 * mixed[ofRow[row]! * numbers.length + j]!
      for (let l = 0; l < numbers.length; l++) slope += A[(first + j) * m + first + l]! * numbers[l]![row]!
      sum += own[row]! * slope
    })
    return sum
  }
  const corrected = new Float64Array(weights.length)
  for (let row = 0; row < corrected.length; row++) {
    const w = weights[row]!
    if (w !== 0) corrected[row] = w / (1 - Math.min(MOST_LEVERAGE, w * (leverage[ofRow[row]!]! + ofNumbers(row))))
  }
  const moments = new Float64Array(m)
  const slopes = new Float64Array(m)
  const predict: Calibration['predict'] = (sums, fitted, totals) => {
    moments.fill(0)
    for (let k = 0, i = 0; k < K; k++) {
      for (let d = 0; d < width; d++, i++) if (entries[i]! >= 0) moments[entries[i]!]! += sums[k]!
    }
    if (totals !== undefined) moments.set(totals, first)
    for (let a = 0; a < m; a++) {
      let slope = 0
      for (let b = 0; b < m; b++) slope += A[a * m + b]! * moments[b]!
      slopes[a] = slope
    }
    for (let k = 0, i = 0; k < K; k++) {
      let value = 0
      for (let d = 0; d < width; d++, i++) if (entries[i]! >= 0) value += slopes[entries[i]!]!
      fitted[k] = value
    }
    return slopes.slice(first)
  }
  return { weights, corrected, spread: spreadOf(weights), ofRow, numbers, predict, patternCount: K }
}
