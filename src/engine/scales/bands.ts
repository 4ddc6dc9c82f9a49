/** Bands of numbers: whether they follow each other, and a value for each. */

/** The order of a column's levels. */
export interface LevelScale {
  /** The source of the sequence. */
  readonly source: 'codes' | 'numbers' | 'words' | 'declared'
  /**
   * By level: its place on the scale, ascending numbers; NaN for a level off the scale (do not know, no answer, other, not
   * applicable).
   */
  readonly values: Float64Array
}

/** Two levels always have an order, so a scale needs more. */
export const LEAST_PLACES = 3

/** From `low` to `high`, either of which may be infinite. An open end does not belong to the band: "more than 4". */
export interface Band {
  readonly low: number
  readonly high: number
  readonly lowOpen: boolean
  readonly highOpen: boolean
}

export function point(value: number): Band {
  return { low: value, high: value, lowOpen: false, highOpen: false }
}

/**
 * The indices of the bands in ascending sequence; null when two overlap. Bands that share a bound (20 to 40, 40 to 60)
 * may.
 */
export function ascending(bands: readonly Band[]): number[] | null {
  const order = bands.map((_, i) => i).sort((a, b) => compare(bands[a]!, bands[b]!))
  const follows = (band: Band, before: Band) =>
    before.high < band.low ||
    (before.high === band.low && (before.highOpen || band.lowOpen || (hasWidth(before) && hasWidth(band))))
  return order.every((at, i) => i === 0 || follows(bands[at]!, bands[order[i - 1]!]!)) ? order : null
}

/** A value for each band, ascending with them: its middle; open ends lie beyond their bound. Null where bands overlap. */
export function bandValues(bands: readonly Band[]): number[] | null {
  const order = ascending(bands)
  if (order === null || order.length < LEAST_PLACES) return null
  const sorted = order.map((i) => bands[i]!)
  const middle = ({ low, high }: Band) => low + (high - low) / 2
  const values = sorted.map(middle)
  const [first, second, third] = sorted as [Band, Band, Band]
  if (first.low === Number.NEGATIVE_INFINITY) {
    const beyond = first.high - stepAt(second, third)
    // If nothing is below zero, the lowest band is not either.
    values[0] = first.high > 0 ? Math.max(beyond, first.high / 2) : beyond
  }
  const [last, before, earlier] = sorted.toReversed() as [Band, Band, Band]
  if (last.high === Number.POSITIVE_INFINITY) values[values.length - 1] = last.low + stepAt(before, earlier)
  const isAscending = values.every((value, i) => Number.isFinite(value) && (i === 0 || value > values[i - 1]!))
  if (!isAscending) return null
  const byBand = new Array<number>(bands.length)
  order.forEach((at, i) => {
    byBand[at] = values[i]!
  })
  return byBand
}

/** How far an open end lies beyond its bound: half its neighbour's width; for single numbers, the distance from one to the next. */
function stepAt(neighbour: Band, next: Band): number {
  const width = neighbour.high - neighbour.low
  if (Number.isFinite(width) && width > 0) return width / 2
  const gap = Math.abs(neighbour.low - next.low)
  return Number.isFinite(gap) && gap > 0 ? gap : 1
}

function hasWidth({ low, high }: Band): boolean {
  return high > low
}

function compare(a: Band, b: Band): number {
  return a.low === b.low
    ? a.high === b.high
      ? Number(a.lowOpen) - Number(b.lowOpen)
      : a.high < b.high
        ? -1
        : 1
    : a.low < b.low
      ? -1
      : 1
}
