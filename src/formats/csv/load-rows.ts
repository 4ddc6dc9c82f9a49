import type { RawTable } from '../../base/raw-table.ts'
import { CodedRows, type RecordSink } from '../coded/coded-rows.ts'
import type { CodedTable } from '../coded/read-coded-columns.ts'
import type { ColumnTexts } from '../columns/column-texts.ts'
import { TEXT } from '../columns/column-type.ts'
import type { CompactType } from '../columns/compact-texts.ts'
import { type ReadTableOptions, sampleSize } from '../reading/row-sample.ts'
import type { CsvDialect } from './csv-dialect.ts'
import type { ParsedRecords } from './parsed-records.ts'
import { BareWordsMissing, columnsOfQuoted, columnsOfValues, type KeptWords, QuoteWatch } from './quoted-words.ts'
import { readRecords } from './read-records.ts'

/** Text in UTF-8, and its structure. */
export interface CsvFile {
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  /** Records at the beginning that are not data: title lines and the header. */
  readonly skipRecords: number
  readonly width: number
  /** The file is read up to this record, titles and header included; absent: to its end. */
  readonly maxRecords?: number
  /** Lines of records that are no data; absent: none. */
  readonly withoutLines?: ReadonlySet<number>
  /** A row that equals it is not a data row; null: there is no header. */
  readonly header: readonly string[] | null
}

export interface LoadedRows {
  readonly table: CodedTable
  readonly dropped: RawTable['droppedRows']
  readonly parsed: ParsedRecords
  /** Words for missing values that are levels where they are in quotes, by column; most files have none. */
  readonly keptWords: KeptWords
  /** Such words in columns of which everything is in quotes, so that they were read as missing. */
  readonly doubtedWords: KeptWords
  /** How many rows at the end have texts in at most a third of the columns. */
  readonly sparseEnd: number
}

/**
 * Reads all rows of a file: the distinct texts of its columns and a sample of the rows. Reads them again when a column
 * proves to be of another type than it had when its texts were replaced by values.
 *
 * @param texts Columns, by place, that stay text whatever they hold.
 * @returns null for bytes that are not UTF-8.
 * @throws {UnreadableFileError} for a record that is too long.
 */
export async function loadRows(
  file: CsvFile,
  options: Pick<ReadTableOptions, 'maxSampleRows' | 'maxSampleCells' | 'signal'>,
  texts: readonly number[] = [],
): Promise<LoadedRows | null> {
  const { width, header } = file
  const maxSampleRows = sampleSize(Number.POSITIVE_INFINITY, width, options)
  const { signal } = options
  let quotes: Pick<LoadedRows, 'keptWords' | 'doubtedWords'> | null = null
  const decided = new Map<number, CompactType>(texts.map((column) => [column, TEXT]))
  for (;;) {
    const rows = new CodedRows({ width, header, maxSampleRows, decided })
    const taken = file.withoutLines === undefined ? rows : new WithoutLines(rows, file.withoutLines)
    const sink =
      quotes === null || quotes.keptWords.size === 0
        ? taken
        : new BareWordsMissing(taken, quotes.keptWords, file.dialect)
    const parsed = await readRecords(file.path, sink, {
      ...file,
      ...(signal === undefined ? {} : { signal }),
      onPiece: () => rows.shrink(),
    })
    if (parsed === null) return null
    if (quotes === null) {
      quotes = await lookAtQuotes(file, rows.columns, parsed, signal)
      if (quotes.keptWords.size > 0) continue
    }
    const mistaken = rows.mistaken()
    const { rowCount, dropped, columns, sparseEnd } = rows
    if (mistaken.size === 0)
      return {
        table: { rowCount, texts: columns, sampledIds: rows.sampledIds() },
        dropped,
        parsed,
        ...quotes,
        sparseEnd,
      }
    for (const [column, type] of mistaken) decided.set(column, decided.has(column) ? TEXT : type)
  }
}

async function lookAtQuotes(
  file: CsvFile,
  texts: readonly ColumnTexts[],
  parsed: ParsedRecords,
  signal: AbortSignal | undefined,
): Promise<Pick<LoadedRows, 'keptWords' | 'doubtedWords'>> {
  const columns = columnsOfQuoted(texts, parsed)
  if (columns.length === 0) return { keptWords: new Map(), doubtedWords: new Map() }
  const watch = new QuoteWatch(columns, columnsOfValues(texts), file.dialect)
  await readRecords(file.path, watch, { ...file, ...(signal === undefined ? {} : { signal }), onPiece: () => {} })
  return { keptWords: watch.kept(), doubtedWords: watch.doubted() }
}

/** Leaves out records by the lines on which they begin. */
class WithoutLines implements RecordSink {
  readonly #sink: RecordSink
  readonly #lines: ReadonlySet<number>

  constructor(sink: RecordSink, lines: ReadonlySet<number>) {
    this.#sink = sink
    this.#lines = lines
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    this.#sink.field(column, bytes, start, end)
  }

  endRecord(fields: number, line: number): void {
    if (this.#lines.has(line)) this.#sink.dropRecord()
    else this.#sink.endRecord(fields, line)
  }

  dropRecord(): void {
    this.#sink.dropRecord()
  }
}
