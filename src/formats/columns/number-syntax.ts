import { bareNumber } from './bare-number.ts'
import { decimalsOf, hasLeadingZero, isUnsafeInteger, MAX_DECIMALS, numberIn, STANDARD_NUMBER } from './number-forms.ts'

/** The number at a place of some bytes, and how it was written. */
export interface WrittenNumber {
  value: number
  /** Trailing zeros not counted, at most 12. */
  decimals: number
}

const ZERO = 0x30
const POINT = 0x2e
const PLUS = 0x2b
const MINUS = 0x2d
/**
 * Whole numbers of this many digits, and their quotients by powers of ten up to this one, are exact to the last bit
 * (Clinger 1990).
 */
const EXACT_DIGITS = 15
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/** Longer texts are not ordinary numbers and are left to other readers. */
const MAX_BYTES = 60

/**
 * Reads a number in the standard syntax of `number-forms.ts`, without a string if it has up to 15 digits and no
 * exponent.
 *
 * @param into receives the number.
 * @returns whether the text is certainly a number: not infinite, not a whole number beyond 2^53, not a code with
 * leading zeros.
 */
export function readStandardNumber(bytes: Uint8Array, start: number, end: number, into: WrittenNumber): boolean {
  const first = bytes[start]
  const isSigned = first === MINUS || first === PLUS
  let digits = 0
  let whole = 0
  let places = 0
  let lastPlace = 0
  let isFraction = false
  for (let i = isSigned ? start + 1 : start; i < end; i++) {
    const digit = bytes[i]! - ZERO
    if (digit >= 0 && digit <= 9) {
      whole = 10 * whole + digit
      digits++
      if (isFraction) {
        places++
        if (digit > 0) lastPlace = places
      }
    } else if (bytes[i] === POINT && !isFraction) {
      isFraction = true
    } else {
      return readAnyNumber(bytes, start, end, into)
    }
  }
  if (digits === 0) return false
  if (digits > EXACT_DIGITS) return readAnyNumber(bytes, start, end, into)
  if (!isFraction && digits > 1 && bytes[isSigned ? start + 1 : start] === ZERO) return false
  const value = whole / POWERS[places]!
  // Never a negative zero.
  into.value = first === MINUS ? 0 - value : value
  into.decimals = Math.min(MAX_DECIMALS, lastPlace)
  return true
}

function readAnyNumber(bytes: Uint8Array, start: number, end: number, into: WrittenNumber): boolean {
  if (end - start > MAX_BYTES) return false
  const text = String.fromCharCode(...bytes.subarray(start, end))
  if (bareNumber(text) !== text) return false
  const value = numberIn(STANDARD_NUMBER, text)
  if (Number.isNaN(value) || hasLeadingZero(text) || isUnsafeInteger(text)) return false
  into.value = value
  into.decimals = decimalsOf(text)
  return true
}
