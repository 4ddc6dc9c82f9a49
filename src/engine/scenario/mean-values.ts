/**
 * Values of a column with a mean for every row of a generation. They are drawn from their codes, as the mean tilts them, and then
 * moved a little, so that their mean is exact: the draws leave a difference of a small part of a standard error.
 *
 * R  rows
 */

import { codeOfValue } from '../sampling/decode.ts'
import type { RandomStream } from '../sampling/random.ts'
import { type Cell, cellOf, clipCell, isCell, latticeValue, type ValueRange } from '../sampling/value-cells.ts'
import type { DrawnColumn } from './conditions.ts'
import type { RangeWalk } from './range-mass.ts'
import type { TiltedCodes } from './tilted-codes.ts'

const UNIT_32 = 2 ** -32
/** Units of the lattice by which a bound times the number of rows may be off. */
const ROUNDING = 1e-6

/**
 * Draws the values of codes.
 *
 * @returns Length R: NaN where missing.
 */
export function drawValues(
  { column, range }: DrawnColumn,
  { running }: TiltedCodes,
  codes: Uint16Array,
  stream: RandomStream,
): Float64Array {
  const { binStart, missing, values, lattice } = column
  const cell: Cell = { low: 0, high: 0 }
  return Float64Array.from(codes, (code) => {
    const [pick, place] = [stream.word(), stream.word()]
    const bin = code - missing
    if (bin < 0) return Number.NaN
    let low = binStart[bin]!
    let high = binStart[bin + 1]! - 1
    const wanted = pick * UNIT_32 * running[high]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (running[middle]! > wanted) high = middle
      else low = middle + 1
    }
    if (!isCell(column, low)) return values[low]!
    cellOf(column, low, cell)
    if (range !== null) clipCell(column, range, cell)
    if (lattice) return latticeValue(lattice, cell.low + Math.floor(place * (cell.high - cell.low + 1) * UNIT_32))
    return Math.min(cell.high, cell.low + (cell.high - cell.low) * (place * UNIT_32))
  })
}

/** Between which values each row may move: those of its leaf, inside the range. */
export interface Room {
  /** Length R */
  readonly low: Float64Array
  /** Length R */
  readonly high: Float64Array
}

/**
 * A value stays between those of its leaf, so that it still goes with the levels of its cell and the columns before it.
 *
 * @param j Position of the column among the drawn ones.
 * @param codes r arrays of length R, cell after cell.
 * @param values Length R: of the column.
 * @param enter Leads the walk to the cell of a row.
 */
export function roomOf(
  { column, range, fractions }: DrawnColumn,
  j: number,
  walk: RangeWalk,
  codes: readonly Uint16Array[],
  values: Float64Array,
  enter: (row: number) => void,
): Room {
  const low = values.slice()
  const high = values.slice()
  const ofLeaf = new Map<number, ValueRange>()
  const before = new Uint16Array(j)
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) continue
    enter(row)
    for (let i = 0; i < j; i++) before[i] = codes[i]![row]!
    const extent = walk.extentOf(j, before, fractions, column.missing)
    if (extent === null) continue
    let room = ofLeaf.get(extent.leaf)
    if (room === undefined) {
      room = valuesBetween(column, extent.low - column.missing, extent.high - column.missing, range)
      ofLeaf.set(extent.leaf, room)
    }
    low[row] = Math.min(low[row]!, room.min)
    high[row] = Math.max(high[row]!, room.max)
  }
  return { low, high }
}

/** The smallest and the largest value that two bins give. */
export function valuesBetween(
  column: DrawnColumn['column'],
  first: number,
  last: number,
  range: ValueRange | null,
): ValueRange {
  const { values, binStart, lattice } = column
  const cell: Cell = { low: 0, high: 0 }
  const possible = (v: number): ValueRange | null => {
    if (!isCell(column, v)) {
      const value = values[v]!
      return range !== null && (value < range.min || value > range.max) ? null : { min: value, max: value }
    }
    cellOf(column, v, cell)
    if (range !== null) clipCell(column, range, cell)
    if (!(cell.low <= cell.high)) return null
    return lattice
      ? { min: latticeValue(lattice, cell.low), max: latticeValue(lattice, cell.high) }
      : { min: cell.low, max: cell.high }
  }
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let v = binStart[first]!; v < binStart[first + 1]! && min === Number.POSITIVE_INFINITY; v++) {
    min = possible(v)?.min ?? min
  }
  for (let v = binStart[last + 1]! - 1; v >= binStart[last]! && max === Number.NEGATIVE_INFINITY; v--) {
    max = possible(v)?.max ?? max
  }
  return { min, max }
}

/** The codes of values. */
export function codesOfValues({ column }: DrawnColumn, values: Float64Array): Uint16Array {
  return Uint16Array.from(values, (value) => (Number.isNaN(value) ? 0 : codeOfValue(column, value)))
}

/**
 * Moves values until their mean is where the tilt takes it, as closely as their resolution allows. A bound is met; one that holds without
 * a tilt may still be missed by the draws.
 *
 * Values that stand for a gap between others move first, all by about the same amount, so that the form of the distribution stays.
 * Where they are used up or there are none, rows that are chosen at random take the next value of the seed.
 *
 * @param values Length R: changed. NaN where missing.
 */
export function meetMean(
  { column, mean }: DrawnColumn,
  { heldAt }: TiltedCodes,
  values: Float64Array,
  { low, high }: Room,
  stream: RandomStream,
): void {
  const { lattice } = column
  const inUnits = (value: number): number => (lattice ? (value * lattice.scale - lattice.origin) / lattice.step : value)
  let [sum, count] = [0, 0]
  for (const value of values) {
    if (Number.isNaN(value)) continue
    // In units of the lattice sums are exact.
    sum += lattice ? Math.round(inUnits(value)) : value
    count++
  }
  const { min, max } = mean!
  const [least, most] = [inUnits(heldAt ?? min) * count, inUnits(heldAt ?? max) * count]
  if (count === 0 || (sum >= least && sum <= most)) return
  const isUp = sum < least
  const exact = isUp ? least - sum : sum - most
  // The mean of a bound may not end beyond it, that of a target ends at the nearest unit.
  const isInwards = isUp === (heldAt === null || heldAt === min)
  const inSteps =
    min === max ? Math.round(exact) : isInwards ? Math.ceil(exact - ROUNDING) : Math.floor(exact + ROUNDING)
  let left = lattice ? inSteps : exact
  const rows = shuffledRows(values, stream)

  const room = (row: number): number => {
    const far = isUp ? high[row]! - values[row]! : values[row]! - low[row]!
    return lattice ? Math.round(inUnits(far) - inUnits(0)) : far
  }
  const move = (row: number, by: number): void => {
    const value = values[row]!
    if (lattice) {
      values[row] = latticeValue(lattice, Math.round(inUnits(value)) + (isUp ? by : -by))
    } else values[row] = Math.min(high[row]!, Math.max(low[row]!, isUp ? value + by : value - by))
    left -= by
  }
  const isDone = (): boolean => (lattice ? left <= 0 : left <= exact * 1e-12)

  let free = rows.filter((row) => isFree(column, values[row]!))
  while (!isDone() && free.length > 0) {
    free = free.filter((row) => room(row) > 0)
    const each = lattice ? Math.max(1, Math.floor(left / free.length)) : left / free.length
    for (const row of free) {
      if (isDone()) break
      move(row, Math.min(each, room(row), left))
    }
  }
  const gapOf = (row: number): number | null => {
    const next = nextValue(column.values, values[row]!, isUp)
    if (next === undefined) return null
    const gap = lattice ? Math.abs(Math.round(inUnits(next) - inUnits(values[row]!))) : Math.abs(next - values[row]!)
    return gap > 0 && gap <= room(row) ? gap : null
  }
  for (let isMoving = true; isMoving && !isDone(); ) {
    isMoving = false
    for (const row of rows) {
      if (isDone()) break
      const gap = gapOf(row)
      if (gap === null || gap > left) continue
      move(row, gap)
      isMoving = true
    }
  }
  if (isDone()) return
  // What is left is less than any gap: one that is too long may still come nearer, and meets a bound.
  let last: { readonly row: number; readonly gap: number } | null = null
  for (const row of rows) {
    const gap = gapOf(row)
    if (gap !== null && (last === null || gap < last.gap)) last = { row, gap }
  }
  const isAllowed = (gap: number): boolean => (min === max ? gap < 2 * left : isInwards)
  if (last !== null && isAllowed(last.gap)) move(last.row, last.gap)
}

/** Whether a value stands for a gap between values of the seed: it is none of them, or a rare one. */
function isFree(column: DrawnColumn['column'], value: number): boolean {
  if (!column.jitter) return false
  const { values } = column
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! >= value) high = middle
    else low = middle + 1
  }
  return values[low] !== value || isCell(column, low)
}

/** The next of ascending values, above or below a number. */
function nextValue(values: Float64Array, value: number, isUp: boolean): number | undefined {
  let [low, high] = [0, values.length]
  // The first value above, or not below.
  while (low < high) {
    const middle = (low + high) >> 1
    if (isUp ? values[middle]! > value : values[middle]! >= value) high = middle
    else low = middle + 1
  }
  return values[isUp ? low : low - 1]
}

/** The rows that have a value, in random sequence (Fisher and Yates). */
function shuffledRows(values: Float64Array, stream: RandomStream): number[] {
  const rows: number[] = []
  values.forEach((value, row) => {
    if (!Number.isNaN(value)) rows.push(row)
  })
  for (let last = rows.length - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    const row = rows[last]!
    rows[last] = rows[other]!
    rows[other] = row
  }
  return rows
}
