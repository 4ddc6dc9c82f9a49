/** How good the model of a dataset is: the figures of `training_summary.quality` that a service gave. */

import { z } from 'zod'
import { count, number, text } from '../values/common-values.ts'
import type { Written } from './written.ts'

const ofTraining = number.describe('The same of rows trained on.')
const chance = number.describe('Chance alone gives 0.5 plus or minus this in 95 of 100 cases.')
const ends = {
  low: number.describe('Lower end of the 95 % interval.'),
  high: number.describe('Upper end of the 95 % interval.'),
}

const columnShapes = z.object({
  mean: number,
  reference: ofTraining,
  worst: z.array(z.object({ column: text, score: number, reference: number })),
})

const itemBlock = z.object({
  column: text.describe('The first item.'),
  last: text.describe('The last item.'),
  items: count,
  eigenvalue: number,
  reference: ofTraining,
  ratio: number.describe('Of the two; 1 for other real rows.'),
  ...ends,
})

const groupDifferences = z.object({
  slope: number,
  ...ends,
  outcomes: count.describe('Columns that are measured one by one.'),
  median: z
    .object({ slope: number, ...ends })
    .optional()
    .describe('Over those columns.'),
  lowest: z.array(z.object({ column: text, slope: number, ...ends })),
})

const propensity = z.object({
  value: number,
  expected: number.describe('Its mean if the model were right.'),
  ratio: number.describe('value / expected.'),
  standardized: number.describe('(value - expected) / its standard deviation if the model were right.'),
  parameters: count,
})

const membership = z.object({
  queries: count.describe('Rows of either kind that it was tried on.'),
  model_rows: count.optional().describe("Rows that the dataset's own model was trained on."),
  at: z.array(
    z.object({
      rows_per_row: number.describe('Synthetic rows per row trained on.'),
      auc: number,
      chance,
      told: number.describe('Share of training rows that are recognized at 5 % false alarms.'),
      told_chance: number.describe('Chance alone gives 0.05 plus or minus this in 95 of 100 cases.'),
    }),
  ),
})

export const ModelQuality = z.object({
  training_rows: count.optional(),
  held_out_rows: count.optional(),
  synthetic_rows: count.optional(),
  column_shapes: columnShapes
    .optional()
    .describe(
      '1 - total variation distance of levels, 1 - Kolmogorov-Smirnov statistic of numbers, to the held-out rows.',
    ),
  pairs: z
    .object({ mean: number, reference: ofTraining, measured: count })
    .optional()
    .describe('1 - total variation distance between the two-way tables and the ones of the held-out rows.'),
  c2st: z
    .object({
      auc: number,
      chance,
      detectable: number
        .optional()
        .describe('The smallest area that would be distinguished from 0.5 in 80 of 100 cases.'),
      rows: count,
    })
    .optional()
    .describe('Classifier two-sample test of synthetic against held-out rows.'),
  copies: z
    .object({ share: number, reference: number.describe('The same of the held-out rows.') })
    .optional()
    .describe('Share of synthetic rows that equal a row trained on.'),
  rare_numbers: z
    .object({
      columns: count,
      rows: count.optional().describe('Synthetic rows. Absent: fewer than 10.'),
      reference: count.optional().describe('The same of the rows trained on.'),
    })
    .optional()
    .describe(
      'Rows that carry exactly a number that fewer than 10 rows of the seed have, in columns whose rows repeat few numbers.',
    ),
  dcr: z
    .object({
      nearer_training: number,
      chance,
      of_copies: number.describe('The value for exact copies.'),
      rows: count,
    })
    .optional()
    .describe('Share of synthetic rows nearer to a row trained on than to any of as many held-out rows.'),
  correlations: z
    .object({ slope: number, ...ends, pairs: count })
    .optional()
    .describe("Slope of the synthetic rows' rank correlations on those of real rows; 1 for other real rows."),
  item_blocks: z.array(itemBlock).optional().describe('Columns on one scale: first eigenvalue of their correlations.'),
  differences: groupDifferences
    .optional()
    .describe("Slope of the synthetic rows' differences between groups on those of real rows; 1 for other real rows."),
  pmse: propensity
    .optional()
    .describe('Propensity score mean squared error of a logistic regression, synthetic rows against those trained on.'),
  membership: membership
    .optional()
    .describe('Membership risk: an attack by the distance to the nearest synthetic row.'),
  not_measured: z
    .array(z.object({ figure: text, reason: text }))
    .optional()
    .describe('Figures that the data do not give, and why.'),
})

export type ModelQuality = Written<z.infer<typeof ModelQuality>>
