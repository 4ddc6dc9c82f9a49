/** The words of a text as they are looked up: small letters without accents, no punctuation. */

/** Letters that have no decomposition. */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' }

/** Lower-case letters without accents, straight quotes and dashes; punctuation stays. */
export function foldLetters(text: string): string {
  return text
    .replaceAll('·', '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łßøæœđı]/g, (letter) => LETTERS[letter]!)
    .replaceAll(/[\u2018\u2019\u02bc`\u00b4]/g, "'")
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
}

/** The other gender or number after a word: satisfet/a, satisfait(e), empresari/ària. */
const OTHER_FORM = /(?<=\p{L})(?:\((?:a|e|o|as|es|os|s)\)|\/(?:a|e|o|as|es|os|ada|da|ana|in))(?!\p{L})/gu

/** The words of a text, without punctuation: "Don’t know!" is don, t, know. */
export function wordsOf(text: string): string[] {
  return (
    foldLetters(text)
      .replaceAll(OTHER_FORM, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
