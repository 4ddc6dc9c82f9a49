/**
 * Controlled rounding (Cox 1987): masses of cells to whole rows that keep every margin.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts), R  rows
 * G  patterns: distinct combinations of margins; cells that differ only among grouped levels share one
 *
 * Rows are laid over the patterns by systematic sampling. A pattern of mass q gets floor(R q) or one more, and exactly R q on
 * average over the random start. So cells too rare for a row of their own sometimes get one, which rounding by the largest
 * fractions would never or always give. Then rows are moved between patterns until every margin is exact. If moves do not get
 * there, an integer program finds the nearest exact table.
 */

import { repairExactly } from './exact-rounding.ts'
import type { MarginBounds, Margins } from './margins.ts'
import { patternsOf } from './patterns.ts'
import { repairMargins } from './repair-margins.ts'

export interface RoundingProblem {
  /** Length K: masses, of any positive sum; 0 where no row may lie. */
  readonly masses: Float64Array
  /** K × D, row-major; -1 throughout where the mass is 0 for good. */
  readonly cellMargins: Int32Array
  readonly margins: Margins
  /** R */
  readonly rows: number
  /** Uniform numbers in [0, 1), drawn in a fixed order. */
  readonly uniform: () => number
}

export interface Rounding {
  /** Length K: rows of each cell, summing to R; 0 where the mass is 0. */
  readonly counts: Int32Array
  /** Length M: rows that each margin should have. */
  readonly wanted: Int32Array
  /** Largest distance of a margin from that, in rows; above 0 only where structural zeros left no exact table in reach. */
  readonly deviation: number
}

/** @throws RangeError when rows are wanted of masses that sum to 0. */
export async function roundToMargins({
  masses,
  cellMargins,
  margins,
  rows,
  uniform,
}: RoundingProblem): Promise<Rounding> {
  const patterns = patternsOf(masses, cellMargins, margins.columnCount)
  const wanted = integerMargins(margins, rows)
  const ideal = patterns.masses
  const sum = ideal.reduce((a, b) => a + b, 0)
  if (rows > 0 && !(sum > 0)) throw new RangeError(`cannot distribute ${rows} rows over cells of mass ${sum}`)
  for (let g = 0; g < ideal.length; g++) ideal[g] = (ideal[g]! / sum) * rows

  const patternCounts = new Int32Array(ideal.length)
  systematic(ideal, 0, ideal.length, rows, uniform(), patternCounts)
  const repair = { counts: patternCounts, ideal, patternMargins: patterns.margins, margins, wanted }
  let deviation = repairMargins(repair)
  if (deviation > 0) deviation = await repairExactly(repair, deviation)

  const ordered = Float64Array.from(patterns.cells, (c) => masses[c]!)
  const orderedCounts = new Int32Array(ordered.length)
  for (let g = 0; g < patternCounts.length; g++) {
    const count = patternCounts[g]!
    if (count === 0) continue
    systematic(ordered, patterns.start[g]!, patterns.start[g + 1]!, count, uniform(), orderedCounts)
  }
  const counts = new Int32Array(masses.length)
  patterns.cells.forEach((c, i) => {
    counts[c] = orderedCounts[i]!
  })
  return { counts, wanted, deviation }
}

/**
 * Systematic sampling: `total` rows over weights[start … end - 1], each getting the floor of its quota or one more.
 *
 * @param offset Random start in [0, 1).
 * @param counts Receives the rows.
 */
export function systematic(
  weights: ArrayLike<number>,
  start: number,
  end: number,
  total: number,
  offset: number,
  counts: Int32Array,
): void {
  let sum = 0
  let last = start
  for (let i = start; i < end; i++) {
    sum += weights[i]!
    if (weights[i]! > 0) last = i
  }
  let cumulative = 0
  let before = 0
  for (let i = start; i <= last && i < end; i++) {
    cumulative += weights[i]!
    const upTo = i === last ? total : Math.min(total, Math.floor((cumulative / sum) * total + offset))
    counts[i] = upTo - before
    before = upTo
  }
}

/**
 * Whole rows of every margin: each column's sum to `rows`, every listed share is met to the nearest row, and no bound is passed.
 *
 * @returns Length M.
 */
export function integerMargins({ start, targets, bounds, columnCount }: Margins, rows: number): Int32Array {
  const counts = new Int32Array(targets.length)
  for (let d = 0; d < columnCount; d++) {
    const own = targets.subarray(start[d], start[d + 1])
    const nearest = largestRemainder(own, rows)
    counts.set(bounds === null ? nearest : withinBounds(nearest, own, bounds, start[d]!, rows), start[d])
  }
  return counts
}

/** Rows by which a bound times the rows may be off: 0.3 of 10 rows are 3. */
const LAST_BITS = 1e-9

/**
 * Counts of one column that keep its bounds: those beyond one are set to it, and those that are least far from their quotas give or
 * take the rows. Bounds that no whole rows keep together are kept as far as they go.
 */
function withinBounds(
  counts: Int32Array,
  targets: Float64Array,
  bounds: MarginBounds,
  first: number,
  rows: number,
): Int32Array {
  const quotas = targets.map((target) => target * rows)
  const ends = Array.from(quotas, (quota, i) => {
    const [least, most] = [bounds.least[first + i]!, bounds.most[first + i]!]
    // A stated share is met by the row below or above.
    return least === most
      ? { low: Math.floor(quota + LAST_BITS), high: Math.ceil(quota - LAST_BITS) }
      : { low: Math.ceil(least * rows - LAST_BITS), high: Math.floor(most * rows + LAST_BITS) }
  })
  const kept = counts.map((count, i) => Math.max(ends[i]!.low, Math.min(ends[i]!.high, count)))
  let surplus = kept.reduce((sum, count) => sum + count, 0) - rows
  while (surplus !== 0) {
    const step = Math.sign(surplus)
    let best = -1
    kept.forEach((count, i) => {
      const hasRoom = step > 0 ? count > ends[i]!.low : count < ends[i]!.high
      if (hasRoom && (best < 0 || step * (count - quotas[i]!) > step * (kept[best]! - quotas[best]!))) best = i
    })
    if (best < 0) return counts
    kept[best]! -= step
    surplus -= step
  }
  return kept
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
  if (!(sum > 0)) throw new RangeError(`cannot distribute ${total} rows over weights that sum to ${sum}`)
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
