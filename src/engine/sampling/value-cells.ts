/**
 * The cell of a rare value of a column with `jitter`: the numbers nearer to it than to its observed neighbours, on the column's
 * lattice if it has one. Cells do not overlap and end at the observed extremes.
 *
 * The cells of the smallest and the largest value are narrow, so that generated values reach about as far as the seed's. Halfway to
 * the neighbour would be too wide if one row is far out. An extreme of only a few rows is left out of its own cell if the lattice
 * has other points there: nobody's exact extreme is repeated.
 *
 * V  distinct observed values of a column
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { isSparse } from '../encoding/encode.ts'
import type { EncodedNumeric } from '../model/model.ts'

/** Widest cell of an extreme, as a share of the column's extent. */
const EXTREME_SHARE = 1 / 64

/** Both ends included. */
export interface ValueRange {
  readonly min: number
  readonly max: number
}

export interface Cell {
  low: number
  high: number
}

/** A value with at most this many rows represents its cell. */
const RARE_ROWS = 3

/** Whether a value represents its cell: a rare one, and one of fewer than LEAST_ROWS where values are lost in their range. */
export function isCell(column: EncodedNumeric, v: number): boolean {
  if (!column.jitter) return false
  const rows = column.cumulative[v + 1]! - column.cumulative[v]!
  return rows <= RARE_ROWS || (rows < LEAST_ROWS && isLost(column))
}

/** It takes a pass over the values, for each of many rows. */
const lost = new WeakMap<EncodedNumeric, boolean>()

function isLost(column: EncodedNumeric): boolean {
  const known = lost.get(column)
  if (known !== undefined) return known
  const found = isSparse(column)
  lost.set(column, found)
  return found
}

/** Lattice columns: first and last k of the cell. Others: its ends. */
export function cellOf(column: EncodedNumeric, v: number, cell: Cell): void {
  const { values, lattice, bandStarts } = column
  // The end of a band, between its last value and the first of the next band, is unknown.
  const isFirst = v === 0 || bandStarts?.[v] === 1
  const isLast = v === values.length - 1 || bandStarts?.[v + 1] === 1
  if (lattice) {
    const k = latticeIndex(lattice, values[v]!)
    cell.low = isFirst ? k : Math.floor((latticeIndex(lattice, values[v - 1]!) + k) / 2) + 1
    cell.high = isLast ? k : Math.floor((k + latticeIndex(lattice, values[v + 1]!)) / 2)
  } else {
    const value = values[v]!
    cell.low = isFirst ? value : values[v - 1]! + (value - values[v - 1]!) / 2
    cell.high = isLast ? value : value + (values[v + 1]! - value) / 2
  }
  if (v === 0 || v === values.length - 1) narrow(column, v, cell)
}

/** Cuts the cell of the smallest or the largest value. */
function narrow({ values, lattice }: EncodedNumeric, v: number, cell: Cell): void {
  const extent = values[values.length - 1]! - values[0]!
  const reach = extent * EXTREME_SHARE
  if (!lattice) {
    if (v === 0) cell.high = Math.min(cell.high, cell.low + reach)
    else cell.low = Math.max(cell.low, cell.high - reach)
    return
  }
  const steps = Math.max(1, Math.floor((reach * lattice.scale) / lattice.step))
  if (cell.low === cell.high) return
  if (v === 0) {
    cell.high = Math.min(cell.high, cell.low + steps)
    cell.low++
  } else {
    cell.low = Math.max(cell.low, cell.high - steps)
    cell.high--
  }
}

/** Cuts the cell to the range; high < low if nothing is left. */
export function clipCell(column: EncodedNumeric, range: ValueRange, cell: Cell): void {
  const { lattice } = column
  if (!lattice) {
    cell.low = Math.max(cell.low, range.min)
    cell.high = Math.min(cell.high, range.max)
    return
  }
  // The arithmetic finds the neighbourhood; comparisons of the values that would be generated decide.
  if (latticeValue(lattice, cell.low) < range.min) {
    let k = Math.min(
      cell.high + 1,
      Math.max(cell.low, Math.floor((range.min * lattice.scale - lattice.origin) / lattice.step) - 1),
    )
    while (k <= cell.high && latticeValue(lattice, k) < range.min) k++
    cell.low = k
  }
  if (latticeValue(lattice, cell.high) > range.max) {
    let k = Math.max(
      cell.low - 1,
      Math.min(cell.high, Math.ceil((range.max * lattice.scale - lattice.origin) / lattice.step) + 1),
    )
    while (k >= cell.low && latticeValue(lattice, k) > range.max) k--
    cell.high = k
  }
}

type Lattice = NonNullable<EncodedNumeric['lattice']>

function latticeIndex(lattice: Lattice, value: number): number {
  return Math.round((Math.round(value * lattice.scale) - lattice.origin) / lattice.step)
}

export function latticeValue(lattice: Lattice, k: number): number {
  return (lattice.origin + k * lattice.step) / lattice.scale
}
