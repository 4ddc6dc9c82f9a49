/**
 * The released range of a numeric column. Its smallest and largest value belong to somebody: the oldest person's age, the highest
 * income. So a bound is rounded outwards until the cell that ends there holds at least `LEAST_ROWS` rows, which all share the
 * bound then. A bound that so many rows have exactly, such as 0 or the end of a scale, stays as it is.
 *
 * Cells are 1, 2 or 5 times a power of ten wide and begin at multiples of their width, or half a width off; those of dates are
 * months, years, decades and on, those of times also minutes, hours and days. This is a threshold, as in rounded-counts.ts.
 */
import { LEAST_ROWS } from './rounded-counts.ts'

export interface ReleasedColumn {
  readonly format: 'date' | 'date-time' | null
  readonly decimals: number
  readonly min: number
  readonly max: number
}

/** The known facts about a column's outermost rows. */
export interface OutermostRows {
  /** Rows with a value. */
  readonly present: number
  /** The LEAST_ROWS-th lowest and highest value, every row counted; with fewer rows, the last one. */
  readonly low: number
  readonly high: number
}

/** The range that may be released; never narrower than the column's own. */
export function releasedRange(
  column: ReleasedColumn,
  rows: OutermostRows,
): { readonly min: number; readonly max: number } {
  const { format, decimals, min, max } = column
  const areMany = rows.present >= LEAST_ROWS
  if (format !== null)
    return {
      min: releasedTime(min, rows.low, areMany, format),
      max: releasedTimeAbove(max, rows.high, areMany, format),
    }
  // Mirrored, the highest values are the lowest.
  return {
    min: releasedMin(min, rows.low, areMany, decimals),
    max: 0 - releasedMin(-max, -rows.high, areMany, decimals),
  }
}

/** The outermost rows among values in any order; those whose `valid` is 0 are missing. */
export function outermostOf(values: ArrayLike<number>, valid: ArrayLike<number>): OutermostRows {
  const lowest: number[] = []
  const highest: number[] = []
  let present = 0
  for (let row = 0; row < values.length; row++) {
    if (valid[row] === 0) continue
    present++
    insert(lowest, values[row]!)
    insert(highest, -values[row]!)
  }
  return { present, low: lowest.at(-1) ?? Number.NaN, high: 0 - (highest.at(-1) ?? Number.NaN) }
}

/** Keeps the LEAST_ROWS smallest, ascending. */
function insert(smallest: number[], value: number): void {
  if (smallest.length === LEAST_ROWS) {
    if (value >= smallest[LEAST_ROWS - 1]!) return
    smallest.pop()
  }
  let at = smallest.length
  while (at > 0 && smallest[at - 1]! > value) at--
  smallest.splice(at, 0, value)
}

/**
 * The outermost rows among distinct values.
 *
 * @param values ascending, V of them
 * @param cumulative length V + 1: rows with a value before values[i]
 */
export function outermostOfDistinct(values: Float64Array, cumulative: Float64Array): OutermostRows {
  const last = values.length - 1
  const present = cumulative[last + 1] ?? 0
  let low = 0
  while (low < last && cumulative[low + 1]! < LEAST_ROWS) low++
  let high = last
  while (high > 0 && present - cumulative[high]! < LEAST_ROWS) high--
  return { present, low: values[low] ?? Number.NaN, high: values[high] ?? Number.NaN }
}

export const STEPS = [1, 2, 5] as const
const MAX_EXPONENT = 308
/**
 * Least values of a column in a cell. With two or three, the bound itself would show which value is there, since ten rows at one
 * value are released as they are.
 */
export const NARROWEST = 5
/** A cell is at least this fraction of the values in it: double precision does not distinguish finer ones. */
const FINEST = 2 ** -45

/** `low` is at least `min`. */
function releasedMin(min: number, low: number, areMany: boolean, decimals: number): number {
  if (areMany && low <= min) return min
  // A cell that also contains 0 shows only the magnitude.
  if (!areMany && min >= 0) return 0
  const inCell = areMany ? low : 0
  const finest = NARROWEST * 10 ** -decimals
  const least = Math.max(inCell - min, Math.abs(min) * FINEST)
  for (let e = Math.max(-decimals, Math.floor(Math.log10(least))); e <= MAX_EXPONENT; e++) {
    for (const step of STEPS) {
      if (step * 10 ** e <= inCell - min || step * 10 ** e < finest * (1 - 1e-9)) continue
      for (const start of cellStarts(min, step, e, e > -decimals)) {
        if (start.at <= min && inCell < start.end && (start.at >= 0 || min < 0))
          return Math.max(start.at, -Number.MAX_VALUE)
      }
    }
  }
  return min < 0 ? -Number.MAX_VALUE : 0
}

export interface Cell {
  readonly at: number
  readonly end: number
}

/**
 * The cells of width step · 10^e that contain `value`: the one at multiples of the width, and the one half a width off.
 */
function cellStarts(value: number, step: number, e: number, canBeHalved: boolean): Cell[] {
  // In units of 10^(e - 1) everything is whole, and numbers are read from their decimal text without a rounding error.
  const width = 10 * step
  const units = value / 10 ** (e - 1)
  const offsets = canBeHalved && step !== 5 ? [0, width / 2] : [0]
  return offsets.flatMap((offset) => {
    const at = Math.floor((units - offset) / width) * width + offset
    // The division may be off by one cell.
    return [at, at - width, at + width]
      .map((start) => ({ at: decimal(start, e - 1), end: decimal(start + width, e - 1) }))
      .filter((cell) => cell.at <= value && value < cell.end)
  })
}

/** `units` · 10^`e`, read from its decimal text and so without a rounding error. */
export function decimal(units: number, e: number): number {
  return Number(`${units}e${e}`) + 0
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEARS = [1, 10, 100, 1000] as const
/** RFC 3339 writes years of four digits. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

function releasedTime(min: number, low: number, areMany: boolean, format: 'date' | 'date-time'): number {
  if (areMany && low <= min) return min
  const cell = timeCells(min, areMany, format).find(({ end }) => low < end)
  return Math.max(cell?.at ?? FIRST_TIME, FIRST_TIME)
}

/** The last day of the cell, or its last millisecond. */
function releasedTimeAbove(max: number, high: number, areMany: boolean, format: 'date' | 'date-time'): number {
  if (areMany && high >= max) return max
  const cell = timeCells(max, areMany, format).find(({ at }) => high >= at)
  return Math.min((cell?.end ?? Number.POSITIVE_INFINITY) - (format === 'date' ? DAY_MS : 1), lastOf(format))
}

function lastOf(format: 'date' | 'date-time'): number {
  return format === 'date' ? LAST_TIME + 1 - DAY_MS : LAST_TIME
}

/** The cells of a time, from the finest to the widest; for few rows, nothing finer than a century is released. */
export function timeCells(time: number, areMany: boolean, format: 'date' | 'date-time'): Cell[] {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const even = (width: number): Cell => {
    const at = Math.floor(time / width) * width
    return { at, end: at + width }
  }
  const years = YEARS.map((width) => {
    const first = Math.floor(year / width) * width
    return { at: monthStart(first, 0), end: monthStart(first + width, 0) }
  })
  if (!areMany) return years.slice(2)
  const fine = format === 'date' ? [] : [even(MINUTE_MS), even(HOUR_MS), even(DAY_MS)]
  return [...fine, { at: monthStart(year, month), end: monthStart(year, month + 1) }, ...years]
}

/** `Date.UTC` reads the years 0 to 99 as those of the 20th century. */
function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1)
}
