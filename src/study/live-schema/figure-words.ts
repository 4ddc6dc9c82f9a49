/** Figures and names of a cleaned schema in messages. */

import { MOST_LISTED } from './cleaned-schema.ts'

/** At least two decimals: 0.30, but 0.125. */
export function restText(rest: number): string {
  const text = String(Number(rest.toFixed(6)))
  return text.length < 4 ? rest.toFixed(2) : text
}

export function boundText(bound: number | string | undefined): string {
  if (typeof bound !== 'string') return bound === undefined ? 'unknown' : String(bound)
  const milliseconds = Date.parse(bound)
  return Number.isNaN(milliseconds) ? bound : `${bound} (${milliseconds})`
}

export function rareText(count: number): string {
  return count === 1 ? 'one rare level' : `${count} rare levels`
}

export function firstUnlisted(levels: readonly string[], shares: ReadonlyMap<string, number>): readonly string[] {
  const found: string[] = []
  for (const level of levels) {
    if (found.length === MOST_LISTED) break
    if (!shares.has(level)) found.push(level)
  }
  return found
}
