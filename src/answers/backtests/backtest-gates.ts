import type { BacktestTotals } from '../../records/manifest/backtests.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import { BACKTEST_GATE_KINDS, BACKTEST_GATES, type Backtest, type BacktestGateKind } from '../../study/backtests.ts'
import { roundRatio } from '../arithmetic/figures.ts'
import type { EvaluatedGate } from '../gates/gate-kinds.ts'

/** The gates of a backtest on its totals, fail level first. A gate that has nothing to judge has not passed. */
export function backtestGates(
  { expect, warn }: Pick<Backtest, 'expect' | 'warn'>,
  totals: BacktestTotals,
): EvaluatedGate[] {
  const at = (level: 'fail' | 'warn', gates: Backtest['expect']): EvaluatedGate[] =>
    gates.map(({ kind, number }) => {
      const base = { id: kind, level, expected: { [BACKTEST_GATES[kind]]: number } }
      const found = evaluateBacktest(kind, number, totals)
      return found === null
        ? { ...base, evaluated: 0, passed: false, actual: null }
        : { ...base, evaluated: totals.told, ...found }
    })
  return [...at('fail', expect), ...at('warn', warn)]
}

/** Null: there is nothing to judge. */
export function evaluateBacktest(
  kind: BacktestGateKind,
  bound: number,
  totals: BacktestTotals,
): Pick<GateResult, 'passed' | 'actual'> | null {
  if (totals.told === 0) return null
  switch (kind) {
    case 'coverage': {
      const held = totals.held / totals.told
      return { passed: held >= bound, actual: roundRatio(held) }
    }
    case 'error': {
      const { relative_error: ratio } = totals
      return ratio === undefined ? null : { passed: ratio <= bound, actual: ratio }
    }
    case 'beyond_chance':
      return { passed: totals.beyond_chance <= bound, actual: totals.beyond_chance }
  }
}

/** A recorded gate, judged again; `unknown`: one of a later version. Null: there is nothing to judge. */
export function reviewBacktest(
  { id, expected }: Pick<GateResult, 'id' | 'expected'>,
  totals: BacktestTotals,
): Pick<GateResult, 'passed' | 'actual'> | null | 'unknown' {
  const kind = BACKTEST_GATE_KINDS.find((known) => known === id)
  const bound = kind === undefined ? undefined : expected[BACKTEST_GATES[kind]]
  return kind === undefined || typeof bound !== 'number' ? 'unknown' : evaluateBacktest(kind, bound, totals)
}
