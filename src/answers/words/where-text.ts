import { words } from '../../base/language/language.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ComparisonResult, ManifestComparison, RowFilter } from '../../records/manifest/comparisons.ts'
import type { SensitivityRecord } from '../../records/sensitivity.ts'

/** Levels of a column that are named. */
const MOST_LEVELS = 6

/** `region North, South; age 18 to 34`: the rows that a comparison counts its outcomes in. Not escaped; null: all rows. */
export function whereWords(where: readonly RowFilter[] | undefined): string | null {
  if (where === undefined || where.length === 0) return null
  return where.map((filter) => `${filter.column} ${filterWords(filter)}`).join(words().figures.semicolon)
}

/** ` of rows with region North`, escaped; empty: all rows. */
export function countedIn(where: SensitivityRecord['where']): string {
  const counted = whereWords(where as readonly RowFilter[] | undefined)
  return counted === null ? '' : ` of rows with ${escapeText(counted)}`
}

/** `North, South`, or `18 to 34`. Not escaped. */
export function filterWords({ levels, min, max }: RowFilter): string {
  if (levels !== undefined) return listText(levels, MOST_LEVELS)
  const { figures } = words()
  if (min === undefined) return max === undefined ? figures.anyValue : figures.upTo(String(max))
  return max === undefined ? figures.andAbove(String(min)) : figures.range(String(min), String(max))
}

type ByScenario = Readonly<Record<string, Pick<ComparisonResult, 'bases'>>>

/** `counted in rows with region North (386 to 412 rows of the seed)`; null where all rows count. Not escaped. */
export function whereText({
  where,
  scenarios,
}: Pick<ManifestComparison, 'where'> & { readonly scenarios: ByScenario }): string | null {
  const counted = whereWords(where)
  if (counted === null) return null
  const rows = seedRowsText(scenarios)
  return words().answers.countedIn(counted, rows)
}

/** `386 to 412 rows of the seed`: the fewest and the most behind a side of an outcome; null where none are told. */
export function seedRowsText(scenarios: ByScenario): string | null {
  const rows = Object.values(scenarios).flatMap(({ bases }) =>
    Object.values(bases ?? {}).flatMap(({ scenario, against }) => [scenario.rows, against.rows]),
  )
  const known = rows.filter((count) => count !== undefined)
  if (known.length === 0) return null
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const { range, rowsOfSeed } = words().figures
  return rowsOfSeed(least === most ? countText(least) : range(countText(least), countText(most)))
}
