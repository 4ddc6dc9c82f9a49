/** Scales of frequency, as counts per unit of time: "never", "less than once a month", "a few times a week", "every day". */

import { foldLetters } from '../../base/text/folded-words.ts'
import { amountOf } from './amount-text.ts'
import { PhraseTable } from './phrase-table.ts'

/** Words for amounts, with the values that `amountOf` reads. */
const SPELT = new PhraseTable<string>()
for (const [times, phrases] of [
  [
    '1 time per day',
    `daily, every day, each day, diario, diari, diariamente, diariament, cada dia, todos los dias, tots els dies, taglich, jeden tag,
    tous les jours, chaque jour, quotidiennement, ogni giorno, tutti i giorni, quotidianamente, todos os dias, dagelijks, elke dag,
    iedere dag, codziennie, once daily`,
  ],
  [
    '6 times per week',
    `almost every day, nearly every day, almost daily, daily or almost daily, every day or almost every day,
    casi todos los dias, quasi cada dia, gairebe cada dia, fast taglich, fast jeden tag, presque tous les jours, quasi ogni giorno,
    quase todos os dias, bijna elke dag, bijna dagelijks, prawie codziennie`,
  ],
  [
    '1 time per week',
    `weekly, every week, semanal, semanalmente, setmanal, setmanalment, cada semana, cada setmana, wochentlich, jede woche,
    chaque semaine, toutes les semaines, hebdomadaire, ogni settimana, settimanalmente, wekelijks, elke week, co tydzien`,
  ],
  ['0.9 times per week', 'nearly every week, almost every week, almost weekly'],
  ['2 times per month', 'fortnightly, biweekly, every two weeks, every other week'],
  [
    '1 time per month',
    `monthly, every month, mensual, mensualmente, mensualment, cada mes, monatlich, jeden monat, chaque mois, tous les mois,
    mensuel, ogni mese, mensilmente, mensalmente, maandelijks, elke maand, co miesiac`,
  ],
  ['4 times per year', 'quarterly'],
  [
    '1 time per year',
    `yearly, annually, every year, anual, anualment, anualmente, cada ano, cada any, jahrlich, jedes jahr, chaque annee,
    tous les ans, ogni anno, jaarlijks, elk jaar, co rok`,
  ],
  [
    '3 times',
    `a few times, several times, a couple of times, a couple times, multiple times, varias veces, algunas veces, diverses vegades,
    unes quantes vegades, mehrmals, ein paar mal, einige male, plusieurs fois, quelques fois, piu volte, alcune volte, qualche volta,
    varias vezes, algumas vezes, enkele keren, een paar keer, meerdere keren, kilka razy`,
  ],
  ['2 times', 'algun cop, alguna vegada, alguna vez'],
  ['per', 'a l, al l, im, in der, pro, die, alla, all, w, na, na semana, a la'],
] as const) {
  SPELT.add(phrases, times)
}

const NEVER = new Set([
  ...[
    'never',
    'not at all',
    'i never do',
    'no never',
    'nunca',
    'mai',
    'no mai',
    'nie',
    'niemals',
    'jamais',
    'nooit',
    'nigdy',
  ],
  ...['no nunca', 'non jamais', 'no mai', 'nein nie'],
])
/** Words that, in a column of rates, can only mean less than any rate. */
const LESS_OFTEN = new Set([
  ...[
    'less often',
    'less frequently',
    'rarely',
    'seldom',
    'menos a menudo',
    'con menos frecuencia',
    'menys sovint',
    'seltener',
  ],
  ...['moins souvent', 'meno spesso', 'menos frequentemente', 'minder vaak', 'rzadziej', 'amb menys frequencia'],
])
/** These too, if the rates begin at once a week. */
const AT_TIMES = new Set(['some days', 'occasionally', 'sometimes'])
const DAYS_OF_A_WEEK = 7
/** Dashes are allowed between numbers only. */
const WORDS_AND_DASHES = /[\p{L}\p{N}]+|(?<=\d ?)-(?= ?\d)/gu
const YES_OR_NO = new Set(['yes', 'si', 'ja', 'oui', 'sim', 'tak'])

/** Times per day, or a place below them; null when a text does not express a frequency, or when they overlap. */
export function ratePlaces(texts: readonly string[]): number[] | null {
  const rates = texts.map((text) => rateOf(foldLetters(text).match(WORDS_AND_DASHES) ?? []))
  if (rates.some((rate) => rate === null)) return null
  const known = rates.filter((rate) => rate !== null)
  const lowest = Math.min(...known.flatMap(({ kind, place }) => (kind === 'at-times' || place <= 0 ? [] : [place])))
  const isLoose = known.some(({ kind }) => kind === 'at-times')
  if (!Number.isFinite(lowest) || (isLoose && lowest < 1 / DAYS_OF_A_WEEK)) return null
  // "Less than once a month" excludes "once a year".
  const crosses = known.some(
    ({ kind, bound }) => kind === 'below' && known.some((other) => other.kind === 'rate' && other.bound < bound),
  )
  return crosses ? null : known.map(({ place }) => place)
}

interface Rate {
  readonly kind: 'rate' | 'below' | 'above' | 'at-times' | 'none'
  readonly place: number
  readonly bound: number
}

/** How far a rate with only a bound lies from its bound. */
const BEYOND = { below: 0.7, atMost: 0.9, atLeast: 1.1, above: 1.4 } as const

function rateOf(all: readonly string[]): Rate | null {
  const words = all.length > 1 && YES_OR_NO.has(all[0]!) ? all.slice(1) : all
  const text = words.join(' ')
  if (NEVER.has(text)) return { kind: 'none', place: -2, bound: 0 }
  if (LESS_OFTEN.has(text)) return { kind: 'none', place: -1, bound: 0 }
  if (AT_TIMES.has(text)) return { kind: 'at-times', place: -0.5, bound: 0 }
  const amount = amountOf(spelt(words), ',')
  if (amount?.band == null || !amount.isRate || amount.rest.length > 0) return null
  const { low, high, lowOpen, highOpen } = amount.band
  if (low === Number.NEGATIVE_INFINITY) {
    const place = high * (highOpen ? BEYOND.below : BEYOND.atMost)
    return { kind: highOpen ? 'below' : 'rate', place, bound: high }
  }
  if (high === Number.POSITIVE_INFINITY) {
    return { kind: 'above', place: low * (lowOpen ? BEYOND.above : BEYOND.atLeast), bound: low }
  }
  return { kind: 'rate', place: (low + high) / 2, bound: low }
}

function spelt(words: readonly string[]): string {
  const written: string[] = []
  for (let i = 0; i < words.length; ) {
    const found = SPELT.longestAt(words, i)
    written.push(found?.meaning ?? words[i]!)
    i += found?.length ?? 1
  }
  return written.join(' ')
}
