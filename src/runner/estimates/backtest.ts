/**
 * How well reweighting predicts a group that was asked. The group is left out, the others are reweighted to its margins, and their
 * answers are held against its own. From the estimates of the service alone: no rows, nothing billed.
 *
 * Both sides of such a difference have the group's margins as conditions, so that its standard error is that of what the margins do
 * not explain, in both samples (uncertainty as of any difference).
 */

import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { BacktestRecord, GroupRecord, PredictionRecord } from '../../records/backtest.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import { askDifferences, type Difference, type Differences } from './ask-differences.ts'
import type { AskedDataset } from './asked-dataset.ts'
import { estimateOf, kindOf, outcomeOf } from './figure-estimates.ts'
import { foreseenDifference } from './foreseen-difference.ts'
import type { NamedFigure } from './named-figure.ts'

type Conditions = EstimateRequest['scenario']
type Shares = NonNullable<Conditions['categorical']>

export interface Backtest {
  /** A column of levels. */
  readonly by: AnySchemaColumn
  /** The groups: levels of `by`. */
  readonly levels: readonly string[]
  /** Columns of levels, none of them `by`. */
  readonly on: readonly AnySchemaColumn[]
  /** At most as many columns as a request for estimates may have. */
  readonly figures: readonly NamedFigure[]
}

/** @returns why the service gives no estimates, where it gives none. */
export async function backtestOf(dataset: AskedDataset, asked: Backtest): Promise<BacktestRecord | NoEstimates> {
  const { by, levels, on, figures } = asked
  const ask = (differences: readonly Difference[], outcomes: EstimateRequest['outcomes']): Promise<Differences> =>
    askDifferences(differences, { ...dataset, where: dataset.where?.asked, outcomes })
  const alone = levels.map((level) => ({ scenario: of({ [by.name]: { [level]: 1 } }), baseline: {} }))
  const margins = await ask(
    alone,
    on.map(({ name: column }) => ({ column, statistic: 'shares' })),
  )
  if (typeof margins === 'string') return margins
  const conditions = levels.map((_, i) => marginsOf(margins[i] ?? null, on))
  const reweighted = levels.map((level, i) => ({
    scenario: of({ [by.name]: { [level]: 0 }, ...conditions[i] }),
    baseline: of({ [by.name]: { [level]: 1 }, ...conditions[i] }),
  }))
  const asTheyAre = levels.map((level) => ({
    scenario: of({ [by.name]: { [level]: 0 } }),
    baseline: of({ [by.name]: { [level]: 1 } }),
  }))
  const found = await ask([...reweighted, ...asTheyAre], outcomesOf(dataset, figures))
  if (typeof found === 'string') return found
  const groups = levels.map((level, i): GroupRecord => {
    const [predicted, plain] = [found[i] ?? null, found[levels.length + i] ?? null]
    const predictions =
      predicted === null || plain === null
        ? []
        : figures.flatMap((figure) => predictionOf(figure, predicted, plain) ?? [])
    const isKnown = plain !== null && figures.some((figure) => estimateOf(plain, figure) !== null)
    const rows = plain?.bases[0]?.[1].against.rows
    return {
      level,
      status: predictions.length > 0 ? 'predicted' : isKnown ? 'no_match' : 'too_few_rows',
      ...(rows != null && { rows }),
      predictions,
    }
  })
  const all = groups.flatMap(({ predictions }) => predictions)
  const told = all.filter(({ holds }) => holds !== undefined)
  return {
    dataset: dataset.name,
    by: by.name,
    on: on.map(({ name }) => name),
    groups,
    totals: {
      predictions: all.length,
      nearer: all.filter(({ nearer }) => nearer).length,
      told: told.length,
      held: told.filter(({ holds }) => holds === true).length,
    },
  }
}

const of = (categorical: Shares): Conditions => ({ categorical })

/** Each column once. */
const outcomesOf = ({ study, name }: AskedDataset, figures: readonly NamedFigure[]): EstimateRequest['outcomes'] => [
  ...new Map(figures.map((figure) => [figure.column.name, outcomeOf(study, name, figure)])).values(),
]

/** Six decimals are exact to a row of a million, and their sum stays below 1. */
const floor = (share: number): number => Math.floor(share * 1e6) / 1e6

/**
 * The margins of a group as shares of all levels. What is left, of rows without an answer or of the last decimals, goes to rows
 * without an answer and to the largest level, which is not listed where everybody answered.
 */
function marginsOf(estimates: RecordedEstimates | null, on: readonly AnySchemaColumn[]): Shares {
  return Object.fromEntries(
    on.map(({ name, levels = [], missing_share: missing = 0 }) => {
      const found = new Map(estimates?.shares.find(([column]) => column === name)?.[1] ?? [])
      const shares = levels.map((level) => [level, found.get(level)?.scenario ?? 0] as const)
      const largest = shares.reduce((most, one) => (one[1] > most[1] ? one : most), shares[0] ?? ['', 0])
      const listed = missing === 0 ? shares.filter((one) => one !== largest) : shares
      return [name, Object.fromEntries(listed.map(([level, share]) => [level, floor(share)]))]
    }),
  )
}

function predictionOf(
  figure: NamedFigure,
  reweighted: RecordedEstimates,
  asTheyAre: RecordedEstimates,
): PredictionRecord | null {
  const [estimate, plain] = [estimateOf(reweighted, figure), estimateOf(asTheyAre, figure)]
  if (estimate === null || plain === null) return null
  const { round } = kindOf(figure)
  // The group as it is: its own margins as conditions change nothing but roundings.
  const told: RecordedEstimate = { ...estimate, against: plain.against, difference: estimate.scenario - plain.against }
  const {
    scenario,
    against,
    delta,
    interval,
    standard_error: error,
    support,
  } = foreseenDifference(told, reweighted, kindOf(figure))
  const unweighted = round(plain.scenario)
  return {
    column: figure.column.name,
    ...(figure.level !== null && { level: figure.level }),
    ...(figure.column.format !== undefined && { kind: 'date' as const }),
    actual: against,
    predicted: scenario,
    error: delta,
    ...(error !== null && { standard_error: error }),
    ...(interval !== null && {
      interval: [...interval] as [number, number],
      holds: interval[0] <= 0 && interval[1] >= 0,
    }),
    support: support === 'unknown' ? 'too_few_rows' : support,
    unweighted,
    nearer: Math.abs(delta) < Math.abs(unweighted - against),
  }
}
