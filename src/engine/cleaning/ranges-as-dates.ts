import type { RawTextColumn } from '../../base/raw-table.ts'
import { monthNamed } from '../../base/text/month-names.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { quoted } from './quoted-text.ts'

/** Texts of a column beyond which it is not looked at. */
const MAX_COMPARED = 10_000
/** Ranges beside which a date is odd. */
const MIN_RANGES = 2

const RANGE = /^\d{1,3} ?[-\u2013~\uff5e] ?\d{1,3}$/

/** Days of a month without a year, as spreadsheets of several languages show them, and whole dates as they are exported. */
const DATES = [
  /^(?<day>\d{1,2})[-. \u00a0]{0,2}(?<name>\p{L}{3,10}\.?)$/u,
  /^(?<name>\p{L}{3,10}\.?)[- \u00a0](?<day>\d{1,2})$/u,
  /^(?<month>\d{1,2})(?:月|월) ?(?<day>\d{1,2})(?:日|일)$/,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[ T]00:00(?::00)?)?$/,
  /^(?<day>\d{1,2})[./](?<month>\d{1,2})[./](?<year>\d{4})$/,
]

/**
 * A date such as "14-Oct" beside ranges such as "15-19", with the range that it was if enough rows have it.
 *
 * @returns empty where too few rows have it; null where there is none.
 */
export function rangeAsDate({ dictionary, counts }: RawTextColumn): string | null {
  if (dictionary.length > MAX_COMPARED) return null
  if (dictionary.filter((text) => RANGE.test(text)).length < MIN_RANGES) return null
  for (const [i, text] of dictionary.entries()) {
    const range = writtenRange(dayOf(text))
    if (range !== null) return counts[i]! < LEAST_ROWS ? '' : `${quoted(text)}${range === '' ? '' : ` was ${range}`}`
  }
  return null
}

/** Days since 1899-12-30, as programs read a date of a workbook among texts: this century up to 2049. */
const SERIAL = /^(?:3652[6-9]|365[3-9]\d|36[6-9]\d\d|3[7-9]\d{3}|4\d{4}|5[0-3]\d{3}|54[0-7]\d\d)$/
const DAY_MS = 86_400_000

/** Such a day as "2024-10-14"; other texts as they are. */
function dayOf(text: string): string {
  return SERIAL.test(text) ? new Date((Number(text) - 25_569) * DAY_MS).toISOString().slice(0, 10) : text
}

/** Empty: the text is a date, which may have been one of several ranges; null: it is none. */
function writtenRange(text: string): string | null {
  for (const pattern of DATES) {
    const { year, month, name, day } = pattern.exec(text)?.groups ?? {}
    if (day === undefined) continue
    const parts = [name === undefined ? Number(month) : monthNamed(name), Number(day)]
    if (!(parts[0]! >= 1 && Math.min(...parts) <= 12 && Math.max(...parts) <= 31)) return null
    // 10-49 becomes the first day of October 1949.
    if (year !== undefined && parts[1] === 1) return ''
    // Either part may have been the month; a range ascends.
    return `${Math.min(...parts)}-${Math.max(...parts)}`
  }
  return null
}
