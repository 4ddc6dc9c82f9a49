import { closeSync, openSync, writeSync } from 'node:fs'
import type { CsvDialect } from '../csv/csv-dialect.ts'
import { csvField } from '../csv/csv-text.ts'
import { SecondTable } from '../header/second-table.ts'
import type { TableHeader } from '../header/table-header.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { areNotes, couldBeNote, HEAD_ROWS, type KindCounts, MAX_NOTE_ROWS, sheetHeader } from './sheet-layout.ts'
import { type CellRow, MAX_STAGED_BYTES, type SheetExtent, type SheetRow, sheetCell } from './sheet-source.ts'

/** A sheet as CSV, and facts about it. */
export interface StagedSheet {
  /** Data rows only. */
  readonly file: {
    readonly path: string
    readonly dialect: CsvDialect
    readonly width: number
    readonly records: number
  }
  readonly header: TableHeader
  readonly kinds: readonly KindCounts[]
  /** By column: a number with decimals or an exponent; text that is a number with a comma; a whole number past 15 digits. */
  readonly traits: readonly ColumnTraits[]
  /** From 1, in the sheet: of the header, of the data where there is none. */
  readonly firstRow: number
  /** From 1, in the sheet: of the header's rows and of the row below. */
  readonly headerRowNumbers: readonly number[]
  /** From 1, in the sheet: where another table begins below this one; null: nowhere. */
  readonly secondTableRow: number | null
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

/** The part of a sheet that is in use, and what was declared about it. */
interface TableExtent extends Pick<SheetExtent, 'merged'> {
  readonly columns: NonNullable<SheetExtent['columns']>
  readonly headerRows?: number | undefined
}

const FLUSH_CHARACTERS = 1 << 20

/**
 * Writes the table of a sheet to `path` as CSV, row by row, so that it is typed and sampled like every other table.
 *
 * @param maxBytes of the CSV.
 * @returns null when no row has content.
 * @throws {UnreadableFileError} when the CSV would be larger.
 */
export async function stageSheet(
  rows: AsyncIterable<SheetRow>,
  { columns, merged, headerRows }: TableExtent,
  path: string,
  signal?: AbortSignal,
  maxBytes = MAX_STAGED_BYTES,
): Promise<StagedSheet | null> {
  const width = columns.last - columns.first + 1
  const stage = new Stage(path, { columns, merged, headerRows }, width, maxBytes)
  try {
    let parsedRows = 0
    for await (const { index, values } of rows) {
      if ((parsedRows++ & 1023) === 0) signal?.throwIfAborted()
      const cells = Array.from({ length: width }, (_, i) => sheetCell(values[columns.first + i]))
      if (cells.some((cell) => cell.kind !== 'empty')) stage.add({ index, cells })
    }
    signal?.throwIfAborted()
    return stage.end(parsedRows)
  } finally {
    stage.close()
  }
}

class Stage {
  readonly #path: string
  readonly #extent: TableExtent
  readonly #maxBytes: number
  readonly #file: number
  readonly #kinds: KindCounts[]
  readonly #traits: ColumnTraits[]
  /** Until the layout is known. */
  #head: CellRow[] | null = []
  #header!: TableHeader
  #secondTable!: SecondTable
  #firstRow = 0
  #headerRowNumbers: readonly number[] = []
  #sparse: CellRow[] = []
  #buffer: string[] = []
  #buffered = 0
  #bytes = 0
  #records = 0
  #lastRow = -1
  #emptyRows = 0

  constructor(path: string, extent: TableExtent, width: number, maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#path = path
    this.#extent = extent
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
    this.#file = openSync(path, 'w', 0o600)
  }

  add(row: CellRow): void {
    if (this.#head === null) return this.#body(row)
    this.#head.push(row)
    if (this.#head.length === HEAD_ROWS) this.#begin(this.#head)
  }

  #begin(head: readonly CellRow[]): void {
    this.#head = null
    const { columns, merged, headerRows } = this.#extent
    const header = sheetHeader(head, merged, columns.first, headerRows)
    const start = header.titleRows + header.headerRows
    const first = head[header.titleRows]!
    this.#header = header
    this.#secondTable = new SecondTable(header.width, header.repeated)
    this.#firstRow = first.index + 1
    this.#headerRowNumbers = head.slice(header.titleRows, start + 1).map(({ index }) => index + 1)
    this.#lastRow = header.headerRows === 0 ? first.index - 1 : head[start - 1]!.index
    for (const row of head.slice(start)) this.#body(row)
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
    const gap = Math.max(0, index - this.#lastRow - 1)
    this.#secondTable.add(cells, index + 1, gap > 0)
    this.#emptyRows += gap
    this.#lastRow = index
    let line = ''
    for (const [i, { kind, text }] of cells.entries()) {
      this.#kinds[i]![kind]++
      if (kind === 'number') {
        const trait = this.#traits[i]!
        if (/[.e]/.test(text)) trait.fraction = true
        if (Math.abs(Number(text)) >= 1e15) trait.long = true
      } else if (kind === 'text' && text.includes(',')) {
        if (/^[\s+-]*[\d.,]+\s*$/.test(text)) this.#traits[i]!.commaText = true
      }
      if (i > 0) line += ','
      if (text !== '') line += csvField(text)
    }
    // A table of one column: readers skip empty lines.
    line = `${line === '' ? '""' : line}\n`
    this.#buffer.push(line)
    this.#buffered += line.length
    this.#records++
    if (this.#buffered >= FLUSH_CHARACTERS) this.#flush()
  }

  #flush(): void {
    // Not awaited: the parser would continue meanwhile and accumulate rows.
    const bytes = Buffer.from(this.#buffer.join(''))
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) {
      throw new UnreadableFileError(
        `The sheet has more than ${Math.round(this.#maxBytes / 2 ** 20)} MB of text when written out, the limit for an Excel file. ` +
          'Send the table as Parquet.',
      )
    }
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
    this.#buffer = []
    this.#buffered = 0
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
    this.#secondTable.end()
    this.#flush()
    return {
      file: {
        path: this.#path,
        dialect: { delimiter: ',', quote: '"', escape: '"' },
        width: this.#kinds.length,
        records: this.#records,
      },
      header: this.#header,
      kinds: this.#kinds,
      traits: this.#traits,
      firstRow: this.#firstRow,
      headerRowNumbers: this.#headerRowNumbers,
      secondTableRow: this.#secondTable.firstRow,
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

  close(): void {
    closeSync(this.#file)
  }
}
