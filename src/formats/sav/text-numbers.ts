import type { RawNumberColumn } from '../../base/raw-table.ts'
import { readStandardNumber, type WrittenNumber } from '../columns/number-syntax.ts'
import { isMissingMark } from '../columns/value-forms.ts'
import { NumberProfile } from './number-profile.ts'

/** Of the rows with a value the distinct whole numbers from which on they are the names of cases. */
const NAMES_SHARE = 0.99

/**
 * The numbers that a string variable holds, as long as all its texts are numbers, or marks such as "-" among them.
 * Codes with leading zeros, and whole numbers beyond 2^53, are no numbers.
 */
export class TextNumbers {
  readonly #profile: NumberProfile
  /** By code of the text; NaN for a mark. */
  readonly #numbers: number[] = []
  readonly #markOf = new Map<number, string>()
  readonly #marks = new Map<string, number>()
  readonly #read: WrittenNumber = { value: 0, decimals: 0 }
  #areAll = true

  constructor(rows: { rowCount: number; sampleRows: number }) {
    this.#profile = new NumberProfile(rows)
  }

  /** Takes the text of the next code. */
  push(text: string): void {
    if (!this.#areAll) return
    const number = this.#numberOf(text)
    if (Number.isNaN(number)) this.#markOf.set(this.#numbers.length, text)
    this.#numbers.push(number)
  }

  /** Counts a row with the text of a code. */
  countCode(code: number): void {
    if (!this.#areAll) return
    const number = this.#numbers[code]!
    if (Number.isNaN(number)) this.#countMark(this.#markOf.get(code)!)
    else this.#profile.add(number)
  }

  /** Counts a row with a text that has no code, because no row held has it. */
  countText(text: string): void {
    if (!this.#areAll) return
    const number = this.#numberOf(text)
    if (Number.isNaN(number)) this.#countMark(text)
    else this.#profile.add(number)
  }

  /**
   * The column of numbers, and how often each mark stood among them; null when it is none. Whole numbers that are
   * different in nearly every row are kept as texts, because they name cases.
   *
   * @param codes of the rows held, -1 = missing.
   */
  finish(
    variable: Pick<RawNumberColumn, 'name' | 'label'>,
    codes: Int32Array,
  ): { readonly column: RawNumberColumn; readonly marks: readonly (readonly [string, number])[] } | null {
    const { present, decimals } = this.#profile
    if (!this.#areAll || present === 0) return null
    const values = Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : this.#numbers[code]!))
    const valid = Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1))
    for (let row = 0; row < values.length; row++) if (valid[row] === 0) values[row] = 0
    if (decimals === 0 && this.#profile.distinct(values, valid) >= NAMES_SHARE * present) return null
    return { column: this.#profile.column(variable, values, valid), marks: [...this.#marks] }
  }

  #countMark(text: string): void {
    this.#marks.set(text, (this.#marks.get(text) ?? 0) + 1)
  }

  /** NaN for a mark, and for the first text that shows that not all are numbers. */
  #numberOf(text: string): number {
    const bytes = Buffer.from(text)
    if (readStandardNumber(bytes, 0, bytes.length, this.#read)) return this.#read.value
    this.#areAll = isMissingMark(text)
    return Number.NaN
  }
}
