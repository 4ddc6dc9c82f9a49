/** The one form of a number that every reader takes for the same value. */
const PLAIN = /^-?\d{1,17}(?:\.\d{1,17})?$/
const MISSING = new Set(['', 'na', 'nan', 'null'])

/** A text that is not plainly a number or missing: what it is, is left to the reader that knows all forms. */
export class UnclearValue extends Error {
  override readonly name = 'UnclearValue'
}

/** A text field as a number, null where missing. Throws `UnclearValue` for everything else: dates, words, `1e5`. */
export function plainNumber(text: string): number | null {
  if (PLAIN.test(text)) return Number(text)
  if (MISSING.has(text.toLowerCase())) return null
  throw new UnclearValue()
}
