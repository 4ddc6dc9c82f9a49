import { momentOf, momentTexts, startOfDay } from '../../base/rfc3339.ts'
import type { Range } from './condition.ts'

/** A column of a cleaned schema, as far as it says what conditions leave open. */
export interface KnownColumn {
  readonly name: string
  /** RFC 3339 text for dates. */
  readonly min?: number | string | undefined
  readonly max?: number | string | undefined
  readonly format?: 'date' | 'date-time' | undefined
  readonly levels?: readonly string[] | undefined
  /** Natural shares, in the sequence of `levels`; null where the service does not tell one. */
  readonly level_shares?: readonly (number | null)[] | undefined
}

/** Whether the study leaves an end of the range to the cleaned schema. */
export function isOpen({ min, max }: Range): boolean {
  return min === Number.NEGATIVE_INFINITY || max === Number.POSITIVE_INFINITY
}

/** Open ends are left out. */
export function endsOf({ min, max }: Range): { readonly min: number | undefined; readonly max: number | undefined } {
  return { min: Number.isFinite(min) ? min : undefined, max: Number.isFinite(max) ? max : undefined }
}

/** A bound as a number, milliseconds since 1970 for dates; null when there is none or it is unreadable. */
export function boundOf(column: KnownColumn | undefined, end: 'min' | 'max'): number | null {
  const bound = column?.[end]
  if (bound === undefined) return null
  // Values of a date column are midnights.
  const value = typeof bound === 'number' ? bound : momentOf(bound, column?.format === 'date-time' ? end : 'min')
  return value !== null && Number.isFinite(value) ? value : null
}

/** The greatest value that a column can have in a range: dates are midnights. */
export function greatestIn({ max }: Range, { format }: KnownColumn): number {
  return format === 'date' && Number.isFinite(max) ? startOfDay(max) : max
}

/** Both ends as the study means them; null for an open end. */
export function endTexts(range: Range): { readonly min: string | null; readonly max: string | null } {
  if (range.areDates === true) return momentTexts(range)
  const text = (value: number) => (Number.isFinite(value) ? String(value) : null)
  return { min: text(range.min), max: text(range.max) }
}

/** `18 to 65`, `60 and above`, `up to 2026-10-05`. */
export function rangeText(range: Range): string {
  const { min, max } = endTexts(range)
  if (min === null) return max === null ? 'any value' : `up to ${max}`
  return max === null ? `${min} and above` : `${min} to ${max}`
}
