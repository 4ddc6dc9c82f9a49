/**
 * The difference of a weighted mean between two sides, and its standard error, which knows that the weights were calibrated.
 *
 * n  kept rows of the seed     w, v  weights of scenario and baseline, each summing to 1     y  outcome
 * g  1 where a row counts (it answered; it is in the segment), else 0
 *
 *   m = sum w g y / sum w g     u = g (y - m) / sum w g     r, h  residual and leverage (calibration.ts)     d = m_S - m_B
 *   e = w r_S / (1 - h_S) - v r_B / (1 - h_B)     the influence of each row on d
 *   SE² = n / (n - 1) sum e² + f sum over both sides of max(0, q (1 - q) - p (1 - p)) / k
 *   q = (k p + 1) / (k + 2)     f = min(1, sum (w - v)² / max(sum w², sum v²))     the second term for shares alone
 *   nu = min(k(w), k(v), k(e without the leverage))
 *
 * Where nothing is left of e, because both sides fix the outcome or weight its rows alike, the difference has no error.
 *
 * The linearised variance of a calibration estimator with known totals (Deville and Särndal 1992; Särndal, Swensson and Wretman
 * 1992, section 6.6), with the leverage correction of sandwich estimators (MacKinnon and White 1985), degrees of freedom from the
 * spread of the weights (Satterthwaite's idea), and the two pseudo-answers of Agresti and Caffo (2000) for rare answers. With strata
 * and clusters the variance is that between the clusters of a stratum (design-variance.ts), and with replicate weights that of the
 * replicates (replicates.ts).
 */

import type { SurveyDesign } from '../weighting/survey-design.ts'
import type { Calibration } from './calibration.ts'
import { clusteredVariance, designDegrees } from './design-variance.ts'
import { type RowGroups, rowGroups } from './row-groups.ts'
import { spreadOf, sum } from './spread.ts'

/** What both sides are, before any outcome is looked at. */
export interface ComparedSides {
  readonly scenario: Calibration
  readonly baseline: Calibration
  /** f: how far the sides are apart, 0 … 1. */
  readonly far: number
  readonly design: SurveyDesign | undefined
  /** Null where every row is by itself: with a design, case weights, or means that a side fixes. */
  readonly groups: RowGroups | null
}

export function comparedSides(
  scenario: Calibration,
  baseline: Calibration,
  design: SurveyDesign | undefined,
): ComparedSides {
  let [apart, squares, baselineSquares] = [0, 0, 0]
  for (let row = 0; row < scenario.weights.length; row++) {
    const [w, v] = [scenario.weights[row]!, baseline.weights[row]!]
    apart += (w - v) ** 2
    squares += w * w
    baselineSquares += v * v
  }
  return {
    scenario,
    baseline,
    far: Math.min(1, apart / Math.max(squares, baselineSquares)),
    design,
    groups: design === undefined ? rowGroups(scenario, baseline) : null,
  }
}

/** Of all rows, or of one row for each kind of them. */
export interface Outcome {
  /** Length n: y; anything where a row does not count. */
  readonly values: Float64Array
  /** Length n: g; null: all rows count. */
  readonly counts: Uint8Array | null
  /** Whether y is the indicator of a level. */
  readonly isShare: boolean
  /** Length n: how often each row counts; absent: once. */
  readonly times?: Float64Array | null
}

/** An outcome that differs between the sides, as the share below a quantile of each does. */
export interface OutcomePair {
  readonly scenario: Outcome
  readonly baseline: Outcome
}

export interface Difference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standardError: number
  /** Without leverage correction and pseudo-answers: the plain linearised error. */
  readonly linearisedError: number
  /** Infinity where nothing limits them. */
  readonly degreesOfFreedom: number
  /** Length n: e. */
  readonly influence: Float64Array
  /** The largest of e², as a part of their sum; 0 where all are 0. */
  readonly largestPart: number
}

/** Influences this much smaller than those of fixed weights are rounding errors: weights are raked to 13 places. */
const ROUNDING = 1e-9

/**
 * Null where no row that counts has a weight on either side.
 *
 * @param ofBaseline The outcome of the baseline, where it is another one; no share then.
 */
export function differenceOf(sides: ComparedSides, outcome: Outcome, ofBaseline: Outcome = outcome): Difference | null {
  const { values, times = null } = outcome
  const n = values.length
  const influence = new Float64Array(n)
  const plain = new Float64Array(n)
  const one = addInfluence(sides.scenario, outcome, 1, influence, plain)
  const other = addInfluence(sides.baseline, ofBaseline, -1, influence, plain)
  if (one === null || other === null) return null
  const [scenario, baseline] = [one.mean, other.mean]
  const difference = differenceBetween(scenario, baseline)
  if (isDecided(plain, times, one.squares + other.squares)) {
    const none = { standardError: 0, linearisedError: 0, degreesOfFreedom: Number.POSITIVE_INFINITY }
    return { scenario, baseline, difference, ...none, influence: influence.fill(0), largestPart: 0 }
  }
  const { design, far } = sides
  const spread = { scenario: sides.scenario.spread, baseline: sides.baseline.spread }
  const isClustered = design !== undefined && (design.strata !== null || design.clusters !== null)
  const variance = (e: Float64Array): number =>
    isClustered ? clusteredVariance(e, design) : independentVariance(e, times)
  const pseudo =
    outcome.isShare && !isClustered
      ? far * (pseudoAnswers(scenario, spread.scenario) + pseudoAnswers(baseline, spread.baseline))
      : 0
  return {
    scenario,
    baseline,
    difference,
    standardError: Math.sqrt(variance(influence) + pseudo),
    linearisedError: Math.sqrt(variance(plain)),
    degreesOfFreedom: isClustered
      ? designDegrees(design)
      : Math.min(spread.scenario, spread.baseline, spreadOf(plain, times)),
    influence,
    largestPart: largestPartOf(influence, times),
  }
}

/** 0 where it is smaller than the last digit that its sides are sure of. */
function differenceBetween(scenario: number, baseline: number): number {
  const difference = scenario - baseline
  return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(scenario), Math.abs(baseline)) ? 0 : difference
}

/**
 * Whether the scenarios alone decide a difference: of a column that both condition, or inside segments that both weight alike. Other
 * samples would have the same. An answer that nobody gave is not decided: there the squares are 0.
 *
 * @param squares Of both sides' influences if their weights were fixed.
 */
function isDecided(plain: Float64Array, times: Float64Array | null, squares: number): boolean {
  const left = sumOfSquares(plain, times)
  return squares > 0 && left <= ROUNDING * ROUNDING * squares
}

/**
 * Adds ± w r / (1 - h) to `influence` and ± w r to `plain`.
 *
 * @returns m, and the sum of (w u)²; null where no row that counts has a weight.
 */
function addInfluence(
  { weights, corrected, ofRow, numbers, predict, patternCount }: Calibration,
  { values, counts, times = null }: Outcome,
  sign: 1 | -1,
  influence: Float64Array,
  plain: Float64Array,
): { readonly mean: number; readonly squares: number } | null {
  const n = weights.length
  let total = 0
  let weighted = 0
  for (let row = 0; row < n; row++) {
    const w = weights[row]! * (times === null ? 1 : times[row]!)
    if (w === 0 || (counts !== null && counts[row] === 0)) continue
    total += w
    weighted += w * values[row]!
  }
  if (!(total > 0)) return null
  const m = weighted / total
  const sums = new Float64Array(patternCount)
  const totals = new Float64Array(numbers.length)
  for (let row = 0; row < n; row++) {
    const w = weights[row]! * (times === null ? 1 : times[row]!)
    if (w === 0 || (counts !== null && counts[row] === 0)) continue
    const part = (w * (values[row]! - m)) / total
    sums[ofRow[row]!]! += part
    for (let j = 0; j < numbers.length; j++) totals[j]! += part * numbers[j]![row]!
  }
  const fitted = new Float64Array(patternCount)
  const slopes = predict(sums, fitted, totals)
  let squares = 0
  for (let row = 0; row < n; row++) {
    const w = weights[row]!
    if (w === 0) continue
    const u = counts !== null && counts[row] === 0 ? 0 : (values[row]! - m) / total
    let residual = u - fitted[ofRow[row]!]!
    for (let j = 0; j < numbers.length; j++) residual -= slopes[j]! * numbers[j]![row]!
    squares += w * u * (w * u) * (times === null ? 1 : times[row]!)
    plain[row]! += sign * w * residual
    influence[row]! += sign * corrected[row]! * residual
  }
  return { mean: m, squares }
}

function independentVariance(e: Float64Array, times: Float64Array | null): number {
  const n = times === null ? e.length : sum(times)
  return (n / (n - 1)) * sumOfSquares(e, times)
}

function sumOfSquares(e: Float64Array, times: Float64Array | null): number {
  let squares = 0
  for (let row = 0; row < e.length; row++) squares += e[row]! * e[row]! * (times === null ? 1 : times[row]!)
  return squares
}

function largestPartOf(e: Float64Array, times: Float64Array | null): number {
  let largest = 0
  for (let row = 0; row < e.length; row++) {
    const square = times?.[row] === 0 ? 0 : e[row]! * e[row]!
    if (square > largest) largest = square
  }
  return largest === 0 ? 0 : largest / sumOfSquares(e, times)
}

/** One side's part of the second term; 0 where all weights are equal. */
function pseudoAnswers(p: number, k: number): number {
  if (k === Number.POSITIVE_INFINITY) return 0
  const q = (k * p + 1) / (k + 2)
  return Math.max(0, q * (1 - q) - p * (1 - p)) / k
}

/** Standard deviation of the values that count, weighted. */
export function spreadOfValues(
  { weights }: Calibration,
  { values, counts, times = null }: Outcome,
  mean: number,
): number {
  let squares = 0
  let total = 0
  for (let row = 0; row < weights.length; row++) {
    const w = weights[row]! * (times === null ? 1 : times[row]!)
    if (w === 0 || (counts !== null && counts[row] === 0)) continue
    squares += w * (values[row]! - mean) ** 2
    total += w
  }
  return Math.sqrt(squares / (counts === null ? 1 : total))
}
