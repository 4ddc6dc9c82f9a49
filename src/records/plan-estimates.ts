/** What `whatif plan --estimates --json` says of the rows to come: expected differences, and how many rows scenarios can have. */

import { z } from 'zod'
import { effectiveRows, NoEstimates, RowFilter } from './manifest/comparisons.ts'
import { DifferenceCertainty } from './manifest/differences.ts'
import type { Written } from './manifest/written.ts'
import { byName, count, number, ordinal, text } from './values/common-values.ts'
import { NearestMix } from './values/nearest-mix.ts'

const Difference = z
  .object({
    scenario: number,
    against: number,
    delta: number.describe('Scenario minus baseline, in the seed itself.'),
    kind: z
      .enum(['date'])
      .optional()
      .describe(
        'Of a mean or quantile of dates or times: figures are milliseconds since 1970, and differences milliseconds.',
      ),
    ...DifferenceCertainty.omit({ basis: true, answer: true }).shape,
  })
  .meta({ id: 'difference' })

const outcomes = {
  effective_rows: effectiveRows.optional(),
  shares: byName(byName(Difference)).describe('Column, level, difference of shares.'),
  means: byName(Difference).describe('Column, difference of means.'),
  quantiles: byName(byName(Difference))
    .optional()
    .describe('Column, share of the rows up to it, difference of quantiles; absent where none are compared, or told.'),
  no_quantiles: NoEstimates.optional().describe('Why the quantiles are not told; absent where they are.'),
}

const Segment = z.object({ level: text, ...outcomes })

const ExpectedScenario = z
  .object({
    rows: z.object({ scenario: ordinal, against: ordinal }).describe('Rows that the study asks for.'),
    no_estimates: z
      .union([NoEstimates, z.literal('not_trained')])
      .optional()
      .describe('Why nothing is known of the seed; absent where it is.'),
    ...outcomes,
    segments: z
      .array(Segment)
      .optional()
      .describe(
        'The same inside each level of the column `by`, in the sequence of the data; absent if nothing is known of them.',
      ),
    no_segment_estimates: NoEstimates.optional().describe(
      'Why nothing is known of the segments; absent where it is, and where the comparison has none.',
    ),
  })
  .meta({ id: 'scenario' })

const ExpectedComparison = z.object({
  against: text,
  by: text.optional().describe('The column of the segments; absent where the comparison has none.'),
  where: z.array(RowFilter).optional().describe('The rows that its outcomes are counted in; absent: all.'),
  scenarios: byName(ExpectedScenario),
})

/** By comparison. */
export const PlanEstimatesRecord = byName(ExpectedComparison)

const FeasibleRows = z.object({
  requested: ordinal.describe('Rows that the study asks for.'),
  feasible: count.describe('Rows that a generation would have; at most `requested`.'),
  detail: text.optional().describe("Why there are fewer, in the service's words."),
  nearest_mix: NearestMix.optional(),
})

/** By scenario. */
export const FeasibleRowsRecord = byName(FeasibleRows)

export type ExpectedDifference = Written<z.infer<typeof Difference>>
export type ExpectedSegment = Written<z.infer<typeof Segment>>
export type ExpectedScenario = Written<z.infer<typeof ExpectedScenario>>
export type ExpectedComparison = Written<z.infer<typeof ExpectedComparison>>
export type FeasibleRows = Written<z.infer<typeof FeasibleRows>>
