import { CodedRows } from '../coded/coded-rows.ts'
import type { CompactType } from '../columns/compact-texts.ts'
import { type ReadTableOptions, sampleSize } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { mergedHeader } from './merged-header.ts'
import { areNotes, couldBeNote, HEAD_ROWS, type KindCounts, MAX_NOTE_ROWS, sheetLayout } from './sheet-layout.ts'
import {
  type CellRow,
  MAX_SHEET_TEXT_BYTES,
  type MergedRange,
  type SheetExtent,
  type SheetRow,
  sheetCell,
} from './sheet-source.ts'

/** The table of a sheet, and facts about it. */
export interface StagedSheet {
  /** Data rows only. */
  readonly rows: CodedRows
  readonly header: readonly string[] | null
  readonly kinds: readonly KindCounts[]
  /** By column: a number with decimals or an exponent; text that is a number with a comma; a whole number past 15 digits. */
  readonly traits: readonly ColumnTraits[]
  /** From 1, in the sheet. */
  readonly firstRow: number
  readonly titleRows: number
  /** Rows of the header whose words were joined into names; 1 for an ordinary one. */
  readonly headerRows: number
  /** Rows without a value between the first and the last of the table. */
  readonly emptyRows: number
  /** Rows below the table that were left out. */
  readonly noteRows: { readonly count: number; readonly firstRow: number; readonly text: string } | null
  /** Sparse rows at the end that were kept. */
  readonly keptSparseRows: number
  /** Rows from the parser, including empty ones. */
  readonly parsedRows: number
}

export interface ColumnTraits {
  fraction: boolean
  commaText: boolean
  long: boolean
}

interface StageOptions extends Pick<ReadTableOptions, 'maxSampleRows' | 'maxSampleCells' | 'signal'> {
  /** Types of columns, by place, whose texts would mislead when they have to go; default none. */
  readonly decided?: ReadonlyMap<number, CompactType>
  /** Of the texts of all cells. */
  readonly maxBytes?: number
}

/** Rows between two looks at the signal and at the memory. */
const PIECE_ROWS = 1_024

/**
 * Takes the table of a sheet row by row, so that it is typed and sampled like every other table.
 *
 * @param extent of the sheet; its columns are in use.
 * @returns null when no row has content.
 * @throws {UnreadableFileError} when the cells hold too much text.
 */
export async function stageSheet(
  rows: AsyncIterable<SheetRow>,
  { columns, merged }: { readonly columns: NonNullable<SheetExtent['columns']> } & Pick<SheetExtent, 'merged'>,
  options: StageOptions,
): Promise<StagedSheet | null> {
  const width = columns.last - columns.first + 1
  const stage = new Stage(columns.first, width, merged, options)
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
  readonly #firstColumn: number
  readonly #merged: readonly MergedRange[]
  readonly #options: StageOptions
  readonly #kinds: KindCounts[]
  readonly #traits: ColumnTraits[]
  /** Until the layout is known. */
  #head: CellRow[] | null = []
  #header: readonly string[] | null = null
  #headerRows = 1
  #titleRows = 0
  #firstRow = 0
  #sparse: CellRow[] = []
  /** From when the header is known. */
  #rows: CodedRows | null = null
  /** The text of a cell. */
  #bytes = Buffer.alloc(1_024)
  #bytesLeft: number
  #records = 0
  #lastRow = -1
  #emptyRows = 0

  constructor(firstColumn: number, width: number, merged: readonly MergedRange[], options: StageOptions) {
    this.#firstColumn = firstColumn
    this.#merged = merged
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
    this.#traits = Array.from({ length: width }, () => ({ fraction: false, commaText: false, long: false }))
  }

  add(row: CellRow): void {
    if (this.#head === null) return this.#body(row)
    this.#head.push(row)
    if (this.#head.length === HEAD_ROWS) this.#begin(this.#head)
  }

  #begin(head: readonly CellRow[]): void {
    this.#head = null
    const body = this.#findHeader(head)
    const width = this.#kinds.length
    const { decided } = this.#options
    this.#rows = new CodedRows({
      width,
      header: this.#header,
      maxSampleRows: sampleSize(Number.POSITIVE_INFINITY, width, this.#options),
      ...(decided === undefined ? {} : { decided }),
    })
    for (const row of body) this.#body(row)
  }

  /** @returns the rows below the header. */
  #findHeader(head: readonly CellRow[]): readonly CellRow[] {
    const grouped = mergedHeader(head, this.#merged, this.#firstColumn)
    if (grouped !== null) {
      this.#header = grouped.names
      this.#headerRows = grouped.bottom - grouped.top + 1
      this.#titleRows = head.filter(({ index }) => index < grouped.top).length
      this.#firstRow = grouped.top + 1
      this.#lastRow = grouped.bottom
      return head.filter(({ index }) => index > grouped.bottom)
    }
    const { titleRecords, header } = sheetLayout(head.map(({ cells }) => cells))
    this.#titleRows = titleRecords
    this.#header = header
    const start = header === null ? titleRecords : titleRecords + 1
    const first = head[titleRecords]!
    this.#firstRow = first.index + 1
    this.#lastRow = header === null ? first.index - 1 : first.index
    return head.slice(start)
  }

  #body(row: CellRow): void {
    if (couldBeNote(row.cells)) {
      this.#sparse.push(row)
      if (this.#sparse.length > MAX_NOTE_ROWS) this.#release()
      return
    }
    this.#release()
    this.#write(row)
  }

  #release(): void {
    for (const row of this.#sparse) this.#write(row)
    this.#sparse = []
  }

  #write({ index, cells }: CellRow): void {
    this.#emptyRows += Math.max(0, index - this.#lastRow - 1)
    this.#lastRow = index
    const rows = this.#rows!
    for (const [i, { kind, text }] of cells.entries()) {
      this.#kinds[i]![kind]++
      if (kind === 'number') {
        const trait = this.#traits[i]!
        if (/[.e]/.test(text)) trait.fraction = true
        if (Math.abs(Number(text)) >= 1e15) trait.long = true
      } else if (kind === 'text' && text.includes(',')) {
        if (/^[\s+-]*[\d.,]+\s*$/.test(text)) this.#traits[i]!.commaText = true
      }
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
    const sparse = this.#sparse
    const first = sparse[0]
    const setOff = first !== undefined && first.index > this.#lastRow + 1
    const cells = sparse.map((row) => row.cells)
    const notes = first !== undefined && this.#records > 0 && areNotes(cells, setOff, this.#kinds)
    if (!notes) this.#release()
    return {
      rows: this.#rows!,
      header: this.#header,
      kinds: this.#kinds,
      traits: this.#traits,
      firstRow: this.#firstRow,
      titleRows: this.#titleRows,
      headerRows: this.#headerRows,
      emptyRows: this.#emptyRows,
      noteRows: notes
        ? {
            count: sparse.length,
            firstRow: first.index + 1,
            text: first.cells.find(({ kind }) => kind === 'text')?.text ?? '',
          }
        : null,
      keptSparseRows: notes ? 0 : sparse.length,
      parsedRows,
    }
  }
}
