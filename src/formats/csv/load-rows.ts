import type { RawTable } from '../../base/raw-table.ts'
import { CodedRows } from '../coded/coded-rows.ts'
import type { CodedTable } from '../coded/read-coded-columns.ts'
import { StoredTexts } from '../coded/stored-texts.ts'
import type { DuckDbSession } from '../duckdb-session.ts'
import type { ReadTableOptions } from '../read-options.ts'
import { sampleSize } from '../row-sample.ts'
import type { CsvDialect } from './csv-dialect.ts'
import { readRecords } from './read-records.ts'
import type { ParsedRecords } from './record-parser.ts'

/** Text in UTF-8, and what it holds. */
export interface CsvFile {
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  /** Records at the beginning that are not data: title lines and the header. */
  readonly skipRecords: number
  readonly width: number
  /** A row that is equal to it is none; null: there is no header. */
  readonly header: readonly string[] | null
}

export interface LoadedRows {
  readonly table: CodedTable
  readonly dropped: RawTable['droppedRows']
  readonly parsed: ParsedRecords
}

/** Of DuckDB beside the texts held here: it is only given texts to look at, and those that do not fit. */
export const DUCKDB_MEMORY_MB = 256

/** What distinct texts may take in this process; beyond it those of the column that has most of them go to DuckDB. */
const MAX_TEXT_BYTES = 192 * 2 ** 20

/**
 * Reads all rows of a file: the distinct texts of its columns and a sample of the rows.
 *
 * @returns null for bytes that are not UTF-8.
 * @throws {UnreadableFileError} for a record that is too long.
 */
export async function loadRows(
  session: DuckDbSession,
  file: CsvFile,
  options: Pick<ReadTableOptions, 'maxSampleRows' | 'maxSampleCells' | 'signal'>,
  maxTextBytes = MAX_TEXT_BYTES,
): Promise<LoadedRows | null> {
  const { width, header } = file
  const maxSampleRows = sampleSize(Number.POSITIVE_INFINITY, width, options)
  const rows = new CodedRows({ width, header, maxSampleRows })
  const stored = new StoredTexts(session)
  const { signal } = options
  const parsed = await readRecords(file.path, rows, {
    ...file,
    ...(signal === undefined ? {} : { signal }),
    onPiece: () => rows.shrink(maxTextBytes, (column, texts) => stored.add(column, texts)),
  })
  if (parsed === null) return null
  const { rowCount, dropped, columns: texts } = rows
  return { table: { rowCount, texts, stored, sampledIds: rows.sampledIds() }, dropped, parsed }
}
