import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { RawTable } from '../../base/raw-table.ts'
import { CodedRows, type RecordSink } from '../coded/coded-rows.ts'
import type { CodedTable } from '../coded/read-coded-columns.ts'
import { TEXT } from '../columns/column-type.ts'
import type { CompactType } from '../columns/compact-texts.ts'
import { type ReadTableOptions, sampleSize } from '../reading/row-sample.ts'
import type { CsvDialect } from './csv-dialect.ts'
import { endOfWholeCharacters } from './detect-encoding.ts'
import { type ParsedRecords, type ParserOptions, RecordParser } from './record-parser.ts'

/** Text in UTF-8, and its structure. */
export interface CsvFile {
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  /** Records at the beginning that are not data: title lines and the header. */
  readonly skipRecords: number
  readonly width: number
  /** A row that equals it is not a data row; null: there is no header. */
  readonly header: readonly string[] | null
}

export interface LoadedRows {
  readonly table: CodedTable
  readonly dropped: RawTable['droppedRows']
  readonly parsed: ParsedRecords
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
  const decided = new Map<number, CompactType>(texts.map((column) => [column, TEXT]))
  for (;;) {
    const rows = new CodedRows({ width, header, maxSampleRows, decided })
    const parsed = await readRecords(file.path, rows, {
      ...file,
      ...(signal === undefined ? {} : { signal }),
      onPiece: () => rows.shrink(),
    })
    if (parsed === null) return null
    const mistaken = rows.mistaken()
    const { rowCount, dropped, columns } = rows
    if (mistaken.size === 0)
      return { table: { rowCount, texts: columns, sampledIds: rows.sampledIds() }, dropped, parsed }
    for (const [column, type] of mistaken) decided.set(column, decided.has(column) ? TEXT : type)
  }
}

interface ReadRecordsOptions extends ParserOptions {
  readonly bomBytes: number
  readonly signal?: AbortSignal
  /** Between two pieces of the file. */
  readonly onPiece: () => void
}

const PIECE_BYTES = 1 << 20

/**
 * Reads the records of a file in one pass, in memory of a few pieces and the longest field.
 *
 * @returns null as soon as bytes are found that are not UTF-8.
 * @throws {UnreadableFileError} for a record that is too long.
 */
export async function readRecords(
  path: string,
  sink: RecordSink,
  options: ReadRecordsOptions,
): Promise<ParsedRecords | null> {
  const parser = new RecordParser(options, sink)
  const file = await open(path, 'r')
  try {
    let buffer = Buffer.alloc(2 * PIECE_BYTES)
    let position = options.bomBytes
    /** Bytes at the front of the buffer that must be parsed again, or that begin a character. */
    let kept = 0
    /** How many of these are known to be UTF-8. */
    let checked = 0
    for (;;) {
      options.signal?.throwIfAborted()
      // One byte is left for the mark after the end.
      if (buffer.length - kept - 1 < PIECE_BYTES) buffer = Buffer.concat([buffer.subarray(0, kept)], 2 * buffer.length)
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept - 1, position)
      position += bytesRead
      const end = kept + bytesRead
      const isLast = bytesRead === 0
      const whole = isLast ? end : endOfWholeCharacters(buffer.subarray(0, end))
      if (!isUtf8(buffer.subarray(checked, whole))) return null
      // An incomplete character is after the parsed bytes, where the mark must be.
      const next = buffer[whole]!
      buffer[whole] = 0
      const parsed = parser.parse(buffer, whole, isLast)
      buffer[whole] = next
      if (isLast) return parser.result()
      buffer.copyWithin(0, parsed, end)
      kept = end - parsed
      checked = whole - parsed
      options.onPiece()
    }
  } finally {
    await file.close()
  }
}
