/** Scales of intensity: "very satisfied" to "very dissatisfied", "not at all" to "a lot", small to large. */
import { PhraseTable } from './phrase-table.ts'
import type { Language } from './words/language.ts'

type Texts = readonly (readonly string[])[]
/** A place per text, ascending with the scale; equal ones are not distinguished. */
type Places = number[]

/** A language's lists, prepared on first use. */
interface Lexicon {
  readonly degrees: PhraseTable<number>
  readonly fillers: PhraseTable<number>
  readonly middle: PhraseTable<number>
  readonly neither: ReadonlySet<string>
  readonly prefixes: readonly string[]
  readonly poles: readonly PhraseTable<number>[]
  readonly steps: readonly PhraseTable<number>[]
}

const lexicons = new Map<Language, Lexicon>()

function lexiconOf(language: Language): Lexicon {
  let lexicon = lexicons.get(language)
  if (lexicon === undefined) {
    const list = (phrases: string) => phrases.split(',').map((phrase) => phrase.trim())
    lexicon = {
      degrees: tableOf(language.degrees),
      fillers: tableOf([[0, language.fillers]]),
      middle: tableOf([[0, language.middle]]),
      neither: new Set(list(language.neither)),
      prefixes: list(language.prefixes),
      poles: language.poles.map(tableOf),
      steps: language.steps.map(tableOf),
    }
    lexicons.set(language, lexicon)
  }
  return lexicon
}

export function tableOf(entries: Language['degrees']): PhraseTable<number> {
  const table = new PhraseTable<number>()
  for (const [value, phrases] of entries) table.add(phrases, value)
  return table
}

/** Scales of single words: one result for each scale of the language, null if some text is not a word of that scale. */
export function stepPlaces(texts: Texts, language: Language): (Places | null)[] {
  return lexiconOf(language).steps.map((table) => allOf(texts, (words) => table.get(words.join(' ')) ?? null))
}

/** Scales of a degree and its subject: one result per family of the language, and one for words that no family has. */
export function intensityPlaces(texts: Texts, language: Language): (Places | null)[] {
  const lexicon = lexiconOf(language)
  return [...lexicon.poles.map((poles) => familyPlaces(texts, poles, lexicon)), sharedWordsPlaces(texts, lexicon)]
}

/** APPROVAL and CONTRARY take degrees; other words of a family do not. */
const APPROVAL = 3
const CONTRARY = -3

function familyPlaces(texts: Texts, poles: PhraseTable<number>, lexicon: Lexicon): Places | null {
  let denies = false
  let hasContrary = false
  const places = allOf(texts, (words) => {
    if (isMiddle(words, lexicon)) return 0
    const { core, degree, rest } = read(words, lexicon, poles)
    if (core === null || rest.length > 0 || degree === 'unknown') return null
    hasContrary ||= core < 0
    denies ||= degree !== null && degree <= CONTRARY
    return placeOf(core, degree)
  })
  // Whether "not satisfied" is more or less than "dissatisfied" is unknown.
  return denies && hasContrary ? null : places
}

function placeOf(core: number, degree: number | null): number | null {
  if (degree === null) return core
  if (core === APPROVAL) return degree
  return core === CONTRARY && degree >= 0 ? -degree : null
}

/** "Very rude", "somewhat rude", "not at all rude", or the degrees alone; "comfortable" beside "uncomfortable". */
function sharedWordsPlaces(texts: Texts, lexicon: Lexicon): Places | null {
  const levels = texts.map((words) => (isMiddle(words, lexicon) ? null : read(words, lexicon, null)))
  const withRest = levels.filter((level) => level !== null && level.rest.length > 0).length
  // A single word without degrees has another meaning.
  const isUnderstood = ({ degree, rest }: Level) =>
    degree === null ? rest.length > 0 && withRest > 1 : degree !== 'unknown'
  if (levels.some((level) => level !== null && !isUnderstood(level))) return null
  const words = [
    ...new Set(levels.flatMap((level) => (level === null || level.rest.length === 0 ? [] : [level.rest.join(' ')]))),
  ]
  const contrary = words.length === 2 ? contraryOf(words as [string, string], lexicon.prefixes) : null
  if (words.length > 1 && contrary === null) return null
  const degrees = levels.map((level) => level?.degree as number | null | undefined)
  // "Yes", "no", "maybe" are not a scale; "yes, a little" makes them one.
  const isGraded = degrees.some((degree) => degree != null && Math.abs(degree) !== APPROVAL && degree !== 0)
  if (contrary === null && !isGraded) return null
  if (contrary !== null && degrees.some((degree) => degree != null && degree <= CONTRARY)) return null
  return levels.map((level) => {
    if (level === null) return 0
    const core = contrary !== null && level.rest.join(' ') === contrary ? CONTRARY : APPROVAL
    return placeOf(core, level.degree as number | null) ?? Number.NaN
  })
}

/** Which of two texts equals the other with a prefix before one of its words. */
function contraryOf([a, b]: readonly [string, string], prefixes: readonly string[]): string | null {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const shortWords = short.split(' ')
  const longWords = long.split(' ')
  if (shortWords.length !== longWords.length) return null
  const differing = shortWords.flatMap((word, i) => (word === longWords[i] ? [] : [[word, longWords[i]!] as const]))
  const [pair, ...more] = differing
  if (pair === undefined || more.length > 0) return null
  return prefixes.some((prefix) => prefix + pair[0] === pair[1]) ? long : null
}

interface Level {
  /** Of the family, null without one. */
  readonly core: number | null
  /** Null: there is none. */
  readonly degree: number | 'unknown' | null
  /** Words that are neither. */
  readonly rest: readonly string[]
}

/** A text as a degree, a word of the family, and the rest, in any sequence. */
function read(words: readonly string[], lexicon: Lexicon, poles: PhraseTable<number> | null): Level {
  const degrees: string[] = []
  const rest: string[] = []
  let core: number | null = null
  for (let i = 0; i < words.length; ) {
    const asCore = poles?.longestAt(words, i) ?? null
    const asDegree = lexicon.degrees.longestAt(words, i)
    const asFiller = lexicon.fillers.longestAt(words, i)
    const length = Math.max(asCore?.length ?? 0, asDegree?.length ?? 0, asFiller?.length ?? 0)
    if (asCore !== null && asCore.length === length) {
      if (core !== null) return { core: null, degree: 'unknown', rest }
      core = asCore.meaning
    } else if (asDegree !== null && asDegree.length === length) degrees.push(asDegree.phrase)
    else if (length === 0) rest.push(words[i]!)
    i += Math.max(1, length)
  }
  return { core, degree: degreeOf(degrees, lexicon), rest }
}

/** The degree of phrases together: "not" and "at all", "definitely" and "no". Before another phrase, "yes" and "no" only affirm it. */
function degreeOf([first, ...more]: readonly string[], lexicon: Lexicon): number | 'unknown' | null {
  if (first === undefined) return null
  const { degrees } = lexicon
  const whole = degrees.get([first, ...more].join(' '))
  if (whole !== undefined) return Number.isNaN(whole) ? 'unknown' : whole
  const one = degrees.get(first)!
  const other = degreeOf(more, lexicon)
  if (typeof other !== 'number') return 'unknown'
  if ((one === APPROVAL && other > 0) || (one === CONTRARY && other < 0)) return other
  if (more.length > 1 || one <= 0) return 'unknown'
  return other === APPROVAL ? one : other === CONTRARY ? -one : 'unknown'
}

/** "Neutral", "neither good nor bad". */
function isMiddle(words: readonly string[], { middle, neither }: Lexicon): boolean {
  return (words.length > 1 && neither.has(words[0]!)) || middle.get(words.join(' ')) !== undefined
}

/** A place for every text, or null. */
export function allOf(texts: Texts, placeOf: (words: readonly string[]) => number | null): Places | null {
  const places: number[] = []
  for (const words of texts) {
    const place = placeOf(words)
    if (place === null) return null
    places.push(place)
  }
  return places
}
