/** Digits and signs of numbers in scripts that have their own: full-width ones (１２), Arabic, Persian, Devanagari and others. */

const FOREIGN = /[\p{Nd}\u066a-\u066c\uff05\uff0b-\uff0f\uff1a\uffe5]/u
const FOREIGN_ALL = /(?![0-9])\p{Nd}|[\u066a-\u066c\uff05\uff0b-\uff0f\uff1a\uffe5]/gu
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['\u066a', '%'],
  ['\u066b', '.'],
  ['\u066c', ','],
  ['\uffe5', '\u00a5'],
])
/** From full-width to ASCII characters. */
const FULL_WIDTH = 0xfee0

/** The text with digits from 0 to 9 and the signs that go with them; the text itself for nearly all texts. */
export function latinDigits(text: string): string {
  if (!/[^\u0020-\u007e]/.test(text) || !FOREIGN.test(text)) return text
  return text.replaceAll(FOREIGN_ALL, (sign) => {
    const known = SIGNS.get(sign)
    if (known !== undefined) return known
    const code = sign.codePointAt(0)!
    return code >= 0xff05 && code <= 0xff1a ? String.fromCodePoint(code - FULL_WIDTH) : digitOf(code)
  })
}

/** Decimal digits lie in blocks of ten, from zero on, and no two blocks touch except those of mathematical letters. */
function digitOf(code: number): string {
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10)
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
