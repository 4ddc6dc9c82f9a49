const DAY_MS = 86_400_000

/** RFC 3339, 5.6: full-date, or date-time with its offset; `t`, `z` and a space are allowed by it as well. */
const PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$/

/**
 * Milliseconds since 1970 of an end of a range given as RFC 3339 text; null for other text and for days or times that do
 * not exist. A date alone means the whole day: its first millisecond as `min`, its last as `max`.
 */
export function momentOf(text: string, end: 'min' | 'max'): number | null {
  const parts = PATTERN.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, fraction, offset] = parts
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse takes 30 February for 1 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(8, 10) !== day) return null
  if (hour === undefined) return end === 'min' ? midnight : midnight + DAY_MS - 1
  const moment = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${(fraction ?? '').slice(0, 4)}${offset?.toUpperCase()}`,
  )
  return Number.isNaN(moment) || Number(hour) > 23 ? null : moment
}
