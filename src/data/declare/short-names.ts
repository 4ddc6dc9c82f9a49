/** Names for columns that are named by the text of a question. */

import { textWidth } from '../../base/text/text-width.ts'

/** Narrower names are names; a Chinese or Japanese character is as wide as two letters. */
const NARROWEST_QUESTION = 40
/** A code at the beginning of a question: `Q7.`, `D12_3:`, `F 4)`. */
const CODE = /^\W*([A-Za-z]{1,4} ?\d{1,3}[a-z]?(?:[._]\d{1,3})?)\s*[.:)\]–．：、-]\s*\D/u
/** Words of a name. */
const MOST_WORDS = 3
const SHORTEST_WORD = 4

/**
 * Short names by which a study can call the columns with long ones: the code of the question, or the words that the fewest
 * other questions have. No name is that of another column.
 *
 * @returns name → the column's name in the file, for columns whose name is a question.
 */
export function shortNames(columns: readonly string[]): ReadonlyMap<string, string> {
  const questions = columns.filter(isQuestion)
  const uses = new Map<string, number>()
  for (const question of questions)
    for (const word of new Set(wordsIn(question))) uses.set(word, (uses.get(word) ?? 0) + 1)
  const taken = new Set(columns)
  const names = new Map<string, string>()
  for (const question of questions) {
    const name = codeOf(question) ?? fewestUsed(wordsIn(question), uses)
    if (name === '') continue
    let unique = name
    for (let i = 2; taken.has(unique); i++) unique = `${name}.${i}`
    taken.add(unique)
    names.set(unique, question)
  }
  return names
}

/** A name of several words on one line. */
function isQuestion(name: string): boolean {
  const hasWords = UNDIVIDED.test(name) || name.split(' ').length > MOST_WORDS
  return hasWords && textWidth(name) >= NARROWEST_QUESTION && !/\p{Control}/u.test(name)
}

/** Scripts without blanks between words. */
const UNDIVIDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u
/** Words that carry meaning in them; grammar is written in Hiragana. */
const MEANING = /^[\p{Script=Han}\p{Script=Katakana}ー]{2,}$/u
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

function codeOf(question: string): string | null {
  return CODE.exec(question)?.[1]?.replace(' ', '') ?? null
}

function wordsIn(text: string): string[] {
  if (UNDIVIDED.test(text)) {
    const words = Array.from(segmenter.segment(text), ({ segment }) => segment)
    return words.filter((word) => MEANING.test(word))
  }
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []
  const long = words.filter((word) => word.length >= SHORTEST_WORD)
  return long.length > 0 ? long : words
}

/** The rarest words, among them the longest, in the sequence of the question. */
function fewestUsed(words: readonly string[], uses: ReadonlyMap<string, number>): string {
  const chosen = [...new Set(words)]
    .sort((a, b) => uses.get(a)! - uses.get(b)! || b.length - a.length)
    .slice(0, MOST_WORDS)
  return [...new Set(words)].filter((word) => chosen.includes(word)).join('.')
}
