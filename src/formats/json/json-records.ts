import { createReadStream } from 'node:fs'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'

/** A record of the file, not yet parsed. */
export interface JsonRecord {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** On which it begins, from 1. */
  readonly line: number
}

const MAX_RECORD_BYTES = 16 * 2 ** 20
/** Brackets within brackets; no answer of a person needs as many. */
const MAX_DEPTH = 100
const PIECE_BYTES = 1 << 20

const LF = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_RECORD = 0x7b
const CLOSE_RECORD = 0x7d

/**
 * The records of a list (`[{…}, {…}]`), or of a text of one record behind the other (JSON Lines, and what `jq` prints). The
 * file is never held as a whole.
 *
 * @throws {UnreadableFileError} what stands between two records, or where the file was cut off.
 */
export async function* jsonRecords(path: string, signal?: AbortSignal): AsyncGenerator<JsonRecord> {
  const records = new RecordSplitter()
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES, signal })) yield* records.take(piece)
  records.end()
}

class RecordSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** Pieces of the record that is open. */
  #held: Buffer[] = []
  #heldBytes = 0
  #isFirstByte = true
  #isList = false
  #isListClosed = false
  #needsComma = false
  #isInText = false
  #isEscaped = false
  #depth = 0
  #line = 1
  #number = 0
  #firstLine = 1

  end(): void {
    if (this.#depth > 0) {
      throw new UnreadableFileError(
        `The file ends within record ${this.#number}, which begins on line ${this.#firstLine}: it was cut off. Export it again.`,
      )
    }
    if (this.#isList && !this.#isListClosed) {
      throw new UnreadableFileError(
        `The list of records is not closed behind record ${this.#number}: the file was cut off. Export it again.`,
      )
    }
  }

  *take(whole: Buffer): Generator<JsonRecord> {
    const piece = this.#isFirstByte ? this.#begin(whole) : whole
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte === LF) this.#line++
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInText = false
      } else if (this.#depth === 0) {
        if (this.#betweenRecords(byte)) start = at
      } else if (byte === QUOTE) this.#isInText = true
      else if (byte === OPEN_RECORD || byte === OPEN_LIST) this.#deeper()
      else if ((byte === CLOSE_RECORD || byte === CLOSE_LIST) && --this.#depth === 0) {
        this.#hold(piece.subarray(start, at + 1))
        yield this.#record()
      }
    }
    if (this.#depth > 0) this.#hold(piece.subarray(start))
  }

  #begin(piece: Buffer): Buffer {
    this.#isFirstByte = false
    if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) return piece.subarray(3)
    if (piece.subarray(0, 4).includes(0) || piece[0]! >= 0xfe)
      throw new UnreadableFileError(
        'The file is JSON in UTF-16 or UTF-32. JSON is UTF-8: save it so and send it again.',
      )
    return piece
  }

  /** Whether a record begins. */
  #betweenRecords(byte: number): boolean {
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return false
    if (byte === OPEN_RECORD && !this.#isListClosed && !(this.#isList && this.#needsComma)) {
      this.#number++
      this.#firstLine = this.#line
      this.#deeper()
      return true
    }
    if (byte === COMMA && this.#needsComma && !this.#isListClosed) this.#needsComma = false
    else if (byte === OPEN_LIST && this.#number === 0 && !this.#isList) this.#isList = true
    else if (byte === CLOSE_LIST && this.#isList && !this.#isListClosed) this.#isListClosed = true
    else throw this.#misplaced(byte)
    return false
  }

  #misplaced(byte: number): UnreadableFileError {
    const found = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : 'another sign'
    const expected = this.#isListClosed
      ? 'nothing more'
      : this.#isList && this.#needsComma
        ? 'a comma or the end of the list'
        : 'a record in braces'
    return new UnreadableFileError(
      `Behind record ${this.#number} of the JSON, ${expected} was expected, but line ${this.#line} has ${found}. ` +
        'Write each row as a record, { "name": value }.',
    )
  }

  #deeper(): void {
    if (++this.#depth <= MAX_DEPTH) return
    throw new UnreadableFileError(
      `Record ${this.#number}, which begins on line ${this.#firstLine}, nests more than ${MAX_DEPTH} lists and records. Write a flat table and send that.`,
    )
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes <= MAX_RECORD_BYTES) return
    throw new UnreadableFileError(
      `Record ${this.#number}, which begins on line ${this.#firstLine}, has more than ${MAX_RECORD_BYTES / 2 ** 20} MB. A row of answers is smaller; send one record for each row.`,
    )
  }

  #record(): JsonRecord {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#needsComma = true
    try {
      return { text: this.#decoder.decode(bytes), number: this.#number, line: this.#firstLine }
    } catch {
      throw new UnreadableFileError(
        `Record ${this.#number}, which begins on line ${this.#firstLine}, has bytes that are no UTF-8. Save the file as UTF-8 and send it again.`,
      )
    }
  }
}
