/**
 * Finds the numeric columns of a table that are formulas of other columns.
 *
 * d  columns     S  sampled rows     n  rows
 *
 * Drafts are found and tried in a sample (`search-sums.ts`, `search-pairs.ts`); the few plausible ones are checked on all rows.
 * The column with the most distinct values in a relation is computed from the others: a total from its parts, a ratio from its
 * terms, a date from another date and a duration. Other choices would not restore the digits that rounding removes, and a sum of
 * drawn values blurs less than a difference. Deterministic; about T d (S + log d) + n operations for T targets.
 */

import type { Table } from '../cleaning/table.ts'
import type { Derivation, Formula } from '../model/derivation.ts'
import { FormulaRows } from './confirm-formula.ts'
import { type SampledNumbers, sampleNumbers, seemsTrue } from './numeric-sample.ts'
import { type FormulaDraft, searchPairs } from './search-pairs.ts'
import { searchSums } from './search-sums.ts'

/** A column with fewer distinct values is a scale or a code, which agrees with too many others by chance. */
const LEAST_DISTINCT = 11
/** Most targets in wide tables: the columns with the most distinct values. */
const MOST_SOURCES = 1_000
const MOST_TARGETS = 300
/** Most drafts of one target that are checked on all rows. */
const MOST_CONFIRMED = 8

interface Search {
  readonly table: Table
  readonly numbers: ReadonlyMap<number, SampledNumbers>
  /** Whether a draft counts only if rounding removes something: its sources are finer than its target. */
  readonly mustRound: (draft: FormulaDraft) => boolean
}

/**
 * @param declared Their targets are computed already, and say nothing that their sources do not.
 * @returns formulas without cycles, at most one per column, without the declared ones.
 */
export function detectFormulas(table: Table, declared: readonly Formula[] = []): Formula[] {
  const made = new Set(declared.map(({ target }) => target))
  const numbers = sampleNumbers(table).filter(({ distinct, column }) => distinct > 1 && !made.has(column))
  const byColumn = new Map(numbers.map((one) => [one.column, one]))
  const byRank = numbers.toSorted((a, b) => compare(a.fineness, b.fineness) || a.column - b.column)
  const targets = byRank
    .filter(({ precision, distinct }) => precision !== null && distinct >= LEAST_DISTINCT)
    .toReversed()
    .slice(0, MOST_TARGETS)
  const found: Formula[] = []
  const downhill: Search = { table, numbers: byColumn, mustRound: () => false }
  for (const target of targets) {
    const formula = formulaOf(downhill, target, byRank.slice(0, byRank.indexOf(target)))
    if (formula) found.push(formula)
  }
  // The remaining columns may be too coarse to compute anything finer from: rounded products, durations, ages.
  const isComputed = (column: number) => found.some((formula) => formula.target === column)
  const uphill: Search = { ...downhill, mustRound: ({ sources }) => !sources.some(({ column }) => isComputed(column)) }
  for (const target of targets) {
    if (isComputed(target.column)) continue
    const open = byRank.filter(({ column }) => !dependsOn(found, column, target.column))
    const formula = formulaOf(uphill, target, open) ?? dateFormula(uphill, target, open)
    if (formula) found.push(formula)
  }
  return found
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Units that durations are given in: days, weeks, months and years of dates; seconds, minutes, hours, days of date-times. */
const DAYS_PER_UNIT = [1, 7, 30.4375, 365.25, 365, 365.2425]
const SECONDS_PER_UNIT = [1, 60, 3_600, 86_400, 0.001]

function dateFormula(search: Search, target: SampledNumbers, sources: readonly SampledNumbers[]): Formula | null {
  const { table } = search
  const dates = target.isDate ? [] : sources.filter(({ isDate }) => isDate)
  const drafts: FormulaDraft[] = []
  for (const a of dates) {
    for (const b of dates) {
      if (a === b || formatOf(table, a) !== formatOf(table, b)) continue
      for (const per of formatOf(table, a) === 'date' ? DAYS_PER_UNIT : SECONDS_PER_UNIT) {
        const sources = [
          { column: a.column, weight: 1 / per },
          { column: b.column, weight: -1 / per },
        ]
        drafts.push({ target: target.column, form: 'sum', constant: 0, sources })
      }
    }
  }
  return best(search, target, drafts)
}

function formatOf(table: Table, { column }: SampledNumbers) {
  const source = table.columns[column]!
  return source.kind === 'numeric' ? source.format : null
}

function formulaOf(search: Search, target: SampledNumbers, lower: readonly SampledNumbers[]): Formula | null {
  const sum = best(search, target, searchSums(target, lower.slice(-MOST_SOURCES)))
  if (sum && sum.share === 1 && sum.sources.length === 1) return sum
  const pairs = best(search, target, searchPairs(target, lower.slice(-MOST_SOURCES)).flatMap(withRoundConstant))
  if (!sum || !pairs) return sum ?? pairs
  return pairs.share > sum.share || (pairs.share === sum.share && pairs.sources.length < sum.sources.length)
    ? pairs
    : sum
}

/** The first draft that all rows follow, otherwise the one that most rows follow. */
function best(
  { table, numbers, mustRound }: Search,
  target: SampledNumbers,
  drafts: Iterable<FormulaDraft>,
): Formula | null {
  let found: Formula | null = null
  let confirmed = 0
  for (const draft of drafts) {
    const sources = draft.sources.map(({ column }) => numbers.get(column)!)
    for (const rounding of ['nearest', 'down'] as const) {
      if (!seemsTrue(draft, target, sources, rounding)) continue
      const formula = new FormulaRows(table, draft, target.precision!).confirm(target.mode, rounding, mustRound(draft))
      if (formula?.share === 1) return formula
      if (formula && formula.share > (found?.share ?? 0)) found = formula
      if (++confirmed === MOST_CONFIRMED) return found
    }
  }
  return found
}

const CONSTANT_DIGITS = 6

/** A product's constant is estimated from one row. The intended one is a number of few digits near it, or near its inverse. */
function withRoundConstant(draft: FormulaDraft): FormulaDraft[] {
  if (draft.form === 'sum') return [draft]
  const constants = new Set<number>()
  for (let digits = 1; digits <= CONSTANT_DIGITS; digits++) {
    constants.add(Number(draft.constant.toPrecision(digits)))
    constants.add(1 / Number((1 / draft.constant).toPrecision(digits)))
  }
  return [...constants].map((constant) => ({ ...draft, constant }))
}

/** Whether a column is the other one, or is computed from it directly or through other formulas. */
export function dependsOn(derivations: readonly Derivation[], column: number, other: number): boolean {
  if (column === other) return true
  return derivations.some(
    (one) =>
      one.kind === 'formula' &&
      one.target === column &&
      one.sources.some((source) => dependsOn(derivations, source.column, other)),
  )
}
