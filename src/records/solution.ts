/** What `whatif solve --json` says: which value of a lever moves a figure by so much. */

import { z } from 'zod'
import { RowFilter } from './manifest/comparisons.ts'
import { MovedFigure } from './sensitivity.ts'
import { interval, number, share, text } from './values/common-values.ts'

const Point = z
  .object({
    value: share.describe('Share of the level.'),
    scenario: number.describe('The figure there.'),
    difference: number.describe('Less the figure in the scenario as it is.'),
    interval: interval.optional(),
    support: z.enum(['ok', 'thin', 'too_few_rows']),
  })
  .meta({ id: 'point', description: 'The answer for one value of the lever.' })
export type CurvePoint = z.infer<typeof Point>

export const SolutionRecord = z.object({
  study: text,
  scenario: text,
  dataset: text.describe('Its name in the study.'),
  figure: MovedFigure,
  where: z.array(RowFilter).optional().describe('The rows that the figure is of. Absent: all.'),
  lever: z.object({ column: text, level: text, value: share.describe('In the scenario as it is.') }),
  by: number.describe('How far the figure is to move.'),
  solution: z
    .object({
      value: share,
      low: share.optional().describe('Absent: the interval has no lower end among the shares that can be estimated.'),
      high: share.optional().describe('Absent likewise.'),
      support: z.enum(['ok', 'thin', 'too_few_rows']),
    })
    .nullable()
    .describe(
      'The nearest value that gives it: those whose own interval holds `by` are between `low` and `high`. Null: out of reach.',
    ),
  leaves_chance: z
    .object({ below: share.optional(), above: share.optional() })
    .describe('From these values on, down and up, the interval of the difference excludes 0. Absent: it never does.'),
  curve: z.array(Point).describe('By value, at equal distances, without those that too few rows support.'),
})
export type SolutionRecord = z.infer<typeof SolutionRecord>
