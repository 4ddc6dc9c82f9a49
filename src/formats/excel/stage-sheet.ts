import { closeSync, openSync, writeSync } from 'node:fs'
import type { CsvDialect } from '../csv/csv-dialect.ts'
import { csvField } from '../csv/csv-text.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { mergedHeader } from './merged-header.ts'
import { areNotes, couldBeNote, HEAD_ROWS, type KindCounts, MAX_NOTE_ROWS, sheetLayout } from './sheet-layout.ts'
import {
  type CellRow,
  MAX_STAGED_BYTES,
  type MergedRange,
  type SheetExtent,
  type SheetRow,
  sheetCell,
} from './sheet-source.ts'

/** A sheet as CSV, and facts about it. */
export interface StagedSheet {
  /** Data rows only. */
  readonly file: {
    readonly path: string
    readonly dialect: CsvDialect
    readonly width: number
    readonly records: number
  }
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

const FLUSH_CHARACTERS = 1 << 20

/**
 * Writes the table of a sheet to `path` as CSV, row by row, so that it is typed and sampled like every other table.
 *
 * @param extent of the sheet; its columns are in use.
 * @param maxBytes of the CSV.
 * @returns null when no row has content.
 * @throws {UnreadableFileError} when the CSV would be larger.
 */
export async function stageSheet(
  rows: AsyncIterable<SheetRow>,
  { columns, merged }: { readonly columns: NonNullable<SheetExtent['columns']> } & Pick<SheetExtent, 'merged'>,
  path: string,
  signal?: AbortSignal,
  maxBytes = MAX_STAGED_BYTES,
): Promise<StagedSheet | null> {
  const width = columns.last - columns.first + 1
  const stage = new Stage(path, columns.first, width, merged, maxBytes)
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
  readonly #firstColumn: number
  readonly #merged: readonly MergedRange[]
  readonly #maxBytes: number
  readonly #file: number
  readonly #kinds: KindCounts[]
  readonly #traits: ColumnTraits[]
  /** Until the layout is known. */
  #head: CellRow[] | null = []
  #header: readonly string[] | null = null
  #headerRows = 1
  #titleRows = 0
  #firstRow = 0
  #sparse: CellRow[] = []
  #buffer: string[] = []
  #buffered = 0
  #bytes = 0
  #records = 0
  #lastRow = -1
  #emptyRows = 0

  constructor(path: string, firstColumn: number, width: number, merged: readonly MergedRange[], maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#path = path
    this.#firstColumn = firstColumn
    this.#merged = merged
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
    const grouped = mergedHeader(head, this.#merged, this.#firstColumn)
    if (grouped !== null) {
      this.#header = grouped.names
      this.#headerRows = grouped.bottom - grouped.top + 1
      this.#titleRows = head.filter(({ index }) => index < grouped.top).length
      this.#firstRow = grouped.top + 1
      this.#lastRow = grouped.bottom
      for (const row of head) if (row.index > grouped.bottom) this.#body(row)
      return
    }
    const { titleRecords, header } = sheetLayout(head.map(({ cells }) => cells))
    this.#titleRows = titleRecords
    this.#header = header
    const start = header === null ? titleRecords : titleRecords + 1
    const first = head[titleRecords]!
    this.#firstRow = first.index + 1
    this.#lastRow = header === null ? first.index - 1 : first.index
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
    this.#emptyRows += Math.max(0, index - this.#lastRow - 1)
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

  close(): void {
    closeSync(this.#file)
  }
}
