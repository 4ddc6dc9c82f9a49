import { wordsOf } from '../../../base/text/folded-words.ts'
import type { Language } from './language.ts'

type Entry = Language['frequency'][number]

/**
 * A language whose scales are looked up as whole answers, because it writes no blanks between words, or because its degrees stand
 * now before and now behind what they grade. Phrases are written as people write them.
 *
 * @param steps one list for each scale; see `Language`.
 */
export function wholePhrases({ steps, frequency }: Pick<Language, 'steps' | 'frequency'>): Language {
  return {
    degrees: [],
    fillers: '',
    middle: '',
    neither: '',
    prefixes: '',
    poles: [],
    steps: steps.map((scale) => scale.map(folded)),
    frequency: frequency.map(folded),
    education: [],
  }
}

const folded = ([value, phrases]: Entry): Entry => [
  value,
  phrases
    .split(',')
    .map((phrase) => wordsOf(phrase).join(' '))
    .join(', '),
]

/** Scales of one form about different things: "X" in the patterns stands for each of the stems. */
export function scalesOf(stems: string, patterns: readonly Entry[], middle: string): readonly (readonly Entry[])[] {
  return stems
    .split(',')
    .map((stem) => [
      [0, middle] as const,
      ...patterns.map(([value, phrases]): Entry => [value, phrases.replaceAll('X', stem.trim())]),
    ])
}
