/** What `whatif backtest --json` says: how well reweighting predicts groups that were asked. */

import { z } from 'zod'
import { count, interval, number, size, text, texts } from './values/common-values.ts'

const Prediction = z
  .object({
    column: text,
    level: text.optional().describe('Absent: the mean of the column.'),
    kind: z.enum(['date']).optional().describe('A mean of dates: milliseconds since 1970, and errors milliseconds.'),
    actual: number.describe('What the group answered: a fraction of 1, or a mean.'),
    predicted: number.describe('What the others say, reweighted to the group.'),
    error: number.describe('Predicted less actual.'),
    standard_error: size.optional().describe('Of the error: both sides are samples.'),
    interval: interval.optional().describe('Of the error, at 95 %. Absent: too few rows for one.'),
    support: z.enum(['ok', 'thin', 'too_few_rows']),
    holds: z.boolean().optional().describe('Whether the interval has 0: chance explains the error.'),
    unweighted: number.describe('What the others say as they are.'),
    nearer: z
      .boolean()
      .describe('Whether the reweighted answer is nearer to the actual one than the unweighted one is.'),
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
    rows: count.optional().describe('Rows of the group, where they are told.'),
    predictions: z.array(Prediction),
  })
  .meta({ id: 'group' })

export const BacktestRecord = z.object({
  dataset: text,
  by: text.describe('The column whose levels are the groups.'),
  on: texts.describe('The columns whose margins the others are reweighted to.'),
  groups: z.array(Group),
  totals: z.object({
    predictions: count,
    nearer: count.describe('Predictions that are nearer than the unweighted answer.'),
    told: count.describe('Predictions with an interval.'),
    held: count.describe('Intervals that hold the actual answer.'),
  }),
})
export type BacktestRecord = z.infer<typeof BacktestRecord>
export type GroupRecord = z.infer<typeof Group>
export type PredictionRecord = z.infer<typeof Prediction>
