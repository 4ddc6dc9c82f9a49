import type { RawColumn } from '../../base/raw-table.ts'
import { TextCodes, textColumn } from '../columns/build-column.ts'
import { presentText } from '../columns/value-forms.ts'
import { NumberProfile, type NumberUnit } from './number-profile.ts'
import type { SavNumberVariable } from './sav-variables.ts'
import { isLabelled, levelTexts, noAnswerValues, saysMore } from './value-labels.ts'

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

/** The effect of the value labels of a variable; all parts are empty for a variable without labels. */
export interface LabelReading {
  /** Labels of values of a variable that stayed a number. */
  readonly onNumbers: ReadonlyMap<number, string>
  /** Labels for no answer on a variable that stayed a number; their values are missing. */
  readonly noAnswers: ReadonlyMap<number, string>
  /** Codes without a label of a labelled variable, and the rows with one. */
  readonly odd: { readonly codes: number; readonly rows: number; readonly present: number }
  /** Labels of a labelled variable that stand for a missing value in every file ("NA"), and their rows. */
  readonly missingWords: ReadonlyMap<string, number>
}

const NO_LABELS: LabelReading = {
  onNumbers: new Map(),
  noAnswers: new Map(),
  odd: { codes: 0, rows: 0, present: 0 },
  missingWords: new Map(),
}

/** Collects a numeric variable: the sampled rows in an array, the profile over all rows. */
export class SavNumberColumn {
  readonly variable: SavNumberVariable
  readonly #littleEndian: boolean
  readonly #systemMissing: number
  readonly #values: Float64Array
  readonly #valid: Uint8Array
  readonly #rowCount: number
  readonly #unit: NumberUnit
  readonly #profile: NumberProfile
  /** Values with a label for no answer; they are outside of the profile. */
  readonly #noAnswers: ReadonlySet<number>
  readonly #noAnswerCounts = new Map<number, number>()
  /** None of them is a word for a missing value. */
  readonly #levels: ReadonlySet<string> | undefined
  #hasStrangeDates = false

  /** @param rows of the file and of the sample, and the file's number encoding; `levels`: those that a study names. */
  constructor(
    variable: SavNumberVariable,
    rows: { rowCount: number; sampleRows: number },
    numbers: { littleEndian: boolean; systemMissing: number },
    levels?: ReadonlySet<string>,
  ) {
    this.#levels = levels
    this.variable = variable
    this.#littleEndian = numbers.littleEndian
    this.#systemMissing = numbers.systemMissing
    this.#values = new Float64Array(rows.sampleRows)
    this.#valid = new Uint8Array(rows.sampleRows)
    this.#rowCount = rows.rowCount
    const { format, labels } = variable
    this.#unit = DATE_FORMATS.has(format) ? 'day' : DATE_TIME_FORMATS.has(format) ? 'second' : 'number'
    this.#profile = new NumberProfile(rows, this.#unit, labels?.size ?? 0)
    this.#noAnswers = labels === null || this.#unit !== 'number' ? new Set() : noAnswerValues(labels)
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
    if (!this.#noAnswers.has(value)) this.#profile.add(value)
    else this.#noAnswerCounts.set(value, (this.#noAnswerCounts.get(value) ?? 0) + 1)
  }

  finish(): { readonly column: RawColumn; readonly labels: LabelReading } {
    const { labels } = this.variable
    const profiled = this.#profile.counts
    if (labels === null || this.#unit !== 'number') {
      return { column: this.#profile.column(this.variable, this.#values, this.#valid), labels: NO_LABELS }
    }
    const counts = profiled === null ? null : new Map([...profiled, ...this.#noAnswerCounts])
    if (counts !== null && isLabelled(counts, labels, this.#noAnswers, this.variable.isNominal))
      return this.#labelled(counts, labels)
    return this.#numbers(profiled, labels)
  }

  /** The column as numbers; those labelled as no answer are no amounts. */
  #numbers(counts: ReadonlyMap<number, number> | null, labels: ReadonlyMap<number, string>) {
    if (this.#noAnswerCounts.size > 0) {
      for (let row = 0; row < this.#values.length; row++) {
        if (this.#noAnswers.has(this.#values[row]!)) this.#valid[row] = 0
      }
    }
    const used = (value: number) => !this.#noAnswers.has(value) && counts?.has(value) !== false
    return {
      column: this.#profile.column(this.variable, this.#values, this.#valid),
      labels: {
        ...NO_LABELS,
        onNumbers: new Map([...labels].filter(([value]) => used(value) && saysMore(labels, value))),
        noAnswers: new Map([...labels].filter(([value]) => this.#noAnswerCounts.has(value))),
      },
    }
  }

  /** The column as texts, its labels; a label such as "NA" is missing, as in any file. */
  #labelled(counts: ReadonlyMap<number, number>, labels: ReadonlyMap<number, string>) {
    const levels = levelTexts(counts.keys(), labels, (value) => this.#profile.written(value))
    const levelOf = (value: number) => presentText(levels.get(value)!, this.#levels)
    const texts = new TextCodes()
    const codeOfValue = new Map<number, number>()
    const rowCodes = Int32Array.from(this.#values, (value, row) => {
      if (this.#valid[row] === 0) return -1
      const code = codeOfValue.get(value) ?? texts.codeFor(levelOf(value))
      codeOfValue.set(value, code)
      return code
    })
    const counted = new Float64Array(texts.size)
    const distinct = new Set<string>()
    const missingWords = new Map<string, number>()
    let present = 0
    let codes = 0
    let rows = 0
    for (const [value, count] of counts) {
      if (!labels.has(value)) {
        codes++
        rows += count
      }
      const level = levelOf(value)
      if (level === null) {
        missingWords.set(levels.get(value)!, count)
        continue
      }
      const code = texts.find(level)
      if (code !== undefined) counted[code]! += count
      distinct.add(level)
      present += count
    }
    const { name, label } = this.variable
    const facts = { type: 'text', name, missing: this.#rowCount - present, distinct: distinct.size } as const
    const column = { ...textColumn(facts, texts, rowCodes, counted), label }
    return { column, labels: { ...NO_LABELS, odd: { codes, rows, present }, missingWords } }
  }
}
