/** What `whatif sensitivity --json` says: how far each lever moves one figure of a study's data. */

import { z } from 'zod'
import { RowFilter } from './manifest/comparisons.ts'
import { count, interval, number, share, size, text } from './values/common-values.ts'

export const MovedFigure = z
  .object({
    column: text,
    level: text.optional().describe('Absent: the mean or the quantile of the column.'),
    quantile: share.optional().describe('The share of the rows up to a quantile. Absent: no quantile.'),
    kind: z
      .enum(['date'])
      .optional()
      .describe('A mean of dates: milliseconds since 1970, and differences milliseconds.'),
    value: number.describe('In the data as they are: a fraction of 1, or a mean.'),
  })
  .meta({ id: 'figure', description: 'What the levers move.' })

const Lever = z
  .object({
    column: text,
    level: text
      .optional()
      .describe('The level whose share is moved. Absent: the share of the values above `split` is moved.'),
    split: number.optional().describe('The median of a numeric column.'),
    from: share
      .optional()
      .describe('Share of the level in the data as they are. Absent where the service does not tell it.'),
    to: share.optional(),
    moved: number.describe('How far the share is moved, as a fraction of 1: 0.1, or what is left to 1.'),
    scenario: number.optional().describe('The figure when the lever is moved. Absent where nothing is known of it.'),
    difference: number.optional().describe('Moved less as it is.'),
    standard_error: size.optional(),
    interval: interval.optional(),
    support: z.enum(['ok', 'thin', 'too_few_rows']),
    beyond_chance: z
      .boolean()
      .optional()
      .describe('Whether chance does not explain it, judged over all levers by Benjamini and Hochberg at 5 %.'),
  })
  .meta({ id: 'lever' })

export const SensitivityRecord = z.object({
  study: text,
  dataset: text.describe('Its name in the study.'),
  figure: MovedFigure,
  where: z.array(RowFilter).optional().describe('The rows that the figure is of. Absent: all.'),
  step: share.describe('How far a lever is moved where there is room.'),
  questions: z.object({ asked: count, beyond_chance: count }),
  levers: z.array(Lever).describe('Those beyond chance first, then by the size of the difference.'),
  not_moved: z.array(z.object({ column: text, why: text })).describe('Columns without a lever.'),
})
export type SensitivityRecord = z.infer<typeof SensitivityRecord>
export type LeverRecord = z.infer<typeof Lever>
