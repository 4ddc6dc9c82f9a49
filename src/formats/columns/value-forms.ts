import { sqlText } from '../reading/duckdb-session.ts'

/**
 * The forms of numbers, dates and missing values in files, each as a pattern (the subset that RE2 and JavaScript share)
 * and as SQL that gives the value. `v` is a trimmed, non-missing text.
 */

/** Compared in lower case, after trimming. */
export const MISSING_WORDS = ['', 'na', 'n/a', 'nan', '-nan', 'null', '<na>', '#n/a', '#na', '#null!'] as const

/** Missing if all other values in the column are numbers or dates; ordinary values among texts. */
export const MISSING_MARKS = [
  '.',
  '-',
  '--',
  '---',
  '\u2013',
  '\u2014',
  '?',
  '*',
  'inf',
  '+inf',
  '-inf',
  'infinity',
  '-infinity',
  '#div/0!',
  '#value!',
  '#ref!',
  '#name?',
  '#num!',
] as const

/** The characters that JavaScript's `\\s` matches. */
const BLANKS =
  ' \t\n\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

export function hasOuterBlanksSql(expression: string): string {
  return `regexp_matches(${expression}, ${sqlText(`^[${BLANKS}]|[${BLANKS}]$`)})`
}

/** Text without surrounding blanks; the costly trimming runs only if there is something to trim. */
export function trimmedSql(expression: string): string {
  return `CASE WHEN ${hasOuterBlanksSql(expression)} THEN trim(${expression}, ${sqlText(BLANKS)}) ELSE ${expression} END`
}

export function hasOuterBlanks(text: string): boolean {
  return OUTER_BLANK.test(text)
}

const OUTER_BLANK = new RegExp(`^[${BLANKS}]|[${BLANKS}]$`)
const OUTER_BLANKS = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, 'g')

/** In JavaScript: the text without surrounding blanks, null when it means a missing value. */
export function presentText(raw: string): string | null {
  const text = raw.replace(OUTER_BLANKS, '')
  return isMissingWord(text) ? null : text
}

export function isMissingWord(text: string): boolean {
  return (MISSING_WORDS as readonly string[]).includes(text.toLowerCase())
}

export function isMissingMark(text: string): boolean {
  return (MISSING_MARKS as readonly string[]).includes(text.toLowerCase())
}

export function isMissingSql(v: string): string {
  return `(strlen(${v}) <= 6 AND lower(${v}) IN (${MISSING_WORDS.map(sqlText).join(', ')}))`
}

export function isMarkSql(v: string): string {
  // The length is checked first, since it costs nothing.
  return `(strlen(${v}) <= 9 AND lower(${v}) IN (${MISSING_MARKS.map(sqlText).join(', ')}))`
}

export interface NumberForm {
  readonly name: 'standard' | 'decimal-comma' | 'grouped-comma' | 'grouped-point' | 'grouped-blank' | 'time-of-day'
  readonly pattern: string
  /** The number as text with a decimal point and no grouping. */
  standardText(v: string): string
}

export const STANDARD_NUMBER: NumberForm = {
  name: 'standard',
  pattern: String.raw`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$`,
  standardText: (v) => v,
}

/** By preference. */
export const NUMBER_FORMS: readonly NumberForm[] = [
  STANDARD_NUMBER,
  {
    name: 'decimal-comma',
    pattern: String.raw`^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d{1,3})?$`,
    standardText: (v) => `replace(${v}, ',', '.')`,
  },
  {
    name: 'grouped-comma',
    pattern: String.raw`^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d*)?$`,
    standardText: (v) => `replace(${v}, ',', '')`,
  },
  {
    name: 'grouped-point',
    pattern: String.raw`^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d*)?$`,
    standardText: (v) => `replace(replace(${v}, '.', ''), ',', '.')`,
  },
  {
    name: 'grouped-blank',
    pattern: "^[+-]?(\\d{1,3}([ '\u00a0\u2009\u202f]\\d{3})+|\\d+)([.,]\\d*)?$",
    standardText: (v) => `replace(regexp_replace(${v}, '[ ''\u00a0\u2009\u202f]', '', 'g'), ',', '.')`,
  },
]

/** `17:30`, `5:30 PM`, `17:30:05.5`, as seconds since midnight. */
export const TIME_OF_DAY: NumberForm = {
  name: 'time-of-day',
  pattern: String.raw`^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?( ?[AaPp][Mm])?$`,
  standardText: (v) => {
    const hours = `TRY_CAST(nullif(regexp_extract(${v}, '^(\\d{1,2}):', 1), '') AS INTEGER)`
    const minutes = `TRY_CAST(nullif(regexp_extract(${v}, ':(\\d{2})', 1), '') AS INTEGER)`
    const seconds = `coalesce(nullif(regexp_extract(${v}, ':\\d{2}:([\\d.]+)', 1), ''), '0')`
    // Noon and midnight are 12 on a 12-hour clock.
    const hour = `CASE WHEN ${v} ILIKE '%m' THEN ${hours} % 12 + CASE WHEN ${v} ILIKE '%pm' THEN 12 ELSE 0 END ELSE ${hours} END`
    return `CAST(TRY_CAST(${seconds} AS DECIMAL(8, 6)) + 60 * ${minutes} + 3600 * (${hour}) AS VARCHAR)`
  },
}

/** A code such as 007: its zeros show that it is not a number. */
export function hasLeadingZeroSql(v: string): string {
  return `((${v} LIKE '0%' OR ${v} LIKE '_0%') AND regexp_matches(${v}, '^[+-]?0\\d+$'))`
}

/** Whole numbers too long for a double: beyond 2^53 neighbours become equal. */
export function isUnsafeIntegerSql(v: string): string {
  return `(strlen(${v}) >= 16 AND regexp_matches(${v}, '^[+-]?\\d{16,}$')
    AND NOT coalesce(abs(try_cast(${v} AS HUGEINT)) <= 9007199254740991, false))`
}

/** Decimals of the written text, without trailing zeros; `t` as from `standardText`. */
export function decimalsSql(t: string): string {
  const places = (text: string) => `length(rtrim(split_part(${text}, '.', 2), '0'))`
  const mantissa = `split_part(lower(${t}), 'e', 1)`
  const exponent = `try_cast(split_part(lower(${t}), 'e', 2) AS INTEGER)`
  return `CASE WHEN contains(lower(${t}), 'e') THEN least(12, greatest(0, ${places(mantissa)} - ${exponent}))
    WHEN contains(${t}, '.') THEN least(12, ${places(t)}) ELSE 0 END`
}

export interface DateForm {
  readonly name: 'iso' | 'year-first' | 'day-dots' | 'day-first' | 'month-first' | 'month-name'
  readonly pattern: string
  /** TIMESTAMP in UTC, or NULL when the text is not a date of this form. */
  timestamp(v: string): string
}

const TIME = String.raw`( \d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?( ?[AaPp][Mm])?)?$`
const TIME_FORMATS = ['', ' %H:%M:%S', ' %H:%M', ' %H:%M:%S.%f', ' %I:%M:%S %p', ' %I:%M %p', ' %I:%M:%S%p', ' %I:%M%p']

function parsed(dates: readonly string[]): (v: string) => string {
  const formats = dates.flatMap((date) => TIME_FORMATS.map((time) => sqlText(date + time)))
  return (v) => `try_strptime(${v}, [${formats.join(', ')}])`
}

/**
 * ISO 8601 dates with or without a time and an offset, and the common unambiguous forms. Day-first and month-first
 * dates look alike; a column is one of them only if it cannot be the other (see `text-column-type.ts`).
 */
export const DATE_FORMS: readonly DateForm[] = [
  {
    name: 'iso',
    pattern: String.raw`^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2}))?)?$`,
    // With the session's zone at UTC, a time without an offset is read unchanged.
    timestamp: (v) =>
      `timezone('UTC', try_cast(regexp_replace(regexp_replace(${v}, '^(.{10})[T ](\\d{2}:\\d{2})(?: ?([Z+-].*))?$', '\\1 \\2:00\\3'),` +
      ` '^(.{10})[T ](.*?) ?([Z+-][^Z]*)?$', '\\1 \\2\\3') AS TIMESTAMPTZ))`,
  },
  {
    name: 'year-first',
    pattern: String.raw`^\d{4}[/.]\d{1,2}[/.]\d{1,2}` + TIME,
    timestamp: parsed(['%Y/%m/%d', '%Y.%m.%d']),
  },
  { name: 'day-dots', pattern: String.raw`^\d{1,2}\.\d{1,2}\.\d{4}` + TIME, timestamp: parsed(['%d.%m.%Y']) },
  {
    name: 'day-first',
    pattern: String.raw`^\d{1,2}[/-]\d{1,2}[/-]\d{4}` + TIME,
    timestamp: parsed(['%d/%m/%Y', '%d-%m-%Y']),
  },
  {
    name: 'month-first',
    pattern: String.raw`^\d{1,2}[/-]\d{1,2}[/-]\d{4}` + TIME,
    timestamp: parsed(['%m/%d/%Y', '%m-%d-%Y']),
  },
  {
    name: 'month-name',
    pattern: String.raw`^(\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{4}|[A-Za-z]{3,9} \d{1,2},? \d{4})` + TIME,
    timestamp: parsed([
      '%d-%b-%Y',
      '%d %b %Y',
      '%d-%B-%Y',
      '%d %B %Y',
      '%b %d, %Y',
      '%B %d, %Y',
      '%b %d %Y',
      '%B %d %Y',
    ]),
  },
]
