/**
 * Assigns numbers to unordered levels: those that the candidates predict best. Each level's indicator is regressed on the
 * candidates; the axis is the combination of levels with the largest share of its variance explained (the first axis of a
 * redundancy analysis: van den Wollenberg 1977; with one candidate, of a correspondence analysis).
 *
 * K  levels     p  features
 */

const POWER_STEPS = 60

/**
 * weights   K regressions, length p each: of the indicator of a level less its share
 * products  K, length p each: X'y of the same
 * counts    length K: rows of each level
 * worth     effective rows for each of them
 *
 * @returns the regression of the axis, length p; null where chance alone explains as much.
 */
export function mostPredictable(
  weights: readonly Float64Array[],
  products: readonly Float64Array[],
  counts: readonly number[],
  worth = 1,
): Float64Array | null {
  const scale = counts.map((count) => 1 / Math.sqrt(count))
  // Symmetric, of variance explained by pairs of levels.
  const matrix = weights.map((w, k) => products.map((product, l) => scale[k]! * scale[l]! * dot(w, product)))
  let widest = 0
  for (let k = 1; k < matrix.length; k++) if (matrix[k]![k]! > matrix[widest]![widest]!) widest = k
  let axis = matrix[widest]!
  let explainedShare = 0
  for (let step = 0; step < POWER_STEPS; step++) {
    const norm = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0))
    if (norm === 0) return null
    const unit = axis.map((value) => value / norm)
    axis = matrix.map((row) => row.reduce((sum, value, l) => sum + value * unit[l]!, 0))
    explainedShare = axis.reduce((sum, value, k) => sum + value * unit[k]!, 0)
  }
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const p = weights[0]!.length
  if (explainedShare * rows * worth <= largestByChance(p, counts.length)) return null
  const combined = new Float64Array(p)
  for (const [k, w] of weights.entries()) {
    const factor = axis[k]! * scale[k]!
    for (let f = 0; f < p; f++) combined[f] = combined[f]! + factor * w[f]!
  }
  return combined
}

/** About the largest n R^2 of the best of K - 1 axes without any association (Marchenko, Pastur 1967). */
function largestByChance(p: number, k: number): number {
  return (Math.sqrt(p) + Math.sqrt(k - 1)) ** 2
}

/** About n R^2, from a regression's weights and its X'y for a response of variance 1. */
export function dot(weights: Float64Array, products: Float64Array): number {
  let sum = 0
  for (let a = 0; a < weights.length; a++) sum += weights[a]! * products[a]!
  return sum
}
