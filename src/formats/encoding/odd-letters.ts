/**
 * How oddly a text reads: the share of its letters beyond ASCII that stand where people do not write them. Bytes that were
 * decoded with the wrong table give capitals within words, signs between letters, and words of two scripts.
 */

import { isPlaced } from './placed-signs.ts'

const LETTER = /[\p{L}\p{M}]/u
const SCRIPTS = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Hebrew}/u, /\p{sc=Arabic}/u]
const LATIN = 0
/** Controls, and code points that no character has. */
const NO_CHARACTER = /[\ufffd\x80-\x9f\p{Co}\p{Cn}]/u
/** Quotation marks, currencies and the like stand beside words; only an apostrophe and the Catalan dot within one. */
const BESIDE_WORDS = /[’‘“”«»„‚·€£™®©°ºª\u00a0\u200c-\u200f،؛؟]/u
const WITHIN_WORDS = /[’·\u200c]/u
const OPENS_SENTENCES = /[¿¡]/u
const EAST_ASIAN_SIGNS = /[\u3000-\u303f\uff00-\uffef]/u
/** Signs that are unusual alone as well as beside letters. */
const RARE_SIGNS = /[ˆ˜¸´¨¯¬¦¤√∆◊ˇ˘˙˝˛∑∏∫≈≠≤≥∞∂Ω‰⁄¹²³¼½¾\u00ad]/u
/** Letters by name, which are signs in the tables. */
const SIGNS = /[ƒˆˇ]/u
/** Letters that Windows-1252 has and its languages hardly use. */
const RARE_IN_WESTERN = /[šžŸŠŽŒ]/u
/** Letters that only Icelandic uses. */
const ICELANDIC = /[þðýÞÐÝ]/u
/** Latin letters beyond ASCII that are words of their own in some language. */
const LATIN_WORDS = /[àáâãéèêòóôúőöøåæíìïÀÁÉÈÒÓÔÚŐÖÅØ]/u
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const DIGIT = /[\d£$€]/

/**
 * 0: nothing is odd; about 1: everything is. Infinite for a text with code points that are no characters.
 *
 * @param text lines, each decoded from bytes of which at least one is above 0x7F
 */
export function oddLetters(text: string, encoding: string): number {
  if (NO_CHARACTER.test(text)) return Number.POSITIVE_INFINITY
  const isWestern = encoding === 'windows-1252' || encoding === 'windows-1254'
  let beyondAscii = 0
  let odd = 0
  for (const line of text.split('\n')) {
    const characters = [...line]
    const hasAsciiWord = /[a-z]/i.test(line)
    for (const [i, character] of characters.entries()) {
      if (character < '\x80') continue
      beyondAscii++
      const before = characters[i - 1] ?? ' '
      const after = characters[i + 1] ?? ' '
      if (isPlaced(characters, i)) continue
      if (!LETTER.test(character) || SIGNS.test(character))
        odd += isOddSign(character, before, after, isCut(characters, i)) ? 1 : 0
      else if (isOddLetter(character, before, after)) odd++
      else if (isWestern && RARE_IN_WESTERN.test(character)) odd += 0.5
      else if (encoding === 'windows-1252' && ICELANDIC.test(character)) odd += 0.25
      else if (isAlone(before, after) && isOddAlone(character, hasAsciiWord)) odd += 0.5
    }
  }
  return odd / Math.max(1, beyondAscii)
}

function isOddLetter(letter: string, before: string, after: string): boolean {
  return (
    isOfOtherScript(letter, before) ||
    isOfOtherScript(letter, after) ||
    (isLower(before) && isUpper(letter)) ||
    (isLower(letter) && isUpper(after)) ||
    (scriptOf(letter) >= LATIN && DIGIT.test(before) && DIGIT.test(after)) ||
    (EAST_ASIAN.test(letter) && /[a-z]/.test(before) && /[a-z]/.test(after))
  )
}

/** A letter of another script among words of ASCII, a capital, or a small letter that is a word in no language. */
function isOddAlone(letter: string, hasAsciiWord: boolean): boolean {
  const script = scriptOf(letter)
  return isUpper(letter) || (script > LATIN ? hasAsciiWord : script === LATIN && !LATIN_WORDS.test(letter))
}

function isOddSign(sign: string, before: string, after: string, areCut: boolean): boolean {
  const follows = LETTER.test(before)
  const leads = LETTER.test(after)
  // Marks that open a quotation do not end a word; some languages close it with the second.
  if (/[‘‚„]/u.test(sign)) return follows
  if (BESIDE_WORDS.test(sign)) return follows && leads && !WITHIN_WORDS.test(sign)
  if (OPENS_SENTENCES.test(sign)) return follows || !leads
  if (sign === '…') return leads
  // Between words; a letter alone beside a dash is likelier the end of a word that a wrong table cut.
  if (sign === '—') return follows !== leads || areCut
  if (EAST_ASIAN_SIGNS.test(sign)) return false
  return follows || leads || RARE_SIGNS.test(sign)
}

/** Whether a sign has a single letter before or behind it. */
function isCut(characters: readonly string[], at: number): boolean {
  const isLetter = (i: number) => LETTER.test(characters[i] ?? ' ')
  return (isLetter(at - 1) && !isLetter(at - 2)) || (isLetter(at + 1) && !isLetter(at + 2))
}

/** A word of a single letter: a capital, or one of another script among words of ASCII (`tout а fait`). */
function isAlone(before: string, after: string): boolean {
  return !LETTER.test(before) && !LETTER.test(after)
}

/** -1: a script whose words may stand beside others without a blank. */
function scriptOf(character: string): number {
  return SCRIPTS.findIndex((script) => script.test(character))
}

function isOfOtherScript(letter: string, other: string): boolean {
  if (!LETTER.test(other)) return false
  const [one, two] = [scriptOf(letter), scriptOf(other)]
  return one >= 0 && two >= 0 && one !== two
}

const isUpper = (character: string) => /\p{Lu}/u.test(character)
const isLower = (character: string) => /\p{Ll}/u.test(character)
