import { countText, listText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ComparisonResult, ManifestComparison, RowFilter } from '../../records/manifest/comparisons.ts'
import type { SensitivityRecord } from '../../records/sensitivity.ts'

/** Levels of a column that are named. */
const MOST_LEVELS = 6

/** `region North, South; age 18 to 34`: the rows that a comparison counts its outcomes in. Not escaped; null: all rows. */
export function whereWords(where: readonly RowFilter[] | undefined): string | null {
  if (where === undefined || where.length === 0) return null
  return where.map((filter) => `${filter.column} ${filterWords(filter)}`).join('; ')
}

/** ` of rows with region North`, escaped; empty: all rows. */
export function countedIn(where: SensitivityRecord['where']): string {
  const words = whereWords(where as readonly RowFilter[] | undefined)
  return words === null ? '' : ` of rows with ${escapeText(words)}`
}

/** `North, South`, or `18 to 34`. Not escaped. */
export function filterWords({ levels, min, max }: RowFilter): string {
  if (levels !== undefined) return listText(levels, MOST_LEVELS)
  if (min === undefined) return max === undefined ? 'any value' : `up to ${max}`
  return max === undefined ? `${min} and above` : `${min} to ${max}`
}

type ByScenario = Readonly<Record<string, Pick<ComparisonResult, 'bases'>>>

/** `counted in rows with region North (386 to 412 rows of the seed)`; null where all rows count. Not escaped. */
export function whereText({
  where,
  scenarios,
}: Pick<ManifestComparison, 'where'> & { readonly scenarios: ByScenario }): string | null {
  const words = whereWords(where)
  if (words === null) return null
  const rows = seedRowsText(scenarios)
  return `counted in rows with ${words}${rows === null ? '' : ` (${rows})`}`
}

/** `386 to 412 rows of the seed`: the fewest and the most behind a side of an outcome; null where none are told. */
export function seedRowsText(scenarios: ByScenario): string | null {
  const rows = Object.values(scenarios).flatMap(({ bases }) =>
    Object.values(bases ?? {}).flatMap(({ scenario, against }) => [scenario.rows, against.rows]),
  )
  const known = rows.filter((count) => count !== undefined)
  if (known.length === 0) return null
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const count = least === most ? countText(least) : `${countText(least)} to ${countText(most)}`
  return `${count} rows of the seed`
}
