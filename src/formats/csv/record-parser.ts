import type { RecordSink } from '../coded/coded-rows.ts'
import { isWordAt } from '../columns/value-forms.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { CsvDialect } from './csv-dialect.ts'
import type { ParsedRecords } from './parsed-records.ts'

export interface ParserOptions {
  readonly dialect: CsvDialect
  /** Records at the beginning that are not data: title lines and the header. Blank lines do not count. */
  readonly skipRecords: number
  /** Columns of the table. */
  readonly width: number
  /** The parser stops behind this many records; default: it never does. */
  readonly maxRecords?: number
}

/** Longest record that is read; a longer one means that a quote was never closed. */
export const MAX_RECORD_BYTES = 16 << 20

const NUL = 0x00
const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const BLANK = 0x20

/** What ends a field, and what else the parser must see in an unquoted one. */
const END = 1
const STRAY = 2

/**
 * Parses delimited text piece by piece, field by field, at a few nanoseconds per byte.
 *
 * The grammar is lenient: LF, CRLF and CR all end a record outside quotes. A quote opens a quoted field only as the
 * field's first character; text behind the closing quote is kept. A line of blanks is no record. NUL bytes are dropped.
 *
 * The bytes of most fields are read once, in one loop that ends at a delimiter, a line end, a quote or a NUL. The caller
 * puts a NUL after the bytes to mark their end, so that the loops need no bounds. A field at the end of the bytes is
 * parsed again with the next piece.
 */
export class RecordParser {
  readonly #sink: RecordSink
  readonly #width: number
  readonly #skip: number
  /** -1: all. */
  readonly #maxRecords: number
  readonly #delimiter: number
  /** -1: quotes have no meaning. */
  readonly #quote: number
  /** -1 where quotes are escaped by doubling. */
  readonly #escape: number
  /** Not 0 for bytes that cannot simply be skipped, outside quotes and within them. */
  readonly #stops = new Uint8Array(256)
  readonly #quotedStops = new Uint8Array(256)
  /** Texts that differ from their bytes in the file. */
  #unescaped = Buffer.alloc(256)
  readonly #widths = new Map<number, number>()
  /** Records of the same width as the last one, not yet in `#widths`. */
  #alike = 0
  #lastWidth = 0
  #records = 0
  #quotedFields = 0
  readonly #quotedWords = new Map<number, number>()
  #strayQuotes = 0
  #nuls = 0
  #gaps = 0
  #isBelowGap = false
  #openQuoteLine: number | null = null
  #straddlingQuoteLine: number | null = null
  readonly #short = { count: 0, lines: [] as number[] }
  readonly #trimmed = { count: 0, lines: [] as number[] }
  readonly #leftOut = { count: 0, lines: [] as number[] }
  #line = 1
  #afterCr = false
  /** Of the current record. */
  #field = 0
  #recordLine = 1
  #recordBytes = 0
  #hasContent = false
  #hasExtraContent = false

  constructor({ dialect, skipRecords, width, maxRecords }: ParserOptions, sink: RecordSink) {
    this.#sink = sink
    this.#width = width
    this.#skip = skipRecords
    this.#maxRecords = maxRecords ?? -1
    this.#delimiter = dialect.delimiter.charCodeAt(0)
    this.#quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
    this.#escape = dialect.escape === dialect.quote ? -1 : dialect.escape.charCodeAt(0)
    for (const stop of [NUL, LF, CR, this.#delimiter]) this.#stops[stop] = END
    if (this.#quote >= 0) this.#stops[this.#quote] = STRAY
    for (const stop of [NUL, LF, CR, this.#quote, this.#escape]) if (stop >= 0) this.#quotedStops[stop] = END
  }

  /**
   * Parses all fields that end in `bytes[0]` to `bytes[end - 1]`.
   *
   * @param bytes with `bytes[end]` = 0.
   * @param isLast the file ends here.
   * @returns the start of the field that must be parsed again with more bytes; `end` when there is none.
   * @throws {UnreadableFileError} for a record beyond `MAX_RECORD_BYTES`.
   */
  parse(bytes: Uint8Array, end: number, isLast: boolean): number {
    const stops = this.#stops
    const delimiter = this.#delimiter
    const quote = this.#quote
    // Of a file of several pieces, this one may lie behind the last record that is wanted.
    if (this.#records === this.#maxRecords) return end
    let at = 0
    while (at < end) {
      const first = bytes[at]!
      if (this.#afterCr) {
        this.#afterCr = false
        if (first === LF) {
          at++
          continue
        }
      }
      const start = at
      if (first === quote) {
        at = this.#quotedField(bytes, at, end, isLast)
        if (at < 0) return this.#wait(start, end)
      } else {
        let byte = first
        while (stops[byte] === 0) byte = bytes[++at]!
        if (at < end && (byte === NUL || byte === quote)) {
          at = this.#oddField(bytes, start, end, isLast)
          if (at < 0) return this.#wait(start, end)
        } else if (at === end && !isLast) {
          return this.#wait(start, end)
        } else if (at > start) {
          this.#take(bytes, start, at, false)
        }
      }
      // A delimiter, a line end, or the end of the file follows.
      this.#recordBytes += at - start + 1
      const byte = at < end ? bytes[at]! : NUL
      if (byte === delimiter) {
        this.#field++
      } else {
        this.#endRecord()
        if (at < end) this.#recordLine = ++this.#line
        this.#afterCr = byte === CR
        if (this.#records === this.#maxRecords) return end
      }
      at++
    }
    if (isLast && this.#field > 0) this.#endRecord()
    this.#checkLength(0)
    return end
  }

  result(): ParsedRecords {
    this.#countAlike()
    return {
      records: this.#records,
      widths: this.#widths,
      openQuoteLine: this.#openQuoteLine,
      straddlingQuoteLine: this.#straddlingQuoteLine,
      quotedFields: this.#quotedFields,
      quotedWords: this.#quotedWords,
      strayQuotes: this.#strayQuotes,
      nulBytes: this.#nuls,
      gaps: this.#gaps,
      short: this.#short,
      trimmed: this.#trimmed,
      leftOut: this.#leftOut,
    }
  }

  #wait(start: number, end: number): number {
    this.#checkLength(end - start)
    return start
  }

  #checkLength(unparsedBytes: number): void {
    if (this.#recordBytes + unparsedBytes <= MAX_RECORD_BYTES) return
    throw new UnreadableFileError(
      `The record that begins on line ${this.#recordLine} is longer than 16 MB. Is a quotation mark missing there?`,
    )
  }

  /** @param certain the record is not blank, whatever the field holds. */
  #take(bytes: Uint8Array, start: number, end: number, certain: boolean): void {
    const field = this.#field
    if (field === 0) this.#hasContent = certain || !isBlank(bytes, start, end)
    if (field >= this.#width) {
      if (!isBlank(bytes, start, end)) this.#hasExtraContent = true
    } else if (end > start && this.#records >= this.#skip) {
      this.#sink.field(field, bytes, start, end)
    }
  }

  /**
   * A field that begins with a quote.
   *
   * @returns its end, -1 when more bytes are needed.
   */
  #quotedField(bytes: Uint8Array, start: number, end: number, isLast: boolean): number {
    const stops = this.#quotedStops
    let line = this.#line
    let at = start + 1
    for (;;) {
      while (stops[bytes[at]!] === 0) at++
      const byte = bytes[at]!
      if (byte === LF || byte === CR) {
        if (byte === CR || bytes[at - 1] !== CR) line++
        at++
        continue
      }
      if (at === end && !isLast) return -1
      const isClosed = byte === this.#quote && (at + 1 === end ? isLast : this.#stops[bytes[at + 1]!] === END)
      if (!isClosed || (bytes[at + 1] === NUL && at + 1 < end)) return this.#oddField(bytes, start, end, isLast)
      this.#line = line
      this.#quotedFields++
      if (isWordAt(bytes, start + 1, at) && this.#records >= this.#skip)
        this.#quotedWords.set(this.#field, (this.#quotedWords.get(this.#field) ?? 0) + 1)
      this.#take(bytes, start + 1, at, true)
      return at + 1
    }
  }

  /**
   * Any field, byte by byte: with quotes or escapes inside, with text after its quotes, with NULs.
   *
   * @returns its end, -1 when more bytes are needed.
   */
  #oddField(bytes: Uint8Array, start: number, end: number, isLast: boolean): number {
    const isQuoted = bytes[start] === this.#quote
    let state: 'unquoted' | 'quoted' | 'quote-seen' | 'escaped' = isQuoted ? 'quoted' : 'unquoted'
    let at = isQuoted ? start + 1 : start
    let line = this.#line
    let strays = 0
    let nuls = 0
    let length = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (state === 'quote-seen') {
        state = byte === this.#quote && this.#escape < 0 ? 'quoted' : 'unquoted'
        if (state === 'unquoted' && this.#stops[byte] !== END) {
          if (length > 0 || byte === this.#quote) strays++
          if (line > this.#line && byte !== BLANK && byte !== TAB) this.#straddlingQuoteLine ??= this.#line
        }
      } else if (state === 'quoted' && (byte === this.#quote || byte === this.#escape)) {
        state = byte === this.#quote ? 'quote-seen' : 'escaped'
        continue
      } else if (state === 'escaped') {
        state = 'quoted'
      } else if (byte === this.#quote) {
        strays++
      }
      if (byte === LF || byte === CR) {
        if (state === 'unquoted') break
        if (byte === CR || bytes[at - 1] !== CR) line++
      } else if (byte === this.#delimiter && state === 'unquoted') {
        break
      } else if (byte === NUL) {
        nuls++
        continue
      }
      if (length === this.#unescaped.length) this.#unescaped = Buffer.concat([this.#unescaped], 2 * length)
      this.#unescaped[length++] = byte
    }
    if (at === end && !isLast) return -1
    if (state === 'quoted' || state === 'escaped') this.#openQuoteLine = this.#line
    else if (isQuoted) this.#quotedFields++
    this.#line = line
    this.#strayQuotes += strays
    this.#nuls += nuls
    if (nuls > 0 && this.#field >= this.#width) this.#hasExtraContent = true
    this.#take(this.#unescaped, 0, length, true)
    return at
  }

  #endRecord(): void {
    const fields = this.#field + 1
    if (fields === 1 && !this.#hasContent) {
      if (this.#records > this.#skip) this.#isBelowGap = true
      if (this.#records >= this.#skip) this.#sink.dropRecord()
    } else {
      if (this.#isBelowGap) this.#gaps++
      this.#isBelowGap = false
      this.#records++
      if (fields !== this.#lastWidth) this.#countAlike()
      this.#lastWidth = fields
      this.#alike++
      if (this.#records > this.#skip) this.#finish(fields)
    }
    this.#checkLength(0)
    this.#field = 0
    this.#recordBytes = 0
    this.#hasContent = false
    this.#hasExtraContent = false
  }

  #countAlike(): void {
    if (this.#alike > 0) this.#widths.set(this.#lastWidth, (this.#widths.get(this.#lastWidth) ?? 0) + this.#alike)
    this.#alike = 0
  }

  #finish(fields: number): void {
    if (fields > this.#width && this.#hasExtraContent) {
      note(this.#leftOut, this.#recordLine)
      this.#sink.dropRecord()
      return
    }
    if (fields > this.#width) note(this.#trimmed, this.#recordLine)
    if (fields < this.#width) note(this.#short, this.#recordLine)
    this.#sink.endRecord(fields, this.#recordLine)
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== BLANK && bytes[i] !== TAB) return false
  return true
}

function note(list: { count: number; lines: number[] }, line: number): void {
  list.count++
  if (list.lines.length < 5) list.lines.push(line)
}
