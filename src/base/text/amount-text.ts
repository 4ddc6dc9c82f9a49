/** Counts, sizes, lists and spans of time as people read them. */

import { words } from '../language/language.ts'
import { localNumber } from '../language/local-number.ts'
import { countIn } from '../message/number-form.ts'

/** `1,234,567`, as the language in effect writes it. */
export const countText = (count: number): string => countIn(words().numbers, count)

/** `1 row`, `2,000 rows`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${countText(value)} ${value === 1 ? one : many}`

/** `North, South and 12 more`: the first `most` items. */
export function listText(items: readonly string[], most: number): string {
  return `${items.slice(0, most).join(words().figures.comma)}${moreText(items.length - most)}`
}

/** ` and 12 more`; empty where nothing more is left. */
export const moreText = (more: number): string => (more > 0 ? words().figures.andMore(more) : '')

/** `37 %`, rounded down. */
export const percent = (fraction: number): string => `${Math.floor(fraction * 100)} %`

/** A size of a file: `640 B`, `12 kB`, `3.5 MB`. 1 kB = 1,000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  return `${localNumber((bytes / 1e6).toFixed(1))} MB`
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A limit of bytes: `1,023 bytes`, `6.5 GiB`, `20 GiB`. */
export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${Number.isInteger(value) ? countText(value) : value.toFixed(1)} ${UNITS[unit]}`
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

/** Whole units, the largest two that count: `25 h`, `1 h 30 min`, `45 s`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Days from two days on, hours from two hours on, else minutes. Rounded down, but at least one minute. */
function spanText(ms: number): string {
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`
  if (ms >= 2 * HOUR) return `${Math.floor(ms / HOUR)} h`
  return `${Math.max(1, Math.floor(ms / MINUTE))} min`
}
