/** Blanks and the texts that stand for missing values, in every kind of file. */

/** Compared in lower case, after trimming. */
export const MISSING_WORDS = ['', 'na', 'n/a', 'nan', '-nan', 'null', '<na>', '#n/a', '#na', '#null!'] as const

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

/** First and second bytes of the words that are not empty; most texts have others. */
const FIRST_BYTES = bytesOf(0)
const SECOND_BYTES = bytesOf(1)

function bytesOf(at: number): Uint8Array {
  const found = new Uint8Array(256)
  for (const word of MISSING_WORDS) for (const form of [word, word.toUpperCase()]) found[form.charCodeAt(at)] = 1
  return found
}

/** `isMissingWord` for bytes, which may have blanks around them; makes hardly any strings. The empty text is none. */
export function isWordAt(bytes: Uint8Array, start: number, end: number): boolean {
  let from = start
  let to = end
  while (from < to && bytes[from] === 0x20) from++
  while (to > from && bytes[to - 1] === 0x20) to--
  if (to - from < 2 || to - from > MAX_WORD_BYTES) return false
  if (FIRST_BYTES[bytes[from]!] === 0 || SECOND_BYTES[bytes[from + 1]!] === 0) return false
  return isMissingWord(String.fromCharCode(...bytes.subarray(from, to)))
}

export function isMissingMark(text: string): boolean {
  return text.length <= MAX_WORD_BYTES && MARKS.has(text.toLowerCase())
}
