/**
 * The limits of a column in a row, given the columns before it in an order: the interval that bounds leave, and the interval that
 * keeps computed columns within the extremes of the seed.
 */

import { columnsOfTest, type RuleTest } from '../../base/rules/rule.ts'
import { decimalsOf, unitOf } from '../encoding/numbers.ts'
import type { Formula } from '../model/derivation.ts'
import type { EncodedColumn } from '../model/model.ts'
import type { Bound, Relation } from '../model/relation.ts'
import { allHold, type Breaks, type RuleColumns, ruleUnitOf } from '../model/row-rules.ts'
import { type BlockValues, levelNumbers } from './block-values.ts'
import type { ValueRange } from './value-cells.ts'

/** In the units of formulas, both ends included. */
export interface Interval {
  low: number
  high: number
}

/** Narrows the interval of a row of the block. */
export type Limit = (row: number, interval: Interval) => void

/** Fraction of a unit of the last place by which binary representations of decimals may differ. */
const NOISE = 1e-6

export interface LimitContext {
  readonly columns: readonly EncodedColumn[]
  readonly relations: readonly Relation[]
  /** The formulas that compute their target in this order. */
  readonly formulas: readonly Formula[]
  /** Column index → range of the scenario. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  readonly values: Pick<BlockValues, 'reader' | 'level'>
}

/** The limits of a column, after the columns before it in an order. */
export interface Limits {
  /** In every row. */
  readonly always: Interval
  /** Created for every block: they read decoded values. */
  readonly ofRow: readonly (() => Limit)[]
  /** Whether some value of the column may lie beyond the limits. */
  readonly isTight: boolean
}

export function limitsOf(context: LimitContext, column: number, before: ReadonlySet<number>): Limits {
  const { relations, formulas, columns } = context
  const bounds = [
    ...followingBounds(context, column, before),
    ...relations.filter((one): one is Bound => one.kind === 'bound' && !isOrder(one) && hasTerm(one, column)),
    ...formulas.flatMap((formula) =>
      formula.form === 'sum' && concerns(formula, column) ? sumBounds(columns, formula) : [],
    ),
  ]
  const products = formulas.filter(
    (formula) =>
      formula.form === 'product' &&
      concerns(formula, column) &&
      formula.sources.every((source) => source.column === column || before.has(source.column)),
  )
  const always = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const ofRow = products.map((formula) => () => productLimit(context, formula, column))
  for (const bound of bounds) {
    const limit = boundLimit(context, bound, column, before)
    if (limit === null) continue
    if (limit.isOfRow) ofRow.push(limit.make)
    else limit.make()(0, always)
  }
  const most = extremes(context, column)
  return { always, ofRow, isTight: ofRow.length > 0 || most.low < always.low || most.high > always.high }
}

type Terms = Pick<Bound, 'terms' | 'most' | 'strict' | 'isDeclared' | 'when'>

const hasTerm = ({ terms }: Terms, column: number) => terms.some((term) => term.column === column)
/** Whether one column is never above another. */
const isOrder = ({ terms, most, when }: Terms) =>
  when === undefined && terms.length === 2 && most === 0 && terms.every(({ weight }) => weight ** 2 === 1)

/**
 * Replaces bounds over absent columns by bounds over the nearest given ones, as long as the absent ones are never missing: of
 * a ≤ b ≤ c, a and c bound each other while b is absent.
 */
function followingBounds(
  { columns, relations, ranges }: LimitContext,
  column: number,
  before: ReadonlySet<number>,
): Terms[] {
  const pairs = relations.flatMap((one) => {
    if (one.kind !== 'bound' || !isOrder(one)) return []
    const [low, high] = one.terms[0]!.weight > 0 ? one.terms : one.terms.toReversed()
    return [{ low: low!.column, high: high!.column, strict: one.strict, isDeclared: one.isDeclared }]
  })
  return [1, -1].flatMap((direction) => {
    const found = new Map<number, boolean>()
    const isStated = new Set<number>()
    const waiting = [{ at: column, strict: false }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const pair of pairs) {
        const [from, to] = direction > 0 ? [pair.low, pair.high] : [pair.high, pair.low]
        const strict = next.strict || pair.strict
        const known = found.get(to)
        if (from !== next.at || known === true || known === strict) continue
        found.set(to, strict)
        if (pair.isDeclared) isStated.add(to)
        const isPassed = !before.has(to) && (columns[to]!.missing === 0 || ranges.has(to))
        if (isPassed) waiting.push({ at: to, strict })
      }
    }
    return [...found].map(([to, strict]) => ({
      terms: [
        { column, weight: direction },
        { column: to, weight: -direction },
      ],
      most: 0,
      strict,
      ...(isStated.has(to) && { isDeclared: true as const }),
    }))
  })
}

/**
 * The interval that a bound leaves to its column `c`, given those of its columns in `before`. The other columns count with the
 * extremes that leave most room, so that some value remains possible for them. Columns that may be missing become missing instead.
 * Null if the bound limits nothing.
 */
function boundLimit(
  context: LimitContext,
  { terms, most, strict, isDeclared, when }: Terms,
  c: number,
  before: ReadonlySet<number>,
): { readonly isOfRow: boolean; readonly make: () => Limit } | null {
  const { columns, values, ranges } = context
  if (when && !when.every((test) => columnsOfTest(test).every((column) => before.has(column)))) return null
  const own = terms.find(({ column }) => column === c)!.weight
  const others = terms.filter(({ column }) => column !== c)
  const given = others.filter(({ column }) => before.has(column))
  let constant = most
  for (const { column, weight } of others) {
    if (before.has(column)) continue
    // What its author states is kept with a value, where there is one; otherwise columns would be missing more often than in the seed.
    if (columns[column]!.missing === 1 && !ranges.has(column) && !isDeclared) return null
    const { low, high } = extremes(context, column)
    constant -= Math.min(weight * low, weight * high)
  }
  if (!Number.isFinite(constant)) return null
  const slack = strict ? -leastStep(columns, terms) / 2 : noiseOf(columns, { terms, most })
  const make = (): Limit => {
    const read = given.map(({ column }) => values.reader(column))
    const isAbout = when && aboutRow(context, when)
    return (row, interval) => {
      if (isAbout && !isAbout(row)) return
      let rest = constant
      for (let j = 0; j < given.length; j++) rest -= given[j]!.weight * read[j]!(row)
      if (Number.isNaN(rest)) return
      const limit = (rest + slack) / own
      if (own > 0) interval.high = Math.min(interval.high, limit)
      else interval.low = Math.max(interval.low, limit)
    }
  }
  return { isOfRow: given.length > 0 || when !== undefined, make }
}

/** Whether the rows of a block are those that a rule is about. */
function aboutRow({ columns, values }: LimitContext, when: readonly RuleTest<number>[]): Breaks {
  const table: RuleColumns = {
    number: (c) => {
      const column = columns[c]!
      const read = values.reader(c)
      const factor = column.kind === 'categorical' ? 1 : unitOf(column) / ruleUnitOf(column)
      return factor === 1 ? read : (row) => read(row) * factor
    },
    level: (c) => values.level(c),
  }
  return allHold(columns, when, table)
}

/** By how much a sum may exceed its bound, because decimals are binary. */
export function noiseOf(columns: readonly EncodedColumn[], { terms, most }: Pick<Bound, 'terms' | 'most'>): number {
  // Of two columns, one is exactly the limit of the other.
  const isPlain = terms.length === 2 && most === 0 && terms.every(({ weight }) => weight ** 2 === 1)
  return !isPlain ? NOISE * leastStep(columns, terms) : 0
}

function leastStep(columns: readonly EncodedColumn[], terms: Bound['terms']): number {
  return Math.min(...terms.map(({ column }) => stepOf(columns[column]!)))
}

/** Whether a formula with known extremes is computed from a column. */
function concerns({ sources, min, max }: Formula, column: number): boolean {
  return (
    Number.isFinite(min) &&
    Number.isFinite(max) &&
    sources.some((source) => source.column === column) &&
    sources.every(({ exceptions }) => exceptions.length === 0)
  )
}

/** The results that are rounded to the extremes of a formula or to values between them. */
function resultsOf(columns: readonly EncodedColumn[], { target, min, max, rounding }: Formula): Interval {
  const ulp = stepOf(columns[target]!)
  return rounding === 'down'
    ? { low: min, high: max + (1 - NOISE) * ulp }
    : { low: min - (0.5 - NOISE) * ulp, high: max + (0.5 - NOISE) * ulp }
}

/** The limits that keep a sum between its extremes. */
function sumBounds(columns: readonly EncodedColumn[], formula: Formula): Terms[] {
  const { sources, constant } = formula
  const { low, high } = resultsOf(columns, formula)
  const negated = sources.map(({ column, weight }) => ({ column, weight: -weight }))
  return [
    { terms: sources, most: high - constant, strict: false },
    { terms: negated, most: constant - low, strict: false },
  ]
}

/** The limits that keep a product between its extremes, if all factors are positive: constant · rest · x^weight. */
function productLimit({ values, columns }: LimitContext, formula: Formula, c: number): Limit {
  const { sources, constant } = formula
  const range = resultsOf(columns, formula)
  const { weight: own } = sources.find(({ column }) => column === c)!
  const others = sources.filter(({ column }) => column !== c)
  const read = others.map(({ column }) => values.reader(column))
  return (row, interval) => {
    let rest = constant
    others.forEach(({ weight }, j) => {
      rest *= read[j]!(row) ** weight
    })
    if (!(rest > 0) || !Number.isFinite(rest)) return
    const ends = [range.low, range.high].map((end) => (end > 0 ? (end / rest) ** (1 / own) : Number.NaN))
    const [low, high] = own > 0 ? ends : ends.toReversed()
    if (low! >= 0) interval.low = Math.max(interval.low, low!)
    if (high! >= 0) interval.high = Math.min(interval.high, high!)
  }
}

/** Smallest difference of two values of a column, in the units of formulas. */
function stepOf(column: EncodedColumn): number {
  return column.kind === 'categorical' ? 1 : Number(`1e-${decimalsOf(column)}`)
}

function extremes({ columns, ranges }: LimitContext, c: number): Interval {
  return extremesOf(columns[c]!, ranges.get(c))
}

/**
 * Smallest and largest value that a column can have, in the units of formulas.
 *
 * @param range The scenario's range for it.
 */
export function extremesOf(column: EncodedColumn, range?: ValueRange): Interval {
  if (column.kind === 'categorical') {
    const levels = levelNumbers(column).filter((level) => !Number.isNaN(level))
    return { low: Math.min(...levels), high: Math.max(...levels) }
  }
  const unit = unitOf(column)
  const low = Math.max(column.values[0] ?? Number.NaN, range?.min ?? Number.NEGATIVE_INFINITY)
  const high = Math.min(column.values.at(-1) ?? Number.NaN, range?.max ?? Number.POSITIVE_INFINITY)
  return { low: low / unit, high: high / unit }
}
