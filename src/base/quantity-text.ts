/** `1,234,567`; the locale data that `Intl` loads would take longer than a plan. */
export const countText = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `North, South and 12 more`: the first `most` items. */
export function listText(items: readonly string[], most: number): string {
  const more = items.length - most
  return `${items.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `2 h ago`, for an RFC 3339 time; `now` in ms since 1970. */
export function agoText(at: string, now: number): string {
  const ms = now - Date.parse(at)
  return ms < MINUTE ? 'just now' : `${spanText(ms)} ago`
}

/** `in 22 h`, for an RFC 3339 time; `now` in ms since 1970. */
export function inText(at: string, now: number): string {
  return `in ${spanText(Date.parse(at) - now)}`
}

/** Two days and more in days, two hours and more in hours; rounded down, at least a minute. */
function spanText(ms: number): string {
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`
  if (ms >= 2 * HOUR) return `${Math.floor(ms / HOUR)} h`
  return `${Math.max(1, Math.floor(ms / MINUTE))} min`
}
