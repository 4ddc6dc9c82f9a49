import type { RawColumn } from '../../base/raw-table.ts'
import { cellOf, countFilled, isMissing, isName, isValue, isYear, type TextRow } from './cell-texts.ts'
import { type ColumnBelow, columnsBelow, holdsValues } from './columns-below.ts'
import { type CombinedHeader, combineRows } from './combine-rows.ts'
import { countTitles, isTitle } from './find-titles.ts'
import { findMergedHeader, type MergedRange, unmerged } from './merged-groups.ts'
import { isIndexRow, repeatedGroups } from './repeated-groups.ts'
import { certaintyOfHeader } from './second-header.ts'
import { toolHeader } from './survey-tools.ts'
import { type TableAbove, tableAbove } from './table-above.ts'

/** Where a table begins in a file, and what its columns are called. */
export interface TableHeader {
  /** Rows above the header (above the data where there is no header): titles, notes. */
  readonly titleRows: number
  /** 0: there is no header, the row below the titles is data. */
  readonly headerRows: number
  /** By column, empty where a column has no name; null: there is no header. */
  readonly names: readonly string[] | null
  /** Question texts by column, where a row of the header has them; empty: no column has one. */
  readonly labels: readonly (string | undefined)[]
  /** A row of the file that equals it repeats the header; null: there is no header, or such a row could be data. */
  readonly repeated: readonly string[] | null
  /** Cells of a row. */
  readonly width: number
  /** How a header of several rows became one; null: it has one row, or there is none. */
  readonly combined: CombinedHeader['form'] | null
  /** Whether the last row of the header had import ids. */
  readonly hasImportIds: boolean
  /** What decided on the number of rows: the declaration of the user, a mark in the file, or the kinds of its texts. */
  readonly basis: 'declared' | 'marked' | 'inferred'
  /** Whether the first row below looks like a part of the header, but is not certain to be one. */
  readonly isDoubtful: boolean
  /** A small table among the titles; absent: they are titles. */
  readonly above?: TableAbove
}

export interface HeaderOptions {
  /** Cells of most rows. */
  readonly width: number
  /** Forces the number of header rows; titles above them do not count. */
  readonly headerRows?: number | undefined
  /** Cells of the rows that are merged. */
  readonly merged?: readonly MergedRange[]
}

/** A header of groups has at most this many rows, unless its cells are merged or it is declared. */
const MAX_GROUP_ROWS = 3

/** Rows of labels below the names. */
const MAX_LABEL_ROWS = 2

/** Where the header lies. */
interface Place {
  readonly titleRows: number
  readonly headerRows: number
  readonly basis: TableHeader['basis']
  readonly isDoubtful: boolean
}

/**
 * Finds the header of a table below its titles, of one row or of several, or finds that there is none.
 *
 * In this sequence: the marks of a survey tool; cells merged over groups of columns; groups named above each of their columns; rows of groups and of labels that
 * are certain to be no data; an ordinary header of one row. A first row is data when one of its values is above a column
 * of such values and no text is above a column of values.
 *
 * @param rows first rows of the file.
 */
export function findHeader(rows: readonly TextRow[], options: HeaderOptions): TableHeader {
  const { headerRows, merged = [], width } = options
  const natural = placeOf(rows, width, merged)
  const place = headerRows === undefined ? natural : declaredPlace(rows, width, natural, headerRows)
  const above = tableAbove(rows.slice(0, place.titleRows))
  return { ...headerAt(rows, place, options), ...(above !== null && { above }) }
}

function placeOf(rows: readonly TextRow[], width: number, merged: readonly MergedRange[]): Place {
  const titles = countTitles(rows, width)
  // Rows of groups look like titles.
  for (const titleRows of new Set([titles, 0])) {
    const tool = toolHeader(rows.slice(titleRows))
    if (tool !== null) return { titleRows, headerRows: tool.rows, basis: 'marked', isDoubtful: false }
  }
  const grouped = findMergedHeader(rows, merged)
  if (grouped !== null) {
    const { top, bottom } = grouped
    const headerRows = bottom - top + 1
    const header = unmerged(rows.slice(top, bottom + 2), fromRow(merged, top))
    const hasIndex = isIndexRow(header, rows.slice(bottom + 2))
    return { titleRows: top, headerRows: headerRows + (hasIndex ? 1 : 0), basis: 'marked', isDoubtful: false }
  }
  for (const titleRows of new Set([titles, 0])) {
    const headerRows = repeatedGroups(rows.slice(titleRows), width)
    if (headerRows !== null) return { titleRows, headerRows, basis: 'inferred', isDoubtful: false }
  }
  for (let titleRows = 0; titleRows < rows.length; titleRows++) {
    const place = groupsAt(rows, width, titleRows, titles)
    if (place !== null) return place
    // Rows of groups fill few columns, so titles above them were not found.
    if (titleRows >= titles && !isTitle(rows[titleRows]!, width)) break
  }
  const first = rows[titles] ?? []
  if (first.length === width && isData(first, dataBelow(rows, titles + 1), width)) {
    return { titleRows: titles, headerRows: 0, basis: 'inferred', isDoubtful: false }
  }
  return labelsAt(rows, width, titles)
}

/** Merged cells in rows from `top` on, which becomes row 0. */
function fromRow(merged: readonly MergedRange[], top: number): MergedRange[] {
  return merged.flatMap((range) =>
    range.top < top ? [] : [{ ...range, top: range.top - top, bottom: range.bottom - top }],
  )
}

/** A header of groups above names that begins at a row; null: that row begins none. */
function groupsAt(rows: readonly TextRow[], width: number, at: number, titles: number): Place | null {
  if (isTitle(rows[at] ?? [], width)) return null
  for (let headerRows = 2; headerRows <= MAX_GROUP_ROWS; headerRows++) {
    const bottom = at + headerRows - 1
    const row = rows[bottom] ?? []
    const names = namesAbove(rows.slice(at, bottom), width)
    if (names.every((name) => name !== '') || row.length < width) return null
    // The header ends at the row below the titles, or further down.
    if (bottom < titles) continue
    const below = columnsBelow(rows.slice(bottom + 1), width)
    const certainty = certaintyOfHeader(names, row, below, rows.length - bottom - 1)
    if (certainty === 'certain') return { titleRows: at, headerRows, basis: 'inferred', isDoubtful: false }
    if (!row.every((text) => text.trim() === '' || isName(text.trim()))) return null
  }
  return null
}

/** The header of one row below the titles, and rows of labels below it. */
function labelsAt(rows: readonly TextRow[], width: number, titleRows: number): Place {
  const names = namesAbove(rows.slice(titleRows, titleRows + 1), width)
  if ((rows[titleRows]?.length ?? 0) < width) return { titleRows, headerRows: 1, basis: 'inferred', isDoubtful: false }
  for (let headerRows = 1; ; headerRows++) {
    const row = rows[titleRows + headerRows] ?? []
    const body = rows.slice(titleRows + headerRows + 1)
    const certainty =
      row.length < width ? 'none' : certaintyOfHeader(names, row, columnsBelow(body, width), body.length)
    const isDoubtful = certainty === 'possible' && headerRows === 1
    if (certainty !== 'certain' || headerRows > MAX_LABEL_ROWS) {
      return { titleRows, headerRows, basis: 'inferred', isDoubtful }
    }
  }
}

function namesAbove(rows: readonly TextRow[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    for (const row of rows) {
      const name = cellOf(row, column)
      if (name !== '') return name
    }
    return ''
  })
}

/** Rows that show what the columns hold. */
const dataBelow = (rows: readonly TextRow[], from: number): readonly TextRow[] => rows.slice(from, from + 100)

function isData(first: TextRow, body: readonly TextRow[], width: number): boolean {
  let valueOverValues = false
  for (const [column, below] of columnsBelow(body, width).entries()) {
    if (!holdsValues(below)) continue
    const top = cellOf(first, column)
    if (isMissing(top)) continue
    if (!isValue(top)) return false
    if (!isYear(top)) valueOverValues = true
  }
  return valueOverValues
}

/**
 * A declared header begins below the titles; rows of several texts that were taken for titles may belong to it. A row that
 * fills more than half of the columns was taken for a title by a guess, which a declaration overrules. Where the last row
 * of the header would be data, the declared number counts the titles as well.
 */
function declaredPlace(rows: readonly TextRow[], width: number, natural: Place, declared: number): Place {
  const headerRows = Math.min(declared, rows.length - natural.titleRows)
  const full = rows.slice(0, natural.titleRows).findIndex((row) => 2 * countFilled(row) > Math.max(2, width))
  let titleRows = full < 0 ? natural.titleRows : full
  for (let more = headerRows - natural.headerRows; more > 0 && titleRows > 0; more--) {
    if (isTitle(rows[titleRows - 1]!, width)) break
    titleRows--
  }
  const last = rows[titleRows + headerRows - 1] ?? []
  const withTitles = headerRows - titleRows
  const isCounted = titleRows > 0 && withTitles >= Math.max(1, natural.headerRows)
  if (isCounted && isData(last, dataBelow(rows, titleRows + headerRows), width)) {
    return { titleRows, headerRows: withTitles, basis: 'declared', isDoubtful: false }
  }
  return { titleRows, headerRows, basis: 'declared', isDoubtful: false }
}

function headerAt(rows: readonly TextRow[], place: Place, { width, merged = [] }: HeaderOptions): TableHeader {
  const { titleRows, headerRows } = place
  const end = titleRows + headerRows
  const first = rows[titleRows] ?? []
  if (headerRows === 0) {
    return { ...place, names: null, labels: [], repeated: null, width, combined: null, hasImportIds: false }
  }
  if (headerRows === 1) {
    // R's write.table omits the name of the first column, which has the row names.
    const names = first.length === width - 1 && width > 2 ? ['', ...first] : withoutBlankEnd(first, width)
    const wide = Math.max(names.length, width)
    const repeated = isOfOptions(names, columnsBelow(rows.slice(end), width)) ? null : names
    return { ...place, names, labels: [], repeated, width: wide, combined: null, hasImportIds: false }
  }
  const spread = unmerged(rows.slice(0, end), merged).slice(titleRows)
  const below = columnsBelow(rows.slice(end), width)
  if (isIndexRow(spread))
    return withIndex(headerAt(rows, { ...place, headerRows: headerRows - 1 }, { width, merged }), place, rows[end - 1]!)
  const combined = combineRows(spread, {
    below,
    isSpread: (row) => merged.some(({ top, left, right }) => top === titleRows + row && right > left),
    isSurvey: toolHeader(rows.slice(titleRows, end))?.tool === 'SurveyMonkey',
  })
  const { names, labels, form, hasImportIds } = combined
  const bottom = rows[end - 1]!
  const repeated = form === 'labels' || isOfOptions(bottom, below) ? first : bottom
  return { ...place, names, labels, repeated, width, combined: form, hasImportIds }
}

/** The names of an index stand in a row of their own, below those of the other columns and of the levels of these. */
function withIndex(header: TableHeader, place: Place, index: TextRow): TableHeader {
  const names = header.names!.map((name, column) => cellOf(index, column) || name)
  return { ...header, ...place, names }
}

/** Whether the texts of a row are all that their columns hold: a person who ticked every box has the same row. */
function isOfOptions(row: TextRow, below: readonly ColumnBelow[]): boolean {
  let options = 0
  for (const [column, { texts }] of below.entries()) {
    if (texts.size === 0) continue
    if (texts.size > 1 || !texts.has(cellOf(row, column))) return false
    options++
  }
  return options > 1
}

/** Separators at the end of a header alone name no column. */
function withoutBlankEnd(names: TextRow, width: number): TextRow {
  let end = names.length
  while (end > width && cellOf(names, end - 1) === '') end--
  return names.slice(0, end)
}

/** Gives columns the labels that the header of their file has for them. */
export function labelColumns(columns: readonly RawColumn[], labels: TableHeader['labels']): RawColumn[] {
  return columns.map((column, at) => (labels[at] === undefined ? column : { ...column, label: labels[at] }))
}
