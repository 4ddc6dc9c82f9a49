import type { DateForm } from './date-forms.ts'
import { type NumberForm, STANDARD_NUMBER } from './number-forms.ts'

/** The type of the values of a column; `remarks` are notes for a researcher, which follow "has". */
export type ColumnType =
  | TextType
  | NumberType
  | TimeType
  /** All readings hold for every value of the column: other columns, or the delimiter, must decide. */
  | MarkDecides
  | { readonly type: 'order-decides'; readonly readings: readonly DateForm[]; readonly remarks: readonly string[] }

/** A comma or a point that marks decimals, the first reading, or thousands, the second. */
export interface MarkDecides {
  readonly type: 'mark-decides'
  readonly readings: readonly [NumberType, NumberType]
  readonly mark: ',' | '.'
  /** What the column itself suggests; null: nothing. */
  readonly likely: 'thousands' | null
  /** The numbers are codes of several answers where the mark is not one of decimals. */
  readonly couldBeAnswers: boolean
}

export interface TextType {
  readonly type: 'text' | 'boolean'
  /** Of the numbers that most of the texts are. */
  readonly decimalMark?: ',' | '.'
  /** The codes of lists such as `1,2,3`; absent: the texts are no such lists. */
  readonly codes?: ReadonlySet<string>
  readonly remarks: readonly string[]
}

export interface TimeType {
  readonly type: 'time'
  readonly form: DateForm
  readonly remarks: readonly string[]
}

export interface NumberType {
  readonly type: 'number'
  readonly form: NumberForm
  /** Between the whole part and the decimals of some values; null where no value shows one. */
  readonly decimalMark: ',' | '.' | null
  /** All commas are between two whole numbers that could be two answers: `1,2`. */
  readonly couldBeAnswers: boolean
  /** Of such a column in which each part of `1,2` also stands alone. */
  readonly codes?: ReadonlySet<string>
  readonly remarks: readonly string[]
}

export const TEXT: TextType = { type: 'text', remarks: [] }

export const DECIMAL_COMMAS = 'commas, which were read as decimal commas'
export const LEADING_ZEROS = 'numbers with leading zeros, which were kept as text'
export const EXPONENT_CODES = 'codes such as 1E2, which were kept as text and not read as powers of ten'
export const BEYOND_DOUBLES = 'whole numbers beyond 2^53, which were kept as text'

export function remarked(remark: string): TextType {
  return { type: 'text', remarks: [remark] }
}

/**
 * Whether such cells are split is decided later, from the whole table.
 *
 * @param joint what joins the answers: "commas".
 */
export function severalAnswers(joint: string): TextType {
  return remarked(`whole numbers joined by ${joint}, which were read as several answers and not as one number`)
}

/** How dates that may be day first or month first were read. */
const ORDER_REMARKS: Partial<Record<DateForm['name'], string>> = {
  'day-first': 'dates, which were read day first (31/12/2024)',
  'month-first': 'dates, which were read month first (12/31/2024)',
  'short-year-first': 'dates, which were read year first (24-12-31)',
}

export function orderRemarks({ name }: DateForm): readonly string[] {
  const remark = ORDER_REMARKS[name]
  return remark === undefined ? [] : [remark]
}

/** @param point some of the numbers have decimals. */
export function standardType(point: boolean): NumberType {
  return { type: 'number', form: STANDARD_NUMBER, decimalMark: point ? '.' : null, couldBeAnswers: false, remarks: [] }
}
