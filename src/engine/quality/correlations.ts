/** Pearson's correlations of two columns, for all rows and without each group of rows. Rows that lack one of the two are left out. */

import { pairsOf } from './binned-pairs.ts'
import { type ComparedRows, type Part, rankedColumns, SAME_MEASUREMENT, scoresOf } from './compared-rows.ts'
import { estimateOf, GROUPS, REPLICATES, ratioOf, sumsOfReplicates } from './jackknife.ts'
import { type CorrelationSlope, type Measured, unmeasured } from './quality.ts'

/** Sums of a group of rows: rows, x, y, x², y², x y. */
const SUMS = 6

/**
 * x, y     length n, NaN for missing
 * returns  replicates (see `jackknife.ts`); NaN if one of the two does not vary
 */
export function correlationReplicates(x: Float64Array, y: Float64Array): Float64Array {
  const ofGroups = new Float64Array(GROUPS * SUMS)
  for (let i = 0, group = 0; i < x.length; i++, group = group === GROUPS - 1 ? 0 : group + 1) {
    const a = x[i]!
    const b = y[i]!
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    const at = group * SUMS
    ofGroups[at]!++
    ofGroups[at + 1]! += a
    ofGroups[at + 2]! += b
    ofGroups[at + 3]! += a * a
    ofGroups[at + 4]! += b * b
    ofGroups[at + 5]! += a * b
  }
  const sums = sumsOfReplicates(ofGroups, SUMS)
  const replicates = new Float64Array(REPLICATES)
  for (let g = 0; g < REPLICATES; g++) replicates[g] = correlation(sums.subarray(g * SUMS, (g + 1) * SUMS))
  return replicates
}

function correlation(sums: Float64Array): number {
  const [n, x, y, xx, yy, xy] = sums as unknown as readonly [number, number, number, number, number, number]
  if (n < 3) return Number.NaN
  const varianceX = xx / n - (x / n) ** 2
  const varianceY = yy / n - (y / n) ** 2
  // A variance below this is a rounding error of a constant column.
  if (varianceX <= 1e-9 * (xx / n) || varianceY <= 1e-9 * (yy / n)) return Number.NaN
  return (xy / n - (x / n) * (y / n)) / Math.sqrt(varianceX * varianceY)
}

/**
 * How much of the correlations of real rows the synthetic ones preserve: 1 = all, 0.6 = they are 0.6 times as strong.
 *
 * With r of synthetic rows (S), training rows (T) and held-out rows (H), over pairs of ordered columns:
 *
 *   slope = Σ r_S r_H / Σ r_T r_H
 *
 * A regression of r_S on r_H would give too low a slope, since r_H has noise of its own. Here the held-out rows are an instrument
 * (Wald 1940, Durbin 1954; Fuller 1987): their noise is independent of the other two, so it is 0 on average in both sums. Other real
 * rows in place of the synthetic ones have slope 1, however few they are. The slope has no intercept, because it must not depend on
 * which end of a scale is the upper one.
 */
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
