/**
 * Shares and means of two weightings of the same rows, and their difference.
 *
 * n  kept rows of the seed,  w, v  weights of scenario and baseline, each summing to 1 over the compared rows
 *
 *   m = sum of w y,   d = m - m of the baseline,   e = w (y - m) - v (y - m of the baseline)
 *   SE² = n / (n - 1) · sum of e²
 *
 * Both sides see the same rows, so their covariance is in e. The weights are taken as fixed. The compared rows are all rows, or
 * those of a segment: e is then 0 outside of it (Särndal, Swensson and Wretman 1992, estimates for domains).
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical, EncodedNumeric, Model, Tree } from '../model/model.ts'
import { type CodeSums, codeMoments, type RowTerms, rowTerms, sumByCode } from './code-sums.ts'
import { levelDesignEffects, meanDesignEffect } from './design-effect.ts'
import { type LargestWeights, largestWeights, releasedLevels, rounded, roundedSpread } from './released-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import { sum, type WeightedSeed } from './seed-weights.ts'

/** Scenario, baseline and difference are each rounded separately, so their last digits need not agree. */
export interface EstimatedDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standardError: number
  /** See design-effect.ts. */
  readonly designEffect: number
}

export interface EstimatedMean extends EstimatedDifference {
  readonly scenarioSd: number
  readonly baselineSd: number
}

export type EstimatedOutcome =
  | {
      readonly column: string
      readonly kind: 'shares'
      /** Shares of all rows: a missing answer is not the level. Most frequent levels of the seed first. */
      readonly levels: readonly (EstimatedDifference & { readonly level: string })[]
    }
  /** The mean of the rows that have a value. Null: too few have one, or values are too large to be squared. */
  | { readonly column: string; readonly kind: 'mean'; readonly mean: EstimatedMean | null }

/** Both sides, with weights of the same rows. */
export interface ComparedRows {
  readonly scenario: WeightedSeed
  readonly baseline: WeightedSeed
  /** The rows of the seed that the weights belong to, ascending; null: all. */
  readonly rows: Uint32Array | null
}

/**
 * @param outcomes Names of columns: shares of the levels of categorical ones, means of numeric ones.
 * @param compared Null: no outcome has numbers.
 * @throws RangeError for a missing column.
 */
export function estimateOutcomes(
  seed: Seed & Partial<Pick<Model, 'base'>>,
  outcomes: readonly string[],
  maxLevels: number,
  compared: ComparedRows | null,
): EstimatedOutcome[] {
  const terms = compared === null ? null : rowTerms(compared.scenario, compared.baseline)
  const largest = compared === null ? null : largestWeights(compared.scenario, compared.baseline)
  return outcomes.map((name): EstimatedOutcome => {
    const index = seed.columns.findIndex((column) => column.name === name)
    const column = seed.columns[index]
    if (column === undefined) throw new RangeError(`there is no column ${name}`)
    if (compared === null || terms === null || largest === null) {
      return column.kind === 'categorical'
        ? { column: name, kind: 'shares', levels: [] }
        : { column: name, kind: 'mean', mean: null }
    }
    const sums = sumByCode(terms, codesOf(seed.codes[index]!, compared.rows), column.codeCount)
    // Leaves hold rows of all segments: inside one, a figure is as noisy as that of independent rows.
    const tree = compared.rows === null ? (seed.base?.trees.find(({ target }) => target === index) ?? null) : null
    return column.kind === 'categorical'
      ? { column: name, kind: 'shares', levels: sharesOf(column, tree, sums, largest, seed.rowCount, maxLevels) }
      : { column: name, kind: 'mean', mean: meanOf(column, index, tree, sums, terms, largest, seed.rowCount) }
  })
}

function codesOf(codes: Uint16Array, rows: Uint32Array | null): Uint16Array {
  return rows === null ? codes : Uint16Array.from(rows, (row) => codes[row]!)
}

function sharesOf(
  column: EncodedCategorical,
  tree: Tree | null,
  sums: CodeSums,
  largest: LargestWeights,
  n: number,
  maxLevels: number,
): (EstimatedDifference & { level: string })[] {
  const all = {
    squares: sum(sums.squares),
    baselineSquares: sum(sums.baselineSquares),
    products: sum(sums.products),
  }
  const effects = levelDesignEffects(tree, column.codeCount, n)
  return releasedLevels(sums, column.missing)
    .slice(0, maxLevels)
    .map((code) => {
      const [m, b] = [sums.scenario[code]!, sums.baseline[code]!]
      // The rows with the level have y = 1, all others y = 0.
      const has = termsOf(sums, code)
      const hasNot = {
        squares: all.squares - has.squares,
        baselineSquares: all.baselineSquares - has.baselineSquares,
        products: all.products - has.products,
      }
      const of = (scenarioPart: 0 | 1, baselinePart: 0 | 1): number =>
        squareOf(has, scenarioPart * (1 - m), baselinePart * (1 - b)) +
        squareOf(hasNot, scenarioPart * -m, baselinePart * -b)
      const released = rounded(
        { scenario: m, baseline: b, difference: m - b },
        { scenario: error(of(1, 0), n), baseline: error(of(0, 1), n), difference: error(of(1, 1), n) },
        largest,
      )
      return { level: column.levels[code - column.missing]!, ...released, designEffect: effects[code]! }
    })
}

interface SquareTerms {
  readonly squares: number
  readonly baselineSquares: number
  readonly products: number
}

function termsOf(sums: CodeSums, code: number): SquareTerms {
  return {
    squares: sums.squares[code]!,
    baselineSquares: sums.baselineSquares[code]!,
    products: sums.products[code]!,
  }
}

/** Sum of (w x - v z)² over the rows of the terms. */
function squareOf({ squares, baselineSquares, products }: SquareTerms, x: number, z: number): number {
  return squares * x * x - 2 * products * x * z + baselineSquares * z * z
}

/**
 * Null when fewer than 10 rows, or 10 effective ones, have a value on either side, and for values too large to be
 * squared.
 */
function meanOf(
  column: EncodedNumeric,
  index: number,
  tree: Tree | null,
  sums: CodeSums,
  { scenario, baseline }: RowTerms,
  largest: LargestWeights,
  n: number,
): EstimatedMean | null {
  const rangeOf = ({ conditions }: WeightedSeed) =>
    conditions.ranges.find((condition) => condition.index === index)?.range ?? null
  const one = codeMoments(column, rangeOf(scenario))
  const other = codeMoments(column, rangeOf(baseline))
  const codes = Array.from({ length: column.codeCount - column.missing }, (_, i) => i + column.missing)
  const total = (of: Float64Array): number => codes.reduce((all, code) => all + of[code]!, 0)
  const [w, v] = [total(sums.scenario), total(sums.baseline)]
  const fewest = Math.min(
    total(sums.scenarioRows),
    total(sums.baselineRows),
    w ** 2 / total(sums.squares),
    v ** 2 / total(sums.baselineSquares),
  )
  if (!(fewest >= LEAST_ROWS)) return null
  const meanBy = (weights: Float64Array, means: Float64Array, all: number) =>
    codes.reduce((mean, code) => mean + (weights[code]! / all) * means[code]!, 0)
  const m = meanBy(sums.scenario, one.means, w)
  const b = meanBy(sums.baseline, other.means, v)
  let [square, scenarioSquare, baselineSquare, scenarioSpread, baselineSpread] = [0, 0, 0, 0, 0]
  for (const code of codes) {
    const terms = {
      squares: sums.squares[code]! / w ** 2,
      baselineSquares: sums.baselineSquares[code]! / v ** 2,
      products: sums.products[code]! / (w * v),
    }
    const [x, z] = [one.means[code]! - m, other.means[code]! - b]
    const [within, baselineWithin] = [one.variances[code]!, other.variances[code]!]
    square += squareOf(terms, x, z)
    // Values of a bin vary around its mean: equally on both sides, as far as both include them.
    square += terms.squares * within + terms.baselineSquares * baselineWithin
    square -= 2 * terms.products * Math.min(within, baselineWithin)
    scenarioSquare += terms.squares * (x * x + within)
    baselineSquare += terms.baselineSquares * (z * z + baselineWithin)
    scenarioSpread += (sums.scenario[code]! / w) * (x * x + within)
    baselineSpread += (sums.baseline[code]! / v) * (z * z + baselineWithin)
  }
  const sd = { scenario: Math.sqrt(scenarioSpread), baseline: Math.sqrt(baselineSpread) }
  const errors = {
    scenario: error(scenarioSquare, n),
    baseline: error(baselineSquare, n),
    difference: error(square, n),
  }
  // Squares of values beyond about 1e154 are no finite numbers.
  if (![...Object.values(errors), sd.scenario, sd.baseline].every(Number.isFinite)) return null
  const { means } = codeMoments(column, null)
  return {
    ...rounded({ scenario: m, baseline: b, difference: m - b }, errors, {
      scenario: (largest.scenario / w) * sd.scenario,
      baseline: (largest.baseline / v) * sd.baseline,
      difference: (largest.difference / Math.min(w, v)) * Math.max(sd.scenario, sd.baseline),
    }),
    designEffect: meanDesignEffect(tree, means, column.missing, n),
    scenarioSd: roundedSpread(sd.scenario),
    baselineSd: roundedSpread(sd.baseline),
  }
}

function error(sumOfSquares: number, n: number): number {
  return Math.sqrt((n / (n - 1)) * Math.max(0, sumOfSquares))
}
