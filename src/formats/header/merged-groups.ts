import { cellOf, isName, type TextRow } from './cell-texts.ts'

/** Cells that are merged; rows and columns from 0, all inclusive. */
export interface MergedRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** A header begins within this many rows, and has at most this many. */
const MAX_TOP = 30
const MAX_HEADER_ROWS = 10

/** Whether a merged range could be part of a header. */
export function couldBeHeader({ top, bottom }: MergedRange): boolean {
  return top < MAX_TOP && bottom - top < MAX_HEADER_ROWS
}

/** The same rows with the text of cells that are merged over columns in each of these columns. */
export function unmerged(rows: readonly TextRow[], merged: readonly MergedRange[]): TextRow[] {
  const filled = rows.map((row) => [...row])
  for (const { top, bottom, left, right } of merged) {
    const text = rows[top]?.[left] ?? ''
    for (let at = top; at <= bottom && at < filled.length; at++) {
      for (let column = left; column <= right; column++) filled[at]![column] = at === top ? text : ''
    }
  }
  return filled
}

/**
 * Finds a header with groups: a row with a cell merged over some but not all columns, with separate names for those
 * columns below it. A merged cell that is alone in its row is a title, unless other cells of that row are merged
 * downwards, down to the names. It is a title, too, when the only other cells of its row are above names.
 *
 * @param rows first rows of a table, of equal width.
 * @param merged ranges of these rows.
 * @returns first and last row of the header.
 */
export function findMergedHeader(
  rows: readonly TextRow[],
  merged: readonly MergedRange[],
): { readonly top: number; readonly bottom: number } | null {
  const width = rows[0]?.length ?? 0
  const ranges = merged.filter(couldBeHeader)
  const tops = ranges.filter((range) => isOverSome(range, width)).map((range) => range.top)
  for (const top of [...new Set(tops)].sort((a, b) => a - b)) {
    const bottom = bottomOf(ranges, top)
    const isPossible = bottom > top && bottom - top < MAX_HEADER_ROWS && bottom < rows.length
    if (isPossible && isHeader(rows, ranges, top, bottom)) return { top, bottom }
  }
  return null
}

function isOverSome({ left, right }: MergedRange, width: number): boolean {
  return right > left && right - left + 1 < width
}

/** Names are below a group; cells that are merged downwards extend to them. */
function bottomOf(ranges: readonly MergedRange[], top: number): number {
  let bottom = top
  for (let before = -1; before !== bottom; ) {
    before = bottom
    for (const range of ranges) {
      if (range.top < top || range.top > bottom) continue
      const isGroup = range.right > range.left && range.bottom === range.top
      bottom = Math.max(bottom, isGroup ? range.bottom + 1 : range.bottom)
    }
  }
  return bottom
}

function isHeader(rows: readonly TextRow[], ranges: readonly MergedRange[], top: number, bottom: number): boolean {
  const width = rows[0]!.length
  const block = rows.slice(top, bottom + 1)
  const isText = block.every((row) => row.every((text) => text.trim() === '' || isName(text.trim())))
  if (!isText) return false
  const groups = ranges.filter((range) => range.top === top && isOverSome(range, width))
  const isNamedBelow = groups.some((group) => namesBelow(rows, group, bottom) >= 2)
  const reachesDown = ranges.some((range) => range.top === top && range.bottom === bottom)
  const labels = rows[top]!.filter((text) => text.trim() !== '').length
  const isGroup = (column: number) => groups.some(({ left, right }) => column >= left && column <= right)
  const isTitle =
    groups.length === 1 &&
    !reachesDown &&
    rows[top]!.every((text, column) => text.trim() === '' || isGroup(column) || cellOf(rows[bottom]!, column) !== '')
  return isNamedBelow && !isTitle && (labels >= 2 || reachesDown) && namesMost(rows, ranges, top, bottom)
}

function namesBelow(rows: readonly TextRow[], group: MergedRange, bottom: number): number {
  let names = 0
  for (let column = group.left; column <= group.right; column++) {
    if (rows.slice(group.bottom + 1, bottom + 1).some((row) => isName(cellOf(row, column)))) names++
  }
  return names
}

/**
 * A header must name most columns; empty ones, which set groups apart, do not count. Nor do those on the left of several groups: they
 * are the index of a data frame.
 */
function namesMost(rows: readonly TextRow[], ranges: readonly MergedRange[], top: number, bottom: number): boolean {
  const header = unmerged(rows, ranges).slice(top, bottom + 1)
  const groups = ranges.filter((range) => range.top === top && range.right > range.left)
  const start = groups.length < 2 ? 0 : Math.min(...groups.map(({ left }) => left))
  let columns = 0
  let named = 0
  for (let column = 0; column < rows[0]!.length; column++) {
    const isNamed = header.some((row) => cellOf(row, column) !== '')
    if (!isNamed && column < start) continue
    if (!isNamed && rows.slice(bottom + 1).every((row) => cellOf(row, column) === '')) continue
    columns++
    if (isNamed) named++
  }
  return named >= 0.9 * columns
}
