/**
 * Numbers that were kept in single precision before a system file, which knows double precision alone, took them:
 * 17.1 has become 17.100000381469727. Every decimal number of six digits survives single precision (IEEE 754), so the
 * shortest decimal text of the single is the number as somebody wrote it.
 */

import { decimalsOf } from '../columns/number-forms.ts'

/** Digits that survive single precision, and digits that tell all singles apart. */
const KEPT_DIGITS = 6
const DISTINCT_DIGITS = 9

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** Looks at the values of a column one after another. */
export class SinglePrecision {
  #isPossible = true
  #isFull = false
  #decimals = 0

  /** Takes a value. Whole numbers say nothing. */
  add(value: number): void {
    if (!this.#isPossible || Number.isInteger(value)) return
    float[0] = value
    if (float[0] !== value) {
      this.#isPossible = false
      return
    }
    // Halves, eighths and the like leave the last bits empty, and are exact in either precision.
    if ((bits[0]! & 3) !== 0) this.#isFull = true
    const scale = 10 ** this.#decimals
    if (Math.fround(Math.round(value * scale) / scale) !== value) {
      this.#decimals = Math.max(this.#decimals, decimalsOf(String(shortestSingle(value))))
    }
  }

  /** Whether all values are singles, and some of them only approximate a decimal number. */
  get isFound(): boolean {
    return this.#isPossible && this.#isFull
  }

  /** Most decimals of `shortestSingle` of the values. */
  get decimals(): number {
    return this.#decimals
  }
}

/** Powers of ten that are exact, so that a division by one is rounded once. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** The shortest decimal number that single precision turns into this one, of at least six digits. */
export function shortestSingle(value: number): number {
  if (Number.isInteger(value)) return value
  const places = KEPT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))
  for (let more = 0; more < DISTINCT_DIGITS - KEPT_DIGITS; more++) {
    const power = POWERS[places + more]
    // Very large and very small numbers are rare; texts take ten times as long.
    const shorter =
      power === undefined ? Number(value.toPrecision(KEPT_DIGITS + more)) : Math.round(value * power) / power
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(DISTINCT_DIGITS))
}
