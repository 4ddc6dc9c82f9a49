import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { detectDialect, modalWidth } from './detect-dialect.ts'
import { MAX_RECORD_BYTES } from './record-parser.ts'
import { splitRecords } from './split-records.ts'

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

/** Lines of a file that was opened and saved once more as if each of its lines were one field. */
const MIN_LINES = 2

/**
 * Whether lines of a table are one quoted field each: `"1,""Ann"",34"`. Programs write such files when they take every
 * line of a table for one text; lines without anything to quote stay as they were.
 *
 * The lines must split into the same number of columns without their outer quotes, as those that have none do. A column
 * of quoted sentences also has commas, but blanks behind them.
 *
 * @param text the beginning of a file, decoded; `complete` when it is the whole file.
 */
export function hasWrappedLines(text: string, complete: boolean): boolean {
  if (!/^"/m.test(text)) return false
  const lines: { line: string; isWrapped: boolean }[] = []
  const unwrapper = new LineUnwrapper((line, isWrapped) => lines.push({ line: line.toString('utf8'), isWrapped }))
  unwrapper.push(Buffer.from(text))
  if (complete) unwrapper.end()
  const wrapped = lines.filter(({ isWrapped }) => isWrapped)
  if (wrapped.length < MIN_LINES) return false
  const plain = lines.map(({ line }) => line).join('')
  const dialect = detectDialect(plain, true)
  const { records } = splitRecords(plain, dialect, true)
  const width = modalWidth(records)
  if (width < 2 || records.some((record) => record.length !== width)) return false
  const mark = dialect.delimiter
  return wrapped.some(({ line }) => line.includes('"') || (line.includes(mark) && !line.includes(`${mark} `)))
}

/**
 * Copies a file without the quotes around whole lines.
 *
 * @param target does not exist.
 * @throws {UnreadableFileError} for a line that is too long.
 */
export async function unwrapLines(source: string, bomBytes: number, target: string): Promise<void> {
  const out = await open(target, 'wx', 0o600)
  try {
    let pieces: Buffer[] = []
    const unwrapper = new LineUnwrapper((line) => pieces.push(line))
    for await (const chunk of createReadStream(source, { start: bomBytes, highWaterMark: 1 << 20 })) {
      unwrapper.push(chunk as Buffer)
      await out.writeFile(Buffer.concat(pieces))
      pieces = []
    }
    unwrapper.end()
    await out.writeFile(Buffer.concat(pieces))
  } finally {
    await out.close()
  }
}

/** Takes bytes and gives lines, with their ends, without the quotes around them; works on any superset of ASCII. */
class LineUnwrapper {
  readonly #take: (line: Buffer, isWrapped: boolean) => void
  /** Bytes of a line that has not ended. */
  #rest: Buffer = Buffer.alloc(0)
  #line = 1

  constructor(take: (line: Buffer, isWrapped: boolean) => void) {
    this.#take = take
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let start = 0
    let isQuoted = false
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (!isQuoted && (byte === LF || (byte === CR && at + 1 < bytes.length && bytes[at + 1] !== LF))) {
        this.#end(bytes.subarray(start, at + 1))
        start = at + 1
      }
    }
    this.#rest = Buffer.from(bytes.subarray(start))
    if (this.#rest.length > MAX_RECORD_BYTES) {
      throw new UnreadableFileError(`Line ${this.#line} is longer than 16 MB. Is a quotation mark missing there?`)
    }
  }

  end(): void {
    if (this.#rest.length > 0) this.#end(this.#rest)
  }

  #end(line: Buffer): void {
    this.#line++
    const text = line.toString('latin1')
    let end = text.length
    while (end > 0 && '\r\n'.includes(text[end - 1]!)) end--
    const inner = withoutQuotes(text.slice(0, end))
    if (inner === null) this.#take(line, false)
    else this.#take(Buffer.from(`${inner}${text.slice(end)}`, 'latin1'), true)
  }
}

/** The text of a line that is one quoted field, perhaps with empty ones behind it; null for any other line. */
function withoutQuotes(line: string): string | null {
  let end = line.length
  while (end > 0 && ',;\t|'.includes(line[end - 1]!)) end--
  if (end < 2 || line[0] !== '"' || line[end - 1] !== '"') return null
  const inner = line.slice(1, end - 1)
  return inner.replaceAll('""', '').includes('"') ? null : inner.replaceAll('""', '"')
}
