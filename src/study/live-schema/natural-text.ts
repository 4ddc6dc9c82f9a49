import { escapeText } from '../../base/text/escape-text.ts'
import { type CleanedColumn, listTexts, nameInList } from './cleaned-schema.ts'

/** Where a column's values lie in the seed file, in words: `No 0.65, Yes 0.35`, `18 to 84, median 43, 90 % within 21 to 72`. */

/** A level with its share of the rows; without a share when it is not known. */
export function levelWithShare(level: string, share: number | null | undefined): string {
  const name = nameInList(level)
  if (share == null) return name
  // `1 0.35` would read like two numbers.
  return `${name === level && /\d$/.test(level) ? `"${level}"` : name} ${share}`
}

/** `median 43`; nothing where it is not known. */
export function medianText(quantiles: CleanedColumn['quantiles']): string {
  return quantiles?.q50 === undefined ? '' : `median ${quantiles.q50}`
}

/** `90 % within 21 … 72`; nothing where it is not known. */
export function withinText(quantiles: CleanedColumn['quantiles'], to: string): string {
  const { q05, q95 } = quantiles ?? {}
  return q05 === undefined || q95 === undefined ? '' : `90 % within ${q05}${to}${q95}`
}

/** One column for people, safe to be printed: its levels with their shares, or its range and what lies within. */
export function naturalText({ kind, levels, levelShares, min, max, quantiles }: CleanedColumn): string {
  if (levels !== undefined)
    return listTexts(
      levels.map((level, i) => escapeText(levelWithShare(level, levelShares?.[i]))),
      levels.length,
    )
  if (min === undefined || max === undefined) return kind
  const known = [`${min} to ${max}`, medianText(quantiles), withinText(quantiles, ' to ')].filter((part) => part !== '')
  return escapeText(known.join(', '))
}
