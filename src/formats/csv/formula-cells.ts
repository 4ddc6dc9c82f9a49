/**
 * Cells of a CSV file that are texts, and that spreadsheet programs take for formulas: `=1+2`, `@home`, `-5 to 5`. A number
 * with a sign is none.
 */

import { readStandardNumber, type WrittenNumber } from '../columns/number-syntax.ts'

const [TAB, LF, CR, QUOTE, PLUS, COMMA, MINUS, EQUALS, AT] = [0x09, 0x0a, 0x0d, 0x22, 0x2b, 0x2c, 0x2d, 0x3d, 0x40]
/** Full-width forms are `EF BC` and one of these: ＋ － ＝ ＠. */
const [WIDE_0, WIDE_1] = [0xef, 0xbc]
const WIDE_2 = new Set([0x8b, 0x8d, 0x9d, 0xa0])

/** Longer texts are no numbers. */
const LONGEST_NUMBER = 400
const NUMBER = /^[+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const APOSTROPHE = Buffer.from("'")

const read: WrittenNumber = { value: 0, decimals: 0 }

/** Whether a cell with these bytes, without its quotes, begins like a formula and is no number. */
export function isFormulaCell(bytes: Uint8Array, start: number, end: number): boolean {
  // A sign alone is a text in every program.
  if (end - start < 2) return false
  switch (bytes[start]) {
    case EQUALS:
    case AT:
    case TAB:
    case CR:
      return true
    case PLUS:
    case MINUS:
      return !isNumber(bytes, start, end)
    case WIDE_0:
      return bytes[start + 1] === WIDE_1 && WIDE_2.has(bytes[start + 2]!)
    default:
      return false
  }
}

function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  if (readStandardNumber(bytes, start, end, read)) return true
  return end - start <= LONGEST_NUMBER && NUMBER.test(Buffer.from(bytes.subarray(start, end)).toString('latin1'))
}

/** The text of a cell with an apostrophe in front, where it begins like a formula. */
export function guardedText(text: string): string {
  const bytes = Buffer.from(text)
  return isFormulaCell(bytes, 0, bytes.length) ? `'${text}` : text
}

/**
 * The records of a CSV file (RFC 4180, commas) with an apostrophe before each cell that begins like a formula; all other bytes
 * stay. In bounded memory.
 *
 * @param pieces of the file, from the end of a line on.
 */
export async function* guardedRecords(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const guard = new FormulaGuard()
  for await (const piece of pieces) yield guard.take(piece, false)
  yield guard.take(Buffer.alloc(0), true)
}

class FormulaGuard {
  /** Bytes of a cell whose end is not there yet. */
  #carry: Buffer = Buffer.alloc(0)
  #isAtStart = false
  #isQuoted = false

  take(piece: Buffer, isLast: boolean): Buffer {
    const bytes = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece])
    const parts: Buffer[] = []
    let from = 0
    let i = 0
    while (i < bytes.length) {
      if (this.#isAtStart) {
        const isQuoted = bytes[i] === QUOTE
        const start = isQuoted ? i + 1 : i
        const end = cellEnd(bytes, start, isQuoted)
        if (end === null && !isLast && bytes.length - start <= LONGEST_NUMBER) break
        if (isFormulaCell(bytes, start, end ?? bytes.length)) {
          parts.push(bytes.subarray(from, start), APOSTROPHE)
          from = start
        }
        this.#isAtStart = false
        this.#isQuoted = isQuoted
        i = start
      } else if (this.#isQuoted) {
        const quote = bytes.indexOf(QUOTE, i)
        // A doubled quote leaves the quotes and enters them again.
        this.#isQuoted = quote < 0
        i = quote < 0 ? bytes.length : quote + 1
      } else {
        const byte = bytes[i]
        if (byte === QUOTE) this.#isQuoted = true
        else this.#isAtStart = byte === COMMA || byte === LF || byte === CR
        i++
      }
    }
    this.#carry = Buffer.from(bytes.subarray(i))
    return Buffer.concat([...parts, bytes.subarray(from, i)])
  }
}

/** The end of a cell, or a place behind the end of any number; null: it is not among the bytes. */
function cellEnd(bytes: Buffer, start: number, isQuoted: boolean): number | null {
  const limit = Math.min(bytes.length, start + LONGEST_NUMBER + 1)
  for (let i = start; i < limit; i++) {
    const byte = bytes[i]!
    if (isQuoted ? byte === QUOTE : byte === COMMA || byte === LF || byte === CR) return i
  }
  return limit < bytes.length ? limit : null
}
