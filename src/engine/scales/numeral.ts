/** Numbers as texts write them: 1,000 or 1.000, 2.5 or 2,5. */

/** Which mark parts thousands in a column; the other one begins decimals. Blanks and apostrophes part thousands in both. */
export type Marks = ',' | '.'

/** A written number, without a sign: digits with marks between them. */
export const NUMERAL = /\d+(?:[.,']\d+)*(?: \d{3}(?!\d))*/y

const MOST_DIGITS = 15

/** The value of a written number, NaN where it is none: 1,00,0 or 1.2.3, codes with a leading zero (08001). */
export function numeralValue(text: string, thousands: Marks): number {
  const decimal = thousands === ',' ? '.' : ','
  const [whole = '', fraction, ...more] = text.split(decimal)
  if (
    more.length > 0 ||
    text.length > MOST_DIGITS + MOST_DIGITS / 3 ||
    (fraction !== undefined && !/^\d+$/.test(fraction))
  ) {
    return Number.NaN
  }
  const marks = new Set(whole.match(/\D/g))
  const groups = whole.split(/\D/)
  const isGrouped = groups.every((group, i) => (i === 0 ? group.length <= 3 : group.length === 3))
  if (marks.size > 1 || (groups.length > 1 && !isGrouped) || /^0\d/.test(groups.join(''))) return Number.NaN
  if (groups.length > 1 && groups[0] === '0') return Number.NaN
  return Number(`${groups.join('')}.${fraction ?? ''}0`)
}
