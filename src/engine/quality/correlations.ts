/** Pearson's correlations of two columns, of all rows and without each group of rows. Rows that lack one of the two are left out. */

import { GROUPS, REPLICATES, sumsOfReplicates } from './jackknife.ts'

/** Sums of a group of rows: rows, x, y, x², y², x y. */
const SUMS = 6

/**
 * x, y     length n, NaN for missing
 * returns  replicates (see `jackknife.ts`); NaN where one of the two does not vary
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
  // Below this a variance is what rounding left of a column that does not vary.
  if (varianceX <= 1e-9 * (xx / n) || varianceY <= 1e-9 * (yy / n)) return Number.NaN
  return (xy / n - (x / n) * (y / n)) / Math.sqrt(varianceX * varianceY)
}
