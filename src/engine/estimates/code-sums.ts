/**
 * Sums over the rows of each code of a column: the input of all shares, means and their standard errors.
 *
 * n  kept rows of the seed, K  codes of a column
 * w, v  weights of the scenario and of the baseline, f, g  fractions of a row inside the ranges of either
 *
 * A row of which only the part f is inside stands for one that is inside with probability f. The expected squares are then
 * w² / f and v² / g; of the product, w v / max(f, g), as the narrower of two ranges mostly lies within the wider.
 */

import type { EncodedNumeric } from '../model/model.ts'
import { weightsInside } from '../sampling/decode.ts'
import type { ValueRange } from '../sampling/value-cells.ts'
import type { WeightedSeed } from './seed-weights.ts'

/** Length n each: the parts of a row that enter the sums, the same for all columns. */
export interface RowTerms {
  readonly scenario: WeightedSeed
  readonly baseline: WeightedSeed
  readonly squares: Float64Array
  readonly baselineSquares: Float64Array
  readonly products: Float64Array
}

/** Length K each. */
export interface CodeSums {
  /** Sum of w, of v. */
  readonly scenario: Float64Array
  readonly baseline: Float64Array
  /** Sum of f, of g: rows inside. */
  readonly scenarioRows: Float64Array
  readonly baselineRows: Float64Array
  readonly squares: Float64Array
  readonly baselineSquares: Float64Array
  readonly products: Float64Array
}

export function rowTerms(scenario: WeightedSeed, baseline: WeightedSeed): RowTerms {
  const [w, f] = [scenario.weights, scenario.inside]
  const [v, g] = [baseline.weights, baseline.inside]
  return {
    scenario,
    baseline,
    squares: w.map((weight, row) => (weight === 0 ? 0 : (weight * weight) / f[row]!)),
    baselineSquares: v.map((weight, row) => (weight === 0 ? 0 : (weight * weight) / g[row]!)),
    products: w.map((weight, row) => {
      const product = weight * v[row]!
      return product === 0 ? 0 : product / Math.max(f[row]!, g[row]!)
    }),
  }
}

export function sumByCode(terms: RowTerms, codes: Uint16Array, codeCount: number): CodeSums {
  const [w, f] = [terms.scenario.weights, terms.scenario.inside]
  const [v, g] = [terms.baseline.weights, terms.baseline.inside]
  const sums = {
    scenario: new Float64Array(codeCount),
    baseline: new Float64Array(codeCount),
    scenarioRows: new Float64Array(codeCount),
    baselineRows: new Float64Array(codeCount),
    squares: new Float64Array(codeCount),
    baselineSquares: new Float64Array(codeCount),
    products: new Float64Array(codeCount),
  }
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    sums.scenario[code]! += w[row]!
    sums.baseline[code]! += v[row]!
    sums.scenarioRows[code]! += f[row]!
    sums.baselineRows[code]! += g[row]!
    sums.squares[code]! += terms.squares[row]!
    sums.baselineSquares[code]! += terms.baselineSquares[row]!
    sums.products[code]! += terms.products[row]!
  }
  return sums
}

/**
 * Mean and variance of the values that a code of a numeric column stands for, so that nothing is lost by binning.
 *
 * K  codes of the column, V  its distinct values
 */
interface CodeMoments {
  /** Length K: 0 for missing, and if no part of the bin is inside the range. */
  readonly means: Float64Array
  /** Length K */
  readonly variances: Float64Array
}

/** @param range Only values inside it count; null: all. */
export function codeMoments(column: EncodedNumeric, range: ValueRange | null): CodeMoments {
  const { binStart, values, missing } = column
  const means = new Float64Array(column.codeCount)
  const variances = new Float64Array(column.codeCount)
  for (let bin = 0; bin < binStart.length - 1; bin++) {
    const first = binStart[bin]!
    const rows = runningRows(column, range, first, binStart[bin + 1]!)
    const all = rows.at(-1)!
    if (!(all > 0)) continue
    // A value may stand for the numbers around it. If a bound cuts them, it stands for those inside.
    const valueAt = (i: number): number =>
      range === null ? values[first + i]! : Math.min(range.max, Math.max(range.min, values[first + i]!))
    const shareAt = (i: number): number => (rows[i]! - (i === 0 ? 0 : rows[i - 1]!)) / all
    let mean = 0
    for (let i = 0; i < rows.length; i++) mean += shareAt(i) * valueAt(i)
    let variance = 0
    for (let i = 0; i < rows.length; i++) variance += shareAt(i) * (valueAt(i) - mean) ** 2
    means[bin + missing] = mean
    variances[bin + missing] = variance
  }
  return { means, variances }
}

/** Running sums of the rows of values first … end - 1 inside the range. */
function runningRows(column: EncodedNumeric, range: ValueRange | null, first: number, end: number): Float64Array {
  if (range !== null) return weightsInside(column, range, first, end)
  return column.cumulative.subarray(first + 1, end + 1).map((rows) => rows - column.cumulative[first]!)
}
