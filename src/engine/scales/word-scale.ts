/**
 * Levels that are words of a known scale, in its order. Every level must be understood, all in one language and as one scale. If
 * two levels have the same rank, or two languages give different orders, the column has no scale.
 */

import { wordsOf } from '../../base/text/folded-words.ts'
import { LEAST_PLACES } from './bands.ts'
import { educationPlaces } from './education-scale.ts'
import { intensityPlaces, stepPlaces, tableOf } from './intensity-scale.ts'
import type { PhraseTable } from './phrase-table.ts'
import { ratePlaces } from './rate-scale.ts'
import { ARABIC } from './words/arabic.ts'
import { CATALAN } from './words/catalan.ts'
import { CHINESE } from './words/chinese.ts'
import { DUTCH } from './words/dutch.ts'
import { ENGLISH } from './words/english.ts'
import { FRENCH } from './words/french.ts'
import { GERMAN } from './words/german.ts'
import { ITALIAN } from './words/italian.ts'
import { JAPANESE } from './words/japanese.ts'
import { KOREAN } from './words/korean.ts'
import type { Language } from './words/language.ts'
import { POLISH } from './words/polish.ts'
import { PORTUGUESE } from './words/portuguese.ts'
import { SPANISH } from './words/spanish.ts'

const LANGUAGES: readonly Language[] = [
  ...[ENGLISH, SPANISH, CATALAN, GERMAN, FRENCH, ITALIAN, PORTUGUESE, DUTCH, POLISH],
  ...[JAPANESE, CHINESE, KOREAN, ARABIC],
]

/** A column with more levels has no scale of words. */
const MOST_WORD_LEVELS = 30
const MOST_WORDS = 16

/** The rank of each text, from 1; null for an unknown or doubtful scale. */
export function wordRanks(texts: readonly string[]): number[] | null {
  if (texts.length < LEAST_PLACES || texts.length > MOST_WORD_LEVELS) return null
  const whole = ranksOf(texts)
  if (whole !== null) return whole
  // "Rarely (less than once a month)": the text in parentheses is an explanation.
  const without = texts.map((text) => text.replaceAll(/\([^()]*\)/g, ' '))
  return without.some((text, i) => text !== texts[i]) ? ranksOf(without) : null
}

function ranksOf(texts: readonly string[]): number[] | null {
  const words = texts.map(wordsOf)
  if (words.some(({ length }) => length === 0 || length > MOST_WORDS)) return null
  const found = [
    ratePlaces(texts),
    ...LANGUAGES.flatMap((language) => [
      frequencyPlaces(words, language),
      ...stepPlaces(words, language),
      ...intensityPlaces(words, language),
      educationPlaces(words, language),
    ]),
  ]
  const [first, ...others] = found
    .map((places) => (places === null ? null : ranks(places)))
    .filter((order) => order !== null)
  if (first === undefined) return null
  return others.every((order) => order.every((rank, i) => rank === first[i])) ? first : null
}

/** Ranks from 1 in ascending sequence; null if two values are equal. */
function ranks(places: readonly number[]): number[] | null {
  const sorted = [...places].sort((a, b) => a - b)
  const areDistinct = sorted.every((place, i) => i === 0 || place > sorted[i - 1]!)
  return areDistinct ? places.map((place) => sorted.indexOf(place) + 1) : null
}

/** Scales of frequency in words: "never" to "always". */
const tables = new Map<Language, PhraseTable<number>>()

/** A rank per text; null if one does not express a frequency, or if they refer to different things. */
function frequencyPlaces(texts: readonly (readonly string[])[], language: Language): number[] | null {
  let table = tables.get(language)
  if (table === undefined) {
    table = tableOf(language.frequency)
    tables.set(language, table)
  }
  const rests = new Set<string>()
  const places: number[] = []
  for (const words of texts) {
    const found = longest(words, table)
    if (found === null) return null
    places.push(found.place)
    if (found.rest !== '') rests.add(found.rest)
  }
  return rests.size <= 1 ? places : null
}

/** The longest phrase of frequency in a text, and the words around it. */
function longest(words: readonly string[], table: PhraseTable<number>): { place: number; rest: string } | null {
  let best: { place: number; rest: string; length: number } | null = null
  for (let i = 0; i < words.length; i++) {
    const found = table.longestAt(words, i)
    if (found === null || found.length <= (best?.length ?? 0)) continue
    const rest = [...words.slice(0, i), ...words.slice(i + found.length)].join(' ')
    best = { place: found.meaning, rest, length: found.length }
  }
  return best
}
