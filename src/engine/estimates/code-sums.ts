/**
 * Sums over the rows of each code of a column: all that shares, means and their standard errors need.
 *
 * n  kept rows of the seed, K  codes of a column
 * w, v  weights of the scenario and of the baseline, f, g  fractions of a row inside the ranges of either
 *
 * A row of which only the part f is inside stands for one that is inside with probability f. The expected squares are then
 * w² / f and v² / g; of the product, w v / max(f, g), as the narrower of two ranges mostly lies within the wider.
 */
import type { WeightedSeed } from './seed-weights.ts'

/** Length n each: what of a row enters the sums, the same for all columns. */
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
