import { open } from 'node:fs/promises'
import { UnreadableFileError } from '../unreadable-file-error.ts'
import type { CsvDialect } from './csv-dialect.ts'

/** What was set right, to be told to whoever sent the file. */
export interface RewriteResult {
  /** Records written. */
  readonly records: number
  /** Records with fewer fields than the header; the rest of them is missing. */
  readonly short: LineList
  /** Records with empty fields beyond the header's; these were cut. */
  readonly trimmed: LineList
  /** Records with more filled fields than the header, left out. */
  readonly leftOut: LineList
}

export interface LineList {
  readonly count: number
  /** The first lines, at most five. */
  readonly lines: readonly number[]
}

export interface RewriteOptions {
  readonly dialect: CsvDialect
  readonly bomBytes: number
  /** Records at the beginning that are not data: title lines and the header. Blank lines do not count. */
  readonly skipRecords: number
  /** Fields of every record written. */
  readonly width: number
}

/** What is written, and how a reader must be told to read it. */
export const REWRITTEN_DIALECT: CsvDialect = { delimiter: ',', quote: '"', escape: '"' }

const CHUNK_BYTES = 1 << 20
/** Longest record that is read; a longer one is a quote gone astray. */
export const MAX_RECORD_BYTES = 16 << 20

const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a
const CR = 0x0d

/**
 * Copies the data records of a file that no strict reader would take as they are (uneven rows, title lines, mixed line ends,
 * stray quotes, NUL bytes) into plain RFC 4180 text with `width` fields in every record and every field quoted.
 *
 * The grammar is that of `split-records.ts`. Memory: two chunks and the longest record.
 *
 * @throws {UnreadableFileError} for a record beyond `MAX_RECORD_BYTES`.
 */
export async function rewriteRecords(source: string, target: string, options: RewriteOptions): Promise<RewriteResult> {
  const input = await open(source, 'r')
  try {
    const output = await open(target, 'wx', 0o600)
    try {
      const rewriter = new RecordRewriter(options)
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
      let position = options.bomBytes
      for (;;) {
        const { bytesRead } = await input.read(buffer, 0, CHUNK_BYTES, position)
        if (bytesRead === 0) break
        position += bytesRead
        rewriter.push(buffer.subarray(0, bytesRead))
        const done = rewriter.take()
        if (done.length > 0) await output.writeFile(done)
      }
      rewriter.end()
      await output.writeFile(rewriter.take())
      return rewriter.result()
    } finally {
      await output.close()
    }
  } finally {
    await input.close()
  }
}

class RecordRewriter {
  readonly #delimiter: number
  readonly #quote: number
  /** -1 where quotes are escaped by doubling. */
  readonly #escape: number
  readonly #skip: number
  readonly #width: number
  #out = Buffer.allocUnsafe(2 * CHUNK_BYTES)
  #length = 0
  /** Where the record being written begins in `#out`. */
  #recordStart = 0
  /** End of the last field that belongs to the width. */
  #state: 'start' | 'unquoted' | 'quoted' | 'quote-seen' | 'escaped' = 'start'
  #field = 0
  #fieldHasContent = false
  #extraContent = false
  #recordHasContent = false
  #afterCr = false
  #line = 1
  #recordLine = 1
  #seen = 0
  #records = 0
  readonly #short = { count: 0, lines: [] as number[] }
  readonly #trimmed = { count: 0, lines: [] as number[] }
  readonly #leftOut = { count: 0, lines: [] as number[] }

  constructor(options: RewriteOptions) {
    const { dialect } = options
    this.#delimiter = dialect.delimiter.charCodeAt(0)
    this.#quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
    this.#escape = dialect.escape === dialect.quote ? -1 : dialect.escape.charCodeAt(0)
    this.#skip = options.skipRecords
    this.#width = options.width
    this.#put(QUOTE)
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === LF && this.#afterCr) {
        // The second half of CRLF: a line end already taken, or part of a quoted field.
        this.#afterCr = false
        if (this.#state === 'quoted') this.#content(byte)
        continue
      }
      this.#afterCr = byte === CR
      if (byte === LF || byte === CR) this.#line++
      this.#step(byte)
    }
  }

  end(): void {
    if (this.#field > 0 || this.#recordHasContent) this.#endRecord()
    this.#length = this.#recordStart
  }

  /** Bytes of the records completed so far; valid until the next `push`. */
  take(): Buffer {
    const done = Buffer.from(this.#out.subarray(0, this.#recordStart))
    this.#out.copyWithin(0, this.#recordStart, this.#length)
    this.#length -= this.#recordStart
    this.#recordStart = 0
    return done
  }

  result(): RewriteResult {
    return { records: this.#records, short: this.#short, trimmed: this.#trimmed, leftOut: this.#leftOut }
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'quoted':
        if (byte === this.#quote) this.#state = 'quote-seen'
        else if (byte === this.#escape) this.#state = 'escaped'
        else this.#content(byte)
        return
      case 'escaped':
        this.#content(byte)
        this.#state = 'quoted'
        return
      case 'quote-seen':
        if (byte === this.#quote && this.#escape < 0) {
          this.#content(byte)
          this.#state = 'quoted'
          return
        }
        this.#state = 'unquoted'
        break
      case 'start':
        if (byte === this.#quote) {
          this.#recordHasContent = true
          this.#state = 'quoted'
          return
        }
        this.#state = 'unquoted'
        break
      case 'unquoted':
        break
    }
    if (byte === this.#delimiter) this.#endField()
    else if (byte === LF || byte === CR) this.#endRecord()
    else this.#content(byte)
  }

  #content(byte: number): void {
    if (byte !== 0x20 && byte !== 0x09) {
      this.#recordHasContent = true
      this.#fieldHasContent = true
    }
    if (this.#field >= this.#width || byte === 0) return
    if (byte === QUOTE) this.#put(QUOTE)
    this.#put(byte)
  }

  #endField(): void {
    if (this.#field >= this.#width && this.#fieldHasContent) this.#extraContent = true
    this.#field++
    this.#fieldHasContent = false
    this.#state = 'start'
    if (this.#field < this.#width) this.#separate()
  }

  #separate(): void {
    this.#put(QUOTE)
    this.#put(COMMA)
    this.#put(QUOTE)
  }

  #endRecord(): void {
    const blank = this.#field === 0 && !this.#recordHasContent
    this.#endField()
    if (!blank) {
      this.#seen++
      if (this.#seen > this.#skip) this.#finish(this.#field)
    }
    // What is not finished is overwritten by the next record.
    this.#length = this.#recordStart
    this.#put(QUOTE)
    this.#field = 0
    this.#extraContent = false
    this.#recordHasContent = false
    this.#recordLine = this.#line
  }

  #finish(fields: number): void {
    if (fields > this.#width && this.#extraContent) return note(this.#leftOut, this.#recordLine)
    if (fields > this.#width) note(this.#trimmed, this.#recordLine)
    if (fields < this.#width) note(this.#short, this.#recordLine)
    // The end of field `fields` has already opened field `fields + 1`.
    for (let field = fields + 1; field < this.#width; field++) this.#separate()
    this.#put(QUOTE)
    this.#put(LF)
    this.#records++
    this.#recordStart = this.#length
  }

  #put(byte: number): void {
    if (this.#length === this.#out.length) {
      if (this.#length - this.#recordStart > MAX_RECORD_BYTES) {
        throw new UnreadableFileError(
          `The record that begins on line ${this.#recordLine} is longer than 16 MB. Is a quotation mark missing there?`,
        )
      }
      const larger = Buffer.allocUnsafe(this.#out.length * 2)
      this.#out.copy(larger, 0, 0, this.#length)
      this.#out = larger
    }
    this.#out[this.#length++] = byte
  }
}

function note(list: { count: number; lines: number[] }, line: number): void {
  list.count++
  if (list.lines.length < 5) list.lines.push(line)
}
