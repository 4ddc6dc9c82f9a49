import type { RawNumberColumn } from '../../base/raw-table.ts'
import { MAX_COUNTS } from '../columns/build-column.ts'
import { decimalsOf, MAX_DECIMALS } from '../columns/number-forms.ts'
import { DistinctCount } from './distinct-count.ts'
import { SinglePrecision, shortestSingle } from './single-precision.ts'

const DAY_MS = 86_400_000

/** Numbers, or dates and times in milliseconds since 1970. */
export type NumberUnit = 'number' | 'day' | 'second'

/** What all rows of a column of numbers have: the counts of its values, its extremes and its decimals. */
export class NumberProfile {
  readonly #rowCount: number
  readonly #isSampled: boolean
  readonly #unit: NumberUnit
  readonly #mostCounts: number
  readonly #single = new SinglePrecision()
  #counts: Map<number, number> | null = new Map()
  #distinct: DistinctCount | null = null
  #present = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #decimals = 0
  #hasTime = false

  /** @param leastCounts distinct values that are counted at least. */
  constructor(rows: { rowCount: number; sampleRows: number }, unit: NumberUnit = 'number', leastCounts = 0) {
    this.#rowCount = rows.rowCount
    this.#isSampled = rows.sampleRows < rows.rowCount
    this.#unit = unit
    this.#mostCounts = Math.max(MAX_COUNTS, leastCounts)
  }

  /** Null when there are too many distinct values. */
  get counts(): ReadonlyMap<number, number> | null {
    return this.#counts
  }

  /** Most decimals of a value, as `written` gives it. */
  get decimals(): number {
    return this.#single.isFound ? this.#single.decimals : this.#decimals
  }

  add(value: number): void {
    this.#present++
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    if (this.#counts === null) {
      this.#distinct?.add(value)
      this.#look(value)
      return
    }
    const count = this.#counts.get(value)
    this.#counts.set(value, (count ?? 0) + 1)
    if (count === undefined) {
      this.#look(value)
      if (this.#counts.size > this.#mostCounts) this.#stopCounting(this.#counts)
    }
  }

  /** A value without the digits that single precision added. */
  written(value: number): number {
    return this.#single.isFound ? shortestSingle(value) : value
  }

  /**
   * The column.
   *
   * @param values of the rows held; kept, and changed.
   * @param valid 1 where a row has a value; kept.
   */
  column(
    { name, label }: Pick<RawNumberColumn, 'name' | 'label'>,
    values: Float64Array,
    valid: Uint8Array,
  ): RawNumberColumn {
    if (this.#single.isFound) for (let row = 0; row < values.length; row++) values[row] = shortestSingle(values[row]!)
    const counts =
      this.#counts === null || this.#counts.size > MAX_COUNTS
        ? null
        : new Map(
            [...this.#counts]
              .map(([value, count]) => [this.written(value), count] as const)
              .sort(([one], [other]) => one - other),
          )
    return {
      type: this.#unit === 'number' ? 'number' : this.#hasTime ? 'date-time' : 'date',
      name,
      label,
      missing: this.#rowCount - this.#present,
      distinct: this.distinct(values, valid),
      values,
      valid,
      min: this.#present === 0 ? 0 : this.written(this.#min),
      max: this.#present === 0 ? 0 : this.written(this.#max),
      decimals: this.decimals,
      counts,
    }
  }

  /** Distinct values; exact unless they are many and the rows held are a sample. */
  distinct(values: Float64Array, valid: Uint8Array): number {
    return this.#counts?.size ?? this.#distinct?.estimate(this.#present) ?? distinctAmong(values, valid)
  }

  #stopCounting(counts: ReadonlyMap<number, number>): void {
    this.#counts = null
    // If the sample is the whole file, its values can be counted exactly.
    if (!this.#isSampled) return
    this.#distinct = new DistinctCount(this.#rowCount)
    for (const value of counts.keys()) this.#distinct.add(value)
  }

  #look(value: number): void {
    if (this.#unit === 'second') this.#hasTime ||= value % DAY_MS !== 0
    if (this.#unit !== 'number' || Number.isInteger(value)) return
    this.#single.add(value)
    if (this.#decimals === MAX_DECIMALS) return
    // Most values have no more decimals than earlier values, which can be checked without making a text.
    const scale = 10 ** this.#decimals
    if (Math.round(value * scale) / scale !== value)
      this.#decimals = Math.max(this.#decimals, decimalsOf(String(value)))
  }
}

function distinctAmong(values: Float64Array, valid: Uint8Array): number {
  const sorted = values.filter((_, row) => valid[row] === 1).sort()
  let distinct = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++
  return distinct
}
