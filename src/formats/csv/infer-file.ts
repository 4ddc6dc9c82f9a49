import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import { declaredStart, recodeText, type StartOfText } from '../encoding/recode-text.ts'
import type { TextRow } from '../header/cell-texts.ts'
import { SecondTable } from '../header/second-table.ts'
import { findHeader, type TableHeader } from '../header/table-header.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type CsvDialect, DELIMITER_NAMES, NO_DELIMITER } from './csv-dialect.ts'
import { detectDialect } from './detect-dialect.ts'
import { countUtf8OfFile, detectEncoding, encodingOfInvalidUtf8 } from './detect-encoding.ts'
import { ruleRowOf } from './rule-row.ts'
import { splitRecords } from './split-records.ts'
import { hasRowNames, tableWidth } from './table-width.ts'
import { hasWrappedLines, unwrapLines } from './wrapped-lines.ts'

/** A delimited text file and the facts inferred from its beginning. */
export interface InferredFile {
  /** The file itself, or its copy in UTF-8. */
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  /** Where the table begins; titles, header and data are records. */
  readonly header: TableHeader
  /** Records above the first row: titles, header, and a line of dashes below it. */
  readonly rowsAbove: number
  /** Whether the rows end with separators that the header lacks; a field behind them must be empty. */
  readonly hasTrailingSeparators: boolean
  /** Whether another table seems to begin below this one, among the first rows. */
  readonly seemsDouble: boolean
  readonly notes: readonly string[]
}

/** What is declared about the file. */
type InferOptions = Pick<ReadTableOptions, 'encoding' | 'headerRows' | 'signal'>

const HEAD_BYTES = 1 << 20
const MAX_COLUMNS = 5_000

/**
 * Infers encoding, dialect and header from the beginning of a file.
 *
 * @param folder where a copy in UTF-8 is left if one is needed.
 * @throws {UnreadableFileError} for a file that is not a table.
 */
export async function inferFile(path: string, folder: string, options: InferOptions): Promise<InferredFile> {
  const { head, complete } = await readHead(path)
  const start = options.encoding === undefined ? detectEncoding(head, complete) : declaredStart(options.encoding, head)
  return start.encoding === 'utf-8'
    ? inferUtf8(path, start.bomBytes, [], folder, options)
    : inferCopy(path, folder, start, options)
}

/** Infers again for a file whose beginning is valid UTF-8, or that is declared to be, and whose rest is not. */
export async function inferAgain(
  { path, bomBytes }: InferredFile,
  folder: string,
  options: InferOptions,
): Promise<InferredFile> {
  const start: StartOfText =
    options.encoding === undefined
      ? { encoding: encodingOfInvalidUtf8(await countUtf8OfFile(path, bomBytes)), bomBytes }
      : { encoding: 'utf-8', bomBytes, isDeclared: true }
  return inferCopy(path, folder, start, options)
}

async function inferCopy(
  path: string,
  folder: string,
  start: StartOfText,
  options: InferOptions,
): Promise<InferredFile> {
  const copy = join(folder, 'utf-8.csv')
  return inferUtf8(copy, 0, await recodeText(path, copy, start, options.signal), folder, options)
}

async function inferUtf8(
  path: string,
  bomBytes: number,
  notes: readonly string[],
  folder: string,
  options: InferOptions,
): Promise<InferredFile> {
  const { head, complete } = await readHead(path)
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(bomBytes))
  // NUL bytes are also dropped from the records.
  let text = decoded.replaceAll('\0', '')
  if (hasWrappedLines(text, complete)) {
    const copy = join(folder, 'unwrapped.csv')
    await unwrapLines(path, bomBytes, copy)
    return inferUtf8(copy, 0, [...notes, WRAPPED], folder, options)
  }
  // Excel's own hint line, which names the delimiter.
  const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(text)
  if (hint !== null) text = text.slice(hint[0].length)
  const dialect = hint === null ? detectDialect(text, complete) : { delimiter: hint[1]!, quote: '"', escape: '"' }
  const split = splitRecords(text, dialect, complete)
  if (split.records.length === 0) {
    throw new UnreadableFileError(complete ? 'The file holds no text but blanks.' : TOO_LONG)
  }
  const { width, records: all, hasTrailingSeparators } = tableWidth(split.records)
  const { header, records, hasRule } = headerOf(all, { width, headerRows: options.headerRows })
  if (header.width > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${header.width} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  const rowNames = hasRowNames(records, header) ? [ROW_NAMES] : []
  return {
    path,
    bomBytes,
    dialect,
    header: hint === null ? header : { ...header, titleRows: header.titleRows + 1 },
    rowsAbove: header.titleRows + header.headerRows + (hint === null ? 0 : 1) + (hasRule ? 1 : 0),
    hasTrailingSeparators,
    seemsDouble: hasSecondTable(records, header),
    notes: [...notes, ...dialectNotes(dialect), ...rowNames, ...(hasRule ? [RULE] : [])],
  }
}

/** Finds the header, above a row of dashes where there is one. @returns `records` without that row. */
function headerOf(
  records: readonly TextRow[],
  options: Parameters<typeof findHeader>[1],
): { readonly header: TableHeader; readonly records: readonly TextRow[]; readonly hasRule: boolean } {
  const at = ruleRowOf(records)
  if (at !== null) {
    const others = records.filter((_, i) => i !== at)
    const header = findHeader(others, options)
    if (header.titleRows + header.headerRows === at) return { header, records: others, hasRule: true }
  }
  return { header: findHeader(records, options), records, hasRule: false }
}

const RULE = 'The line of dashes below the header was left out.'

const WRAPPED = 'Each line was in quotation marks as a whole, which were removed.'

const ROW_NAMES =
  'The header has one name fewer than the rows have fields. The first column was taken for row names, as R writes them.'

const TOO_LONG =
  'The first line is longer than 1 MB; this is not a table, or a quotation mark that opens on line 1 is never closed.'

function hasSecondTable(records: readonly TextRow[], { titleRows, headerRows, width, repeated }: TableHeader): boolean {
  const start = titleRows + headerRows
  const second = new SecondTable(width, repeated)
  let isBelowGap = false
  for (const [at, record] of records.slice(start).entries()) {
    const isEmpty = record.every((text) => text.trim() === '')
    const row = Array.from({ length: width }, (_, column) => {
      const text = record[column] ?? ''
      return { kind: text.trim() === '' ? ('empty' as const) : ('text' as const), text }
    })
    if (!isEmpty) second.add(row, start + at + 1, isBelowGap)
    isBelowGap = isEmpty
  }
  second.end()
  return second.firstRow !== null
}

function dialectNotes({ delimiter, quote }: CsvDialect): string[] {
  const notes: string[] = []
  if (delimiter !== ',' && delimiter !== NO_DELIMITER)
    notes.push(`Columns are separated by: ${DELIMITER_NAMES[delimiter]}.`)
  if (quote === '') notes.push('Quotation marks in the file do not quote anything and were kept as text.')
  else if (quote !== '"') notes.push("Texts are enclosed in single quotes (').")
  return notes
}

async function readHead(path: string): Promise<{ head: Buffer; complete: boolean }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return { head: head.subarray(0, bytesRead), complete: bytesRead === size }
  } finally {
    await file.close()
  }
}
