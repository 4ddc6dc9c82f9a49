import { couldBeHeader, type MergedRange } from '../header/merged-groups.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { cellRange } from './cell-range.ts'
import { columnsOfXml, HiddenCellsFound, isHiddenInXml } from './hidden-cells.ts'
import { countNumber, type PercentCells } from './percent-cells.ts'
import { MAX_SHEET_ROWS, type SheetExtent } from './sheet-source.ts'

const LT = 0x3c
const GT = 0x3e
const SLASH = 0x2f
const COLON = 0x3a
const QUOTE = 0x22

/**
 * Most bytes of a tag, or of the text between two. Excel allows 32,767 characters in a cell; a parser that collects far
 * more of them piece by piece would take quadratic time.
 */
const MAX_PIECE_BYTES = 2 * 2 ** 20

/** A header has fewer merged ranges than this. */
const MAX_MERGED = 2_000
/** Of those that span several rows, which are held in memory. */
const MAX_MERGED_DOWN = 1_000_000

/** What the XML of a sheet says itself. */
type ScannedExtent = Omit<SheetExtent, 'totals'>

/**
 * Counts rows, used columns and formulas without a stored result in the XML of a sheet (ECMA-376, 18.3.1). It uses only
 * the tags, without the parser that reads the values, so that the two can be compared.
 *
 * @param percentStyles the cell formats with a percent sign; numbers are looked for in them only if there are any.
 */
export async function scanSheetXml(
  chunks: AsyncIterable<Buffer>,
  percentStyles: ReadonlySet<number> = new Set(),
): Promise<ScannedExtent> {
  const scan = new TagScan(percentStyles)
  let rest: Buffer | null = null
  for await (const chunk of chunks) {
    const bytes: Buffer = rest === null ? chunk : Buffer.concat([rest, chunk])
    const used = scan.read(bytes)
    rest = used < bytes.length ? bytes.subarray(used) : null
  }
  return scan.extent()
}

class TagScan {
  #rows = 0
  #first = Number.POSITIVE_INFINITY
  #last = -1
  #formulasWithoutValue = 0
  #inData = false
  #column = -1
  #formula = false
  #filled = false
  #textBytes = 0
  /** From 0. */
  #row = -1
  /** The style of a cell that may be a number; -1: it is none, or no style is looked for. */
  #style = -1
  readonly #percentStyles: ReadonlySet<number>
  readonly #percents = new Map<number, PercentCells>()
  readonly #merged: MergedRange[] = []
  readonly #mergedDown: MergedRange[] = []
  readonly #hidden = new HiddenCellsFound()

  constructor(percentStyles: ReadonlySet<number>) {
    this.#percentStyles = percentStyles
  }

  /** Reads whole tags; returns how many bytes were used. */
  read(bytes: Buffer): number {
    let at = 0
    for (;;) {
      const open = bytes.indexOf(LT, at)
      this.#textBytes += (open < 0 ? bytes.length : open) - at
      if (this.#textBytes > MAX_PIECE_BYTES) throw tooLong()
      if (open < 0) return bytes.length
      const close = bytes.indexOf(GT, open)
      if ((close < 0 ? bytes.length : close) - open > MAX_PIECE_BYTES) throw tooLong()
      // One more byte shows whether a value is empty.
      if (close < 0 || close + 1 >= bytes.length) return open
      this.#tag(bytes, open + 1, close)
      this.#textBytes = 0
      at = close + 1
    }
  }

  #tag(bytes: Buffer, from: number, close: number): void {
    const ends = bytes[from] === SLASH
    let start = ends ? from + 1 : from
    let end = start
    for (; end < close; end++) {
      const byte = bytes[end]!
      if (byte === COLON) start = end + 1
      else if (byte <= 0x20 || byte === SLASH) break
    }
    const selfClosing = bytes[close - 1] === SLASH
    const length = end - start
    const letter = bytes[start]
    if (length === 1 && letter === 0x63 && this.#inData) {
      if (ends) this.#closeCell()
      else this.#openCell(bytes, end, close)
    } else if (length === 1 && letter === 0x76) {
      if (!ends && !selfClosing && bytes[close + 1] !== LT) this.#filled = true
    } else if (length === 1 && letter === 0x66) {
      if (!ends) this.#formula = true
    } else if (length === 2 && letter === 0x69 && bytes[start + 1] === 0x73) {
      if (!ends && !selfClosing) this.#filled = true
    } else if (length === 3 && !ends && this.#inData && bytes.toString('latin1', start, end) === 'row') {
      this.#rows++
      if (this.#rows > MAX_SHEET_ROWS) throw tooManyRows()
      this.#column = -1
      const row = valueAt(bytes, ROW, end, close)
      this.#row = row < 0 ? this.#row + 1 : wholeAt(bytes, row) - 1
      if (saysHidden(bytes, end, close)) this.#hidden.rows.add(this.#row)
    } else if (length === 3 && !ends && bytes.toString('latin1', start, end) === 'col') {
      const columns = saysHidden(bytes, end, close) ? columnsOfXml(bytes.toString('latin1', end, close)) : null
      if (columns !== null) this.#hidden.addColumns(columns.first, columns.last)
    } else if (length === 9 && letter === 0x6d && !ends && bytes.toString('latin1', start, end) === 'mergeCell') {
      this.#merge(bytes.toString('latin1', end, close))
    } else if (length === 9 && bytes.toString('latin1', start, end) === 'sheetData') {
      this.#inData = !ends && !selfClosing
    }
  }

  #openCell(bytes: Buffer, from: number, close: number): void {
    this.#column = columnOf(bytes, from, close) ?? this.#column + 1
    this.#formula = false
    this.#filled = false
    if (this.#percentStyles.size > 0) this.#style = numberStyle(bytes, from, close)
  }

  #closeCell(): void {
    if (this.#filled) {
      if (this.#column < this.#first) this.#first = this.#column
      if (this.#column > this.#last) this.#last = this.#column
      if (this.#style >= 0) {
        const isPercent = this.#percentStyles.has(this.#style)
        countNumber(this.#percents, { row: this.#row, column: this.#column }, isPercent)
      }
    } else if (this.#formula) this.#formulasWithoutValue++
    this.#filled = false
    this.#formula = false
  }

  #merge(attributes: string): void {
    const range = cellRange(/\sref\s*=\s*["']([A-Z\d:]{1,40})["']/.exec(attributes)?.[1] ?? '')
    if (range === null) return
    if (couldBeHeader(range) && this.#merged.length < MAX_MERGED) this.#merged.push(range)
    if (range.bottom > range.top) this.#mergedDown.push(range)
    if (this.#mergedDown.length > MAX_MERGED_DOWN) throw tooManyMerged()
  }

  extent(): ScannedExtent {
    return {
      rows: this.#rows,
      columns: this.#last < 0 ? null : { first: this.#first, last: this.#last },
      formulasWithoutValue: this.#formulasWithoutValue,
      merged: this.#merged,
      mergedDown: this.#mergedDown,
      percents: this.#percents,
      hidden: this.#hidden,
    }
  }
}

function tooLong(): UnreadableFileError {
  return new UnreadableFileError(
    'A cell of the workbook holds far more text than Excel allows (32,767 characters). Open it in Excel, save it again and send that.',
  )
}

function tooManyRows(): UnreadableFileError {
  return new UnreadableFileError(
    'The sheet has more rows than Excel allows (1,048,576). Export the table as CSV or Parquet and send that.',
  )
}

function tooManyMerged(): UnreadableFileError {
  return new UnreadableFileError(
    'The sheet has more than a million merged cells. Export the table as CSV or Parquet and send that.',
  )
}

const ROW = 0x72
const STYLE = 0x73
const TYPE = 0x74

/** Most rows have no such attribute, so their bytes are searched before they are made a text. */
function saysHidden(bytes: Buffer, from: number, close: number): boolean {
  const attributes = bytes.subarray(from, close)
  return attributes.includes('hidden') && isHiddenInXml(attributes.toString('latin1'))
}

/** Where the value of an attribute of one letter begins; -1: the tag has none. */
function valueAt(bytes: Buffer, letter: number, from: number, close: number): number {
  for (let at = from; at + 3 < close; at++) {
    if (bytes[at] !== letter || bytes[at + 1] !== 0x3d || bytes[at - 1]! > 0x20) continue
    if (bytes[at + 2] === QUOTE || bytes[at + 2] === 0x27) return at + 3
  }
  return -1
}

function wholeAt(bytes: Buffer, from: number): number {
  let value = 0
  for (let at = from; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) value = value * 10 + bytes[at]! - 0x30
  return value
}

/** The style of a cell whose value is a number (` t="n"` or no type); -1 for other cells. */
function numberStyle(bytes: Buffer, from: number, close: number): number {
  const type = valueAt(bytes, TYPE, from, close)
  const isNumber = type < 0 || (bytes[type] === 0x6e && (bytes[type + 1] === QUOTE || bytes[type + 1] === 0x27))
  if (!isNumber) return -1
  const style = valueAt(bytes, STYLE, from, close)
  return style < 0 ? 0 : wholeAt(bytes, style)
}

/** Column of ` r="BC12"`, from 0. */
function columnOf(bytes: Buffer, from: number, close: number): number | null {
  const start = valueAt(bytes, ROW, from, close)
  if (start < 0) return null
  let column = 0
  for (let i = start; i < close; i++) {
    const letter = bytes[i]! & 0xdf
    if (letter < 0x41 || letter > 0x5a) break
    column = column * 26 + letter - 0x40
  }
  return column === 0 ? null : column - 1
}
