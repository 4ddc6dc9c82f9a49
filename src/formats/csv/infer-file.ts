import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import type { TextRow } from '../header/cell-texts.ts'
import { SecondTable } from '../header/second-table.ts'
import { findHeader, type TableHeader } from '../header/table-header.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { decodeWindows1252 } from '../reading/windows-1252.ts'
import { type CsvDialect, DELIMITER_NAMES, NO_DELIMITER } from './csv-dialect.ts'
import { detectDialect, modalWidth } from './detect-dialect.ts'
import { type DetectedEncoding, detectEncoding, encodingOfInvalidUtf8 } from './detect-encoding.ts'
import { scanRecords } from './scan-records.ts'
import { splitRecords } from './split-records.ts'
import { hasWrappedLines, unwrapLines } from './wrapped-lines.ts'

/** A delimited text file and the facts inferred from its beginning. */
export interface InferredFile {
  /** The file itself, or its copy in UTF-8. */
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  /** Where the table begins; titles, header and data are records. */
  readonly header: TableHeader
  readonly notes: readonly string[]
}

/** What is declared about the file. */
type InferOptions = Pick<ReadTableOptions, 'headerRows'>

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
  const detected = detectEncoding(head, complete)
  return detected.encoding === 'utf-8'
    ? inferUtf8(path, detected.bomBytes, [], folder, options)
    : inferCopy(path, folder, detected, options)
}

/** Infers again for a file whose beginning is valid UTF-8 and whose rest is not. */
export async function inferAgain(
  { path, dialect, bomBytes }: InferredFile,
  folder: string,
  options: InferOptions,
): Promise<InferredFile> {
  const { invalidUtf8 } = await scanRecords(path, dialect, bomBytes)
  if (invalidUtf8 === null) throw new Error('all bytes are UTF-8')
  return inferCopy(path, folder, { encoding: encodingOfInvalidUtf8(invalidUtf8), bomBytes }, options)
}

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

async function inferCopy(
  path: string,
  folder: string,
  detected: DetectedEncoding,
  options: InferOptions,
): Promise<InferredFile> {
  const copy = join(folder, 'utf-8.csv')
  const replaced = await transcodeToUtf8(path, copy, detected)
  const notes: string[] = []
  const name = ENCODING_NAMES[detected.encoding]
  if (name !== undefined) notes.push(`The text is in ${name}.`)
  if (replaced > 0) {
    notes.push(`${replaced} ${replaced === 1 ? 'character was' : 'characters were'} not readable and became "\ufffd".`)
  }
  return inferUtf8(copy, 0, notes, folder, options)
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
  const { records } = splitRecords(text, dialect, complete)
  if (records.length === 0) throw new UnreadableFileError(complete ? 'The file holds no text but blanks.' : TOO_LONG)
  // Titles must not outvote the table in a short file.
  const header = findHeader(records, { width: modalWidth(records), headerRows: options.headerRows })
  if (header.width > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${header.width} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  refuseSecondTable(records, header)
  return {
    path,
    bomBytes,
    dialect,
    header: hint === null ? header : { ...header, titleRows: header.titleRows + 1 },
    notes: [...notes, ...dialectNotes(dialect)],
  }
}

const WRAPPED = 'Each line was in quotation marks as a whole, which were removed.'

const TOO_LONG =
  'The first line is longer than 1 MB; this is not a table, or a quotation mark that opens on line 1 is never closed.'

/** Looks at the beginning of the file only, where most files have the second table if they have one. */
function refuseSecondTable(records: readonly TextRow[], { titleRows, headerRows, width, repeated }: TableHeader): void {
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
  if (second.firstRow === null) return
  throw new UnreadableFileError(
    `Another table begins in row ${second.firstRow}, below the one that begins in row ${titleRows + 1}. ` +
      'Put each table into a file of its own.',
  )
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

const CHUNK_BYTES = 1 << 20

/**
 * Writes the text of `source` to `target` as UTF-8 without a byte order mark, in bounded memory. Bytes without a
 * meaning in the encoding become U+FFFD; returns their number.
 */
async function transcodeToUtf8(source: string, target: string, detected: DetectedEncoding): Promise<number> {
  const decode = decoderOf(detected)
  const out = await open(target, 'wx', 0o600)
  let replaced = 0
  try {
    for await (const chunk of createReadStream(source, { start: detected.bomBytes, highWaterMark: CHUNK_BYTES })) {
      const text = decode(chunk as Buffer)
      replaced += countReplacements(text)
      await out.writeFile(text)
    }
    const text = decode(null)
    replaced += countReplacements(text)
    await out.writeFile(text)
  } finally {
    await out.close()
  }
  return replaced
}

/** Decodes piece by piece; null = the end. */
function decoderOf({ encoding }: DetectedEncoding): (bytes: Uint8Array | null) => string {
  if (encoding === 'windows-1252') return (bytes) => (bytes === null ? '' : decodeWindows1252(bytes))
  const decoder = new TextDecoder(encoding === 'utf-8-damaged' ? 'utf-8' : encoding, { ignoreBOM: true })
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
}

function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count++
  return count
}
