/** Levels of education: "less than high school" to "doctorate". */
import { ascending, type Band } from './bands.ts'
import { tableOf } from './intensity-scale.ts'
import type { PhraseTable } from './phrase-table.ts'
import type { Language } from './words/language.ts'

const tables = new Map<Language, PhraseTable<number>>()

/** Words that do not affect the order, in any of the languages. */
const FILLERS = new Set(
  `a an the or and o i y u oder und ou et e of en lub degree diploma completed complete education graduate certificate equivalent
   attained`.split(/\s+/),
)
const OR_HIGHER =
  / (?:(?:or|and) (?:higher|above|more|beyond)|o (?:mas|superior|mes)|oder hoher|ou plus|o superiore|ou superior|of hoger|i wyzsze)$/
const LESS_THAN = /^(?:less than|below|under|menos de|menys de|moins de|meno di) /

/** The first school years follow kindergarten. */
const BEFORE_FIRST_GRADE = 2
const LAST_GRADE = 12

/** The sequence of levels that do not overlap; null if a text names no level, or one that another text covers. */
export function educationPlaces(texts: readonly (readonly string[])[], language: Language): number[] | null {
  let table = tables.get(language)
  if (table === undefined) {
    table = tableOf(language.education)
    tables.set(language, table)
  }
  const bands: Band[] = []
  let named = 0
  for (const words of texts) {
    const level = bandOf(words, table)
    if (level === null) return null
    named += level.isNamed ? 1 : 0
    bands.push(level.band)
  }
  const order = named < 2 ? null : ascending(bands)
  if (order === null) return null
  const places = new Array<number>(bands.length)
  order.forEach((at, i) => {
    places[at] = i
  })
  return places
}

function bandOf(words: readonly string[], table: PhraseTable<number>): { band: Band; isNamed: boolean } | null {
  const text = words.join(' ')
  const isOpenAbove = OR_HIGHER.test(text)
  const isOpenBelow = LESS_THAN.test(text)
  const core = text.replace(OR_HIGHER, '').replace(LESS_THAN, '').split(' ')
  const places: number[] = []
  let isNamed = false
  for (let i = 0; i < core.length; ) {
    const found = table.longestAt(core, i)
    const grade = found === null ? gradeOf(core[i]!) : null
    if (found !== null) {
      places.push(found.meaning)
      isNamed = true
    } else if (grade !== null) places.push(BEFORE_FIRST_GRADE + grade)
    else if (!FILLERS.has(core[i]!) && core[i] !== 'grade') return null
    i += found?.length ?? 1
  }
  if (places.length === 0 || (isOpenAbove && isOpenBelow)) return null
  const low = Math.min(...places)
  const high = Math.max(...places)
  if (isOpenBelow) return { band: { low: Number.NEGATIVE_INFINITY, high: low, lowOpen: true, highOpen: true }, isNamed }
  return {
    band: { low, high: isOpenAbove ? Number.POSITIVE_INFINITY : high, lowOpen: false, highOpen: false },
    isNamed,
  }
}

/** The 9 of "9th". */
function gradeOf(word: string): number | null {
  const grade = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1]
  return grade !== undefined && Number(grade) >= 1 && Number(grade) <= LAST_GRADE ? Number(grade) : null
}
