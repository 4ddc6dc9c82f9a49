/**
 * What a column may be in a row, so that a formula whose target is drawn before its sources can still hold: the score is given, and the
 * items follow. Only formulas that the author of the seed declared are followed in this direction.
 *
 * m  sources that are drawn later
 */

import { decimalsOf } from '../encoding/numbers.ts'
import type { Formula } from '../model/derivation.ts'
import type { EncodedColumn, EncodedNumeric } from '../model/model.ts'
import { extremesOf, type Interval } from './limits.ts'
import type { ValueRange } from './value-cells.ts'

/** Binary fractions, in units of the last place. */
const NOISE = 1e-6

export interface CompletionContext {
  readonly columns: readonly EncodedColumn[]
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** Reads a column by row of the block; NaN when missing. */
  readonly reader: (column: number) => (row: number) => number
}

/** The target of a row, and the sources that it has so far: how many have a value, and their weighted sum. */
interface RowState {
  target: number
  answered: number
  sum: number
}

/** A column of a formula, after some of the others. */
export class Completion {
  readonly #context: CompletionContext
  readonly #formula: Formula
  readonly #column: number
  readonly #given: readonly { readonly column: number; readonly weight: number }[]
  /** Length m + 1: the least and the largest sum of so many of the later sources. */
  readonly #least: number[]
  readonly #most: number[]
  /** Later sources that are never missing. */
  readonly #sure: number
  /** The smallest step of sums. */
  readonly #unit: number
  /** Half a unit of the target's last place. */
  readonly #half: number
  readonly #needed: number
  readonly #state: RowState = { target: Number.NaN, answered: 0, sum: 0 }
  #read: readonly ((row: number) => number)[] = []
  #readTarget: (row: number) => number = () => Number.NaN

  constructor(context: CompletionContext, formula: Formula, column: number, before: ReadonlySet<number>) {
    const { columns, ranges } = context
    const { sources, target, form, least } = formula
    this.#context = context
    this.#formula = formula
    this.#column = column
    this.#given = sources.filter((source) => before.has(source.column))
    const later = sources.filter((source) => source.column !== column && !before.has(source.column))
    const ends = later.map((source) => {
      const { low, high } = extremesOf(columns[source.column]!, ranges.get(source.column))
      return [source.weight * low, source.weight * high].sort((a, b) => a - b)
    })
    this.#least = sumsOf(ends.map(([low]) => low!).sort((a, b) => a - b))
    this.#most = sumsOf(ends.map(([, high]) => high!).sort((a, b) => b - a))
    this.#sure = later.filter((source) => columns[source.column]!.missing === 0 || ranges.has(source.column)).length
    this.#unit = Math.min(...sources.map((source) => stepOf(columns[source.column]!)))
    this.#half = stepOf(columns[target] as EncodedNumeric) / 2
    this.#needed = form === 'mean' ? (least ?? 1) : sources.length
  }

  /** Must be called before the rows of a block. */
  enterBlock(): void {
    const { reader } = this.#context
    this.#read = this.#given.map(({ column }) => reader(column))
    if (this.#column !== this.#formula.target) this.#readTarget = reader(this.#formula.target)
  }

  enterRow(row: number): void {
    const state = this.#state
    state.target = this.#readTarget(row)
    state.answered = 0
    state.sum = 0
    for (let j = 0; j < this.#given.length; j++) {
      const value = this.#read[j]!(row)
      if (Number.isNaN(value)) continue
      state.answered++
      state.sum += this.#given[j]!.weight * value
    }
  }

  /** Whether the formula can hold if the column has a value (NaN: none) in the row. */
  allows(value: number): boolean {
    const { target, answered, sum } = this.#state
    if (this.#column === this.#formula.target) return this.#canComplete(value, answered, sum)
    if (Number.isNaN(value)) return this.#canComplete(target, answered, sum)
    return this.#canComplete(target, answered + 1, sum + this.#weight() * value)
  }

  /** The values that a source may have in the row, ascending by the number of answers; empty: none. */
  rooms(): Interval[] {
    const { target, answered, sum } = this.#state
    if (Number.isNaN(target)) return []
    const rooms: Interval[] = []
    const w = this.#weight()
    for (let more = this.#sure; more < this.#least.length; more++) {
      const total = this.#totalOf(target, answered + 1 + more)
      if (total === null) continue
      const ends = [total.low - sum - this.#most[more]!, total.high - sum - this.#least[more]!].map((end) => end / w)
      rooms.push({ low: Math.min(...ends), high: Math.max(...ends) })
    }
    return rooms
  }

  #weight(): number {
    return this.#formula.sources.find(({ column }) => column === this.#column)!.weight
  }

  #canComplete(target: number, answered: number, sum: number): boolean {
    if (Number.isNaN(target)) return answered + this.#sure < this.#needed
    const slack = NOISE * this.#unit
    for (let more = this.#sure; more < this.#least.length; more++) {
      const total = this.#totalOf(target, answered + more)
      if (total === null) continue
      if (sum + this.#least[more]! <= total.high + slack && sum + this.#most[more]! >= total.low - slack) return true
    }
    return false
  }

  /** The sums of so many values that give the target, in whole steps; null where there are none. */
  #totalOf(target: number, answered: number): Interval | null {
    if (answered < this.#needed || answered === 0) return null
    const times = this.#formula.form === 'mean' ? answered : 1
    const unit = this.#unit
    // Amounts are written in steps, so that their mean cannot be met more closely.
    const tolerance = Math.max(times * this.#half, unit < 1 ? unit / 2 : 0) + NOISE * unit
    const low = Math.ceil((times * target - tolerance) / unit) * unit
    const high = Math.floor((times * target + tolerance) / unit) * unit
    return low <= high ? { low, high } : null
  }
}

/** Sums of the first 0, 1, … m numbers. */
function sumsOf(numbers: readonly number[]): number[] {
  const sums = [0]
  for (const number of numbers) sums.push(sums.at(-1)! + number)
  return sums
}

const stepOf = (column: EncodedColumn): number =>
  column.kind === 'categorical' ? 1 : Number(`1e-${decimalsOf(column)}`)
