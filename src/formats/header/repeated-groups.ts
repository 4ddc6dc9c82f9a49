import { cellOf, isMissing, isName, isValue, isYear, type TextRow } from './cell-texts.ts'
import { type ColumnBelow, columnsBelow, holdsValues } from './columns-below.ts'

/** Rows of groups and names; pivot tables of more dimensions than this are not recognized. */
const MAX_LEVELS = 4
/** Rows that tell what the columns hold. */
const MIN_ROWS = 2

/**
 * Finds a header whose groups have their name above each of their columns, as programs for data frames write columns of several
 * levels: `home,home,work,work` above `tea,milk,tea,milk`. One name for several columns names none of them, so the row below may
 * be the rest of the header. It is if its words come again in another group and never below, or stand above columns of values, or
 * if a row of nothing but the names of the index follows.
 *
 * A row of data differs: above texts its cells come again below or differ from group to group, above values it has values.
 *
 * @param rows from the row that may begin the header on.
 * @returns how many rows the header has; null: it is none of this kind.
 */
export function repeatedGroups(rows: readonly TextRow[], width: number): number | null {
  const first = rows[0] ?? []
  const groups = runsOf(first, width)
  if (groups.length === 0 || first.length < width) return null
  const grouped = groups.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))
  for (let levels = 2; levels <= MAX_LEVELS; levels++) {
    const bottom = rows[levels - 1]
    if (bottom === undefined || bottom.length < width) return null
    if (!grouped.every((column) => !isMissing(cellOf(bottom, column)))) return null
    const keys = grouped.map((column) => JSON.stringify(rows.slice(0, levels).map((row) => cellOf(row, column))))
    if (new Set(keys).size < keys.length) continue
    const hasIndex = isIndexRow(rows.slice(0, levels + 1), rows.slice(levels + 1))
    const headerRows = levels + (hasIndex ? 1 : 0)
    const body = rows.slice(headerRows)
    if (body.length < MIN_ROWS) return null
    const below = columnsBelow(body, width)
    return hasIndex || areNames(rows.slice(0, levels), groups, below) ? headerRows : null
  }
  return null
}

interface Group {
  readonly start: number
  readonly end: number
}

/** Neighbours with one name; none where a name comes in two places, as repeated names of another origin do. */
function runsOf(row: TextRow, width: number): Group[] {
  const runs: Group[] = []
  const seen = new Set<string>()
  for (let start = 0, end = 0; start < width; start = end) {
    const name = cellOf(row, start)
    while (end < width && cellOf(row, end) === name) end++
    if (name === '') continue
    if (!isName(name) || seen.has(name)) return []
    seen.add(name)
    if (end - start > 1) runs.push({ start, end })
  }
  return runs
}

/** Whether the lowest row has names. */
function areNames(levels: readonly TextRow[], groups: readonly Group[], below: readonly ColumnBelow[]): boolean {
  const bottom = levels.at(-1)!
  const outside = below.some((facts, column) => {
    const text = cellOf(bottom, column)
    const isGrouped = groups.some(({ start, end }) => column >= start && column < end)
    return !isGrouped && text !== '' && (!isName(text) || facts.texts.has(text))
  })
  if (outside) return false
  const words = groups.map(({ start, end }) => Array.from({ length: end - start }, (_, i) => cellOf(bottom, start + i)))
  const comesAgain = groups.some(({ start, end }) =>
    below.slice(start, end).some(({ texts }, i) => texts.has(cellOf(bottom, start + i))),
  )
  if (comesAgain || words.some((group) => group.some((text) => !isName(text)))) return false
  const isAboveValues = groups.every(({ start, end }) =>
    below.slice(start, end).every((facts, i) => {
      const text = cellOf(bottom, start + i)
      return holdsValues(facts) && (!isValue(text) || (isYear(text) && 2 * facts.years < facts.filled))
    }),
  )
  return isAboveValues || (words.length > 1 && words.every((group) => group.join('\n') === words[0]!.join('\n')))
}

/**
 * Whether the last of the rows of a header has the names of an index alone: cells in the first columns, which have no name above
 * them or the names of levels, and none below the groups. A row of a person who answered nothing stands below a name, and headings
 * of sections come again.
 *
 * @param body rows below.
 */
export function isIndexRow(rows: readonly TextRow[], body: readonly TextRow[] = []): boolean {
  const last = rows.at(-1) ?? []
  const upper = rows.slice(0, -1)
  if (upper.length < 2) return false
  const lead = last.findIndex((text) => text.trim() === '')
  if (lead < 1 || last.some((text, column) => (column < lead ? !isName(text.trim()) : text.trim() !== ''))) return false
  const beside = upper.at(-1)!
  const isNamedBeside = last.every((_, column) => column < lead || cellOf(beside, column) !== '')
  const hasNoName = upper[0]!.every((_, column) => column >= lead || cellOf(upper[0]!, column) === '')
  const isAlone = !body.some(
    (row) => cellOf(row, 0) !== '' && row.every((text, column) => column < lead || text.trim() === ''),
  )
  return isNamedBeside && isAlone && (hasNoName || cellOf(beside, lead - 1) !== '')
}
