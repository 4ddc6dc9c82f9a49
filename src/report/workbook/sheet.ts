/** A sheet that is filled row by row. All text in it is text: no cell is a formula, whatever a name begins with. */

import type { Cell, CellStyle, CellValue, WriteSheet } from 'hucre/xlsx'
import { escapeText } from '../../base/text/escape-text.ts'
import { textWidth } from '../../base/text/text-width.ts'

/** A value with its look; a bare value has the plain one. */
export interface StyledCell {
  readonly value: string | number | null
  readonly style?: CellStyle | undefined
  /** A sheet of the workbook that it leads to. */
  readonly sheet?: string | undefined
}

/** Of all cells: a style with another part of a font has the whole of it. */
const FONT = { name: 'Calibri', size: 11 }

const PLAIN: CellStyle = { font: FONT }
export const BOLD: CellStyle = { font: { ...FONT, bold: true } }
export const TITLE: CellStyle = { font: { ...FONT, bold: true, size: 14 } }
export const NOTE: CellStyle = { font: { ...FONT, italic: true, color: { rgb: '595F67' } } }
export const WRAPPED_NOTE: CellStyle = { ...NOTE, alignment: { wrapText: true, vertical: 'top' } }
export const LINK: CellStyle = { font: { ...FONT, underline: true, color: { rgb: '0067A3' } } }
export const LETTERS: CellStyle = {
  font: { ...FONT, color: { rgb: '0067A3' } },
  alignment: { horizontal: 'left', wrapText: true },
}
export const RIGHT: CellStyle = { ...PLAIN, alignment: { horizontal: 'right' } }
/** Words behind a number. */
export const INDENTED: CellStyle = { ...PLAIN, alignment: { horizontal: 'left', indent: 1 } }
export const HEAD: CellStyle = {
  ...BOLD,
  alignment: { horizontal: 'center', wrapText: true, vertical: 'top' },
  border: { bottom: { style: 'thin' } },
}
/** Heads of columns of words. */
export const LEFT_HEAD: CellStyle = { ...HEAD, alignment: { horizontal: 'left', wrapText: true, vertical: 'top' } }

export const text = (value: string, style = PLAIN): StyledCell => ({ value: escapeText(value), style })

export const number = (value: number | null | undefined, numFmt: string, style = PLAIN): StyledCell => ({
  value: value ?? null,
  style: { ...style, numFmt },
})

export const EMPTY: StyledCell = { value: null }

/** Heads of columns of numbers. */
export const RIGHT_HEAD: CellStyle = { ...HEAD, alignment: { horizontal: 'right', wrapText: true, vertical: 'top' } }

export interface SheetLayout {
  readonly name: string
  /** Least widths of columns in characters; the last one holds for all that follow. */
  readonly widths: readonly number[]
  /** Rows and columns that stay in sight, and that each printed page repeats: rows of `from` to `rows`. */
  readonly frozen: { readonly rows: number; readonly columns: number }
  readonly rows: readonly (readonly StyledCell[])[]
  readonly merges?: readonly { readonly row: number; readonly column: number; readonly columns: number }[]
}

/** Most characters of a sheet's name. */
const MOST_NAME = 31

/** A name that spreadsheets take, unlike those before it. */
export function sheetName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = escapeText(wanted)
    .replaceAll(/[[\]:*?/\\]/g, '_')
    .replaceAll(/^'|'$/g, '_')
  const known = new Set([...taken].map((name) => name.toLowerCase()))
  for (let i = 1; ; i++) {
    const ending = i === 1 ? '' : ` ${i}`
    const name = `${plain.slice(0, MOST_NAME - ending.length)}${ending}`
    if (!known.has(name.toLowerCase())) return name
  }
}

export function writtenSheet({ name, widths: least, frozen, rows, merges = [] }: SheetLayout): WriteSheet {
  const columnCount = Math.max(1, ...rows.map((row) => row.length))
  const widths = widthsOf({ rows, merges }, least, columnCount)
  const cells = new Map<string, Partial<Cell>>()
  for (const [r, row] of rows.entries())
    for (const [c, { style, sheet }] of row.entries()) {
      const hyperlink =
        sheet === undefined ? undefined : { target: '', location: `'${sheet.replaceAll("'", "''")}'!A1` }
      if (style !== undefined || hyperlink !== undefined)
        cells.set(`${r},${c}`, { ...(style && { style }), ...(hyperlink && { hyperlink }) })
    }
  return {
    name,
    columns: widths.map((width) => ({ width })),
    rows: rows.map((row): CellValue[] => row.map(({ value }) => value)),
    cells,
    rowDefs: heightsOf(rows, (row, column) => {
      const merged = merges.find((one) => one.row === row && one.column === column)
      let width = 0
      for (let c = column; c < column + (merged?.columns ?? 1); c++) width += widths[c]!
      return width
    }),
    merges: merges.map(({ row, column, columns }) => ({
      startRow: row,
      endRow: row,
      startCol: column,
      endCol: column + columns - 1,
    })),
    freezePane: { rows: frozen.rows, columns: frozen.columns },
    pageSetup: {
      paperSize: 'a4',
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: pagesAcross(widths, frozen.columns),
      fitToHeight: 0,
      printArea: `$A$1:$${columnLetters(columnCount - 1)}$${Math.max(1, rows.length)}`,
      ...(frozen.rows > 0 && { printTitlesRow: `$1:$${frozen.rows}` }),
      ...(frozen.columns > 0 && { printTitlesColumn: `$A:$${columnLetters(frozen.columns - 1)}` }),
    },
    // A page number, and which table it is; & begins a code.
    headerFooter: { oddFooter: `&L${name.replaceAll('&', '&&')}&R&P / &N` },
  }
}

/** Widest columns that a head and a text make, in characters. */
const MOST_OF_HEAD = 24
const MOST_OF_TEXT = 50

/**
 * Wide enough for the longest word of a head, which programs break anywhere, and for a text that cannot run on, because it is wrapped
 * or another cell follows.
 */
function widthsOf(
  { rows, merges }: Required<Pick<SheetLayout, 'rows' | 'merges'>>,
  least: readonly number[],
  count: number,
): number[] {
  const widths = Array.from({ length: count }, (_, c) => least[c] ?? least.at(-1) ?? 12)
  for (const [r, row] of rows.entries())
    for (const [c, { value, style }] of row.entries()) {
      if (typeof value !== 'string' || merges.some(({ row, column }) => row === r && column === c)) continue
      const isHead = style?.border !== undefined
      if (style?.alignment?.wrapText !== true && (row[c + 1]?.value ?? '') === '') continue
      const longest = isHead ? Math.max(...value.split(' ').map(textWidth)) : textWidth(value)
      const wanted = Math.min(Math.ceil(LETTER * longest) + 1, isHead ? MOST_OF_HEAD : MOST_OF_TEXT)
      widths[c] = Math.max(widths[c]!, wanted)
    }
  return widths
}

/** Characters beside each other on a printed page that can still be read. */
const MOST_OF_PAGE = 220

/** Each page of a banner has its first columns again; a list without such columns stays on one. */
function pagesAcross(widths: readonly number[], repeated: number): number {
  if (repeated === 0) return 1
  const widthOf = (of: readonly number[]): number => of.reduce((sum, width) => sum + width, 0)
  const names = widthOf(widths.slice(0, repeated))
  return Math.max(1, Math.ceil(widthOf(widths.slice(repeated)) / (MOST_OF_PAGE - names)))
}

const POINTS_PER_LINE = 15

/** Width of a bold letter, in those of the digits that widths count. */
const LETTER = 1.05

/** Programs other than Excel do not make room for text that wraps. Letters are at most as wide as the digits that widths count, nearly. */
function heightsOf(
  rows: SheetLayout['rows'],
  widthOf: (row: number, column: number) => number,
): Map<number, { readonly height: number }> {
  const heights = new Map<number, { readonly height: number }>()
  for (const [r, row] of rows.entries()) {
    const lines = row.map(({ value, style }, c) =>
      typeof value === 'string' && style?.alignment?.wrapText === true ? linesOf(value, widthOf(r, c)) : 1,
    )
    const most = Math.max(1, ...lines)
    if (most > 1) heights.set(r, { height: POINTS_PER_LINE * most })
  }
  return heights
}

/** Words stay whole, as far as they fit. */
function linesOf(value: string, width: number): number {
  let [lines, used] = [1, 0]
  for (const word of value.split(' ')) {
    const length = LETTER * textWidth(word)
    if (used > 0 && used + 1 + length > width) {
      lines++
      used = 0
    }
    lines += Math.max(0, Math.ceil(length / width) - 1)
    used += length + (used > 0 ? 1 : 0)
  }
  return lines
}

/** `A`, `Z`, `AA`: of a column, or of a column of a banner. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26)
  return `${rest === 0 ? '' : columnLetters(rest - 1)}${String.fromCharCode(65 + (index % 26))}`
}
