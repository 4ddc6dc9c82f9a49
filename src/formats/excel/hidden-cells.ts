import { compoundStream } from './compound-stream.ts'
import { xlsRecordsAt } from './xls-records.ts'
import { xlsbRecords } from './xlsb-records.ts'

/**
 * Rows and columns that a sheet does not show. They are read like the others: people hide what they do not want to see, and a
 * filter hides what they did not ask for at the moment.
 */
export interface HiddenCells {
  /** From 0, in the sheet; a filter hides rows in the same way as a person does. */
  readonly rows: ReadonlySet<number>
  /** From 0, in the sheet. */
  readonly columns: ReadonlySet<number>
}

export const NOTHING_HIDDEN: HiddenCells = { rows: new Set(), columns: new Set() }

/** More columns than any sheet has. */
const MAX_COLUMNS = 16_384

/** What hides rows and columns, entered as a sheet is read. */
export class HiddenCellsFound implements HiddenCells {
  readonly rows = new Set<number>()
  readonly columns = new Set<number>()

  /** Both from 0; a range to the end of the sheet is usual. */
  addColumns(first: number, last: number): void {
    for (let column = first; column <= Math.min(last, MAX_COLUMNS - 1); column++) this.columns.add(column)
  }
}

const IS_HIDDEN = /\shidden\s*=\s*["'](?:1|true)["']/

/** Whether a `row` or `col` of the XML of a sheet is hidden (ECMA-376, 18.3.1.73 and 18.3.1.13). */
export function isHiddenInXml(attributes: string): boolean {
  return IS_HIDDEN.test(attributes)
}

/** The columns of a `col` of the XML of a sheet, from 0. */
export function columnsOfXml(attributes: string): { readonly first: number; readonly last: number } | null {
  const numberOf = (name: 'min' | 'max') =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["'](\\d{1,6})["']`).exec(attributes)?.[1] ?? 0)
  const [first, last] = [numberOf('min'), numberOf('max')]
  return first >= 1 && last >= first ? { first: first - 1, last: last - 1 } : null
}

/** BrtRowHdr and BrtColInfo ([MS-XLSB] 2.4.741 and 2.4.329). */
const [XLSB_ROW, XLSB_COLUMNS] = [0, 60]

/** @param part the part with the sheet of an .xlsb workbook. */
export function hiddenInXlsb(part: Buffer): HiddenCells {
  const found = new HiddenCellsFound()
  for (const { id, data } of xlsbRecords(part)) {
    // Row, style and height, then flags in three bytes: fDyZero is bit 4 of the second.
    if (id === XLSB_ROW && data.length >= 13 && (data[11]! & 0x10) !== 0) found.rows.add(data.readUInt32LE(0))
    // First, last, width and style of four bytes each, then the flags.
    else if (id === XLSB_COLUMNS && data.length >= 18 && (data[16]! & 1) !== 0)
      found.addColumns(data.readUInt32LE(0), data.readUInt32LE(4))
  }
  return found
}

/** BoundSheet8, Row and ColInfo ([MS-XLS] 2.4.28, 2.4.221 and 2.4.53). */
const [BOUND_SHEET, XLS_ROW, XLS_COLUMNS] = [0x0085, 0x0208, 0x007d]

/** What is hidden in the sheets of an .xls workbook, in their sequence; empty for a workbook that is not understood. */
export function hiddenInXls(bytes: Buffer): readonly HiddenCells[] {
  const stream = compoundStream(bytes, ['Workbook', 'Book'])
  if (stream === null) return []
  const sheets: HiddenCells[] = []
  for (const { id, data } of xlsRecordsAt(stream, 0))
    if (id === BOUND_SHEET && data.length >= 4) sheets.push(hiddenAt(stream, data.readUInt32LE(0)))
  return sheets
}

function hiddenAt(stream: Buffer, at: number): HiddenCells {
  const found = new HiddenCellsFound()
  for (const { id, data } of xlsRecordsAt(stream, at)) {
    // Row, first and last column, height and two unused fields of two bytes each, then flags: fDyZero is bit 5.
    if (id === XLS_ROW && data.length >= 13 && (data[12]! & 0x20) !== 0) found.rows.add(data.readUInt16LE(0))
    // First, last, width and style of two bytes each, then the flags.
    else if (id === XLS_COLUMNS && data.length >= 9 && (data[8]! & 1) !== 0)
      found.addColumns(data.readUInt16LE(0), data.readUInt16LE(2))
  }
  return found
}
