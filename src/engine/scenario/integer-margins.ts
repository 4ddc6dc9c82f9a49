/**
 * Whole rows of every margin.
 *
 * D  columns of the margins, M  margins (see margins.ts), G  patterns (see patterns.ts)
 */

import type { MarginBounds, Margins } from './margins.ts'
import { patternsOf } from './patterns.ts'
import { repairMargins } from './repair-margins.ts'
import { someColumns } from './some-columns.ts'

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
  const ends = Array.from(quotas, (quota, i) => endsOf(quota, bounds.least[first + i]!, bounds.most[first + i]!, rows))
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

/** The least and the most rows of a margin. */
function endsOf(
  quota: number,
  least: number,
  most: number,
  rows: number,
): { readonly low: number; readonly high: number } {
  // A stated share is met by the row below or above.
  return least === most
    ? { low: Math.floor(quota + LAST_BITS), high: Math.ceil(quota - LAST_BITS) }
    : { low: Math.ceil(least * rows - LAST_BITS), high: Math.floor(most * rows + LAST_BITS) }
}

/** Length M each: the least and the most whole rows of each margin. A bound that lets no whole rows in counts as a share. */
export function marginEnds(
  { targets, bounds }: Margins,
  rows: number,
): { readonly low: Int32Array; readonly high: Int32Array } {
  const low = new Int32Array(targets.length)
  const high = new Int32Array(targets.length)
  targets.forEach((target, m) => {
    const within = bounds === null ? null : endsOf(target * rows, bounds.least[m]!, bounds.most[m]!, rows)
    const ends = within !== null && within.low <= within.high ? within : endsOf(target * rows, target, target, rows)
    low[m] = ends.low
    high[m] = ends.high
  })
  return { low, high }
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

interface RoundedPatterns {
  /** Length G: rows that each pattern would have if rows could be divided. */
  readonly ideal: Float64Array
  /** G × D, row-major. */
  readonly patternMargins: Int32Array
  readonly margins: Margins
}

/**
 * The counts with those of each table changed so that they add up to the counts of its columns, where these have shares: rounded by
 * themselves the two may contradict each other. Each cell keeps the row below or above its quota, as far as that is possible.
 *
 * @param wanted Length M: not changed.
 */
export function withConformedTables(
  wanted: Int32Array,
  { ideal, patternMargins, margins }: RoundedPatterns,
): Int32Array {
  const conformed = wanted.slice()
  const D = margins.columnCount
  const { start } = margins
  for (const { column, members } of margins.tables) {
    const fixed = members.filter((d) => start[d + 1]! - start[d]! > 1)
    if (fixed.length === 0) continue
    const columns = [...fixed, column]
    const ofColumns = new Int32Array(ideal.length * columns.length)
    for (let g = 0; g < ideal.length; g++) {
      columns.forEach((d, i) => {
        ofColumns[g * columns.length + i] = patternMargins[g * D + d]!
      })
    }
    const cells = patternsOf(ideal, ofColumns, columns.length)
    const rows = Math.round(ideal.reduce((sum, each) => sum + each, 0))
    const counts = largestRemainder(cells.masses, rows)
    const width = columns.length
    // The table itself is free.
    repairMargins({
      counts,
      ideal: cells.masses,
      ...someColumns({ patternMargins: cells.margins, width, columns: fixed, margins, wanted: conformed }),
    })
    conformed.fill(0, start[column], start[column + 1])
    counts.forEach((count, g) => {
      conformed[cells.margins[g * width + width - 1]!]! += count
    })
  }
  return conformed
}
