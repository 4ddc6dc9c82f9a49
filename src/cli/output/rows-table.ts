import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { shortened, textTable, wrappedLines } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'

/** A cell of free text must not push the other columns out of the terminal. */
const LONGEST_CELL = 24
const GAP = 2

/** Cells of a table: a text, or null where the value is missing. */
export type Row = readonly (string | null)[]

/**
 * Rows as a table of at most `width` columns of the terminal. Columns from the left are shown whole, long cells are cut;
 * the columns that do not fit are named below.
 */
export function rowsTable(names: readonly string[], rows: readonly Row[], width: number): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '–' : shortened(escapeText(cell), LONGEST_CELL))))
  const titles = names.map((name) => shortened(escapeText(name), LONGEST_CELL))
  const widths = titles.map((title, i) => Math.max(textWidth(title), ...cells.map((row) => textWidth(row[i] ?? ''))))
  let count = 0
  let used = 0
  while (count < widths.length) {
    const next = used + (count === 0 ? 0 : GAP) + widths[count]!
    if (next > width && count > 0) break
    used = next
    count++
  }
  const columns = titles.slice(0, count).map((title, i) => ({
    title,
    mayShrink: true,
    ...(isNumeric(rows, i) ? { align: 'right' as const } : {}),
  }))
  const table = textTable(
    columns,
    cells.map((row) => row.slice(0, count)),
    width,
  )
  const left = names.slice(count)
  if (left.length === 0) return table
  const label = `${plural(left.length, 'more column')}: `
  return `${table}${wrappedLines(label, left.join(', '), width).join('\n')}\n`
}

/** Whether all values of a column are numbers, so that their digits stand below each other. */
function isNumeric(rows: readonly Row[], column: number): boolean {
  const values = rows.flatMap((row) => (row[column] == null ? [] : [row[column]]))
  return values.length > 0 && values.every((value) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value))
}
