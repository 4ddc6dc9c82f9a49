import { cellOf, isName, isValue, type TextRow } from './cell-texts.ts'

/** A small table above the one that is read. */
export interface TableAbove {
  readonly names: readonly string[]
  readonly rows: number
}

/** Fewer rows are remarks about the file. */
const MIN_ROWS = 5
/** Least share of a column's cells that are values. */
const VALUES_SHARE = 0.8

/**
 * Finds a table among the rows that were taken for titles: a row of different names, and rows right below it that fill the
 * same columns, one of them with values.
 *
 * @returns null where the rows are titles and remarks.
 */
export function tableAbove(titles: readonly TextRow[]): TableAbove | null {
  for (let start = 0; start + MIN_ROWS < titles.length; start++) {
    const columns = filledColumns(titles[start]!)
    const names = columns.map((column) => cellOf(titles[start]!, column))
    if (names.length < 2 || !names.every(isName) || new Set(names).size < names.length) continue
    let end = start + 1
    while (end < titles.length && fills(titles[end]!, columns)) end++
    const body = titles.slice(start + 1, end)
    if (body.length >= MIN_ROWS && columns.some((column) => areValues(body, column)))
      return { names, rows: body.length }
  }
  return null
}

function filledColumns(row: TextRow): number[] {
  return row.flatMap((text, column) => (text.trim() === '' ? [] : [column]))
}

function fills(row: TextRow, columns: readonly number[]): boolean {
  const filled = filledColumns(row)
  return filled.length >= Math.max(2, columns.length / 2) && filled.every((column) => columns.includes(column))
}

function areValues(rows: readonly TextRow[], column: number): boolean {
  return rows.filter((row) => isValue(cellOf(row, column))).length >= VALUES_SHARE * rows.length
}
