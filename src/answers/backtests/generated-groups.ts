/** A backtest by the model: what its rows say for the margins of each group, beside what the others say. */

import type { BacktestRecord } from '../../records/backtest.ts'
import type { BacktestTotals, PredictionRecord } from '../../records/manifest/backtests.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import { relativeError } from './judge-backtest.ts'

/** A figure of generated rows, and the variance that the number of rows gives it. */
export interface GeneratedFigure {
  readonly figure: number
  readonly variance: number
}

/** @param figureOf null: the rows of the group do not have it, or there are none. */
export function withGenerated(
  found: BacktestRecord,
  rows: number,
  figureOf: (group: string, prediction: PredictionRecord) => GeneratedFigure | null,
): BacktestRecord {
  const all: Known[] = []
  const groups = found.groups.map((group) => ({
    ...group,
    predictions: group.predictions.map((prediction) => {
      const generated = figureOf(group.level, prediction)
      if (generated === null) return prediction
      all.push({ prediction, generated })
      const round = prediction.level === undefined ? roundStatistic : roundRatio
      return {
        ...prediction,
        generated: round(generated.figure),
        generated_error: round(generated.figure - prediction.actual),
      }
    }),
  }))
  return { ...found, groups, totals: { ...found.totals, generated: totalsOf(all, rows) } }
}

interface Known {
  readonly prediction: PredictionRecord
  readonly generated: GeneratedFigure
}

function totalsOf(all: readonly Known[], rows: number): NonNullable<BacktestTotals['generated']> {
  const told = all.filter(({ prediction }) => prediction.interval !== undefined)
  const errorOf = ({ prediction, generated }: Known): number => generated.figure - prediction.actual
  const relative = relativeError(told.map((one) => ({ ...one.prediction, error: errorOf(one) })))
  return {
    rows,
    predictions: all.length,
    nearer: all.filter((one) => Math.abs(errorOf(one)) < Math.abs(one.prediction.unweighted - one.prediction.actual))
      .length,
    told: told.length,
    held: told.filter((one) => Math.abs(errorOf(one)) <= reachOf(one)).length,
    ...(relative !== null && { relative_error: relative }),
  }
}

/** Half of the interval, wider by the noise of generation. */
function reachOf({ prediction: { interval, standard_error: se = 0 }, generated }: Known): number {
  const [low, high] = interval!
  const half = (high - low) / 2
  return se === 0 ? half + 1.96 * Math.sqrt(generated.variance) : half * Math.sqrt(1 + generated.variance / se ** 2)
}
