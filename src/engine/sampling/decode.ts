/**
 * Decodes codes into values.
 *
 * V  distinct observed values of a column     B  its bins     K  its codes
 *
 * A bin's distribution: observed value i with probability count_i / count of the bin. In columns with `jitter`, a rare value
 * represents its cell (`value-cells.ts`), from which numbers are drawn uniformly; spikes and heaps stay exact. The smallest and the
 * largest value are drawn in a fixed rhythm (`extreme-turns.ts`). Ranges are measured against the same distribution, so a range
 * between two observed values of a continuous column has mass.
 */

import { binOf } from '../encoding/encode.ts'
import type { EncodedNumeric } from '../model/model.ts'
import { ExtremeTurns } from './extreme-turns.ts'
import type { RandomStream } from './random.ts'
import { type Cell, cellOf, clipCell, isCell, latticeValue, type ValueRange } from './value-cells.ts'

const UNIT_32 = 2 ** -32

/**
 * Fraction of each code's mass inside the range; missing has none.
 *
 * returns  length K, each in [0, 1]; exactly 0 or 1 if a bin lies wholly outside or inside
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
 * Running sums of the rows inside the range, over values first … end - 1.
 *
 * returns  length end - first
 */
export function weightsInside(column: EncodedNumeric, range: ValueRange, first: number, end: number): Float64Array {
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

/** The code whose bin contains a value, or is next to it. */
export function codeOfValue({ values, binStart, missing }: EncodedNumeric, value: number): number {
  return binOf(values, binStart, value) + missing
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

/** Draws values for codes of one column, inside the range if there is one. */
export class NumericDecoder {
  readonly #column: EncodedNumeric
  readonly #range: ValueRange | null
  /** Bin → running sums inside the range, where the range cuts the bin. */
  readonly #cut = new Map<number, Float64Array>()
  readonly #cell: Cell = { low: 0, high: 0 }
  /** Whether every bin is one whole value: nothing is random then. */
  readonly #isSettled: boolean
  readonly #turns: ExtremeTurns
  #words = new Uint32Array(0)

  constructor(column: EncodedNumeric, range: ValueRange | null = null) {
    this.#column = column
    this.#range = range
    this.#turns = new ExtremeTurns(column)
    this.#isSettled = !range && !column.jitter && column.binStart.length - 1 === column.values.length
    if (!range) return
    const fractions = rangeFractions(column, range)
    for (let bin = 0; bin < column.binStart.length - 1; bin++) {
      if (fractions[bin + column.missing] === 1) continue
      this.#cut.set(bin, weightsInside(column, range, column.binStart[bin]!, column.binStart[bin + 1]!))
    }
  }

  /**
   * Begins a batch of blocks; must be called before the first one. The rhythm of extremes continues across a batch.
   *
   * column  its index
   */
  startBatch(seed: number, column: number, firstRow: number): void {
    this.#turns.start(seed, column, firstRow)
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
    const { missing } = column
    if (this.#isSettled) {
      for (let r = 0; r < rows; r++) {
        const bin = codes[codesAt + r]! - missing
        values[at + r] = bin < 0 ? 0 : column.values[bin]!
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
        values[at + r] = this.#drawInside(bin, this.#range!, cut.get(bin)!, words[2 * r]!, words[2 * r + 1]!)
        continue
      }
      const [first, end] = this.#inTurn(bin)
      values[at + r] = this.#drawOf(first, end, words[2 * r]!, words[2 * r + 1]!)
    }
  }

  /**
   * A value of one code, whatever the range of the column; NaN for missing.
   *
   * pick, place  random words
   */
  draw(code: number, pick: number, place: number): number {
    const bin = code - this.#column.missing
    const { binStart } = this.#column
    return bin < 0 ? Number.NaN : this.#drawOf(binStart[bin]!, binStart[bin + 1]!, pick, place)
  }

  /** The same for the first draw of a row in a batch, whose rows come in sequence: it counts for the rhythm of extremes. */
  drawInTurn(code: number, pick: number, place: number): number {
    const bin = code - this.#column.missing
    if (bin < 0) return Number.NaN
    const [first, end] = this.#inTurn(bin)
    return this.#drawOf(first, end, pick, place)
  }

  /** Share of a code's mass inside a range, in [0, 1]; missing has none. */
  shareWithin(code: number, range: ValueRange): number {
    const { missing, binStart, cumulative } = this.#column
    const bin = code - missing
    if (bin < 0) return 0
    const first = binStart[bin]!
    const end = binStart[bin + 1]!
    return weightsInside(this.#column, range, first, end).at(-1)! / (cumulative[end]! - cumulative[first]!)
  }

  /** A value of a code inside a range, in which it has mass. */
  drawWithin(code: number, range: ValueRange, pick: number, place: number): number {
    const { missing, binStart } = this.#column
    const bin = code - missing
    const weights = weightsInside(this.#column, range, binStart[bin]!, binStart[bin + 1]!)
    return this.#drawInside(bin, range, weights, pick, place)
  }

  /** The values of a bin that may be drawn now: an extreme one only when it is due. */
  #inTurn(bin: number): readonly [first: number, end: number] {
    const { binStart } = this.#column
    const first = binStart[bin]!
    const end = binStart[bin + 1]!
    if (!this.#turns.has(bin)) return [first, end]
    const extreme = first === 0 ? 0 : end - 1
    if (this.#turns.isNext(bin)) return [extreme, extreme + 1]
    return first === extreme ? [first + 1, end] : [first, extreme]
  }

  /** One of the values first … end - 1. */
  #drawOf(first: number, end: number, pick: number, place: number): number {
    const column = this.#column
    const { cumulative } = column
    let v = first
    if (end - first > 1) {
      const row = cumulative[first]! + Math.floor(pick * (cumulative[end]! - cumulative[first]!) * UNIT_32)
      let high = end - 1
      while (v < high) {
        const middle = (v + high + 1) >> 1
        if (cumulative[middle]! <= row) v = middle
        else high = middle - 1
      }
    }
    if (!column.jitter || !isCell(column, v)) return column.values[v]!
    cellOf(column, v, this.#cell)
    return this.#drawCell(place)
  }

  #drawInside(bin: number, range: ValueRange, weights: Float64Array, pick: number, place: number): number {
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
    clipCell(column, range, this.#cell)
    return this.#drawCell(place)
  }

  #drawCell(word: number): number {
    const { low, high } = this.#cell
    const { lattice } = this.#column
    if (lattice) return latticeValue(lattice, low + Math.floor(word * (high - low + 1) * UNIT_32))
    return Math.min(high, low + (high - low) * (word * UNIT_32))
  }
}
