/**
 * How much of the correlations of real rows the synthetic ones have: 1 = all, 0.6 = they are 0.6 times as strong.
 *
 * With r of synthetic rows (S), rows trained on (T) and rows held out (H), over pairs of ordered columns:
 *
 *   slope = Σ r_S r_H / Σ r_T r_H
 *
 * A regression of r_S on r_H would come out too low, since r_H has noise of its own. Here the held-out rows are an instrument
 * (Wald 1940, Durbin 1954; Fuller 1987): their noise has nothing to do with that of the other two, so it is 0 on average in both
 * sums. For other real rows in place of the synthetic ones the slope is 1, however few rows there are. It has no intercept: which
 * end of a scale is the upper one must not matter.
 */

import { pairsOf } from './binned-pairs.ts'
import type { ComparedRows, Part } from './compared-rows.ts'
import { correlationReplicates } from './correlations.ts'
import { estimateOf, REPLICATES, ratioOf } from './jackknife.ts'
import { rankedColumns, SAME_MEASUREMENT, scoresOf } from './ordered-columns.ts'
import { type CorrelationSlope, type Measured, unmeasured } from './quality.ts'

export function correlationSlope(rows: ComparedRows): Measured<CorrelationSlope> {
  const columns = rankedColumns(rows)
  if (columns.length < 2) {
    return unmeasured('Fewer than two columns are numbers or levels coded as whole numbers.')
  }
  const scores = columns.map((column) => ({
    synthetic: scoresOf(column, 'synthetic'),
    training: scoresOf(column, 'training'),
    heldOut: scoresOf(column, 'heldOut'),
  }))
  const numerator = new Float64Array(REPLICATES)
  const denominator = new Float64Array(REPLICATES)
  let pairs = 0
  for (const [a, b] of pairsOf(columns.length)) {
    const of = (part: Part) => correlationReplicates(scores[a]![part], scores[b]![part])
    const [synthetic, training, heldOut] = [of('synthetic'), of('training'), of('heldOut')]
    if (training[0]! ** 2 >= SAME_MEASUREMENT || [synthetic, training, heldOut].some(hasUnknown)) continue
    pairs++
    for (let g = 0; g < REPLICATES; g++) {
      numerator[g]! += synthetic[g]! * heldOut[g]!
      denominator[g]! += training[g]! * heldOut[g]!
    }
  }
  const slopes = ratioOf(numerator, denominator)
  if (slopes === null) return unmeasured('The columns are too weakly correlated for so few rows.')
  return { ...estimateOf(slopes), pairs }
}

const hasUnknown = (replicates: Float64Array) => replicates.some(Number.isNaN)
