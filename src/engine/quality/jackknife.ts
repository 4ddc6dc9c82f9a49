/**
 * Standard errors of figures over many pairs of columns. The rows of a part are in GROUPS groups, row i in group i mod GROUPS. A
 * figure is computed once for all rows and once without each group (delete-a-group jackknife; Quenouille 1956, Kott 2001). This
 * accounts for pairs that share rows and columns, which a formula per pair would not.
 *
 * A "replicate" array has GROUPS + 1 numbers: [0] for all rows, [1 + g] without group g.
 */

import type { Estimate } from './quality.ts'

export const GROUPS = 20
export const REPLICATES = GROUPS + 1

/** Quantile 0.975 of Student's t with GROUPS - 1 degrees of freedom. */
const T_QUANTILE = 2.093
/** An instrument is weak below F = 10 (Staiger and Stock 1997): the ratio would be noise, and its interval too short. */
const STRONG = Math.sqrt(10)
/** The limit for figures that are chosen from many by their strength: chance alone must not have chosen them. */
export const SINGLED_OUT = 5

function standardError(replicates: Float64Array): number {
  let mean = 0
  for (let g = 1; g <= GROUPS; g++) mean += replicates[g]! / GROUPS
  let sum = 0
  for (let g = 1; g <= GROUPS; g++) sum += (replicates[g]! - mean) ** 2
  return Math.sqrt(((GROUPS - 1) / GROUPS) * sum)
}

/** A figure with its 95 % interval. */
export function estimateOf(replicates: Float64Array): Estimate {
  const value = replicates[0]!
  const half = T_QUANTILE * standardError(replicates)
  return { value, low: value - half, high: value + half }
}

/** Replicates of a ratio; null if its denominator cannot be reliably distinguished from 0. */
export function ratioOf(numerator: Float64Array, denominator: Float64Array, errors = STRONG): Float64Array | null {
  if (!isStrong(denominator, errors)) return null
  return numerator.map((value, g) => value / denominator[g]!)
}

/** Whether a figure is enough standard errors above 0 to be a divisor. */
export function isStrong(replicates: Float64Array, errors = STRONG): boolean {
  return replicates[0]! > errors * standardError(replicates)
}

/** Turns sums of single groups, `width` numbers each, into those of replicates: all rows, then all but one group. */
export function sumsOfReplicates(ofGroups: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(REPLICATES * width)
  for (let g = 0; g < GROUPS; g++) for (let i = 0; i < width; i++) sums[i]! += ofGroups[g * width + i]!
  for (let g = 0; g < GROUPS; g++) {
    for (let i = 0; i < width; i++) sums[(1 + g) * width + i] = sums[i]! - ofGroups[g * width + i]!
  }
  return sums
}
