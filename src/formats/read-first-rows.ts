import { open } from 'node:fs/promises'
import type { OutputFormat } from '../base/result-formats.ts'
import { firstArrowRows } from './arrow/first-arrow-rows.ts'
import { splitRecords } from './csv/split-records.ts'
import { topLevelNames } from './parquet/parquet-columns.ts'
import { levelText } from './parquet/summarize-parquet.ts'
import { type FirstRows, type FirstRowsRequest, wantedColumns } from './reading/artifact-summary.ts'
import { DuckDbSession, sqlText } from './reading/duckdb-session.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'

const DIALECT = { delimiter: ',', quote: '"', escape: '"' } as const
/** Most bytes read of a CSV file; a record of ordinary data is far shorter. */
const MOST_BYTES = 16 << 20
const PIECE_BYTES = 1 << 18

/**
 * The first rows of a generated file, each value as the text of its level. The rest of the file is not read, so damage
 * there is not found.
 *
 * @throws {UnreadableFileError} when the file is not of `format`, its beginning is damaged, or it lacks a column.
 */
export async function readFirstRows(path: string, format: OutputFormat, request: FirstRowsRequest): Promise<FirstRows> {
  return FIRST_ROWS[format](path, request)
}

const FIRST_ROWS: { readonly [F in OutputFormat]: (path: string, request: FirstRowsRequest) => Promise<FirstRows> } = {
  parquet: firstParquetRows,
  csv: firstCsvRows,
  arrow: firstArrowRows,
}

async function firstCsvRows(path: string, request: FirstRowsRequest): Promise<FirstRows> {
  const { text, isWhole } = await beginning(path, request.rows + 1)
  const { records, strayQuotes, openQuote } = splitRecords(text, DIALECT, isWhole, request.rows + 1)
  const [names, ...rows] = records
  if (names === undefined) throw new UnreadableFileError('The CSV file has no header.')
  const isCut = isWhole && openQuote
  if (isCut || strayQuotes > 0 || rows.some((row) => row.length !== names.length))
    throw new UnreadableFileError('The CSV file is damaged or was cut short: its rows do not all have the same form.')
  const wanted = wantedColumns(names, request.columns)
  return {
    columns: names,
    shown: wanted.map((i) => names[i]!),
    rows: rows.map((row) => wanted.map((i) => (row[i] === '' ? null : row[i]!))),
  }
}

/** The beginning of a text file with at least so many line ends, as far as it has them. */
async function beginning(path: string, records: number): Promise<{ text: string; isWhole: boolean }> {
  const file = await open(path, 'r')
  try {
    const pieces: Buffer[] = []
    let size = 0
    let lines = 0
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, size)
      const piece = buffer.subarray(0, bytesRead)
      pieces.push(piece)
      size += bytesRead
      lines += piece.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
      const isWhole = bytesRead === 0
      const text = () =>
        Buffer.concat(pieces)
          .toString('utf8')
          .replace(/^\ufeff/, '')
      if (isWhole) return { text: text(), isWhole }
      const isEnough = lines > records && splitRecords(text(), DIALECT, false, records).records.length === records
      if (isEnough || size >= MOST_BYTES) return { text: text(), isWhole: false }
    }
  } finally {
    await file.close()
  }
}

async function firstParquetRows(path: string, request: FirstRowsRequest): Promise<FirstRows> {
  const session = await DuckDbSession.open({ tempDir: request.tempDir, threads: 1, readPaths: [path] })
  try {
    const file = session.readable(path)
    const source = `read_parquet(${sqlText(file)}, hive_partitioning = false, filename = false)`
    const header = await (await session.connection()).run(`SELECT * FROM ${source} LIMIT 0`)
    const names = await topLevelNames(session, file, header.columnNames())
    const types = header.columnTypes()
    const wanted = wantedColumns(names, request.columns)
    const texts = wanted.map((i) => levelText(`c${i}`, types[i]!))
    const found = await session.rows(
      `SELECT ${texts.join(', ')} FROM ${source} AS t(${names.map((_, i) => `c${i}`).join(', ')}) LIMIT ${request.rows}`,
    )
    return {
      columns: names,
      shown: wanted.map((i) => names[i]!),
      rows: found.map((row) => row.map((value) => (value === null ? null : String(value)))),
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    if (/out of memory|could not allocate|no space left|interrupted/i.test(String(error))) throw error
    throw new UnreadableFileError('The parquet file is damaged or was cut short.', { cause: error })
  } finally {
    await session.close()
  }
}
