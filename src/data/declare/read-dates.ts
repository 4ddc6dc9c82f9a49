import { type DatePart, parseDateFormat } from '../../base/date-format.ts'

/** Reads a text as milliseconds since 1970-01-01T00:00:00Z; null when it does not match. */
export type DateReader = (text: string) => number | null

type Fields = Partial<Record<Exclude<DatePart['kind'], 'text'>, string>>

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Two-digit years from here on are of the 20th century (POSIX `strptime`). */
const FIRST_OF_1900S = 69

/**
 * The reader of a declared format, `DD/MM/YYYY`, or `MM/YYYY` for the first day of a month; dates in the form of RFC 3339 are read
 * whatever the format. Null when the text is no format.
 */
export function dateReader(format: string): DateReader | null {
  const parsed = parseDateFormat(format)
  if (!('parts' in parsed)) return null
  const names: (keyof Fields)[] = []
  let pattern = ''
  for (const part of parsed.parts) {
    if (part.kind === 'text') {
      pattern += part.text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
      continue
    }
    names.push(part.kind)
    pattern += part.digits === null ? '([A-Za-z]{3})' : `(\\d{${part.digits.join(',')}})`
  }
  const regex = new RegExp(`^${pattern}$`)
  return (text) => {
    const match = regex.exec(text)
    if (match === null) return isoTime(text)
    return timeOf(Object.fromEntries(names.map((name, i) => [name, match[i + 1]!])))
  }
}

/** Whether a format has two-digit years, whose century is a convention. */
export function hasShortYears(format: string): boolean {
  const parsed = parseDateFormat(format)
  return 'parts' in parsed && parsed.parts.some((part) => part.kind === 'year' && part.digits?.[1] === 2)
}

function timeOf(fields: Fields): number | null {
  const { year: written = '', month: named = '', day: dayText = '1', hour = '0', minute = '0', second = '0' } = fields
  const century = written.length > 2 ? 0 : Number(written) >= FIRST_OF_1900S ? 1900 : 2000
  const year = century + Number(written)
  const month = /\d/.test(named) ? Number(named) : MONTHS.indexOf(named.toLowerCase()) + 1
  const day = Number(dayText)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || year < 1) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // 31 February would be a day in March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return date.setUTCHours(Number(hour), Number(minute), Number(second), 0)
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/

/** `2024-12-31`, `2024-12-31T23:59:59.999`, without a zone. Digits after the third of a fraction are cut off. */
export function isoTime(text: string): number | null {
  const [, year, month, day, hour, minute, second, fraction = ''] = ISO.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const time = { ...(hour && { hour }), ...(minute && { minute }), ...(second && { second }) }
  const start = timeOf({ year, month, day, ...time })
  return start === null ? null : start + Number(fraction.padEnd(3, '0'))
}
