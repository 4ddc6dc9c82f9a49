/**
 * Rows as the bytes of CSV fields (RFC 4180), without a string per cell: levels are stored as bytes, whole numbers and
 * decimals are written digit by digit. Unusual values (huge numbers, years before 0 or after 9999) use the text of
 * `csv-text.ts`, which is also the reference implementation of every other cell.
 *
 * b  rows of a block
 */

import type { Block, OutputColumn } from '../../base/output-table.ts'
import { csvField } from '../../base/text/csv-field.ts'
import { isTooSmall, levelNumbers } from '../writing/block-values.ts'
import { missingText, valueText } from './csv-text.ts'

const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const LETTER_T = 0x54

/** Longest text of a number or a time: sign, 21 digits, point and 100 decimals (what `toFixed` gives at most), rounded up. */
const MAX_VALUE_BYTES = 128

const DAY_MS = 86_400_000
const DAY_0000 = -719_528
const DAY_10000 = 2_932_897

const LEVEL = 0
const NUMBER = 1
const DATE = 2
const DATE_TIME = 3

/** A column of the table; all have one shape, so that the loop over them stays fast. */
interface Field {
  readonly column: OutputColumn
  readonly kind: number
  /** Level i of a categorical column is bytes[starts[i + 1]] … bytes[starts[i + 2] - 1]; the missing level is -1. */
  readonly bytes: Uint8Array
  readonly starts: Int32Array
  readonly decimals: number
  readonly scale: number
  /** Codes of the current block. */
  codes: Int32Array
  values: Float64Array
  valid: Uint8Array | null
}

/** Encodes rows of blocks into its own memory, which it reuses. */
export class RowEncoder {
  readonly #fields: readonly Field[]
  readonly #maxRowBytes: number
  readonly #out: Uint8Array

  /** @param chunkBytes Approximate bytes per chunk; a chunk has at least one whole row. */
  constructor(columns: readonly OutputColumn[], chunkBytes: number) {
    this.#fields = columns.map((column) => fieldOf(column, missingText(columns)))
    this.#maxRowBytes = this.#fields.reduce((sum, field) => sum + maxFieldBytes(field) + 1, 2)
    this.#out = new Uint8Array(Math.max(chunkBytes, this.#maxRowBytes))
  }

  /** Whole rows in chunks; a chunk is valid until the next one is requested. */
  *encode(block: Block): Generator<Uint8Array> {
    const fields = this.#fields
    fields.forEach((field, i) => {
      const source = block.columns[i]!
      if ('codes' in source) field.codes = source.codes
      else {
        field.values = source.values
        field.valid = source.valid
      }
    })
    for (let row = 0; row < block.rowCount; ) {
      let at = 0
      for (; row < block.rowCount && at + this.#maxRowBytes <= this.#out.length; row++) {
        at = writeRow(this.#out, at, fields, row)
      }
      yield this.#out.subarray(0, at)
    }
  }
}

function fieldOf(column: OutputColumn, missing: string): Field {
  const texts = [missing]
  if (column.kind === 'categorical') {
    for (const level of column.integer ? levelNumbers(column.levels) : column.levels)
      texts.push(csvField(String(level)))
  }
  const encoded = texts.map((text) => Buffer.from(text))
  const starts = new Int32Array(encoded.length + 1)
  encoded.forEach((bytes, i) => {
    starts[i + 1] = starts[i]! + bytes.length
  })
  const decimals = column.kind === 'numeric' && !column.integer ? column.decimals : 0
  return {
    column,
    kind: { categorical: LEVEL, numeric: NUMBER, date: DATE, 'date-time': DATE_TIME }[column.kind],
    bytes: new Uint8Array(Buffer.concat(encoded)),
    starts,
    decimals,
    scale: 10 ** decimals,
    codes: new Int32Array(0),
    values: new Float64Array(0),
    valid: null,
  }
}

function maxFieldBytes({ kind, starts }: Field): number {
  let most = kind === LEVEL ? 0 : MAX_VALUE_BYTES
  for (let i = 0; i + 1 < starts.length; i++) most = Math.max(most, starts[i + 1]! - starts[i]!)
  return most
}

function writeRow(out: Uint8Array, start: number, fields: readonly Field[], row: number): number {
  let at = start
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!
    if (i > 0) out[at++] = COMMA
    if (field.kind === LEVEL) at = writeLevel(out, at, field, field.codes[row]!)
    else if (field.valid !== null && field.valid[row] === 0) at = writeLevel(out, at, field, -1)
    else if (field.kind === NUMBER) at = writeNumber(out, at, field, field.values[row]!)
    else at = writeTime(out, at, field, field.values[row]!)
  }
  out[at] = CARRIAGE_RETURN
  out[at + 1] = LINE_FEED
  return at + 2
}

function writeLevel(out: Uint8Array, start: number, { bytes, starts }: Field, level: number): number {
  let at = start
  const end = starts[level + 2]!
  for (let i = starts[level + 1]!; i < end; i++) out[at++] = bytes[i]!
  return at
}

/** Larger powers of ten are not exact doubles. */
const MAX_EXACT_DECIMALS = 22

function writeNumber(out: Uint8Array, start: number, field: Field, value: number): number {
  const { decimals, scale } = field
  const units = Math.round(value * scale)
  // Larger numbers have no exact unit; far smaller ones would lose most digits.
  if (decimals > MAX_EXACT_DECIMALS || !(Math.abs(units) < 2 ** 52) || isTooSmall(value, scale))
    return writeText(out, start, valueText(field.column, value))
  let at = start
  if (units < 0) out[at++] = MINUS
  const whole = Math.floor(Math.abs(units) / scale)
  at = writeDigits(out, at, whole)
  if (decimals === 0) return at
  out[at++] = POINT
  writePadded(out, at, Math.abs(units) - whole * scale, decimals)
  return at + decimals
}

/** A whole number from 0 to 2^53. */
function writeDigits(out: Uint8Array, at: number, number: number): number {
  let length = 1
  for (let limit = 10; limit <= number; limit *= 10) length++
  writePadded(out, at, number, length)
  return at + length
}

/** Exactly `length` digits of a whole number from 0 to 2^53. */
function writePadded(out: Uint8Array, at: number, number: number, length: number): void {
  let left = number
  let i = at + length - 1
  // 32-bit divisions are much cheaper, and most numbers are small.
  for (; i >= at && left >= 2 ** 31; i--) {
    const tenth = Math.floor(left / 10)
    out[i] = ZERO + (left - 10 * tenth)
    left = tenth
  }
  let small = left | 0
  for (; i >= at; i--) {
    const tenth = (small / 10) | 0
    out[i] = ZERO + (small - 10 * tenth)
    small = tenth
  }
}

/** `2024-12-31`, or `2024-12-31T23:59:59`, with milliseconds if there are any. */
function writeTime(out: Uint8Array, start: number, field: Field, value: number): number {
  const milliseconds = Math.round(value)
  const day = Math.floor(milliseconds / DAY_MS)
  if (!(day >= DAY_0000 && day < DAY_10000)) return writeText(out, start, valueText(field.column, value))
  const at = writeDay(out, start, day)
  if (field.kind === DATE) return at
  const ofDay = (milliseconds - day * DAY_MS) | 0
  const seconds = (ofDay / 1000) | 0
  out[at] = LETTER_T
  writePadded(out, at + 1, (seconds / 3600) | 0, 2)
  out[at + 3] = COLON
  writePadded(out, at + 4, ((seconds / 60) | 0) % 60, 2)
  out[at + 6] = COLON
  writePadded(out, at + 7, seconds % 60, 2)
  if (ofDay === seconds * 1000) return at + 9
  out[at + 9] = POINT
  writePadded(out, at + 10, ofDay - seconds * 1000, 3)
  return at + 13
}

/**
 * The calendar repeats every 400 years; these begin in March, so that a leap day ends one (Hatcher 1984, "Simple
 * formulae for Julian day numbers").
 */
function writeDay(out: Uint8Array, at: number, day: number): number {
  const fromMarch = day + 719_468
  const era = Math.floor(fromMarch / 146_097)
  const ofEra = (fromMarch - era * 146_097) | 0
  const yearOfEra = ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0
  const ofYear = ofEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const monthFromMarch = ((5 * ofYear + 2) / 153) | 0
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  writePadded(out, at, era * 400 + yearOfEra + (month <= 2 ? 1 : 0), 4)
  out[at + 4] = MINUS
  writePadded(out, at + 5, month, 2)
  out[at + 7] = MINUS
  writePadded(out, at + 8, ofYear - (((153 * monthFromMarch + 2) / 5) | 0) + 1, 2)
  return at + 10
}

/** ASCII. */
function writeText(out: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i)
  return at + text.length
}
