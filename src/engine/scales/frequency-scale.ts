/** Scales of how often, in words: "never" to "always". */
import { tableOf } from './intensity-scale.ts'
import type { PhraseTable } from './phrase-table.ts'
import type { Language } from './words/language.ts'

const tables = new Map<Language, PhraseTable<number>>()

/** A place per text; null where one does not say how often, or where they say it of different things. */
export function frequencyPlaces(texts: readonly (readonly string[])[], language: Language): number[] | null {
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
