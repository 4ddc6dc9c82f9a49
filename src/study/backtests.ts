import type { CanonicalValue } from '../base/canonical-json.ts'
import type { SourceRange } from './diagnostics/diagnostic.ts'
import { type Outcome, outcomesValue } from './outcomes/outcome.ts'
import type { Located } from './yaml/located-node.ts'

/** A backtest: each group is predicted from the others, and held against what it answered. */
export interface Backtest {
  readonly id: string
  readonly dataset: string
  /** The column whose levels are the groups. */
  readonly by: string
  /** The groups; empty: all levels. */
  readonly levels: readonly Located<string>[]
  /** The columns whose margins the others are reweighted to: of levels, their shares; of numbers, their mean. */
  readonly on: readonly Located<string>[]
  /** Shares and means. */
  readonly outcomes: readonly Outcome[]
  /** What shares are shares of; null: see percentage-base.ts. */
  readonly base: 'all' | 'valid' | null
  readonly expect: BacktestGates
  readonly warn: BacktestGates
  readonly range: SourceRange
  /** Where `by` is written. */
  readonly byRange: SourceRange
}

/** What a backtest may be held to, by the key of a study file. This is the one list. */
export const BACKTEST_GATES = {
  /** Least part of the intervals that hold the actual answer. */
  coverage: 'min',
  /** Greatest error of the reweighted answers, over that of the unweighted ones. */
  error: 'ratio_max',
  /** Most errors that chance does not explain. */
  beyond_chance: 'max',
} as const

export type BacktestGateKind = keyof typeof BACKTEST_GATES
export const BACKTEST_GATE_KINDS = Object.keys(BACKTEST_GATES) as readonly BacktestGateKind[]

export type BacktestGates = readonly BacktestGate[]

/** In the sequence of `BACKTEST_GATES`. */
export interface BacktestGate {
  readonly kind: BacktestGateKind
  readonly number: number
  readonly place: SourceRange
}

/** Everything that can change its result. */
export function backtestValue(backtest: Backtest): CanonicalValue {
  return {
    dataset: backtest.dataset,
    by: backtest.by,
    levels: backtest.levels.length === 0 ? undefined : valuesOf(backtest.levels),
    on: valuesOf(backtest.on),
    ...outcomesValue(backtest),
    base: backtest.base ?? undefined,
    expect: gatesValue(backtest.expect),
    warn: gatesValue(backtest.warn),
  }
}

const valuesOf = (names: readonly Located<string>[]): string[] => names.map(({ value }) => value)

const gatesValue = (gates: BacktestGates): CanonicalValue =>
  Object.fromEntries(gates.map(({ kind, number }) => [kind, { [BACKTEST_GATES[kind]]: number }]))
