/** The amount in a text: "18-24 years old", "Més de 5.000€", "None". */

import { foldLetters } from '../../base/text/folded-words.ts'
import { AMOUNT_WORDS, type AmountWord } from './amount-words.ts'
import { type Band, point } from './bands.ts'

export interface Amount {
  /** Null for "none": zero of the thing that the other levels count. */
  readonly band: Band | null
  /** Whether it is a single number without a comparison. */
  readonly isSingle: boolean
  /** Units of time, in days each. The band is in days if there is one unit; it is in times per day for a rate. */
  readonly periods: readonly number[]
  readonly isRate: boolean
  /** Words with another meaning, in sequence. */
  readonly rest: readonly string[]
  /** Units that all levels must have. */
  readonly units: readonly string[]
}

type Piece = AmountWord | { readonly kind: 'rest'; readonly text: string }
interface Read {
  readonly piece: Piece
  readonly text: string
}

/** Null when the text is not an amount. */
export function amountOf(text: string, thousands: Marks): Amount | null {
  const tokens = tokensOf(foldLetters(text))
  const pieces = tokens === null ? null : piecesOf(tokens, thousands)
  if (pieces === null) return null
  const numbers = pieces.filter(({ piece }) => piece.kind === 'number' || piece.kind === 'duration')
  const isSingle = numbers.length === 1 && !pieces.some(({ piece }) => COMPARISONS.has(piece.kind))
  const numberAt = pieces.findIndex(({ piece }) => piece.kind === 'number')
  // "Room 1" is a name, "1 room" is not.
  const isName = ({ piece, text: word }: Read, at: number) =>
    piece.kind === 'counted' && isSingle && at < numberAt && /\p{L}/u.test(word)
  const shared = {
    rest: pieces.flatMap((read, at) => (read.piece.kind === 'rest' || isName(read, at) ? [read.text] : [])),
    units: pieces.flatMap(({ piece, text: word }) => (piece.kind === 'unit' ? [word] : [])),
  }
  const periods = pieces.flatMap(({ piece }) =>
    piece.kind === 'period' || piece.kind === 'duration' ? [piece.days] : [],
  )
  if (numbers.length === 0) {
    return saysNone(pieces) ? { band: null, isSingle: true, periods, isRate: false, ...shared } : null
  }
  const isRate = pieces.some(({ piece }) => piece.kind === 'per')
  const scaled = scaledNumbers(pieces, isRate, periods)
  const band = scaled === null ? null : bandOf(pieces, scaled)
  if (band === null) return null
  return { band, isSingle, periods, isRate, ...shared }
}

/** "None", "no children"; "no" alone is another kind of answer. */
function saysNone(pieces: readonly Read[]): boolean {
  const [first, ...more] = pieces
  if (first === undefined || !more.every(({ piece }) => STANDS_BEHIND_NONE.has(piece.kind))) return false
  return first.piece.kind === 'none' || (first.piece.kind === 'without' && more.length > 0)
}

const STANDS_BEHIND_NONE = new Set<string>(['counted', 'degree', 'period', 'rest', 'unit', 'ignored'])
const COMPARISONS = new Set<string>(['below', 'at-most', 'above', 'at-least', 'or-less', 'or-more'])
const MOST_TOKENS = 24
const WORD = /\p{L}[\p{L}\p{N}]*/uy
const SIGN = /[<>]=?|[≤≥+\-%$€£¥/&]/y
const NOTHING = /[\s.,;:()[\]'"]/y

/** Numbers, words and signs; null if there is any other character, or too much text. */
function tokensOf(text: string): string[] | null {
  const tokens: string[] = []
  for (let at = 0; at < text.length; ) {
    const token = [NUMERAL, WORD, SIGN].map((form) => matchAt(form, text, at)).find((found) => found !== null)
    if (token === undefined && matchAt(NOTHING, text, at) === null) return null
    if (token !== undefined) tokens.push(token)
    if (tokens.length > MOST_TOKENS) return null
    at += token?.length ?? 1
  }
  return tokens
}

function matchAt(form: RegExp, text: string, at: number): string | null {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? null
}

function piecesOf(tokens: readonly string[], thousands: Marks): Read[] | null {
  const pieces: Read[] = []
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i]!
    const before = pieces[pieces.length - 1]?.piece.kind
    if (/^\d/.test(token)) {
      const value = numeralValue(token, thousands)
      if (Number.isNaN(value)) return null
      pieces.push({ piece: { kind: 'number', value }, text: token })
      i++
    } else if (
      token === '-' &&
      /^\d/.test(tokens[i + 1] ?? '') &&
      (before === undefined || BEFORE_A_SIGN.has(before))
    ) {
      const value = -numeralValue(tokens[i + 1]!, thousands)
      if (Number.isNaN(value)) return null
      pieces.push({ piece: { kind: 'number', value }, text: token })
      i += 2
    } else {
      const found = AMOUNT_WORDS.longestAt(tokens, i)
      const piece = articleOf(tokens, i, before) ?? found?.meaning ?? { kind: 'rest', text: token }
      const text = found?.phrase ?? token
      pieces.push({ piece, text })
      i += piece === found?.meaning ? found.length : 1
    }
  }
  return pieces
}

const BEFORE_A_SIGN = new Set<string>(['below', 'at-most', 'above', 'at-least', 'to', 'and', 'ignored'])

/** "A" before a unit of time: one of it, or, after a number, per. */
function articleOf(tokens: readonly string[], at: number, before: string | undefined): AmountWord | null {
  const token = tokens[at]
  if (token !== 'a' && token !== 'an' && token !== 'al') return null
  if (AMOUNT_WORDS.get(tokens[at + 1] ?? '')?.kind !== 'period') return null
  return before === 'number' || before === 'counted' || before === 'or-more' || before === 'or-less'
    ? { kind: 'per' }
    : { kind: 'number', value: 1 }
}

/** The numbers times their multipliers; in days or times per day if there is a unit of time. */
function scaledNumbers(pieces: readonly Read[], isRate: boolean, periods: readonly number[]): number[] | null {
  const values: { value: number; factor: number | null; days: number | null }[] = []
  let isPer = false
  for (const { piece } of pieces) {
    const last = values[values.length - 1]
    if (piece.kind === 'number') {
      if (isPer) return null
      values.push({ value: piece.value, factor: null, days: null })
    } else if (piece.kind === 'duration') values.push({ value: 1, factor: null, days: piece.days })
    else if (piece.kind === 'times') {
      if (last === undefined) return null
      last.factor = (last.factor ?? 1) * piece.factor
    } else if (piece.kind === 'period') {
      if (last === undefined || last.days !== null) return null
      last.days = piece.days
    } else if (piece.kind === 'per') isPer = true
  }
  const [low, high] = values
  if (low === undefined || values.length > 2 || (isRate && (periods.length !== 1 || values.at(-1)?.days === null)))
    return null
  // A suffix after the second number also applies to the first: 10-20k, 1-3 years. But not in 500-1k.
  if (high !== undefined) {
    if (low.factor === null && high.factor !== null && low.value < high.value) low.factor = high.factor
    low.days ??= high.days
    high.days ??= low.days
  }
  return values.map(({ value, factor, days }) => {
    const amount = value * (factor ?? 1)
    return days === null ? amount : isRate ? amount / days : amount * days
  })
}

/** The band of comparisons and numbers; null if they form none. */
function bandOf(pieces: readonly Read[], values: readonly number[]): Band | null {
  const kinds = pieces.map(({ piece }) => piece.kind).filter((kind) => !KEEPS_BAND.has(kind))
  const at = kinds.flatMap((kind, i) => (kind === 'number' || kind === 'duration' ? [i] : []))
  const before = kinds.slice(0, at[0])
  const [first, second] = values as [number, number | undefined]
  if (second === undefined) return singleBand(pieces, [...before, ...kinds.slice(at[0]! + 1)], first)
  const between = kinds.slice(at[0]! + 1, at[1])
  const isBetween = pieces.some(({ text }) => BETWEEN.has(text))
  const joined =
    between.length > 0 &&
    between.every((kind) => ['to', 'below', 'at-most'].includes(kind) || (kind === 'and' && isBetween))
  const begins = before.length === 0 || (before.length === 1 && (before[0] === 'at-least' || before[0] === 'above'))
  if (!joined || !begins || at[1] !== kinds.length - 1 || first >= second) return null
  return { low: first, high: second, lowOpen: before[0] === 'above', highOpen: between.includes('below') }
}

const KEEPS_BAND = new Set<string>(['ignored', 'times', 'period', 'per', 'counted', 'degree', 'unit', 'rest'])
const BETWEEN = new Set(['between', 'entre', 'zwischen', 'tra', 'fra', 'tussen', 'miedzy'])

function singleBand(pieces: readonly Read[], around: readonly string[], value: number): Band | null {
  const [word, ...more] = around
  if (word === undefined) return point(value)
  if (more.length > 0) return null
  const below = { low: Number.NEGATIVE_INFINITY, high: value, lowOpen: true, highOpen: false }
  const above = { low: value, high: Number.POSITIVE_INFINITY, lowOpen: false, highOpen: true }
  const numberAt = pieces.findIndex(({ piece }) => piece.kind === 'number' || piece.kind === 'duration')
  const wordAt = pieces.findIndex(({ piece }) => piece.kind === word)
  const isBefore = wordAt < numberAt
  if (word === 'below' && isBefore) return { ...below, highOpen: true }
  if (word === 'at-most' && isBefore) return below
  if (word === 'above' && isBefore) return { ...above, lowOpen: true }
  if (word === 'at-least' && isBefore) return above
  if (word === 'or-less' && !isBefore) return below
  if (word === 'or-more' && !isBefore) return above
  const { piece } = pieces[wordAt]!
  return piece.kind === 'to' && piece.alone && isBefore ? below : null
}

/** The mark that separates thousands in a column; the other one begins decimals. Blanks and apostrophes always separate thousands. */
export type Marks = ',' | '.'

/** A written number, without a sign: digits with marks between them. */
const NUMERAL = /\d+(?:[.,']\d+)*(?: \d{3}(?!\d))*/y

const MOST_DIGITS = 15

/** The value of a written number, NaN for others: 1,00,0 or 1.2.3, codes with a leading zero (08001). */
function numeralValue(text: string, thousands: Marks): number {
  const decimal = thousands === ',' ? '.' : ','
  const [whole = '', fraction, ...more] = text.split(decimal)
  if (
    more.length > 0 ||
    text.length > MOST_DIGITS + MOST_DIGITS / 3 ||
    (fraction !== undefined && !/^\d+$/.test(fraction))
  ) {
    return Number.NaN
  }
  const marks = new Set(whole.match(/\D/g))
  const groups = whole.split(/\D/)
  const isGrouped = groups.every((group, i) => (i === 0 ? group.length <= 3 : group.length === 3))
  if (marks.size > 1 || (groups.length > 1 && !isGrouped) || /^0\d/.test(groups.join(''))) return Number.NaN
  if (groups.length > 1 && groups[0] === '0') return Number.NaN
  return Number(`${groups.join('')}.${fraction ?? ''}0`)
}
