import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import { declaredStart, recodeText, type StartOfText } from '../encoding/recode-text.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type CsvDialect, DELIMITER_NAMES, NO_DELIMITER } from './csv-dialect.ts'
import { detectDialect } from './detect-dialect.ts'
import { detectEncoding, encodingOfInvalidUtf8 } from './detect-encoding.ts'
import { type CsvLayout, detectHeader } from './detect-header.ts'
import { scanRecords } from './scan-records.ts'
import { splitRecords } from './split-records.ts'

/** A delimited text file and the facts inferred from its beginning. */
export interface InferredFile {
  /** The file itself, or its copy in UTF-8. */
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  readonly layout: CsvLayout
  readonly notes: readonly string[]
}

/** The encoding that is declared, if one is. */
type InferOptions = Pick<ReadTableOptions, 'encoding' | 'signal'>

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
    ? inferUtf8(path, start.bomBytes, [])
    : inferCopy(path, folder, start, options.signal)
}

/** Infers again for a file whose beginning is valid UTF-8, or that is declared to be, and whose rest is not. */
export async function inferAgain(
  { path, dialect, bomBytes }: InferredFile,
  folder: string,
  { encoding, signal }: InferOptions,
): Promise<InferredFile> {
  const { invalidUtf8 } = await scanRecords(path, dialect, bomBytes)
  if (invalidUtf8 === null) throw new Error('all bytes are UTF-8')
  const start: StartOfText =
    encoding === undefined
      ? { encoding: encodingOfInvalidUtf8(invalidUtf8), bomBytes }
      : { encoding: 'utf-8', bomBytes, isDeclared: true }
  return inferCopy(path, folder, start, signal)
}

async function inferCopy(
  path: string,
  folder: string,
  start: StartOfText,
  signal: AbortSignal | undefined,
): Promise<InferredFile> {
  const copy = join(folder, 'utf-8.csv')
  return inferUtf8(copy, 0, await recodeText(path, copy, start, signal))
}

async function inferUtf8(path: string, bomBytes: number, notes: readonly string[]): Promise<InferredFile> {
  const { head, complete } = await readHead(path)
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(bomBytes))
  // NUL bytes are also dropped from the records.
  let text = decoded.replaceAll('\0', '')
  // Excel's own hint line, which names the delimiter.
  const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(text)
  if (hint !== null) text = text.slice(hint[0].length)
  const dialect = hint === null ? detectDialect(text, complete) : { delimiter: hint[1]!, quote: '"', escape: '"' }
  const { records } = splitRecords(text, dialect, complete)
  if (records.length === 0) {
    throw new UnreadableFileError(
      complete ? 'The file holds no text but blanks.' : 'The first line is longer than 1 MB; this is not a table.',
    )
  }
  const layout = detectHeader(records)
  if (layout.width > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${layout.width} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  return {
    path,
    bomBytes,
    dialect,
    layout: hint === null ? layout : { ...layout, titleRecords: layout.titleRecords + 1 },
    notes: [...notes, ...dialectNotes(dialect)],
  }
}

function dialectNotes({ delimiter, quote }: CsvDialect): string[] {
  if (delimiter === NO_DELIMITER) return []
  const notes: string[] = []
  if (delimiter !== ',') notes.push(`Columns are separated by: ${DELIMITER_NAMES[delimiter]}.`)
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
