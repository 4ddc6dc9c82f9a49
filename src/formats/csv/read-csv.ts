import type { RawTable } from '../../base/raw-table.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { nameColumns } from '../columns/column-names.ts'
import { DuckDbSession } from '../reading/duckdb-session.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { CsvLayout } from './detect-header.ts'
import { type InferredFile, inferAgain, inferFile } from './infer-file.ts'
import { DUCKDB_MEMORY_MB, type LoadedRows, loadRows } from './load-rows.ts'
import type { LineList, ParsedRecords } from './record-parser.ts'

/**
 * Reads delimited text. Encoding, delimiter, quotes and header are inferred from the beginning; one pass over the bytes
 * counts the distinct texts of every column and samples the rows; column types are inferred from all their texts.
 *
 * Steps: infer from the head → transcode if the bytes are not UTF-8 → load → check the records → infer the column
 * types.
 *
 * @throws {UnreadableFileError}
 */
export async function readCsv(path: string, options: ReadTableOptions): Promise<RawTable> {
  const session = await DuckDbSession.open({ memoryLimitMb: DUCKDB_MEMORY_MB, ...options, readPaths: [] })
  try {
    const { inferred, loaded } = await load(session, path, options)
    const { header, width } = inferred.layout
    const { table, parsed, dropped } = loaded
    const recordNotes = checkRecords(parsed, inferred.layout)
    if (table.rowCount === 0) throw new UnreadableFileError('The file has a header but no rows below it.')

    const named = nameColumns(Array.from({ length: width }, (_, i) => header?.[i] ?? ''))
    const columns = named.names.map(
      (name, at): CodedColumn => ({ name, at, expression: `c${at}`, declared: textOr(name, options) }),
    )
    const read = await readCodedColumns(session, table, columns, inferred.dialect.delimiter)
    return {
      rowCount: table.rowCount,
      sampleRows: table.sampledIds[0]!.length,
      columns: read.columns,
      droppedRows: dropped,
      notes: [...inferred.notes, ...(header === null ? [NO_HEADER] : named.notes), ...recordNotes, ...read.remarks],
    }
  } finally {
    await session.close()
  }
}

function textOr(name: string, { textColumns }: ReadTableOptions): 'text' | 'untyped' {
  return textColumns?.has(name) ? 'text' : 'untyped'
}

const NO_HEADER = 'The file has no header line; its columns are called column.1, column.2 and so on.'

async function load(
  session: DuckDbSession,
  path: string,
  options: ReadTableOptions,
): Promise<{ inferred: InferredFile; loaded: LoadedRows }> {
  const inferred = await inferFile(path, session.folder)
  const loaded = await loadInferred(session, inferred, options)
  if (loaded !== null) return { inferred, loaded }
  const again = await inferAgain(inferred, session.folder)
  const reloaded = await loadInferred(session, again, options)
  if (reloaded === null) throw new Error('the copy in UTF-8 is not UTF-8')
  return { inferred: again, loaded: reloaded }
}

function loadInferred(
  session: DuckDbSession,
  inferred: InferredFile,
  options: ReadTableOptions,
): Promise<LoadedRows | null> {
  const { titleRecords, header, width } = inferred.layout
  const skipRecords = titleRecords + (header === null ? 0 : 1)
  return loadRows(session, { ...inferred, skipRecords, width, header }, options)
}

/** A larger share of rows with too many fields means that the whole file is broken. */
const MAX_LEFT_OUT_SHARE = 0.01

/**
 * Describes the corrections to the records of a file. Rows with too few fields get missing values at their end, as in
 * spreadsheets; empty fields beyond the last column are cut; rows with too many filled fields are left out.
 *
 * @throws {UnreadableFileError} when the assignment of values to columns is ambiguous.
 */
function checkRecords(parsed: ParsedRecords, { titleRecords, width }: CsvLayout): string[] {
  refuseBroken(parsed, titleRecords, width)
  const { short, trimmed, leftOut, nulBytes } = parsed
  const notes: string[] = []
  if (titleRecords === 1) notes.push('1 line above the header was skipped.')
  if (titleRecords > 1) notes.push(`${titleRecords} lines above the header were skipped.`)
  if (leftOut.count > 0) notes.push(`${rows(leftOut.count)} with more than ${width} fields left out (${at(leftOut)}).`)
  if (short.count > 0) {
    notes.push(
      `${rows(short.count)} with fewer than ${width} fields; the absent fields were read as missing (${at(short)}).`,
    )
  }
  if (trimmed.count > 0) {
    notes.push(
      `${rows(trimmed.count)} with empty fields beyond the ${width} of the header; these were removed (${at(trimmed)}).`,
    )
  }
  if (nulBytes > 0) notes.push(`${nulBytes} NUL ${nulBytes === 1 ? 'byte was' : 'bytes were'} removed.`)
  return notes
}

function refuseBroken({ records, widths, openQuoteLine, leftOut }: ParsedRecords, titles: number, width: number): void {
  if (openQuoteLine !== null) {
    throw new UnreadableFileError(`The quotation mark opened on line ${openQuoteLine} is never closed.`)
  }
  if ((widths.get(width) ?? 0) < 0.5 * (records - titles)) {
    const found = [...widths].sort((a, b) => b[1] - a[1]).slice(0, 4)
    throw new UnreadableFileError(
      `The rows have different numbers of fields (${found.map(([fields, n]) => `${n} with ${fields}`).join(', ')}), ` +
        'so the column of each value cannot be determined.',
    )
  }
  if (leftOut.count > MAX_LEFT_OUT_SHARE * records) {
    throw new UnreadableFileError(
      `${rows(leftOut.count)} of ${records} ${leftOut.count === 1 ? 'has' : 'have'} more fields than the ${width} of the header ` +
        `(${at(leftOut)}). A text that contains the delimiter must be in quotation marks.`,
    )
  }
}

function rows(n: number): string {
  return n === 1 ? '1 row' : `${n} rows`
}

function at({ count, lines }: LineList): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ' …' : ''}`
}
