import { type DuckDbSession, sqlText } from '../reading/duckdb-session.ts'
import {
  DATE_FORMS,
  type DateForm,
  hasLeadingZeroSql,
  isMarkSql,
  isMissingMark,
  isUnsafeIntegerSql,
  NUMBER_FORMS,
  type NumberForm,
  TIME_OF_DAY,
} from './value-forms.ts'

/** The type of all values of a text column; `remarks` are notes for a researcher, which follow "has". */
export type TextColumnType =
  | { readonly type: 'text' | 'boolean'; readonly remarks: readonly string[] }
  | { readonly type: 'number'; readonly form: NumberForm; readonly remarks: readonly string[] }
  | { readonly type: 'time'; readonly form: DateForm; readonly remarks: readonly string[] }
  /** Both readings hold for every value of the column: other columns, or the delimiter, must decide. */
  | {
      readonly type: 'comma-decides'
      readonly readings: readonly [NumberForm, NumberForm]
      readonly remarks: readonly string[]
    }
  | { readonly type: 'day-or-month-first'; readonly readings: readonly [DateForm, DateForm] }

const TEXT: TextColumnType = { type: 'text', remarks: [] }

/** How numbers with other signs than a decimal point were read. */
const FORM_REMARKS: Readonly<Record<NumberForm['name'], string | null>> = {
  standard: null,
  'decimal-comma': 'commas, which were read as decimal commas',
  'grouped-comma': 'commas, which were read as thousands separators',
  'grouped-point': 'points, which were read as thousands separators',
  'grouped-blank': 'blanks or apostrophes, which were read as thousands separators',
  'time-of-day': 'times of day, which were read as seconds since midnight',
}

/** How dates that may be day first or month first were read. */
const ORDER_REMARKS = {
  'day-first': 'dates, which were read day first (31/12/2024)',
  'month-first': 'dates, which were read month first (12/31/2024)',
} as const

/** Dates without a known century, day first or month first. */
const SHORT_YEARS = /^\d{1,2}([/.-])\d{1,2}\1\d{2}( .*)?$/

/** Distinct values that are tested before any SQL runs. They can only rule forms out, so any values will do. */
export const SAMPLE_VALUES = 500

/** The rest of inferring a type, from the distinct values in `table`, which has the columns `v` (trimmed, never missing) and `n`. */
type Inference = (session: DuckDbSession, table: string) => Promise<TextColumnType>

/**
 * Finds the narrowest type that holds for *all* distinct values of a column. `table` has the columns `v` (trimmed, never missing)
 * and `n`. A date or number column may also hold marks such as "-", which are then missing.
 */
export async function inferTextType(session: DuckDbSession, table: string): Promise<TextColumnType> {
  const sample = (await session.rows(`SELECT v FROM ${table} LIMIT ${SAMPLE_VALUES}`)).map((row) => String(row[0]))
  const inferred = inferFromSample(sample)
  return typeof inferred === 'function' ? inferred(session, table) : inferred
}

/** @param sample distinct values, trimmed and not missing: all of them, or `SAMPLE_VALUES`. */
export function inferFromSample(sample: readonly string[]): TextColumnType | Inference {
  const values = sample.filter((value) => !isMissingMark(value))
  if (sample.length === 0) return TEXT
  const holds = (pattern: string) => {
    const regex = new RegExp(pattern)
    return values.every((value) => regex.test(value))
  }

  if (sample.every((value) => /^(true|false)$/i.test(value))) {
    return async (session, table) => {
      const [other] = await counts(session, table, [`lower(v) NOT IN ('true', 'false')`])
      return other === 0 ? { type: 'boolean', remarks: [] } : TEXT
    }
  }
  if (values.length === 0 && sample.length < SAMPLE_VALUES) return TEXT

  const numbers = [...NUMBER_FORMS, TIME_OF_DAY].filter((form) => holds(form.pattern))
  if (numbers.length > 0) return (session, table) => inferNumbers(session, table, numbers, null)
  const mark = markOf(values[0] ?? '')
  const marked = mark?.forms.filter((form) => holds(form.pattern)) ?? []
  if (marked.length > 0) return (session, table) => inferNumbers(session, table, marked, mark)
  const dates = DATE_FORMS.filter((form) => holds(form.pattern))
  if (dates.length > 0) return (session, table) => inferDates(session, table, dates)
  if (values.length > 0 && values.every((value) => SHORT_YEARS.test(value))) {
    return remarked('text', 'possible dates with two-digit years, which were kept as text; write dates as 2024-12-31')
  }
  return TEXT
}

function remarked(type: 'text', remark: string): TextColumnType {
  return { type, remarks: [remark] }
}

async function inferNumbers(
  session: DuckDbSession,
  table: string,
  forms: readonly NumberForm[],
  mark: NumberMark | null,
): Promise<TextColumnType> {
  const value = `NOT ${isMarkSql('v')}`
  const fits = (form: NumberForm) =>
    `${value} AND regexp_matches(v, ${sqlText(form.pattern)}) AND isfinite(try_cast(${form.standardText('v')} AS DOUBLE))`
  // Nearly all columns of numbers have the standard syntax: the other forms are tried only if it fails.
  const standard = forms.find((form) => form.name === 'standard')
  const others = forms.filter((form) => form !== standard)
  const [all, zeros, long, standardFits] = await counts(session, table, [
    value,
    `${value} AND ${hasLeadingZeroSql('v')}`,
    `${value} AND ${isUnsafeIntegerSql('v')}`,
    standard === undefined ? 'false' : fits(standard),
  ])
  if (all === 0) return TEXT
  const fitting: NumberForm[] = []
  if (standard !== undefined && standardFits === all) fitting.push(standard)
  else if (others.length > 0) {
    const found = await counts(session, table, others.map(fits))
    fitting.push(...others.filter((_, i) => found[i] === all))
  }
  const [first] = fitting
  if (first === undefined) return TEXT
  if (zeros! > 0) return remarked('text', LEADING_ZEROS)
  if (long! > 0) return remarked('text', BEYOND_DOUBLES)
  const marks = mark === null ? [] : [mark.remark]
  const read = (form: NumberForm): TextColumnType => {
    const remark = FORM_REMARKS[form.name]
    return { type: 'number', form, remarks: remark === null ? marks : [...marks, remark] }
  }
  const grouped = fitting.find((form) => form.name === 'grouped-comma')
  if (first.name !== 'decimal-comma' || grouped === undefined) return read(first)
  // No currency is written with three decimals throughout.
  if (mark?.kind === 'currency') return read(grouped)
  // A group never begins with a zero, so "0,125" is a decimal comma.
  const [zeroFirst] = await counts(session, table, [`regexp_matches(v, '^[+-]?0,')`])
  return zeroFirst === 0 ? { type: 'comma-decides', readings: [first, grouped], remarks: marks } : read(first)
}

const LEADING_ZEROS = 'numbers with leading zeros, which were kept as text'
export const BEYOND_DOUBLES = 'whole numbers beyond 2^53, which were kept as text'

async function inferDates(session: DuckDbSession, table: string, forms: readonly DateForm[]): Promise<TextColumnType> {
  const value = `NOT ${isMarkSql('v')}`
  const [all, ...fits] = await counts(session, table, [
    value,
    ...forms.map(
      (form) => `${value} AND regexp_matches(v, ${sqlText(form.pattern)}) AND ${form.timestamp('v')} IS NOT NULL`,
    ),
  ])
  if (all === 0) return TEXT
  const fitting = forms.filter((_, i) => fits[i] === all)
  const [first, second] = fitting
  if (first === undefined) return TEXT
  if (second !== undefined) return { type: 'day-or-month-first', readings: [first, second] }
  return { type: 'time', form: first, remarks: orderRemarks(first) }
}

function orderRemarks({ name }: DateForm): readonly string[] {
  return name === 'day-first' || name === 'month-first' ? [ORDER_REMARKS[name]] : []
}

/** How often each condition holds among the distinct values. */
async function counts(session: DuckDbSession, table: string, conditions: readonly string[]): Promise<number[]> {
  const [row] = await session.rows(
    `SELECT ${conditions.map((condition) => `count(*) FILTER (${condition})`).join(', ')} FROM ${table}`,
  )
  return (row ?? []).map(Number)
}

/** Resolves ambiguous columns by the delimiter and the columns that are clear. */
export function settleDoubts(types: readonly TextColumnType[], delimiter: string): readonly TextColumnType[] {
  const has = (name: string) => types.some((type) => 'form' in type && type.form.name === name)
  const decimalComma = has('decimal-comma') || has('grouped-point')
  const groupedComma = has('grouped-comma') || delimiter === ','
  const dayFirst = has('day-first')
  const monthFirst = has('month-first')
  return types.map((type) => {
    if (type.type === 'comma-decides') {
      const form = type.readings[decimalComma || !groupedComma ? 0 : 1]
      return { type: 'number', form, remarks: [...type.remarks, FORM_REMARKS[form.name]!] }
    }
    if (type.type === 'day-or-month-first') {
      if (dayFirst === monthFirst) {
        return remarked(
          'text',
          'dates that could be day first or month first, which were kept as text; write them as 2024-12-31',
        )
      }
      const form = type.readings[dayFirst ? 0 : 1]
      return { type: 'time', form, remarks: orderRemarks(form).map((remark) => `${remark}, as in other columns`) }
    }
    return type
  })
}

/** A sign that every number of a column has and that names its unit: `12%`, `$1,200`. */
interface NumberMark {
  readonly kind: 'percent' | 'currency'
  readonly forms: readonly NumberForm[]
  /** How it was read; follows "has". */
  readonly remark: string
}

/** In patterns: signs of currencies and their codes, alone or before `$`. */
const CURRENCY = String.raw`(?:[A-Z]{0,3}\$|[€£¥₹₩₽₺₴₪฿]|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|zł|kr|Kč|Ft)`
const BEFORE = new RegExp(`^[+-]? ?(${CURRENCY}) ?[+-]?[\\d.,]`)
const AFTER = new RegExp(`[\\d.,][ \u00a0]?(%|${CURRENCY})$`)

/** The mark of a number, as its first value has it; null where there is none. */
function markOf(value: string): NumberMark | null {
  const before = BEFORE.exec(value)?.[1]
  if (before !== undefined) return currency(before, (form) => prefixed(form, before))
  const after = AFTER.exec(value)?.[1]
  if (after === '%') {
    return {
      kind: 'percent',
      forms: NUMBER_FORMS.map((form) => suffixed(form, '%')),
      remark: 'percentages, which were read as numbers ("12%" as 12)',
    }
  }
  return after === undefined ? null : currency(after, (form) => suffixed(form, after))
}

function currency(sign: string, marked: (form: NumberForm) => NumberForm): NumberMark {
  return {
    kind: 'currency',
    forms: NUMBER_FORMS.map(marked),
    remark: `amounts in "${sign}", which were read as numbers`,
  }
}

function prefixed(form: NumberForm, sign: string): NumberForm {
  const escaped = literal(sign)
  return {
    name: form.name,
    pattern: form.pattern.replace('^[+-]?', () => `^[+-]? ?${escaped} ?[+-]?`),
    standardText: (v) => form.standardText(`regexp_replace(${v}, ${sqlText(`^([+-]?) ?${escaped} ?`)}, '\\1')`),
  }
}

function suffixed(form: NumberForm, sign: string): NumberForm {
  const end = `[ \u00a0]?${literal(sign)}$`
  return {
    name: form.name,
    pattern: form.pattern.replace(/\$$/, () => end),
    standardText: (v) => form.standardText(`regexp_replace(${v}, ${sqlText(end)}, '')`),
  }
}

function literal(sign: string): string {
  return sign.replaceAll('$', '\\$')
}
