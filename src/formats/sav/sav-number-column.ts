import type { RawColumn } from '../../base/raw-table.ts'
import { presentText } from '../columns/value-forms.ts'
import { DistinctCount, rawTextColumn } from './raw-text-column.ts'
import type { SavNumberVariable } from './sav-variables.ts'

/** Value counts of numbers are kept up to this many distinct values. */
const MAX_COUNTS = 4_096
const MAX_DECIMALS = 12

/** Seconds from 1582-10-14, where SPSS begins to count, to 1970-01-01. */
const EPOCH_SECONDS = 12_219_379_200
const DAY_SECONDS = 86_400
/** 9999-12-31T23:59:59 in seconds of SPSS. */
const LAST_SECOND = 265_621_679_999

// Numbers of print formats. DATE, ADATE, JDATE, MOYR, QYR, WKYR, EDATE, SDATE:
const DATE_FORMATS = new Set([20, 23, 24, 28, 29, 30, 38, 39])
// DATETIME, YMDHMS:
const DATE_TIME_FORMATS = new Set([22, 41])
// TIME, DTIME, MTIME:
const DURATION_FORMATS = new Set([21, 25, 40])

/** Collects a numeric variable: the sampled rows in an array, the profile over all rows. */
export class SavNumberColumn {
  readonly variable: SavNumberVariable
  readonly #littleEndian: boolean
  readonly #systemMissing: number
  readonly #values: Float64Array
  readonly #valid: Uint8Array
  readonly #rowCount: number
  readonly #unit: 'number' | 'day' | 'second'
  #counts: Map<number, number> | null = new Map()
  #distinct: DistinctCount | null = null
  #present = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #decimals = 0
  #hasTime = false
  #hasStrangeDates = false

  /** @param rows of the file and of the sample, and the file's number encoding. */
  constructor(
    variable: SavNumberVariable,
    rows: { rowCount: number; sampleRows: number },
    numbers: { littleEndian: boolean; systemMissing: number },
  ) {
    this.variable = variable
    this.#littleEndian = numbers.littleEndian
    this.#systemMissing = numbers.systemMissing
    this.#values = new Float64Array(rows.sampleRows)
    this.#valid = new Uint8Array(rows.sampleRows)
    this.#rowCount = rows.rowCount
    const { format } = variable
    this.#unit = DATE_FORMATS.has(format) ? 'day' : DATE_TIME_FORMATS.has(format) ? 'second' : 'number'
  }

  get isDuration(): boolean {
    return DURATION_FORMATS.has(this.variable.format)
  }

  /** Whether values of a date variable were before 1582-10-14 or after the year 9999, and were read as missing. */
  get hasStrangeDates(): boolean {
    return this.#hasStrangeDates
  }

  /** Value of the case that begins at `start`: dates in milliseconds since 1970; NaN where missing. */
  valueAt(view: DataView, start: number): number {
    const raw = view.getFloat64(start + this.variable.offset, this.#littleEndian)
    if (!Number.isFinite(raw) || raw === this.#systemMissing || raw === -Number.MAX_VALUE) return Number.NaN
    const { missingRange, missingValues } = this.variable
    if (missingRange !== null && raw >= missingRange[0] && raw <= missingRange[1]) return Number.NaN
    for (let i = 0; i < missingValues.length; i++) if (raw === missingValues[i]) return Number.NaN
    if (this.#unit === 'number') return raw + 0
    if (raw < 0 || raw > LAST_SECOND) {
      this.#hasStrangeDates = true
      return Number.NaN
    }
    if (this.#unit === 'day') return (Math.floor(raw / DAY_SECONDS) * DAY_SECONDS - EPOCH_SECONDS) * 1_000
    return Math.round((raw - EPOCH_SECONDS) * 1_000)
  }

  /** Adds a row to the profile, and to the sample if it is chosen (`at` not negative). */
  add(value: number, at: number): void {
    if (Number.isNaN(value)) return
    if (at >= 0) {
      this.#values[at] = value
      this.#valid[at] = 1
    }
    this.#present++
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    if (this.#counts === null) {
      this.#distinct?.addNumber(value)
      this.#look(value)
      return
    }
    const count = this.#counts.get(value)
    this.#counts.set(value, (count ?? 0) + 1)
    if (count === undefined) {
      this.#look(value)
      if (this.#counts.size > Math.max(MAX_COUNTS, this.variable.labels?.size ?? 0)) this.#stopCounting(this.#counts)
    }
  }

  /** The column, and the labels of a variable that has labels for only some values (else null). */
  finish(): { column: RawColumn; partlyLabelled: ReadonlyMap<number, string> | null } {
    const { labels, name } = this.variable
    const counts = this.#counts
    if (labels !== null && this.#unit === 'number' && this.#present > 0) {
      const used = counts === null ? null : [...counts.keys()].filter((value) => labels.has(value))
      if (counts !== null && used?.length === counts.size)
        return { column: this.#labelled(counts, labels), partlyLabelled: null }
      if (used === null || used.length > 0) {
        const partlyLabelled = used === null ? labels : new Map(used.map((value) => [value, labels.get(value)!]))
        return { column: this.#numbers(name), partlyLabelled }
      }
    }
    return { column: this.#numbers(name), partlyLabelled: null }
  }

  #stopCounting(counts: ReadonlyMap<number, number>): void {
    this.#counts = null
    // If the sample is the whole file, its values can be counted exactly.
    if (this.#values.length === this.#rowCount) return
    this.#distinct = new DistinctCount(this.#rowCount)
    for (const value of counts.keys()) this.#distinct.addNumber(value)
  }

  #look(value: number): void {
    if (this.#unit === 'second') this.#hasTime ||= value % (DAY_SECONDS * 1_000) !== 0
    else if (this.#decimals < MAX_DECIMALS && !Number.isInteger(value)) {
      this.#decimals = Math.max(this.#decimals, decimalsOf(value))
    }
  }

  #numbers(name: string): RawColumn {
    const counts =
      this.#counts === null || this.#counts.size > MAX_COUNTS
        ? null
        : new Map([...this.#counts].sort(([one], [other]) => one - other))
    return {
      type: this.#unit === 'number' ? 'number' : this.#hasTime ? 'date-time' : 'date',
      name,
      missing: this.#rowCount - this.#present,
      distinct: this.#counts?.size ?? this.#distinct?.estimate(this.#present) ?? this.#countExactly(),
      values: this.#values,
      valid: this.#valid,
      min: this.#present === 0 ? 0 : this.#min,
      max: this.#present === 0 ? 0 : this.#max,
      decimals: this.#decimals,
      counts,
    }
  }

  #countExactly(): number {
    const sorted = this.#values.filter((_, row) => this.#valid[row] === 1).sort()
    let distinct = 0
    for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++
    return distinct
  }

  /** The column as texts, its labels; a label such as "NA" is missing, as in any file. */
  #labelled(counts: ReadonlyMap<number, number>, labels: ReadonlyMap<number, string>): RawColumn {
    const codeOf = new Map<string, number>()
    const codeOfValue = new Map<number, number>()
    const counted: number[] = []
    let present = 0
    for (const [value, count] of counts) {
      const label = presentText(labels.get(value)!)
      if (label === null) continue
      const code = codeOf.get(label) ?? codeOf.size
      codeOf.set(label, code)
      codeOfValue.set(value, code)
      counted[code] = (counted[code] ?? 0) + count
      present += count
    }
    const codes = Int32Array.from(this.#values, (value, row) =>
      this.#valid[row] === 0 ? -1 : (codeOfValue.get(value) ?? -1),
    )
    return rawTextColumn({
      name: this.variable.name,
      texts: [...codeOf.keys()],
      codes,
      counts: counted,
      missing: this.#rowCount - present,
      distinct: codeOf.size,
    })
  }
}

/** Decimals of the shortest text of a number, at most 12. */
function decimalsOf(value: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const point = mantissa!.indexOf('.')
  const written = point < 0 ? 0 : mantissa!.length - point - 1
  return Math.min(MAX_DECIMALS, Math.max(0, written - Number(exponent)))
}
