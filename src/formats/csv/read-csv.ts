import type { RawTable } from '../../base/raw-table.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { nameColumns } from '../column-names.ts'
import { DuckDbSession } from '../duckdb-session.ts'
import type { ReadTableOptions } from '../read-options.ts'
import { UnreadableFileError } from '../unreadable-file-error.ts'
import { type JudgedFile, judgeAgain, judgeFile } from './judge-file.ts'
import { judgeRecords } from './judge-records.ts'
import { DUCKDB_MEMORY_MB, type LoadedRows, loadRows } from './load-rows.ts'

/**
 * Reads delimited text. Encoding, delimiter, quotes and header are judged by the beginning; one pass over the bytes counts the
 * distinct texts of every column and samples the rows; columns are typed by all their texts.
 *
 * Order of work: judge the head → transcode where the bytes are not UTF-8 → load → judge the records → type the columns.
 *
 * @throws {UnreadableFileError}
 */
export async function readCsv(path: string, options: ReadTableOptions): Promise<RawTable> {
  const session = await DuckDbSession.open({ memoryLimitMb: DUCKDB_MEMORY_MB, ...options, readPaths: [] })
  try {
    const { judged, loaded } = await load(session, path, options)
    const { header, width } = judged.layout
    const { table, parsed, dropped } = loaded
    const recordNotes = judgeRecords(parsed, judged.layout)
    if (table.rowCount === 0) throw new UnreadableFileError('The file has a header but no rows below it.')

    const named = nameColumns(Array.from({ length: width }, (_, i) => header?.[i] ?? ''))
    const columns = named.names.map(
      (name, at): CodedColumn => ({ name, at, expression: `c${at}`, declared: 'untyped' }),
    )
    const read = await readCodedColumns(session, table, columns, judged.dialect.delimiter)
    return {
      rowCount: table.rowCount,
      sampleRows: table.sampledIds[0]!.length,
      columns: read.columns,
      droppedRows: dropped,
      notes: [...judged.notes, ...(header === null ? [NO_HEADER] : named.notes), ...recordNotes, ...read.remarks],
    }
  } finally {
    await session.close()
  }
}

const NO_HEADER = 'The file has no header line; its columns were called column.1, column.2 and so on.'

async function load(
  session: DuckDbSession,
  path: string,
  options: ReadTableOptions,
): Promise<{ judged: JudgedFile; loaded: LoadedRows }> {
  const judged = await judgeFile(path, session.folder)
  const loaded = await loadJudged(session, judged, options)
  if (loaded !== null) return { judged, loaded }
  const again = await judgeAgain(judged, session.folder)
  const reloaded = await loadJudged(session, again, options)
  if (reloaded === null) throw new Error('the copy in UTF-8 is none')
  return { judged: again, loaded: reloaded }
}

function loadJudged(session: DuckDbSession, judged: JudgedFile, options: ReadTableOptions): Promise<LoadedRows | null> {
  const { titleRecords, header, width } = judged.layout
  const skipRecords = titleRecords + (header === null ? 0 : 1)
  return loadRows(session, { ...judged, skipRecords, width, header }, options)
}
