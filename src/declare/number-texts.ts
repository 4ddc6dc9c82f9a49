/**
 * The numbers that texts write: with a decimal point, or all of them with a decimal comma. NaN for a text that is no
 * number, a code with leading zeros, or a whole number beyond 2^53.
 */
export function numbersOfTexts(texts: readonly string[]): Float64Array {
  const standard = Float64Array.from(texts, standardNumber)
  if (!standard.some(Number.isNaN)) return standard
  // A group of three digits may be thousands: commas are decimal ones only if one of them cannot be anything else.
  const isDecimal = texts.some((text) => /,(\d{1,2}|\d{4,})$/.test(text)) && !texts.some((text) => text.includes('.'))
  if (!isDecimal) return standard
  const comma = Float64Array.from(texts, (text) => standardNumber(text.replace(',', '.')))
  return count(comma) < count(standard) ? comma : standard
}

function count(numbers: Float64Array): number {
  let bad = 0
  for (const number of numbers) if (Number.isNaN(number)) bad++
  return bad
}

const STANDARD = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/

function standardNumber(text: string): number {
  if (!STANDARD.test(text) || /^[+-]?0\d+$/.test(text)) return Number.NaN
  const number = Number(text)
  const isExact = Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text)
  // Never a negative zero.
  return Number.isFinite(number) && isExact ? number + 0 : Number.NaN
}
