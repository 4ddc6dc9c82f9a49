/**
 * Levels that are words of a known scale, in its order. Every level must be understood, all in one language and as one scale;
 * two of the same place, or two languages of different minds, and there is none.
 */
import { educationPlaces } from './education-scale.ts'
import { wordsOf } from './fold-text.ts'
import { frequencyPlaces } from './frequency-scale.ts'
import { intensityPlaces, stepPlaces } from './intensity-scale.ts'
import { LEAST_PLACES } from './level-scale.ts'
import { ratePlaces } from './rate-scale.ts'
import { LANGUAGES } from './words/languages.ts'

/** More levels than this are no scale of words. */
const MOST_WORD_LEVELS = 30
const MOST_WORDS = 16

/** The rank of each text, from 1; null where there is no known scale, or doubt. */
export function wordRanks(texts: readonly string[]): number[] | null {
  if (texts.length < LEAST_PLACES || texts.length > MOST_WORD_LEVELS) return null
  const whole = ranksOf(texts)
  if (whole !== null) return whole
  // "Rarely (less than once a month)": what is in parentheses explains.
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

/** From 1 in ascending order; null where two are equal. */
function ranks(places: readonly number[]): number[] | null {
  const sorted = [...places].sort((a, b) => a - b)
  const areDistinct = sorted.every((place, i) => i === 0 || place > sorted[i - 1]!)
  return areDistinct ? places.map((place) => sorted.indexOf(place) + 1) : null
}
