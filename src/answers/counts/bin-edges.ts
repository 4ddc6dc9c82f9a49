/**
 * The bins that a column's numbers are counted in. They follow from the cleaned schema alone, so that all scenarios of a
 * dataset have the same ones, and an artifact is counted in one pass.
 *
 * The bins cover the middle of the data: from q05 to q95 of the seed, half of that distance beyond both, and never more than the
 * schema's bounds. Without quantiles they cover the bounds. Widths are 1, 2 or 5 times a power of ten, so that heaps at round
 * numbers fall evenly into bins; those of times are also 1, 2, 3, 6 and 12 hours and the like.
 */

import type { AnySchemaColumn } from '../../contract/datasets.ts'

/** Most bins of a column; there are at least two fifths of them where values are not whole. */
const MOST_BINS = 40
/** How far bins reach beyond q05 and q95, in terms of the distance between them. */
const REACH = 0.5
/** Columns with larger bounds have no bins, because doubles hardly distinguish numbers one unit apart. */
const LARGEST = 1e15

const SECOND_MS = 1000
const DAY_MS = 86_400 * SECOND_MS
/** Widths below a day, in seconds. */
const PARTS_OF_DAY = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200] as const

/**
 * Edges for a column's numbers, ascending; dates in milliseconds since 1970. Null for a column of levels, and where the
 * schema has no bounds or no span.
 */
export function binEdges(column: AnySchemaColumn): readonly number[] | null {
  if (column.levels !== undefined || column.type === 'categorical') return null
  const span = coveredSpan(column)
  if (span === null) return null
  const { low, high } = span
  if (column.format !== undefined) return timeEdges(low, high, column.format)
  return column.integer === true
    ? wholeEdges(Math.floor(low), Math.ceil(high))
    : evenEdges(low, high, column.integer === false)
}

/** Whether each of these bins holds a single whole number. */
export function areWhole(edges: readonly number[]): boolean {
  return edges.every((edge, i) => Math.abs(edge % 1) === 0.5 && (i === 0 || edge === edges[i - 1]! + 1))
}

function coveredSpan({ min, max, quantiles }: AnySchemaColumn): { readonly low: number; readonly high: number } | null {
  const [lowest, highest] = [numberOf(min), numberOf(max)]
  if (lowest === null || highest === null || !(lowest <= highest)) return null
  const [q05, q95] = [numberOf(quantiles?.q05), numberOf(quantiles?.q95)]
  if (q05 === null || q95 === null || !(q05 < q95)) return { low: lowest, high: highest }
  const reach = REACH * (q95 - q05)
  const [low, high] = [Math.max(lowest, q05 - reach), Math.min(highest, q95 + reach)]
  return low <= high ? { low, high } : { low: lowest, high: highest }
}

function numberOf(bound: number | string | undefined): number | null {
  const number = typeof bound === 'string' ? Date.parse(bound) : bound
  return number !== undefined && Math.abs(number) <= LARGEST ? number : null
}

/** A bin is a whole number while there are few of them, otherwise several; edges lie half-way between whole numbers. */
function wholeEdges(low: number, high: number): readonly number[] {
  for (const width of decimalWidths(1)) {
    const first = Math.floor(low / width)
    const last = Math.floor(high / width)
    if (last - first < MOST_BINS) return range(first, last + 1, (k) => k * width - 0.5)
  }
  throw new RangeError('the numbers are not finite')
}

/** @param areFractions false when they may be whole: then the last bin must not hold its upper edge besides a number of its own. */
function evenEdges(low: number, high: number, areFractions: boolean): readonly number[] | null {
  if (!(low < high)) return null
  const least = (high - low) / MOST_BINS
  let exponent = Math.floor(Math.log10(least)) - 1
  for (; ; exponent++) {
    for (const step of STEPS) {
      const width = step * 10 ** exponent
      if (width < least) continue
      const first = Math.floor(low / width)
      const last = areFractions ? Math.ceil(high / width) : Math.floor(high / width) + 1
      if (last - first > MOST_BINS) continue
      // From its decimal text, a number has no rounding error.
      const edges = range(first, last, (k) => Number(`${k * step}e${exponent}`) + 0)
      return edges.every((edge, i) => i === 0 || edge > edges[i - 1]!) ? edges : null
    }
  }
}

function timeEdges(low: number, high: number, format: 'date' | 'date-time'): readonly number[] {
  for (const width of timeWidths(format)) {
    const first = Math.floor(low / width)
    const last = Math.floor(high / width)
    if (last - first < MOST_BINS) return range(first, last + 1, (k) => k * width)
  }
  throw new RangeError('the times are not finite')
}

function* timeWidths(format: 'date' | 'date-time'): Generator<number> {
  if (format === 'date-time') for (const seconds of PARTS_OF_DAY) yield seconds * SECOND_MS
  for (const days of decimalWidths(1)) yield days * DAY_MS
}

const STEPS = [1, 2, 5] as const

function* decimalWidths(first: number): Generator<number> {
  for (let unit = first; ; unit *= 10) for (const step of STEPS) yield step * unit
}

const range = (first: number, last: number, edge: (k: number) => number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => edge(first + i))
