import { cellOf, countFilled, isDistinct, isName, isValue, type TextRow } from './cell-texts.ts'
import { columnsBelow } from './columns-below.ts'

/** Number of rows that are searched for titles. */
const MAX_TITLES = 20

/** Whether a row cannot be a header: it has at most one filled cell, or fewer cells than the table has columns. */
export function isTitle(row: TextRow, width: number): boolean {
  const filled = countFilled(row)
  return row.length < width || (filled <= 1 && width > 2) || filled === 0
}

/**
 * Counts the rows above the header.
 *
 * Rows that cannot be a header are titles if a header follows: a row that is filled (except for at most a tenth),
 * distinct, and free of values or above values in one of its columns. A row of more cells differs from a header only by
 * what follows: it is a title when it is text alone, fills at most half of the columns, and a filled, distinct row of
 * texts above columns of values follows. Two such columns are enough if it fills more.
 *
 * @returns 0 if no header follows.
 */
export function countTitles(rows: readonly TextRow[], width: number): number {
  if (width < 2) return 0
  let fullestTitle = 0
  for (let at = 0; at < Math.min(rows.length - 1, MAX_TITLES + 1); at++) {
    const row = rows[at]!
    if (isTitle(row, width)) continue
    const filled = countFilled(row)
    const isFull = filled >= Math.ceil(0.9 * width)
    if (at === 0 && isFull) return 0
    const hasValues = row.some((text) => isValue(text.trim()))
    if (fullestTitle === 0 && at > 0 && isFull && isDistinct(row)) {
      if (row.every((text) => text.trim() === '' || isName(text.trim()))) return at
      if (textOverValues(row, rows.slice(at + 1), width) > 0) return at
    }
    if (hasValues) {
      if (isFull || filled > 2) return 0
    } else if (isFull) {
      if (!isDistinct(row)) return 0
      const columns = textOverValues(row, rows.slice(at + 1), width)
      return columns >= 2 || (columns === 1 && fullestTitle <= width / 2) ? at : 0
    }
    fullestTitle = Math.max(fullestTitle, filled)
  }
  return 0
}

/** Columns in which the row has a text and most cells below are values. */
function textOverValues(row: TextRow, body: readonly TextRow[], width: number): number {
  return columnsBelow(body, width).filter(({ filled, values }, column) => {
    const text = cellOf(row, column)
    return filled > 0 && values >= 0.6 * filled && text !== '' && !isValue(text)
  }).length
}
