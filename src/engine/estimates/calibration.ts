/**
 * The margins that a side's weights are calibrated to, as a regression: what they determine of an outcome has no sampling error.
 *
 *   A = (sum of w x x')⁻¹     r = u - x' A (sum of w x u)     h = w x' A x
 *
 * x holds 1 and, for each conditioned column, indicators of its margins but the last. It depends on a row's pattern (its
 * combination of margins) alone, so all but the sums over rows is done once for each pattern.
 *
 * n  kept rows of the seed, D  conditioned categorical columns, K  patterns, m  entries of x
 *
 * Deville and Särndal 1992; Särndal, Swensson and Wretman 1992, section 6.6. Leverage: MacKinnon and White 1985 (HC3).
 */

import type { WeightedSeed } from './seed-weights.ts'

/** Above this leverage a row would decide its own fit. */
const MOST_LEVERAGE = 0.999

/** An entry of x of which the others leave less than this part unexplained is determined by them. */
const DEPENDENT = 1e-10

export interface Calibration {
  /** Length n: w. */
  readonly weights: Float64Array
  /** Length n: w / (1 - h). */
  readonly corrected: Float64Array
  /** Length n: the pattern of each row; those outside have the weight 0. */
  readonly ofRow: Int32Array
  /**
   * The fitted part x' A (sum of w x u) of each pattern.
   *
   * @param sums Length K: sum of w u over the rows of each pattern.
   * @param fitted Length K: receives it.
   */
  readonly predict: (sums: Float64Array, fitted: Float64Array) => void
  /** K */
  readonly patternCount: number
}

export function calibrationOf({ weights, patterns, margins }: WeightedSeed): Calibration {
  const { ofRow, margins: ofPattern, rows } = patterns
  const D = margins.columnCount
  const K = rows.length
  const masses = new Float64Array(K)
  for (let row = 0; row < weights.length; row++) if (ofRow[row]! >= 0) masses[ofRow[row]!]! += weights[row]!
  const { entries, m } = entriesOf(ofPattern, margins.start, K)
  const gram = new Float64Array(m * m)
  for (let k = 0; k < K; k++) {
    for (let i = k * (D + 1); i < (k + 1) * (D + 1); i++) {
      const a = entries[i]!
      if (a < 0) continue
      for (let j = k * (D + 1); j < (k + 1) * (D + 1); j++)
        if (entries[j]! >= 0) gram[a * m + entries[j]!]! += masses[k]!
    }
  }
  const A = generalisedInverse(gram, m)
  const leverage = new Float64Array(K)
  for (let k = 0; k < K; k++) {
    for (let i = k * (D + 1); i < (k + 1) * (D + 1); i++) {
      if (entries[i]! < 0) continue
      for (let j = k * (D + 1); j < (k + 1) * (D + 1); j++) {
        if (entries[j]! >= 0) leverage[k]! += A[entries[i]! * m + entries[j]!]!
      }
    }
  }
  const corrected = weights.map((w, row) =>
    w === 0 ? 0 : w / (1 - Math.min(MOST_LEVERAGE, w * leverage[ofRow[row]!]!)),
  )
  const moments = new Float64Array(m)
  const slopes = new Float64Array(m)
  const predict = (sums: Float64Array, fitted: Float64Array): void => {
    moments.fill(0)
    for (let k = 0, i = 0; k < K; k++) {
      for (let d = 0; d <= D; d++, i++) if (entries[i]! >= 0) moments[entries[i]!]! += sums[k]!
    }
    for (let a = 0; a < m; a++) {
      let slope = 0
      for (let b = 0; b < m; b++) slope += A[a * m + b]! * moments[b]!
      slopes[a] = slope
    }
    for (let k = 0, i = 0; k < K; k++) {
      let value = 0
      for (let d = 0; d <= D; d++, i++) if (entries[i]! >= 0) value += slopes[entries[i]!]!
      fitted[k] = value
    }
  }
  return { weights, corrected, ofRow, predict, patternCount: K }
}

/** K × (D + 1), row-major: the entries of x that are 1, with -1 for the last margin of a column; and how many entries x has. */
function entriesOf(ofPattern: Int32Array, start: Int32Array, K: number): { entries: Int32Array; m: number } {
  const D = start.length - 1
  const entries = new Int32Array(K * (D + 1))
  for (let k = 0; k < K; k++) {
    entries[k * (D + 1)] = 0
    for (let d = 0; d < D; d++) {
      const margin = ofPattern[k * D + d]!
      // The columns before have start[d] - d entries, because each leaves out its last margin.
      entries[k * (D + 1) + d + 1] = margin === start[d + 1]! - 1 ? -1 : 1 + margin - d
    }
  }
  return { entries, m: 1 + start[D]! - D }
}

/**
 * An inverse of a symmetric matrix without negative eigenvalues, with rows and columns of 0 for entries that the ones before
 * determine: levels that always go together, or that no row has. (Gauss and Jordan; the sweep operator of Goodnight 1979.)
 *
 * @param matrix m × m, row-major; used up.
 */
function generalisedInverse(matrix: Float64Array, m: number): Float64Array {
  const diagonal = Float64Array.from({ length: m }, (_, a) => matrix[a * m + a]!)
  const swept = new Uint8Array(m)
  for (let a = 0; a < m; a++) {
    const pivot = matrix[a * m + a]!
    if (!(pivot > DEPENDENT * diagonal[a]!)) continue
    swept[a] = 1
    for (let j = 0; j < m; j++) matrix[a * m + j]! /= pivot
    for (let i = 0; i < m; i++) {
      if (i === a) continue
      const factor = matrix[i * m + a]!
      if (factor === 0) continue
      for (let j = 0; j < m; j++) matrix[i * m + j]! -= factor * matrix[a * m + j]!
      matrix[i * m + a] = -factor / pivot
    }
    matrix[a * m + a] = 1 / pivot
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) if (swept[i] === 0 || swept[j] === 0) matrix[i * m + j] = 0
  }
  return matrix
}
