import type { DateForm } from './date-forms.ts'
import { type NumberForm, STANDARD_NUMBER } from './number-forms.ts'

/** The type of the values of a column; `remarks` are notes for a researcher, which follow "has". */
export type ColumnType =
  | TextType
  | NumberType
  | TimeType
  /** All readings hold for every value of the column: other columns, or the delimiter, must decide. */
  | { readonly type: 'comma-decides'; readonly readings: readonly [NumberType, NumberType] }
  | { readonly type: 'order-decides'; readonly readings: readonly DateForm[]; readonly remarks: readonly string[] }

export interface TextType {
  readonly type: 'text' | 'boolean'
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
  /** Some values have decimals after a point. */
  readonly hasPoint: boolean
  /** All commas are between two whole numbers that could be two answers: `1,2`. */
  readonly couldBeAnswers: boolean
  readonly remarks: readonly string[]
}

export const TEXT: TextType = { type: 'text', remarks: [] }

export const LEADING_ZEROS = 'numbers with leading zeros, which were kept as text'
export const BEYOND_DOUBLES = 'whole numbers beyond 2^53, which were kept as text'

export function remarked(remark: string): TextType {
  return { type: 'text', remarks: [remark] }
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
  return { type: 'number', form: STANDARD_NUMBER, hasPoint: point, couldBeAnswers: false, remarks: [] }
}
