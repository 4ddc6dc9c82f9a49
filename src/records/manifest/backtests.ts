/** How well reweighting predicts groups that were asked: what a manifest and `whatif backtest --json` say of it. */

import { z } from 'zod'
import { count, interval, number, size, text, texts } from '../values/common-values.ts'
import { NoEstimates } from './comparisons.ts'
import { GateResult } from './gates.ts'
import type { Written } from './written.ts'

const Prediction = z
  .object({
    column: text,
    level: text
      .optional()
      .describe('Absent: the mean of the column. Of a column of two levels one is told: the other says the same.'),
    kind: z.enum(['date']).optional().describe('A mean of dates: milliseconds since 1970, and errors milliseconds.'),
    actual: number.describe('What the group answered: a fraction of 1, or a mean.'),
    predicted: number.describe('What the others say, reweighted to the group.'),
    error: number.describe('Predicted less actual.'),
    standard_error: size.optional().describe('Of the error: both sides are samples.'),
    degrees_of_freedom: size.optional().describe('Absent: the normal distribution.'),
    interval: interval.optional().describe('Of the error, at 95 %. Absent: too few rows for one.'),
    support: z.enum(['ok', 'thin', 'too_few_rows']),
    holds: z.boolean().optional().describe('Whether the interval has 0: chance may explain the error.'),
    beyond_chance: z
      .boolean()
      .optional()
      .describe(
        'Whether chance does not explain the error, judged over all errors of the backtest together (Benjamini and Hochberg at 5 %).',
      ),
    unweighted: number.describe('What the others say as they are.'),
    nearer: z
      .boolean()
      .describe('Whether the reweighted answer is nearer to the actual one than the unweighted one is.'),
    generated: number
      .optional()
      .describe(
        'With --rows: what the rows say that a model generates for the margins of the group, trained without its rows. Absent: it cannot be asked for them.',
      ),
    generated_error: number.optional().describe('The same less actual.'),
  })
  .meta({ id: 'prediction' })

const Group = z
  .object({
    level: text,
    status: z
      .enum(['predicted', 'no_match', 'too_few_rows'])
      .describe(
        '`no_match`: the others cannot have the margins of the group, for example because none of them has one of its levels. `too_few_rows`: too few rows of the group or of the others.',
      ),
    rows: size.optional().describe('Rows of the group, where they are told.'),
    predictions: z.array(Prediction),
  })
  .meta({ id: 'group' })

const Generated = z
  .object({
    rows: count.describe('Rows of each group.'),
    predictions: count,
    nearer: count,
    told: count,
    held: count.describe('Intervals, wider by the noise of generation, that hold the actual answer.'),
    relative_error: size.optional(),
  })
  .describe(
    'With --rows: the same for what a model generates that was trained without the rows of the group. The interval is that of the reweighted answer.',
  )

/** The members that a manifest and the command share. */
export const BACKTEST_MEMBERS = {
  dataset: text,
  by: text.describe('The column whose levels are the groups.'),
  on: texts.describe('The columns whose margins the others are reweighted to; of numbers, their mean.'),
  groups: z.array(Group),
  totals: z.object({
    predictions: count,
    nearer: count.describe('Predictions that are nearer than the unweighted answer.'),
    told: count.describe('Predictions with an interval.'),
    held: count.describe('Intervals that hold the actual answer.'),
    beyond_chance: count.describe('Errors that chance does not explain.'),
    relative_error: size
      .optional()
      .describe(
        'The error of the reweighted answers over that of the unweighted ones: root mean squares, each error in standard errors. Below 1: better than doing nothing. Absent where no error has an interval, or the unweighted answers have no error.',
      ),
    generated: Generated.optional(),
  }),
}

export const ManifestBacktest = z
  .object({
    ...BACKTEST_MEMBERS,
    no_estimates: NoEstimates.optional(),
    gates: z.array(GateResult),
  })
  .meta({ id: 'backtest' })

export type ManifestBacktest = Written<z.infer<typeof ManifestBacktest>>
export type GroupRecord = Written<z.infer<typeof Group>>
export type PredictionRecord = Written<z.infer<typeof Prediction>>
export type BacktestTotals = ManifestBacktest['totals']
