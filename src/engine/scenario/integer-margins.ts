/** Shares of R rows as whole rows, by largest remainder. M margins (see margins.ts). */
import type { Margins } from './margins.ts'

/**
 * Whole rows of every margin: each column's sum to `rows`.
 *
 * Every listed level, and the unlisted rest as a whole, is apportioned first, so that each listed share is met to the
 * nearest row however many unlisted levels there are; the rest is then apportioned among its own margins.
 *
 * @returns Length M.
 */
export function integerMargins({ start, targets, listed, columnCount }: Margins, rows: number): Int32Array {
  const counts = new Int32Array(targets.length)
  for (let d = 0; d < columnCount; d++) {
    const levels: number[] = []
    const rest: number[] = []
    for (let m = start[d]!; m < start[d + 1]!; m++) (listed[m] ? levels : rest).push(m)
    const restTarget = rest.reduce((sum, m) => sum + targets[m]!, 0)
    const first = largestRemainder(Float64Array.from([...levels.map((m) => targets[m]!), restTarget]), rows)
    levels.forEach((m, i) => {
      counts[m] = first[i]!
    })
    const second = largestRemainder(
      Float64Array.from(rest, (m) => targets[m]!),
      first[levels.length]!,
    )
    rest.forEach((m, i) => {
      counts[m] = second[i]!
    })
  }
  return counts
}

/**
 * Hamilton's method: the floor of each quota, and one more for the largest remainders; ties by index.
 *
 * @param weights Non-negative, not all 0 unless `total` is 0.
 */
export function largestRemainder(weights: Float64Array, total: number): Int32Array {
  const counts = new Int32Array(weights.length)
  if (total === 0) return counts
  const sum = weights.reduce((a, b) => a + b, 0)
  if (!(sum > 0)) throw new RangeError(`cannot apportion ${total} rows over weights that sum to ${sum}`)
  const quotas = weights.map((weight) => (weight / sum) * total)
  let left = total
  quotas.forEach((quota, i) => {
    counts[i] = Math.floor(quota)
    left -= counts[i]!
  })
  const order = Array.from(quotas.keys())
    .filter((i) => weights[i]! > 0)
    .sort((a, b) => quotas[b]! - counts[b]! - (quotas[a]! - counts[a]!) || a - b)
  for (let i = 0; left > 0; i = (i + 1) % order.length, left--) counts[order[i]!]!++
  return counts
}
