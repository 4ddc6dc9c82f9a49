import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import { UnreadableFileError } from '../unreadable-file-error.ts'
import { type CsvDialect, DELIMITER_NAMES, NO_DELIMITER } from './csv-dialect.ts'
import { detectDialect } from './detect-dialect.ts'
import { type DetectedEncoding, detectEncoding, encodingOfInvalidUtf8 } from './detect-encoding.ts'
import { type CsvLayout, detectHeader } from './detect-header.ts'
import { MAX_RECORD_BYTES } from './rewrite-records.ts'
import { type RecordScan, scanRecords } from './scan-records.ts'
import { splitRecords } from './split-records.ts'
import { transcodeToUtf8 } from './transcode.ts'

/** A delimited text file about which everything is known that is needed to read it. */
export interface JudgedFile {
  /** The file itself, or its copy in UTF-8. */
  readonly path: string
  readonly bomBytes: number
  readonly dialect: CsvDialect
  readonly layout: CsvLayout
  readonly scan: RecordScan
  readonly notes: readonly string[]
}

const HEAD_BYTES = 1 << 20
const MAX_COLUMNS = 5_000

/**
 * Judges encoding, dialect and header by the beginning of a file, and scans it to its end.
 *
 * @param folder where a copy in UTF-8 is left if one is needed.
 * @throws {UnreadableFileError} for what is no table, or has a fault that leaves the meaning open.
 */
export async function judgeFile(path: string, folder: string): Promise<JudgedFile> {
  const { head, complete } = await readHead(path)
  const detected = detectEncoding(head, complete)
  if (detected.encoding !== 'utf-8') return judgeCopy(path, folder, detected)
  const judged = await judgeUtf8(path, detected.bomBytes, [])
  // The head may be UTF-8 and the rest not.
  const invalid = judged.scan.invalidUtf8
  if (invalid !== null) return judgeCopy(path, folder, { ...detected, encoding: encodingOfInvalidUtf8(invalid) })
  return refuseBroken(judged)
}

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

async function judgeCopy(path: string, folder: string, detected: DetectedEncoding): Promise<JudgedFile> {
  const copy = join(folder, 'utf-8.csv')
  const replaced = await transcodeToUtf8(path, copy, detected)
  const notes: string[] = []
  const name = ENCODING_NAMES[detected.encoding]
  if (name !== undefined) notes.push(`The text is in ${name}.`)
  if (replaced > 0) {
    notes.push(`${replaced} ${replaced === 1 ? 'character was' : 'characters were'} not readable and became "\ufffd".`)
  }
  return refuseBroken(await judgeUtf8(copy, 0, notes))
}

async function judgeUtf8(path: string, bomBytes: number, notes: readonly string[]): Promise<JudgedFile> {
  const { head, complete } = await readHead(path)
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(bomBytes))
  // NUL bytes are dropped from the records, too.
  let text = decoded.replaceAll('\0', '')
  // Excel's own hint to itself, which names the delimiter.
  const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(text)
  if (hint !== null) text = text.slice(hint[0].length)
  const dialect = hint === null ? detectDialect(text, complete) : { delimiter: hint[1]!, quote: '"', escape: '"' }
  const { records } = splitRecords(text, dialect, complete)
  if (records.length === 0) {
    throw new UnreadableFileError(
      complete ? 'The file holds no text but blanks.' : 'The first line is longer than 1 MB; this is no table.',
    )
  }
  const layout = detectHeader(records)
  return {
    path,
    bomBytes,
    dialect,
    layout: hint === null ? layout : { ...layout, titleRecords: layout.titleRecords + 1 },
    scan: await scanRecords(path, dialect, bomBytes),
    notes: [...notes, ...dialectNotes(dialect)],
  }
}

function dialectNotes({ delimiter, quote }: CsvDialect): string[] {
  if (delimiter === NO_DELIMITER) return []
  const notes: string[] = []
  if (delimiter !== ',') notes.push(`Columns are separated by: ${DELIMITER_NAMES[delimiter]}.`)
  if (quote === '') notes.push('Quotation marks in the file quote nothing and were kept as text.')
  else if (quote !== '"') notes.push("Texts are quoted by single quotes (').")
  return notes
}

function refuseBroken(judged: JudgedFile): JudgedFile {
  const { scan, layout } = judged
  if (scan.openQuoteLine !== null) {
    throw new UnreadableFileError(`The quotation mark opened on line ${scan.openQuoteLine} is never closed.`)
  }
  if (scan.longestRecordBytes > MAX_RECORD_BYTES) {
    throw new UnreadableFileError('A record of the file is longer than 16 MB. Is a quotation mark missing somewhere?')
  }
  if (layout.width > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${layout.width} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  const even = scan.widths.get(layout.width) ?? 0
  const records = scan.records - layout.titleRecords
  if (even < 0.5 * records) {
    const found = [...scan.widths].sort((a, b) => b[1] - a[1]).slice(0, 4)
    throw new UnreadableFileError(
      `The rows have different numbers of fields (${found.map(([width, n]) => `${n} with ${width}`).join(', ')}), ` +
        'so that there is no telling which value belongs to which column.',
    )
  }
  return judged
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
