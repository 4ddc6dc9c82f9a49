/**
 * The variance of a difference by replicate weights: each replicate is raked anew.
 *
 *   SE² = scale · sum over r of rscale_r (d_r - d)²     R  replicates, n  kept rows of the seed
 *
 * Scales are those of R's survey package (Lumley 2010, chapter 2.3): balanced repeated replication, Fay's variant, jackknife,
 * bootstrap.
 */

import { fitProportionally } from '../scenario/proportional-fitting.ts'
import type { SurveyDesign } from '../weighting/survey-design.ts'
import type { Outcome } from './difference-error.ts'
import { Effort, RAKING_TOLERANCE } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { tiltToMeans } from './tilt-to-means.ts'

export type Replicates = NonNullable<SurveyDesign['replicates']>

/** R arrays of length n, each summing to 1: the replicate weights raked to the side. NaN throughout where none have its means. */
export function rakedReplicates(
  { patterns, margins, inside, means }: WeightedSeed,
  { weights }: Replicates,
): Float64Array[] {
  const K = patterns.rows.length
  return weights.map((own) => {
    const natural = new Float64Array(K)
    let total = 0
    for (let row = 0; row < own.length; row++) {
      const pattern = patterns.ofRow[row]!
      if (pattern < 0 || inside[row] === 0) continue
      natural[pattern]! += own[row]!
      total += own[row]!
    }
    const shares = natural.map((mass) => mass / total)
    const { masses } = fitProportionally({ natural: shares, margins: patterns.margins }, margins, {
      tolerance: RAKING_TOLERANCE,
    })
    const raked = own.map((a, row) => {
      const pattern = patterns.ofRow[row]!
      return pattern < 0 || inside[row] === 0 || natural[pattern] === 0 ? 0 : (a * masses[pattern]!) / natural[pattern]!
    })
    return tiltToMeans(raked, patterns, margins, means, new Effort())?.weights ?? raked.fill(Number.NaN)
  })
}

/**
 * @param difference d, of the main weights.
 * @param ofBaseline The outcome of the baseline, where it is another one.
 * @returns SE; NaN where a replicate has no row that counts.
 */
export function replicateError(
  scenario: readonly Float64Array[],
  baseline: readonly Float64Array[],
  { scale, rscales }: Replicates,
  outcome: Outcome,
  difference: number,
  ofBaseline: Outcome = outcome,
): number {
  const mean = (weights: Float64Array, { values, counts }: Outcome): number => {
    let total = 0
    let weighted = 0
    for (let row = 0; row < weights.length; row++) {
      if (weights[row] === 0 || counts?.[row] === 0) continue
      total += weights[row]!
      weighted += weights[row]! * values[row]!
    }
    return weighted / total
  }
  let variance = 0
  for (let r = 0; r < scenario.length; r++) {
    variance += rscales[r]! * (mean(scenario[r]!, outcome) - mean(baseline[r]!, ofBaseline) - difference) ** 2
  }
  return Math.sqrt(scale * variance)
}
