/**
 * Quantiles of two weightings of the same rows, and their differences.
 *
 * n  kept rows of the seed     w  weights of a side among the rows that count, summing to 1     p  share of them up to the quantile
 *
 *   F(t) = sum over y <= t of w     Q = the least y with F(y) >= p; where F(y) = p, the middle of y and the next one
 *   h = 1.96 √(p (1 - p) / k)       s = (Q(p + h) - Q(p - h)) / 2 h     k  support of w (spread.ts)
 *
 *   SE² = SE² of the influences + sum over sides with s > 0 of u² / 12        u  half the distance of the values next to Q on both sides
 *
 * s is one over the density at Q, from the ends of Woodruff's interval (1952): no density has to be smoothed. Where the whole interval lies
 * on one value, s is 0. The quantile moves as -s times the share of rows up to Q does, so its influences, and with them survey designs
 * and replicate weights, are those of a share (Francisco and Fuller 1991; Särndal, Swensson and Wretman 1992, section 5.11). The second
 * term is what rounding hides: of whole years a quantile is known to half a year at best, and steps by one.
 */

import { type ComparedSides, type Difference, differenceOf, type OutcomePair } from './difference-error.ts'
import { supportOf } from './spread.ts'

/** Of the normal distribution at 0.975. */
const NORMAL_QUANTILE = 1.959964
/** Sums of weights that differ by less are equal. */
const ROUNDING = 1e-9

/** The rows of a numeric outcome that count, by ascending value. */
export interface SortedRows {
  readonly values: Float64Array
  readonly order: Uint32Array
}

/** @param counts Length n: 0 where a row does not count; null: all do. */
export function sortedRows(values: Float64Array, counts: Uint8Array | null): SortedRows {
  const rows: number[] = []
  for (let row = 0; row < values.length; row++) if (counts?.[row] !== 0 && !Number.isNaN(values[row]!)) rows.push(row)
  return { values, order: Uint32Array.from(rows).sort((a, b) => values[a]! - values[b]!) }
}

export interface QuantileDifference extends Difference {
  /** What has these influences: the difference of its weighted means, and that difference. */
  readonly linear: OutcomePair
  readonly linearDifference: number
  /** The variance that rounded values add. */
  readonly roundingVariance: number
}

/** Null where no row has a weight on a side, or the quantile lies too near an end for an interval. */
export function quantileDifference(
  sides: ComparedSides,
  rows: SortedRows,
  share: number,
  counts: Uint8Array | null,
): QuantileDifference | null {
  const one = sideQuantile(sides.scenario.weights, rows, share)
  const other = sideQuantile(sides.baseline.weights, rows, share)
  if (one === null || other === null) return null
  const linear = { scenario: linearised(rows, one, counts), baseline: linearised(rows, other, counts) }
  const found = differenceOf(sides, linear.scenario, linear.baseline)
  if (found === null) return null
  const figures = { scenario: one.at, baseline: other.at, difference: one.at - other.at }
  const isDecided = found.standardError === 0
  const roundingVariance = isDecided
    ? 0
    : [one, other].reduce((sum, { slope, step }) => sum + (slope > 0 ? step ** 2 / 12 : 0), 0)
  const standardError = Math.hypot(found.standardError, Math.sqrt(roundingVariance))
  return { ...found, ...figures, standardError, linear, linearDifference: found.difference, roundingVariance }
}

interface SideQuantile {
  readonly at: number
  /** s */
  readonly slope: number
  /** u */
  readonly step: number
}

function sideQuantile(weights: Float64Array, { values, order }: SortedRows, share: number): SideQuantile | null {
  const own = Float64Array.from(order, (row) => weights[row]!)
  const total = own.reduce((sum, weight) => sum + weight, 0)
  if (!(total > 0)) return null
  const reach = NORMAL_QUANTILE * Math.sqrt((share * (1 - share)) / supportOf(own, null).support)
  if (share - reach <= 0 || share + reach >= 1) return null
  const [low, at, high] = valuesAt([share - reach, share, share + reach], total)
  return { at: at!, slope: (high! - low!) / (2 * reach), step: stepAt(at!) }

  /** Half the distance of the nearest values with a weight below and above; at an end of the data, the distance to the one there is. */
  function stepAt(value: number): number {
    let [below, above] = [Number.NaN, Number.NaN]
    for (let i = 0; i < own.length; i++) {
      const next = values[order[i]!]!
      if (own[i] === 0 || next === value) continue
      if (next < value) below = next
      else {
        above = next
        break
      }
    }
    const sides = [value - below, above - value].filter((distance) => !Number.isNaN(distance))
    return sides.reduce((sum, distance) => sum + distance, 0) / Math.max(1, sides.length)
  }

  function valuesAt(shares: readonly number[], all: number): number[] {
    const found: number[] = []
    let sum = 0
    let i = 0
    for (const wanted of shares) {
      while (i < own.length - 1 && sum + own[i]! < (wanted - ROUNDING) * all) sum += own[i++]!
      found.push(isMet(sum + own[i]!, wanted * all) ? middle(i) : values[order[i]!]!)
    }
    return found
  }

  function isMet(sum: number, wanted: number): boolean {
    return Math.abs(sum - wanted) <= ROUNDING * total
  }

  /** Of the value at a place and the next one that has a weight. */
  function middle(place: number): number {
    let next = place + 1
    while (next < own.length && own[next] === 0) next++
    const value = values[order[place]!]!
    return next < own.length ? (value + values[order[next]!]!) / 2 : value
  }
}

function linearised({ values }: SortedRows, { at, slope }: SideQuantile, counts: Uint8Array | null) {
  return { values: values.map((value) => (value <= at ? -slope : 0)), counts, isShare: false }
}
