import {
  BEYOND_DOUBLES,
  LEADING_ZEROS,
  type NumberType,
  remarked,
  type TextType,
  type TimeType,
} from './column-type.ts'
import { decimalsOf, hasLeadingZero, isUnsafeInteger, numberIn } from './number-forms.ts'
import { readStandardNumber, type WrittenNumber } from './number-syntax.ts'

export type ValueType = NumberType | TimeType

/**
 * Reads the value at a place of some bytes: a number, or milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param into receives the value, NaN when the text is none.
 */
export function readValue(type: ValueType, bytes: Uint8Array, start: number, end: number, into: WrittenNumber): void {
  if (type.form.name === 'standard' && readStandardNumber(bytes, start, end, into)) return
  readText(type, textAt(bytes, start, end).trim(), into)
}

function readText(type: ValueType, text: string, into: WrittenNumber): void {
  into.decimals = 0
  if (type.type === 'time') {
    into.value = type.form.read(text)
    return
  }
  into.value = numberIn(type.form, text)
  if (!Number.isNaN(into.value)) into.decimals = decimalsOf(type.form.standardText(text) ?? '')
}

/** The type of a column that holds such a number; null when it may be a number. */
export function textualNumber(text: string): TextType | null {
  if (hasLeadingZero(text)) return remarked(LEADING_ZEROS)
  return isUnsafeInteger(text) ? remarked(BEYOND_DOUBLES) : null
}

export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
}
