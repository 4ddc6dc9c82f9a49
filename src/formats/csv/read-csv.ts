import { join } from 'node:path'
import { chosenRows } from '../chosen-rows.ts'
import { nameColumns } from '../column-names.ts'
import { profileColumns, type SourceColumn } from '../column-profile.ts'
import { DuckDbSession } from '../duckdb-session.ts'
import { readRawColumns } from '../raw-columns.ts'
import type { RawTable } from '../raw-table.ts'
import type { ReadTableOptions } from '../read-options.ts'
import { sampleSize } from '../row-sample.ts'
import { UnreadableFileError } from '../unreadable-file-error.ts'
import { uniformLineEnd } from './csv-source.ts'
import { evenCopy } from './even-copy.ts'
import { type JudgedFile, judgeFile } from './judge-file.ts'
import { type LoadableCsv, type LoadedRecords, loadRecords } from './load-records.ts'

/**
 * Reads delimited text. Encoding, delimiter, quotes and header are judged here and given to DuckDB explicitly; every column
 * comes as text and is typed by all its values; the number of records is held against an own count of the bytes.
 *
 * Order of work: judge the head → transcode where the bytes are not UTF-8 → scan all bytes → rewrite where the records are
 * uneven, or where DuckDB does not agree with the scan → load → profile → sample.
 *
 * @throws {UnreadableFileError}
 */
export async function readCsv(path: string, options: ReadTableOptions): Promise<RawTable> {
  const session = await DuckDbSession.open({ ...options, readPaths: [path] })
  try {
    const judged = await judgeFile(path, session.folder)
    const { header, width } = judged.layout
    const named = nameColumns(Array.from({ length: width }, (_, i) => header?.[i] ?? ''))
    const { loaded, notes } = await load(session, judged)
    if (loaded.rowCount === 0) throw new UnreadableFileError('The file has a header but no rows below it.')

    const columns = named.names.map((name, i): SourceColumn => ({ name, expression: `c${i}`, declared: 'untyped' }))
    const { rowCount } = loaded
    const { profiles, remarks } = await profileColumns(session, 'records', rowCount, columns, judged.dialect.delimiter)
    const sampleRows = sampleSize(rowCount, columns.length, options)
    const chosen = await chosenRows(session, 'records', 'rowid', rowCount, sampleRows)
    return {
      rowCount,
      sampleRows: chosen.rows,
      columns: await readRawColumns(session, chosen.source, chosen.rows, profiles),
      droppedRows: loaded.dropped,
      notes: [...judged.notes, ...(header === null ? [NO_HEADER] : named.notes), ...notes, ...remarks],
    }
  } finally {
    await session.close()
  }
}

const NO_HEADER = 'The file has no header line; its columns were called column.1, column.2 and so on.'

async function load(session: DuckDbSession, judged: JudgedFile): Promise<{ loaded: LoadedRecords; notes: string[] }> {
  const { header } = judged.layout
  const plain = asItIs(session, judged)
  if (plain !== null) {
    const loaded = await loadRecords(session, plain, header)
    if (loaded !== null) return { loaded, notes: [] }
  }
  const even = await evenCopy(judged, join(session.folder, 'even.csv'))
  const loaded = await loadRecords(session, even.file, header)
  if (loaded !== null) return { loaded, notes: even.notes }
  throw new UnreadableFileError(
    `The file has ${judged.scan.records} records by its line ends and quotation marks, but could not be read as that many. ` +
      'Export it again as plain CSV (UTF-8, every text in quotation marks).',
  )
}

/** The file itself where every reader takes its records alike, else null. */
function asItIs(session: DuckDbSession, judged: JudgedFile): LoadableCsv | null {
  const { scan, layout, dialect } = judged
  const newLine = uniformLineEnd(scan)
  const even = scan.widths.size === 1 && scan.widths.has(layout.width)
  const odd = scan.strayQuotes + scan.nulBytes + scan.blankLines + layout.titleRecords
  if (!even || newLine === null || odd > 0) return null
  return {
    path: session.readable(judged.path),
    dialect,
    newLine,
    width: layout.width,
    records: scan.records,
    longestRecordBytes: scan.longestRecordBytes,
    headerInFile: layout.header !== null,
  }
}
