import { type CsvLayout, detectHeader } from '../csv/detect-header.ts'
import type { CellKind, SheetCell } from './sheet-source.ts'

/** Rows at the top of a table that are searched. */
export const HEAD_ROWS = 150

const MAX_TITLES = 20

type Row = readonly SheetCell[]

/**
 * Where the table begins among the first rows with content, all of the same width; title rows are counted among these
 * rows.
 */
export function sheetLayout(rows: readonly Row[]): CsvLayout {
  const { first, last } = tableColumns(rows)
  const inner = rows.map((row) => row.slice(first, last + 1))
  const titles = looseTitles(inner)
  const found = detectHeader(inner.slice(titles).map((row) => row.map((cell) => oneLine(cell.text))))
  const titleRecords = titles + found.titleRecords
  const header = found.header === null ? null : (rows[titleRecords] ?? []).map((cell) => oneLine(cell.text))
  return { titleRecords, header, width: rows[0]?.length ?? 0 }
}

/** Without the outer columns that are empty in the lower half: titles often begin to the left of the table. */
function tableColumns(rows: readonly Row[]): { readonly first: number; readonly last: number } {
  const lower = rows.slice(Math.floor(rows.length / 2))
  const isUsed = (column: number) => lower.some((row) => row[column]!.kind !== 'empty')
  let first = 0
  let last = (rows[0]?.length ?? 1) - 1
  while (first < last && !isUsed(first)) first++
  while (last > first && !isUsed(last)) last--
  return { first, last }
}

/** Headers of several lines become one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, ' ').trim()
}

/**
 * Title rows with more than one cell differ from a header only by the following rows: they are text alone and narrower
 * than the table, and the header below them is filled, distinct text above values of another kind.
 */
function looseTitles(rows: readonly Row[]): number {
  const width = rows[0]?.length ?? 0
  if (width < 2) return 0
  for (let at = 0; at < Math.min(rows.length - 1, MAX_TITLES + 1); at++) {
    const row = rows[at]!
    const names = row.filter((cell) => cell.kind !== 'empty')
    const isFull = names.length >= Math.ceil(0.9 * width)
    if (names.some((cell) => cell.kind !== 'text')) {
      if (isFull || names.length > 2) return 0
      continue
    }
    if (!isFull) continue
    const distinct = new Set(names.map((cell) => cell.text)).size === names.length
    return distinct && standsOverValues(row, rows.slice(at + 1)) ? at : 0
  }
  return 0
}

function standsOverValues(header: Row, body: readonly Row[]): boolean {
  return header.some((_, column) => {
    const cells = body.map((row) => row[column]!).filter((cell) => cell.kind !== 'empty')
    return cells.length > 0 && cells.filter((cell) => cell.kind !== 'text').length >= 0.6 * cells.length
  })
}

/** More sparse rows than this at the end of a table are not notes. */
export const MAX_NOTE_ROWS = 40

/** A row that could be a note: text alone in at most a third of the columns. */
export function couldBeNote(row: Row): boolean {
  if (row.length < 3) return false
  const filled = row.filter((cell) => cell.kind !== 'empty')
  return filled.length <= Math.max(1, row.length / 3) && filled.every((cell) => cell.kind === 'text')
}

/** How many cells of each kind a column has. */
export type KindCounts = Record<CellKind, number>

/**
 * Whether the sparse rows at the end are notes: an empty row separates them, or one of them has text in a column
 * without text above.
 */
export function areNotes(rows: readonly Row[], setOff: boolean, columns: readonly KindCounts[]): boolean {
  return (
    setOff ||
    rows.some((row) =>
      row.some((cell, i) => {
        const { number, boolean, date, time, text } = columns[i]!
        return cell.kind === 'text' && text === 0 && number + boolean + date + time > 0
      }),
    )
  )
}
