const DAY_MS = 86_400_000

/** RFC 3339, 5.6: full-date, or date-time with its offset. It also allows `t`, `z` and a space. */
const PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$/

/** An end of a range: its first or its last moment. */
export type RangeEnd = 'min' | 'max'

/**
 * Milliseconds since 1970 of the end of a range in RFC 3339 text; null for other text and for days or times that do not
 * exist. A date alone means the whole day: its first millisecond as `min`, its last as `max`.
 */
export function momentOf(text: string, end: RangeEnd): number | null {
  const parts = PATTERN.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, fraction, offset] = parts
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse reads 30 February as 1 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(8, 10) !== day) return null
  if (hour === undefined) return end === 'min' ? midnight : midnight + DAY_MS - 1
  const moment = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${(fraction ?? '').slice(0, 4)}${offset?.toUpperCase()}`,
  )
  return Number.isNaN(moment) || Number(hour) > 23 ? null : moment
}

/** The first millisecond of the day that a moment lies in. */
export const startOfDay = (milliseconds: number): number => Math.floor(milliseconds / DAY_MS) * DAY_MS

/**
 * Both ends of a range as RFC 3339 text: dates where it consists of whole days, else times in UTC. Null for an end that
 * is not finite. A moment that no calendar date names stays a number.
 */
export function momentTexts({ min, max }: { readonly min: number; readonly max: number }): {
  readonly min: string | null
  readonly max: string | null
} {
  const isStart = (value: number) => !Number.isFinite(value) || value % DAY_MS === 0
  const areDays = isStart(min) && (isStart(max) || isStart(max + 1))
  const text = (value: number): string | null => {
    if (!Number.isFinite(value)) return null
    const date = new Date(value)
    if (Number.isNaN(date.getTime())) return String(value)
    return areDays ? date.toISOString().slice(0, -'T00:00:00.000Z'.length) : date.toISOString().replace('.000Z', 'Z')
  }
  return { min: text(min), max: text(max) }
}
