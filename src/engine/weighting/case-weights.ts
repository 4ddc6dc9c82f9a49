/**
 * Case weights (survey weights): how much a row counts for beside the others, because people of its kind had a smaller or larger
 * chance to be in the seed. They are scaled to mean 1; where all are equal there are none.
 *
 * n  rows     a  weights
 */

import { sharedFloat64 } from '../threads/shared-arrays.ts'

/**
 * Scaled to mean 1, shared; undefined when all are equal.
 *
 * @throws RangeError for a weight that is negative or not finite, and when all are 0.
 */
export function caseWeights(weights: Float64Array): Float64Array | undefined {
  let sum = 0
  let isEqual = true
  for (const [row, weight] of weights.entries()) {
    if (!(weight >= 0 && Number.isFinite(weight))) throw new RangeError(`row ${row} has the weight ${weight}`)
    sum += weight
    isEqual &&= weight === weights[0]
  }
  if (!(sum > 0)) throw new RangeError('all weights are 0')
  if (isEqual) return undefined
  const scaled = sharedFloat64(weights.length)
  const mean = sum / weights.length
  for (let row = 0; row < scaled.length; row++) scaled[row] = weights[row]! / mean
  return scaled
}

/**
 * The number of equally weighted rows that would say as much: (sum of a)² / sum of a² (Kish 1965). 0 when all weights are 0.
 */
export function effectiveRows(weights: Float64Array): number {
  let sum = 0
  let squares = 0
  for (const weight of weights) {
    sum += weight
    squares += weight * weight
  }
  return squares > 0 ? sum ** 2 / squares : 0
}
