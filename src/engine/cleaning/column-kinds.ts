/**
 * Whether a column is categorical or numeric.
 *
 * Categorical: text, booleans, and coded answers. Numeric: all other numbers, dates and times, and declared numbers. Items of
 * one battery share a kind, whichever answers happened to occur.
 */

import type { TrainedKind } from '../../base/column-kind.ts'
import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'

/** Longest range of codes: 1 to 10. A scale from 0 to 10 has eleven, and is measured. */
const MAX_CODES = 10
/** Fewest columns of a battery. */
const MIN_ITEMS = 3
/** Fewest columns whose names say that they are parts of one question. */
const MIN_PARTS = 2
/** Fewest columns in a row that are taken for one, whatever their names. */
const MIN_NEIGHBOURS = 5
/** Fewest answers that make a scale; two are yes and no. */
const MIN_SCALE = 4

/** The kind of every column, in the sequence of the file. */
export function columnKinds(columns: readonly RawColumn[]): TrainedKind[] {
  const alone = columns.map(kindAlone)
  const kinds = [...alone]
  for (const { start, end, isQuestion } of [...batteries(columns), ...neighbours(columns)]) {
    const items = Array.from({ length: end - start }, (_, i) => start + i).filter((at) => isScale(columns[at]!))
    const kindOf = isQuestion ? kindOfQuestion : kindAmong
    for (const at of items) kinds[at] = kinds[at] === alone[at] ? kindOf(columns, alone, items, at) : kinds[at]!
  }
  return kinds
}

function kindAlone(column: RawColumn): TrainedKind {
  if ('codes' in column) return 'categorical'
  if (column.declaredType === 'numeric') return 'numeric'
  return isWhole(column) && (isCoded(column) || isSignedBox(column) || isRegister(column)) ? 'categorical' : 'numeric'
}

/**
 * Whole numbers of a range of at most ten that run from 0 or 1 without a gap of more than one (0/1, Likert items, numbered
 * answers): 1, 2, 3, 5 is a scale with an unused answer; 0, 5, 10 is an amount.
 */
function isCoded({ counts, distinct, min, max }: RawNumberColumn): boolean {
  if (counts === null || distinct === 0 || max - min >= MAX_CODES || (min !== 0 && min !== 1)) return false
  const values = [...counts.keys()].sort((a, b) => a - b)
  return values.every((value, i) => i === 0 || value - values[i - 1]! <= 2)
}

/** A box whose tick is 1 beside -1, or -1 beside 0 as databases write it. */
function isSignedBox({ counts, distinct, min, max }: RawNumberColumn): boolean {
  return counts !== null && distinct === 2 && min === -1 && (max === 0 || max === 1)
}

/** Fewest different numbers of a register, and fewest rows of a number that is one of its entries. */
const MIN_ENTRIES = 12
const MIN_ENTRY_ROWS = 10
/** Fewest places that the numbers of a register could have, and the largest share of them that they fill. */
const MIN_PLACES = 10_000
const MAX_FILLED = 0.005
/** Of the entries; of the numbers of a register one in a hundred is round by chance. */
const ROUND_SHARE = 0.8

/**
 * Document numbers, postcodes, numbers of interviewers: rows repeat a few of very many possible whole numbers, and none of them
 * is that of most rows, as 0 is among amounts. As levels, those that few rows have become missing; as numbers they would come back
 * as they are. Rounded amounts lie on a grid of their own, which they fill.
 */
export function isRegister({ counts, distinct, min, max }: RawNumberColumn): boolean {
  if (counts === null || distinct < MIN_ENTRIES || min < MIN_PLACES) return false
  let present = 0
  let repeated = 0
  let most = 0
  let step = 0
  const entries: number[] = []
  for (const [value, rows] of counts) {
    present += rows
    if (rows >= MIN_ENTRY_ROWS) {
      repeated += rows
      entries.push(value)
    }
    if (rows > most) most = rows
    step = greatestCommonDivisor(step, value - min)
  }
  const places = (max - min) / Math.max(1, step)
  const isSparse = places >= MIN_PLACES && distinct <= MAX_FILLED * places
  return isSparse && 2 * repeated > present && 2 * most < present && !areRound(entries)
}

/** Whether most of the numbers are round, as amounts are of which others are exact: 25,000 beside 26,310. */
function areRound(numbers: readonly number[]): boolean {
  return numbers.filter((number) => number % 100 === 0).length >= ROUND_SHARE * numbers.length
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

function isWhole({ type, decimals, counts }: RawNumberColumn): boolean {
  return type === 'number' && decimals === 0 && counts !== null
}

/** Whether a column can be an item of a scale: whole numbers from -5 on, up to 10. */
function isScale(column: RawColumn): boolean {
  if ('codes' in column || column.declaredType === 'numeric') return false
  const { distinct, min, max } = column
  return isWhole(column) && distinct > 0 && min >= -5 && max <= 10
}

/** The kind of the widest scale of one question that holds all answers of the item; its own where there is none. */
function kindOfQuestion(
  columns: readonly RawColumn[],
  kinds: readonly TrainedKind[],
  items: readonly number[],
  at: number,
): TrainedKind {
  const mates = matesOf(columns, items, at)
  const [first] = mates
  if (first === undefined) return kinds[at]!
  const widest = mates.reduce((one, other) => (rangeOf(columns[other]!) > rangeOf(columns[one]!) ? other : one), first)
  return isPartOf(columns[at] as RawNumberColumn, columns[widest] as RawNumberColumn, kinds[at]!)
    ? kinds[widest]!
    : kinds[at]!
}

const rangeOf = (column: RawColumn): number => ('codes' in column ? 0 : column.max - column.min)

/** Other items with a scale that holds all answers of this one. */
function matesOf(columns: readonly RawColumn[], items: readonly number[], at: number): number[] {
  const { min, max } = columns[at] as RawNumberColumn
  return items.filter((other) => {
    const mate = columns[other] as RawNumberColumn
    return other !== at && mate.distinct >= MIN_SCALE && mate.min <= min && mate.max >= max
  })
}

/** Codes that may be absent at the upper end of a scale of numbers. */
const ABSENT_CODES = 2

/** Whether levels may be answers on a scale of numbers beside them. Yes and no are no part of it, and 1 to 5 is a scale of its own. */
function isPartOf({ distinct, min, max }: RawNumberColumn, scale: RawNumberColumn, kind: TrainedKind): boolean {
  if (kind === 'numeric') return true
  if (scale.min < 0) return distinct > 2
  return (
    distinct >= MIN_SCALE &&
    (min === 0 || (min === 1 && max >= scale.max - ABSENT_CODES && max >= MAX_CODES - ABSENT_CODES))
  )
}

/** The kind that most of the other items have whose scale holds all answers of this one; its own where there are few. */
function kindAmong(
  columns: readonly RawColumn[],
  kinds: readonly TrainedKind[],
  items: readonly number[],
  at: number,
): TrainedKind {
  const mates = matesOf(columns, items, at)
  const most = mates.filter((other) => kinds[other] !== kinds[at])
  const [first] = most
  if (first === undefined || most.length < 2) return kinds[at]!
  // Numbers may be levels of which some are absent; levels are numbers only where most others are.
  const all = kinds[at] === 'numeric' ? mates : items
  if (most.length < all.length / 2) return kinds[at]!
  return isPartOf(columns[at] as RawNumberColumn, columns[first] as RawNumberColumn, kinds[at]!)
    ? kinds[first]!
    : kinds[at]!
}

interface Run {
  readonly start: number
  readonly end: number
  /** The names say that the columns are parts of one question. */
  readonly isQuestion: boolean
}

/**
 * Runs of columns whose names differ in a number or letter at the end, or in what follows a colon, dash or bracket, or in what
 * follows their first word: `trust_police`, `trust_courts`.
 */
function batteries(columns: readonly RawColumn[]): Run[] {
  const names = columns.map(({ name }) => name)
  return [
    ...runs(names.map(stemOf), MIN_ITEMS, false),
    ...runs(names.map(firstWordOf), MIN_ITEMS, true),
    ...runs(names.map(questionOf), MIN_PARTS, true),
  ]
}

/** Runs of scales with one highest code, whatever their names: the questions of a page. */
function neighbours(columns: readonly RawColumn[]): Run[] {
  const highest = columns.map((column) => (isScale(column) ? (column as RawNumberColumn).max : null))
  return runs(highest, MIN_NEIGHBOURS, false).filter(({ start }) => (highest[start] ?? 0) >= MIN_SCALE)
}

/** Where neighbours have the same key. */
function runs(keys: readonly (string | number | null)[], least: number, isQuestion: boolean): Run[] {
  const found: Run[] = []
  for (let start = 0, end = 0; start < keys.length; start = end) {
    while (end < keys.length && keys[end] === keys[start]) end++
    if (end - start >= least && keys[start] !== null) found.push({ start, end, isQuestion })
  }
  return found
}

/** What the names of the parts of one question share: `Q4_1` and `Q4_2`, `Rate [Price]`; null for `q7`, which q8 may follow. */
function questionOf(name: string): string | null {
  const stem = stemOf(name)
  return /[^\p{L}]#$/u.test(stem) || /[[(:\u2013-]/.test(name) ? stem : null
}

/** Null: the name is one word. */
export function firstWordOf(name: string): string | null {
  return /^\p{L}[\p{L}\d]*(?=[_.]\p{L})/u.exec(name)?.[0] ?? null
}

/** What the names of the items of a battery share. */
export function stemOf(name: string): string {
  return name.replace(/(?:\d+|(?<=\d)[a-z]| ?[[(:\u2013-].*)$/i, '#')
}
