import { escapeText } from './escape-text.ts'

export interface TableColumn {
  readonly title: string
  /** Cut when the table is too wide; the others never are. */
  readonly mayShrink?: boolean
  readonly align?: 'right'
  /** Of the first column: a longer cell is not cut, but has a line of its own above its row. */
  readonly longest?: number
}

const GAP = '  '
/** A column that shrinks keeps this many characters. */
const NARROWEST = 8

/**
 * A table in plain text. Cells are escaped: they may be what a stranger wrote. Where the whole is wider than `width`
 * columns, the widest of those that may shrink give way, a character at a time.
 */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const whole = [columns.map(({ title }) => title), ...rows].map((row) => row.map(escapeText))
  const { longest = Number.POSITIVE_INFINITY } = columns[0] ?? {}
  const above = whole.map(([first = '']) => ([...first].length > longest ? first : null))
  const cells = whole.map((row, i) => (above[i] === null ? row : ['', ...row.slice(1)]))
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => [...(row[i] ?? '')].length)))
  const total = () => widths.reduce((sum, w) => sum + w, 0) + GAP.length * (columns.length - 1)
  while (total() > width) {
    const widest = columns
      .map(({ mayShrink }, i) => (mayShrink && widths[i]! > NARROWEST ? i : -1))
      .filter((i) => i >= 0)
      .sort((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined) break
    widths[widest]!--
  }
  const lines = cells.flatMap((row, r) => {
    const line = row
      .map((cell, i) => fitted(cell, widths[i]!, columns[i]?.align))
      .join(GAP)
      .trimEnd()
    return above[r] == null ? [line] : [above[r], line]
  })
  return `${lines.join('\n')}\n`
}

function fitted(cell: string, width: number, align: 'right' | undefined): string {
  const characters = [...cell]
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  const blank = ' '.repeat(width - characters.length)
  return align === 'right' ? blank + cell : cell + blank
}
