/** Levels that express amounts or bands, sorted by their numbers. */

import { wordsOf } from '../../base/text/folded-words.ts'
import { type Amount, amountOf, type Marks } from './amount-text.ts'
import { type Band, bandValues, point } from './bands.ts'
import { codesApart } from './no-answer-values.ts'

/** A value per text that rises with its amount, NaN for a separate code; null if the texts are unordered or doubtful. */
export function numberValues(texts: readonly string[]): number[] | null {
  const points = valuesWith(texts, '.')
  const commas = valuesWith(texts, ',')
  if (points === null || commas === null) return points ?? commas
  // If nothing else decides, 1.000 and 1,000 are read both ways; three digits behind a mark are more likely to be thousands.
  if (!haveSameOrder(points, commas)) return null
  return sum(points) > sum(commas) ? points : commas
}

/** Words for areas without towns, beside levels that count a town's inhabitants. */
const COUNTRYSIDE = new Set(['rural', 'rural area', 'rural areas', 'village', 'villages', 'countryside'])
const TOWNS = new Set(['urban', 'town', 'towns', 'city', 'cities'])

function valuesWith(texts: readonly string[], thousands: Marks): number[] | null {
  const amounts: (Amount | null)[] = []
  for (const text of texts) {
    const amount = COUNTRYSIDE.has(wordsOf(text).join(' ')) ? null : amountOf(text, thousands)
    if (amount === null && !COUNTRYSIDE.has(wordsOf(text).join(' '))) return null
    amounts.push(amount)
  }
  const amountsFound = amounts.filter((amount) => amount !== null)
  const counted = amountsFound.filter(({ band }) => band !== null)
  if (amounts.length - counted.length > 1 || counted.length < 2 || !countTheSame(amountsFound, counted)) return null
  if (amountsFound.length < amounts.length && !counted.every(({ rest }) => TOWNS.has(rest.join(' ')))) return null
  const bands = inOneUnit(amounts, counted)
  if (bands === null) return null
  const isCodes = amountsFound.every(
    ({ isSingle, rest, band }) => isSingle && rest.length === 0 && Number.isInteger(band?.low),
  )
  const apart = new Set(isCodes ? codesApart(bands.map(({ low }) => low)) : [])
  const values = bandValues(aboveNone(bands.filter(({ low }) => !apart.has(low))))
  if (values === null) return null
  let next = 0
  return bands.map(({ low }) => (apart.has(low) ? Number.NaN : values[next++]!))
}

/** Whether all amounts have the same subject: "Urban" next to bands, the same unit, no mix of rates and amounts. */
function countTheSame(amountsFound: readonly Amount[], counted: readonly Amount[]): boolean {
  const [first] = counted as [Amount]
  const rests = new Set(amountsFound.map(({ rest }) => rest.map(stem).join(' ')).filter((rest) => rest !== ''))
  const isSame = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ')
  return (
    rests.size <= 1 &&
    // "Product 1" to "Product 3" are names; single numbers must count a known thing.
    (rests.size === 0 || counted.some(({ isSingle }) => !isSingle)) &&
    counted.every(({ isRate, units }) => isRate === first.isRate && isSame(units, first.units))
  )
}

/** The beginning of a word, which its plural shares. */
function stem(word: string): string {
  return word.length > 3 ? word.slice(0, Math.max(3, word.length - 2)) : word
}

/** The bands in the unit that the levels share, in days where they have several; null where one lacks it. */
function inOneUnit(amounts: readonly (Amount | null)[], counted: readonly Amount[]): Band[] | null {
  const periods = new Set(counted.flatMap((amount) => amount.periods))
  const [only = 1] = periods
  const isShared = periods.size <= 1
  if (!isShared && counted.some((amount) => amount.periods.length === 0)) return null
  return amounts.map((amount) => {
    const band = amount?.band ?? point(0)
    if (!isShared || amount === null || amount.periods.length === 0) return band
    const inUnit = (value: number) => (amount.isRate ? value * only : value / only)
    // Converting seconds to years and back leaves rounding errors behind the sixth decimal.
    const rounded = (value: number) => (Number.isFinite(value) ? Math.round(inUnit(value) * 1e6) / 1e6 : value)
    return { ...band, low: rounded(band.low), high: rounded(band.high) }
  })
}

/** If one level is "none", "less than 5" begins above 0. */
function aboveNone(bands: readonly Band[]): Band[] {
  const hasNone = bands.some(({ low, high }) => low === 0 && high === 0)
  const isFromZero = bands.every(({ low, high }) => (low === Number.NEGATIVE_INFINITY ? high > 0 : low >= 0))
  if (!hasNone || !isFromZero) return [...bands]
  return bands.map((band) => (band.low === Number.NEGATIVE_INFINITY ? { ...band, low: 0, lowOpen: true } : band))
}

function haveSameOrder(a: readonly number[], b: readonly number[]): boolean {
  const order = (values: readonly number[]) => values.map((_, i) => i).sort((i, j) => values[i]! - values[j]!)
  const other = order(b)
  return order(a).every((at, i) => at === other[i])
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
