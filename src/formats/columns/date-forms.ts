import { monthNamed } from '../../base/text/month-names.ts'
import { monthIn } from '../../base/text/months.ts'
import { plainDate } from './date-texts.ts'

/** The forms of dates and times in files. Texts are trimmed and not missing. */

export interface DateForm {
  readonly name:
    | 'iso'
    | 'year-first'
    | 'day-dots'
    | 'day-first'
    | 'month-first'
    | 'short-year-first'
    | 'month-name'
    | 'several'
    | 'month'
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN when the text is no date of this form. A time without a zone is UTC. */
  read(text: string): number
}

const DAY_MS = 86_400_000

/** Years of two digits mean the hundred years up to this one, as in spreadsheets. */
const LAST_SHORT_YEAR = 2029

/** Milliseconds, NaN for a date that no calendar has. */
function dateMs(year: string, month: number, day: number): number {
  const short = Number(year)
  const whole = year.length > 2 ? short : short + (2000 + short <= LAST_SHORT_YEAR ? 2000 : 1900)
  const date = new Date(0)
  date.setUTCFullYear(whole, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : Number.NaN
}

/** Milliseconds since midnight, NaN for a time that no clock shows; parts that are absent are zero. */
function timeMs(hour = '0', minute = '0', second = '0', fraction = '', half = ''): number {
  let hours = Number(hour)
  if (half !== '') {
    if (hours < 1 || hours > 12 || fraction !== '') return Number.NaN
    hours = (hours % 12) + (/p/i.test(half) ? 12 : 0)
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN
  return (
    3_600_000 * hours + 60_000 * Number(minute) + 1_000 * Number(second) + Number(fraction.padEnd(3, '0').slice(0, 3))
  )
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?: ?(?:Z|([+-])(\d{2}):?(\d{2})?)| [A-Z]{3,5}| [A-Z][a-z]+\/[A-Z][\w/+-]{2,30})?)?$/

function readIso(raw: string): number {
  const text = plainDate(raw)
  const parts = ISO.exec(text)
  if (parts === null) return ISO_ON_12_HOURS.read(text)
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = parts
  const local = dateMs(year!, Number(month), Number(day)) + timeMs(hour, minute, second, fraction)
  return wholeMs(local - aheadMs(sign, zoneHours, zoneMinutes), fraction)
}

function aheadMs(sign?: string, hours = '0', minutes = '0'): number {
  return (sign === '-' ? -1 : 1) * 60_000 * (60 * Number(hours) + Number(minutes))
}

/** Microseconds are cut towards 1970, as in Parquet files. */
function wholeMs(floor: number, fraction = ''): number {
  return floor < 0 && /[1-9]/.test(fraction.slice(3, 6)) ? floor + 1 : floor
}

/** A zone by its offset, or by a name, whose time is read as it stands: few names mean one zone only. */
const ZONE = String.raw`(?:(?: ?GMT| ?UTC)? ?([+-])(\d{1,2})(?::?(\d{2}))?| [A-Z]{3,5}| [A-Z][a-z]+/[A-Z][\w/+-]{2,30})?`
const TIME = String.raw`(?:[ :](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(?: ?([AaPp])\.?[Mm]\.?)?${ZONE})?$`

/** Abbreviations of zones: beside a time without a date, others may be names of something else. */
const ZONES =
  'UTC|GMT|[ECMP][SD]T|AK[SD]T|HST|A[SD]T|N[SD]T|BST|IST|WES?T|CES?T|EES?T|MSK|JST|KST|CST|HKT|SGT|WIB|PHT|A[ECW][SD]T|NZ[SD]T|SAST|WAT|CAT|EAT|BRT|ART|CLS?T|COT|PET'
/** The zone of a time without a date. */
export const CLOCK_ZONE = [
  String.raw` ?Z| ?(?:GMT|UTC)? ?[+-]\d{2}(?::?\d{2})?| ?(?:GMT|UTC) ?[+-]\d{1,2}`,
  String.raw` (?:${ZONES})| [A-Z][a-z]+/[A-Z][\w/+-]{2,30}`,
].join('|')

/** Whether a time without a date has an offset or the name of a zone. */
export function hasClockZone(text: string): boolean {
  return CLOCK_WITH_ZONE.test(plainDate(text))
}

const CLOCK_WITH_ZONE = new RegExp(String.raw`^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AaPp][Mm])?(?:${CLOCK_ZONE})$`)

/** The zone that a time names, and that is not the one of Greenwich; null for most texts. */
export function zoneName(text: string): string | null {
  const name =
    /:\d{2}(?:\.\d+)?(?: ?[AaPp]\.?[Mm]\.?)? ([A-Z]{3,5}|[A-Z][a-z]+\/[A-Z][\w/+-]{2,30})$/.exec(
      plainDate(text),
    )?.[1] ?? null
  return name === 'UTC' || name === 'GMT' ? null : name
}

/** @param date a pattern with groups named `year`, `month`, `day`. */
function written(name: DateForm['name'], ...dates: readonly string[]): DateForm {
  const patterns = dates.map((date) => new RegExp(`^${date}(?<time>${TIME.slice(0, -1)})$`, 'u'))
  return {
    name,
    read: (raw) => {
      const text = plainDate(raw)
      for (const pattern of patterns) {
        const groups = pattern.exec(text)?.groups
        if (groups === undefined) continue
        const { year = '', month = '', day = '', time = '' } = groups
        const [, hours, minutes, seconds, fraction, half, ...zone]: (string | undefined)[] = CLOCK.exec(time) ?? []
        const local = dateMs(year, monthNumber(month), Number(day)) + timeMs(hours, minutes, seconds, fraction, half)
        return wholeMs(local - aheadMs(...zone), fraction)
      }
      return Number.NaN
    },
  }
}

const CLOCK = new RegExp(`^${TIME}`)

/** From 1; NaN for a word that names no month. */
function monthNumber(text: string): number {
  return /^\d/.test(text) ? Number(text) : monthNamed(text)
}

const YEAR = String.raw`(?<year>\d{4}|\d{2})`
const MONTH = String.raw`(?<month>\d{1,2})`
const DAY = String.raw`(?<day>\d{1,2})`
const NAME = String.raw`(?<month>\p{L}{3,12}\.?)`

/** As spreadsheets write it: `2024-1-5 1:05 PM`. */
const ISO_ON_12_HOURS = written('iso', String.raw`(?<year>\d{4})-${MONTH}-${DAY}`)

/**
 * ISO 8601 dates with or without a time and an offset, and the common forms. Day-first, month-first and short
 * year-first dates look alike; a column is one of them only if it cannot be another (see `infer-column.ts`).
 */
export const DATE_FORMS: readonly DateForm[] = [
  { name: 'iso', read: readIso },
  written('year-first', String.raw`(?<year>\d{4})(?<sign>[/.])${MONTH}\k<sign>${DAY}`),
  written('day-dots', String.raw`${DAY}\.${MONTH}\.${YEAR}`),
  written('day-first', String.raw`${DAY}(?<sign>[/-])${MONTH}\k<sign>${YEAR}`),
  written('month-first', String.raw`${MONTH}(?<sign>[/-])${DAY}\k<sign>${YEAR}`),
  written('short-year-first', String.raw`(?<year>\d{2})-${MONTH}-${DAY}`),
  written(
    'month-name',
    String.raw`${DAY}(?<sign>[ -]?)${NAME}\k<sign>${YEAR}`,
    String.raw`${NAME} ${DAY},? (?<year>\d{4})`,
  ),
]

const CLEAR: readonly DateForm['name'][] = ['iso', 'year-first', 'day-dots', 'month-name']

/** Dates of several forms in one column, each of which can be read in one way only, whatever the others are. */
export const SEVERAL_FORMS: DateForm = {
  name: 'several',
  read: (text) => {
    if (hasShortYear(text)) return Number.NaN
    for (const form of DATE_FORMS) {
      const time = CLEAR.includes(form.name) ? form.read(text) : Number.NaN
      if (!Number.isNaN(time)) return time
    }
    return Number.NaN
  },
}

/** The first day of a month, as spreadsheets and pandas read one. */
export const MONTHS: DateForm = {
  name: 'month',
  read: (text) => {
    const found = monthIn(text)
    return found === null ? Number.NaN : Date.UTC(found.year, found.month - 1, 1)
  },
}

/** Whether a text is written like a date that no calendar has: 2024-02-30; a time may follow. */
export function isImpossibleDate(text: string): boolean {
  const date = DATE_SHAPE.exec(plainDate(text))?.[1]
  return date !== undefined && DATE_FORMS.every((form) => Number.isNaN(form.read(date)))
}

const DATE_SHAPE = /^(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})(?:[T ]\d{1,2}:\d{2}.*)?$/

/** Whether the year has two digits, in a text that is a date. */
export function hasShortYear(text: string): boolean {
  return !/\d{4}/.test(plainDate(text).replace(/[ :]\d{1,2}:.*$/, ''))
}

/** Whether a time lies on midnight, as all dates do. */
export function isMidnight(milliseconds: number): boolean {
  return milliseconds % DAY_MS === 0
}
