import { CodedRows } from '../coded/coded-rows.ts'
import type { CompactType } from '../columns/compact-texts.ts'
import { SecondTable } from '../header/second-table.ts'
import type { TableHeader } from '../header/table-header.ts'
import { type ReadTableOptions, sampleSize } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { TotalsRows } from '../totals/totals-note.ts'
import { TotalsWatch } from '../totals/totals-watch.ts'
import { type LeftOutRows, leftOut, totalsOf } from './left-out-rows.ts'
import { type FilledColumn, MergedDown } from './merged-down.ts'
import { type PercentUse, percentText, percentUse } from './percent-cells.ts'
import { areNotes, couldBeNote, HEAD_ROWS, type KindCounts, MAX_NOTE_ROWS, sheetHeader } from './sheet-layout.ts'
import { type CellRow, MAX_SHEET_TEXT_BYTES, type SheetExtent, type SheetRow, sheetCell } from './sheet-source.ts'

/** The table of a sheet, and facts about it. */
export interface StagedSheet {
  /** Data rows only. */
  readonly rows: CodedRows
  readonly header: TableHeader
  readonly kinds: readonly KindCounts[]
  /** By column: a number with decimals or an exponent; text that is a number with a comma; a whole number past 15 digits. */
  readonly traits: readonly ColumnTraits[]
  /** By column. The numbers of a column with a percent format throughout have texts such as 12%. */
  readonly percents: readonly PercentUse[]
  /** From 1, in the sheet: of the header, of the data where there is none. */
  readonly firstRow: number
  /** From 1, in the sheet: of the header's rows and of the row below. */
  readonly headerRowNumbers: readonly number[]
  /** From 1, in the sheet: where another table begins below this one; null: nowhere. */
  readonly secondTableRow: number | null
  /** Rows without a value between the first and the last of the table. */
  readonly emptyRows: number
  /** Rows below the table that were left out. */
  readonly noteRows: LeftOutRows | null
  /** Rows of totals that were left out. */
  readonly totalsRows: TotalsRows | null
  /** The label of totals of a row at the end that was kept, because its figures are others; null: there is none. */
  readonly keptTotals: string | null
  /** From 0, in the sheet: rows among the data that are totals, and that the sheet should be staged again without. */
  readonly totalsAmongData: readonly number[]
  /** By column: what merged cells gave to the rows that they span. */
  readonly filled: readonly FilledColumn[]
  /** Sparse rows at the end that were kept. */
  readonly keptSparseRows: number
  /** Rows of data that the sheet does not show. */
  readonly hiddenRows: number
  /** Rows from the parser, including empty ones. */
  readonly parsedRows: number
}

export interface ColumnTraits {
  fraction: boolean
  large: boolean
  commaText: boolean
  pointText: boolean
  long: boolean
}

/** The part of a sheet that is in use. */
interface UsedExtent extends Omit<SheetExtent, 'rows'> {
  readonly columns: NonNullable<SheetExtent['columns']>
}

interface StageOptions extends Pick<ReadTableOptions, 'maxSampleRows' | 'maxSampleCells' | 'signal' | 'headerRows'> {
  /** Types of columns, by place, whose texts would mislead when they have to go; default none. */
  readonly decided?: ReadonlyMap<number, CompactType>
  /** Rows that are totals, from 0, in the sheet; default none. */
  readonly totals?: ReadonlySet<number>
  /** Of the texts of all cells. */
  readonly maxBytes?: number
}

/** Rows after which the signal and the memory are checked. */
const PIECE_ROWS = 1_024

/**
 * Takes the table of a sheet row by row, so that it is typed and sampled like every other table.
 *
 * @returns null when no row has content.
 * @throws {UnreadableFileError} when the cells hold too much text.
 */
export async function stageSheet(
  rows: AsyncIterable<SheetRow>,
  extent: UsedExtent,
  options: StageOptions,
): Promise<StagedSheet | null> {
  const { columns } = extent
  const width = columns.last - columns.first + 1
  const stage = new Stage(extent, width, options)
  let parsedRows = 0
  for await (const { index, values } of rows) {
    if (parsedRows++ % PIECE_ROWS === 0) options.signal?.throwIfAborted()
    const cells = Array.from({ length: width }, (_, i) => sheetCell(values[columns.first + i]))
    if (cells.some((cell) => cell.kind !== 'empty')) stage.add({ index, cells })
  }
  options.signal?.throwIfAborted()
  return stage.end(parsedRows)
}

class Stage {
  readonly #extent: UsedExtent
  readonly #options: StageOptions
  readonly #kinds: KindCounts[]
  readonly #traits: ColumnTraits[]
  /** Until the layout is known. */
  #head: CellRow[] | null = []
  #header!: TableHeader
  #secondTable!: SecondTable
  #firstRow = 0
  #headerRowNumbers: readonly number[] = []
  #percents: readonly PercentUse[] = []
  readonly #merged: MergedDown
  readonly #totals: TotalsWatch
  /** Rows that may be notes or totals, as long as no ordinary row follows. */
  #held: CellRow[] = []
  #leftOut: CellRow[] = []
  #keptTotals: string | null = null
  /** Null until the header is known. */
  #rows: CodedRows | null = null
  /** The text of a cell. */
  #bytes = Buffer.alloc(1_024)
  #bytesLeft: number
  #records = 0
  #lastRow = -1
  #emptyRows = 0
  #hiddenRows = 0

  constructor(extent: UsedExtent, width: number, options: StageOptions) {
    this.#extent = extent
    this.#options = options
    this.#bytesLeft = options.maxBytes ?? MAX_SHEET_TEXT_BYTES
    this.#kinds = Array.from({ length: width }, () => ({
      empty: 0,
      text: 0,
      number: 0,
      boolean: 0,
      date: 0,
      time: 0,
      error: 0,
    }))
    this.#traits = Array.from({ length: width }, () => ({
      fraction: false,
      large: false,
      commaText: false,
      pointText: false,
      long: false,
    }))
    this.#merged = new MergedDown(extent.mergedDown, extent.columns.first, width)
    this.#totals = new TotalsWatch(width)
  }

  add(row: CellRow): void {
    if (this.#head === null) return this.#body(row)
    this.#head.push(row)
    if (this.#head.length === HEAD_ROWS) this.#begin(this.#head)
  }

  #begin(head: readonly CellRow[]): void {
    this.#head = null
    const { columns, merged, percents } = this.#extent
    const { decided, headerRows } = this.#options
    const header = sheetHeader(head, merged, columns.first, headerRows)
    const start = header.titleRows + header.headerRows
    const first = head[header.titleRows]!
    const width = this.#kinds.length
    this.#header = header
    this.#secondTable = new SecondTable(header.width, header.repeated)
    this.#firstRow = first.index + 1
    this.#headerRowNumbers = head.slice(header.titleRows, start + 1).map(({ index }) => index + 1)
    this.#lastRow = header.headerRows === 0 ? first.index - 1 : head[start - 1]!.index
    this.#percents = this.#kinds.map((_, i) => percentUse(percents.get(columns.first + i), this.#lastRow))
    this.#rows = new CodedRows({
      width,
      header: header.repeated,
      maxSampleRows: sampleSize(Number.POSITIVE_INFINITY, width, this.#options),
      ...(decided === undefined ? {} : { decided }),
    })
    for (const row of head.slice(start)) this.#body(row)
  }

  #body(stored: CellRow): void {
    const row = this.#merged.fill(stored)
    if (this.#options.totals?.has(stored.index) || this.#isDeclaredTotals(stored)) {
      this.#release()
      this.#leaveOut(row)
      return
    }
    if (couldBeNote(row.cells) || this.#totals.couldBeTotals(row.cells)) {
      this.#held.push(row)
      if (this.#held.length > MAX_NOTE_ROWS) this.#release()
      return
    }
    this.#release()
    this.#write(row)
  }

  /** Whether the row is the totals row of a table of the workbook, which has all of its cells. */
  #isDeclaredTotals({ index, cells }: CellRow): boolean {
    const { totals, columns } = this.#extent
    return totals.some(
      ({ top, bottom, left, right }) =>
        index >= top &&
        index <= bottom &&
        cells.every(({ kind }, i) => kind === 'empty' || (columns.first + i >= left && columns.first + i <= right)),
    )
  }

  #leaveOut(row: CellRow): void {
    this.#leftOut.push(row)
    this.#lastRow = row.index
  }

  /** Leaves out the totals among the held rows, and writes those above them. */
  #settleTotals(): void {
    const mayLackResults = this.#extent.formulasWithoutValue > 0
    const have = this.#held.map(({ cells }) => this.#totals.couldBeTotals(cells))
    const first = have.indexOf(true)
    if (first < 0) return
    const areTotals = this.#held.some(({ cells }, i) => have[i] && this.#totals.isTotals(cells, mayLackResults))
    const held = this.#held
    if (!areTotals)
      this.#keptTotals = held.map(({ cells }) => this.#totals.labelOf(cells)).find((label) => label !== null) ?? null
    this.#held = held.slice(0, areTotals ? first : have.lastIndexOf(true) + 1)
    const rest = held.slice(this.#held.length)
    this.#release()
    for (const [i, row] of rest.entries()) {
      if (areTotals && have[first + i]) this.#leaveOut(row)
      else this.#held.push(row)
    }
  }

  #release(): void {
    for (const row of this.#held) this.#write(row)
    this.#held = []
  }

  #write({ index, cells }: CellRow): void {
    const gap = Math.max(0, index - this.#lastRow - 1)
    this.#secondTable.add(cells, index + 1, gap > 0)
    this.#totals.add(cells, index)
    this.#emptyRows += gap
    this.#lastRow = index
    if (this.#extent.hidden.rows.has(index)) this.#hiddenRows++
    const rows = this.#rows!
    for (const [i, { kind, text: stored }] of cells.entries()) {
      this.#kinds[i]![kind]++
      const text = kind === 'number' && this.#percents[i] === 'all' ? percentText(stored) : stored
      if (kind === 'number') {
        const trait = this.#traits[i]!
        if (/[.e]/.test(text)) trait.fraction = true
        else if (/\d{4}/.test(text)) trait.large = true
        if (Math.abs(Number(stored)) >= 1e15) trait.long = true
      } else if (kind === 'text' && text.includes(',')) {
        if (/^[\s+-]*\d{1,3},\d{3}\s*$/.test(text)) this.#traits[i]!.commaText = true
      } else if (kind === 'text' && /^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$/.test(text)) this.#traits[i]!.pointText = true
      if (text !== '') this.#field(rows, i, text)
    }
    rows.endRecord()
    if (++this.#records % PIECE_ROWS === 0) rows.shrink()
  }

  #field(rows: CodedRows, column: number, text: string): void {
    // No character of UTF-16 takes more than three bytes.
    if (3 * text.length > this.#bytes.length) this.#bytes = Buffer.alloc(6 * text.length)
    const length = this.#bytes.write(text)
    this.#bytesLeft -= length
    if (this.#bytesLeft < 0) {
      const most = this.#options.maxBytes ?? MAX_SHEET_TEXT_BYTES
      throw new UnreadableFileError(
        `The sheet has more than ${Math.round(most / 2 ** 20)} MB of text when written out, the limit for an Excel file. ` +
          'Send the table as Parquet.',
      )
    }
    rows.field(column, this.#bytes, 0, length)
  }

  end(parsedRows: number): StagedSheet | null {
    if (this.#head?.length === 0) return null
    if (this.#head !== null) this.#begin(this.#head)
    this.#settleTotals()
    const sparse = this.#held
    const first = sparse[0]
    // Nothing below a row of totals is data.
    const isBelowTotals = this.#leftOut.at(-1)?.index === this.#lastRow
    const setOff = first !== undefined && (isBelowTotals || first.index > this.#lastRow + 1)
    const cells = sparse.map((row) => row.cells)
    const notes = first !== undefined && this.#records > 0 && areNotes(cells, setOff, this.#kinds)
    if (!notes) this.#release()
    this.#secondTable.end()
    return {
      rows: this.#rows!,
      header: this.#header,
      kinds: this.#kinds,
      traits: this.#traits,
      percents: this.#percents,
      firstRow: this.#firstRow,
      headerRowNumbers: this.#headerRowNumbers,
      secondTableRow: this.#secondTable.firstRow,
      emptyRows: this.#emptyRows,
      noteRows: notes ? leftOut(sparse) : null,
      totalsRows: this.#leftOut.length === 0 ? null : totalsOf(this.#leftOut),
      keptTotals: this.#keptTotals,
      totalsAmongData: this.#totals.rowsAmongData(),
      filled: this.#merged.filled,
      keptSparseRows: notes ? 0 : sparse.length,
      hiddenRows: this.#hiddenRows,
      parsedRows,
    }
  }
}
