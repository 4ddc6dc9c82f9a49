/**
 * Codes become values again.
 *
 * V  distinct observed values of a column     B  its bins     K  its codes
 *
 * A bin's distribution: observed value i with probability count_i / count of the bin. In columns with `jitter`, a value seen
 * at most RARE_COUNT times stands for its cell: the numbers nearer to it than to its observed neighbours, drawn evenly
 * (on the column's lattice where it has one). Cells do not overlap, fill every gap, and end at the observed extremes; spikes
 * and heaps stay exact. Ranges are measured against the same distribution, so a range between two observed values of
 * a continuous column has mass.
 */

import { binOf } from '../encode.ts'
import type { EncodedNumeric } from '../model.ts'
import type { RandomStream } from '../random.ts'

const RARE_COUNT = 3
const UNIT_32 = 2 ** -32

/** Both ends included. */
export interface ValueRange {
  readonly min: number
  readonly max: number
}

/**
 * Fraction of each code's mass inside the range; missing has none.
 *
 * returns  length K, each in [0, 1]; exactly 0 or 1 where a bin lies wholly outside or inside
 */
export function rangeFractions(column: EncodedNumeric, range: ValueRange): Float64Array {
  const fractions = new Float64Array(column.codeCount)
  const { binStart, cumulative } = column
  for (let bin = 0; bin < binStart.length - 1; bin++) {
    const weights = weightsInside(column, range, binStart[bin]!, binStart[bin + 1]!)
    const rows = cumulative[binStart[bin + 1]!]! - cumulative[binStart[bin]!]!
    fractions[bin + column.missing] = Math.min(1, weights[weights.length - 1]! / rows)
  }
  return fractions
}

/**
 * Running sums of the rows that values first … end - 1 put inside the range.
 *
 * returns  length end - first
 */
function weightsInside(column: EncodedNumeric, range: ValueRange, first: number, end: number): Float64Array {
  const weights = new Float64Array(end - first)
  const cell = { low: 0, high: 0 }
  let sum = 0
  for (let v = first; v < end; v++) {
    const count = column.cumulative[v + 1]! - column.cumulative[v]!
    sum += count * insideShare(column, range, v, cell)
    weights[v - first] = sum
  }
  return weights
}

/** The code whose bin a value lies in, or lies next to. */
export function codeOfValue({ values, binStart, missing }: EncodedNumeric, value: number): number {
  return binOf(values, binStart, value) + missing
}

interface Cell {
  low: number
  high: number
}

function insideShare(column: EncodedNumeric, range: ValueRange, v: number, cell: Cell): number {
  const value = column.values[v]!
  if (!isCell(column, v)) return value >= range.min && value <= range.max ? 1 : 0
  cellOf(column, v, cell)
  const { low, high } = cell
  clipCell(column, range, cell)
  if (column.lattice) return Math.max(0, cell.high - cell.low + 1) / (high - low + 1)
  return high > low ? Math.max(0, cell.high - cell.low) / (high - low) : cell.high >= cell.low ? 1 : 0
}

function isCell(column: EncodedNumeric, v: number): boolean {
  return column.jitter && column.cumulative[v + 1]! - column.cumulative[v]! <= RARE_COUNT
}

/** Lattice columns: first and last k of the cell. Others: its ends. */
function cellOf(column: EncodedNumeric, v: number, cell: Cell): void {
  const { values, lattice, bandStarts } = column
  // Nobody knows where between its last value and the next band's first a band ends.
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
}

/** Cuts the cell to the range; high < low when nothing is left. */
function clipCell(column: EncodedNumeric, range: ValueRange, cell: Cell): void {
  const { lattice } = column
  if (!lattice) {
    cell.low = Math.max(cell.low, range.min)
    cell.high = Math.min(cell.high, range.max)
    return
  }
  // The arithmetic finds the neighbourhood, comparisons of the very values that would be generated decide.
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

function latticeValue(lattice: Lattice, k: number): number {
  return (lattice.origin + k * lattice.step) / lattice.scale
}

/** Draws values for codes of one column; inside a range when there is one. */
export class NumericDecoder {
  readonly #column: EncodedNumeric
  readonly #range: ValueRange | null
  /** Bin → running sums inside the range, where the range cuts the bin. */
  readonly #cut = new Map<number, Float64Array>()
  readonly #cell: Cell = { low: 0, high: 0 }
  /** Every bin is one value, and all of it: nothing is left to chance. */
  readonly #isSettled: boolean
  #words = new Uint32Array(0)

  constructor(column: EncodedNumeric, range: ValueRange | null = null) {
    this.#column = column
    this.#range = range
    this.#isSettled = !range && !column.jitter && column.binStart.length - 1 === column.values.length
    if (!range) return
    const fractions = rangeFractions(column, range)
    for (let bin = 0; bin < column.binStart.length - 1; bin++) {
      if (fractions[bin + column.missing] === 1) continue
      this.#cut.set(bin, weightsInside(column, range, column.binStart[bin]!, column.binStart[bin + 1]!))
    }
  }

  /**
   * codes   codes[codesAt + r] is the code of row r, r = 0 … rows - 1
   * stream  a fresh stream for this block and column, of which row r has words 2r and 2r + 1, whatever the other codes
   * values, valid  receive results from index `at`; `values` is 0 where missing
   *
   * @throws RangeError for a code that has no mass inside the range.
   */
  decode(
    codes: Uint16Array,
    codesAt: number,
    rows: number,
    stream: RandomStream,
    values: Float64Array,
    valid: Uint8Array,
    at: number,
  ): void {
    const column = this.#column
    const { binStart, cumulative, missing, jitter } = column
    const observed = column.values
    if (this.#isSettled) {
      for (let r = 0; r < rows; r++) {
        const bin = codes[codesAt + r]! - missing
        values[at + r] = bin < 0 ? 0 : observed[bin]!
        valid[at + r] = bin < 0 ? 0 : 1
      }
      return
    }
    if (this.#words.length < 2 * rows) this.#words = new Uint32Array(2 * rows)
    const words = this.#words
    stream.fill(words, 2 * rows)
    const cut = this.#cut
    const anyCut = cut.size > 0
    for (let r = 0; r < rows; r++) {
      const bin = codes[codesAt + r]! - missing
      if (bin < 0) {
        if (this.#range) throw new RangeError(`a missing value in the ranged column ${column.name}`)
        values[at + r] = 0
        valid[at + r] = 0
        continue
      }
      valid[at + r] = 1
      if (anyCut && cut.has(bin)) {
        values[at + r] = this.#drawInside(bin, cut.get(bin)!, words[2 * r]!, words[2 * r + 1]!)
        continue
      }
      let v = binStart[bin]!
      const end = binStart[bin + 1]!
      if (end - v > 1) {
        const first = cumulative[v]!
        const row = first + Math.floor(words[2 * r]! * (cumulative[end]! - first) * UNIT_32)
        let high = end - 1
        while (v < high) {
          const middle = (v + high + 1) >> 1
          if (cumulative[middle]! <= row) v = middle
          else high = middle - 1
        }
      }
      if (jitter && cumulative[v + 1]! - cumulative[v]! <= RARE_COUNT) {
        cellOf(column, v, this.#cell)
        values[at + r] = this.#drawCell(words[2 * r + 1]!)
      } else {
        values[at + r] = observed[v]!
      }
    }
  }

  #drawInside(bin: number, weights: Float64Array, pick: number, place: number): number {
    const column = this.#column
    const total = weights[weights.length - 1]!
    if (!(total > 0)) throw new RangeError(`a code of ${column.name} outside its range`)
    const target = pick * UNIT_32 * total
    let low = 0
    let high = weights.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (weights[middle]! > target) high = middle
      else low = middle + 1
    }
    const v = column.binStart[bin]! + low
    if (!isCell(column, v)) return column.values[v]!
    cellOf(column, v, this.#cell)
    clipCell(column, this.#range!, this.#cell)
    return this.#drawCell(place)
  }

  #drawCell(word: number): number {
    const { low, high } = this.#cell
    const { lattice } = this.#column
    if (lattice) return latticeValue(lattice, low + Math.floor(word * (high - low + 1) * UNIT_32))
    return Math.min(high, low + (high - low) * (word * UNIT_32))
  }
}
