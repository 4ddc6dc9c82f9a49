/** Blanks and the texts that stand for missing values, in every kind of file. */

/** Compared in lower case, after trimming. */
export const MISSING_WORDS = ['', 'na', 'n/a', 'nan', '-nan', 'null', '<na>', '#n/a', '#na', '#null!', '=""'] as const

/** Missing if the other values in the column are numbers or dates; ordinary values among texts. */
export const MISSING_MARKS = [
  '.',
  '-',
  '--',
  '---',
  '\u2013',
  '\u2014',
  '?',
  '*',
  'inf',
  '+inf',
  '-inf',
  'infinity',
  '-infinity',
  '#div/0!',
  '#value!',
  '#ref!',
  '#name?',
  '#num!',
  '0000-00-00',
] as const

/** No word or mark that stands for a missing value has more bytes. */
export const MAX_WORD_BYTES = 10

/** The characters that JavaScript's `\\s` matches and `trim` removes. */
export const BLANKS =
  ' \t\n\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

const WORDS: ReadonlySet<string> = new Set(MISSING_WORDS)
const MARKS: ReadonlySet<string> = new Set(MISSING_MARKS)

/**
 * The text without surrounding blanks, null when it means a missing value.
 *
 * @param levels that a study names: none of them does, NA for the province of Naples.
 */
export function presentText(raw: string, levels?: ReadonlySet<string>): string | null {
  const text = raw.trim()
  return isMissingWord(text) && levels?.has(text) !== true ? null : text
}

export function isMissingWord(text: string): boolean {
  return text.length <= MAX_WORD_BYTES && WORDS.has(text.toLowerCase())
}

/** Most bytes of a word; as digits to the base of 256 they fit a number without loss. */
const LONGEST_WORD = 6
const WORD_KEYS: ReadonlySet<number> = new Set(
  MISSING_WORDS.filter((word) => word !== '').map((word) => keyOf(Buffer.from(word), 0, word.length)),
)
/** 1 for the first bytes of words, in both cases; most texts have others. */
const FIRST_BYTES = new Uint8Array(256)
for (const word of MISSING_WORDS)
  for (const form of [word, word.toUpperCase()]) if (form !== '') FIRST_BYTES[form.charCodeAt(0)] = 1

function keyOf(bytes: Uint8Array, start: number, end: number): number {
  let key = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    key = 256 * key + (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)
  }
  return key
}

/** `isMissingWord` for bytes, which may have blanks around them; makes no strings. The empty text is none. */
export function isWordAt(bytes: Uint8Array, start: number, end: number): boolean {
  let from = start
  let to = end
  while (from < to && bytes[from] === 0x20) from++
  if (FIRST_BYTES[bytes[from]!] === 0) return false
  while (to > from && bytes[to - 1] === 0x20) to--
  return from < to && to - from <= LONGEST_WORD && WORD_KEYS.has(keyOf(bytes, from, to))
}

export function isMissingMark(text: string): boolean {
  return text.length <= MAX_WORD_BYTES && MARKS.has(text.toLowerCase())
}
