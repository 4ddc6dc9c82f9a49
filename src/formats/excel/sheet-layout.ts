import { oneLine, type TextRow } from '../header/cell-texts.ts'
import type { MergedRange } from '../header/merged-groups.ts'
import { findHeader, type TableHeader } from '../header/table-header.ts'
import type { CellKind, CellRow, SheetCell } from './sheet-source.ts'

/** Rows at the top of a table that are searched. */
export const HEAD_ROWS = 150

/**
 * Where the table begins among the first rows with content, all of the same width; title rows are counted among these
 * rows.
 *
 * @param merged in rows and columns of the sheet; the cells of the rows begin at `firstColumn`.
 */
export function sheetHeader(
  rows: readonly CellRow[],
  merged: readonly MergedRange[],
  firstColumn: number,
  headerRows?: number,
): TableHeader {
  const { first, last } = tableColumns(rows.map(({ cells }) => cells))
  const texts = rows.map(({ cells }) => cells.map(({ text }) => oneLine(text)))
  const inner = texts.map((row) => row.slice(first, last + 1))
  const ranges = merged.flatMap((range) => withinRows(range, rows, firstColumn + first, last - first + 1))
  const found = findHeader(inner, { width: last - first + 1, merged: ranges, headerRows })
  const outer = found.headerRows === 0 ? [] : texts[found.titleRows]!
  return widened(found, outer, first, last, texts[0]?.length ?? 0)
}

/** Without the outer columns that are empty in the lower half: titles often begin to the left of the table. */
function tableColumns(rows: readonly (readonly SheetCell[])[]): { readonly first: number; readonly last: number } {
  const lower = rows.slice(Math.floor(rows.length / 2))
  const isUsed = (column: number) => lower.some((row) => row[column]!.kind !== 'empty')
  let first = 0
  let last = (rows[0]?.length ?? 1) - 1
  while (first < last && !isUsed(first)) first++
  while (last > first && !isUsed(last)) last--
  return { first, last }
}

/** A merged range in rows of the list, and in columns from `left` on; nothing if it lies outside. */
function withinRows(range: MergedRange, rows: readonly CellRow[], left: number, width: number): MergedRange[] {
  const top = rows.findIndex(({ index }) => index >= range.top)
  const bottom = rows.findLastIndex(({ index }) => index <= range.bottom)
  const from = Math.max(0, range.left - left)
  const to = Math.min(width - 1, range.right - left)
  return top < 0 || bottom < top || to < from ? [] : [{ top, bottom, left: from, right: to }]
}

/** The header of the inner columns as one of all columns; outer ones have the words of the header's first row. */
function widened(found: TableHeader, outer: TextRow, first: number, last: number, width: number): TableHeader {
  const widen = (row: TextRow) =>
    Array.from({ length: width }, (_, i) => (i >= first && i <= last ? (row[i - first] ?? '') : (outer[i] ?? '')))
  return {
    ...found,
    width,
    names: found.names === null ? null : widen(found.names),
    labels: found.labels.length === 0 ? [] : Array.from({ length: width }, (_, i) => found.labels[i - first]),
    repeated: found.repeated === null ? null : widen(found.repeated),
  }
}

/** More sparse rows than this at the end of a table are not notes. */
export const MAX_NOTE_ROWS = 40

/** A row that could be a note: text alone in at most a third of the columns. */
export function couldBeNote(row: readonly SheetCell[]): boolean {
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
export function areNotes(
  rows: readonly (readonly SheetCell[])[],
  setOff: boolean,
  columns: readonly KindCounts[],
): boolean {
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
