/** What a manifest says about a comparison. */

import { z } from 'zod'
import { byName, count, number, ordinal, size, text, texts } from '../values/common-values.ts'
import { SETTLED_GAPS } from '../values/service-account.ts'
import { meanDifferences, quantileDifferences, shareDifferences } from './differences.ts'
import { GateResult } from './gates.ts'
import type { Written } from './written.ts'

const ComparedColumn = z.object({
  column: text,
  kind: z.enum(['shares', 'means', 'quantiles']),
  quantiles: z.array(number).optional().describe('Of quantiles: shares of the rows up to them.'),
  base: z
    .literal('valid')
    .optional()
    .describe('Of shares: shares of the rows that have an answer; absent: of all rows.'),
  levels: texts.optional().describe('In the sequence of the data.'),
})

export const RowFilter = z.object({
  column: text,
  levels: texts.optional().describe('Rows that have one of them.'),
  min: z.union([number, text]).optional().describe('Included; dates in RFC 3339. Absent, as for max: open.'),
  max: z.union([number, text]).optional(),
})

const NotCompared = z.object({
  column: text,
  level: text.optional().describe('Absent: the whole column.'),
  as: z.enum(['shares', 'means', 'quantiles', 'segments', 'where']).describe('What the comparison asks of the column.'),
})

export const effectiveRows = z.object({ against: z.number().min(1), scenario: z.number().min(1) }).meta({
  id: 'effective_rows',
  description:
    "Rows of the seed behind each side (Kish's effective sample size); absent where the service does not tell.",
})

const base = z
  .object({
    rows: size.optional(),
    effective_rows: size
      .optional()
      .describe('Support: the smaller of the effective rows and of what the spread of the weights says.'),
  })
  .meta({ id: 'base' })

const OutcomeBase = z.object({ scenario: base, against: base })

const bases = byName(OutcomeBase).meta({
  id: 'bases',
  description:
    'By column: the rows of the seed that the answers of a side are made of, and the support of their weights. A figure that the service does not tell is absent.',
})

export const NoEstimates = z
  .enum([...SETTLED_GAPS, 'estimates_failed', 'estimates_not_asked'])
  .meta({ id: 'no_estimates', description: "Why the seed's own differences are not there; absent where they are." })

const RowsDistance = z.object({
  outcomes: ordinal.describe('Differences that are compared.'),
  beyond_two_errors: count.describe(
    'Those of them that are more than two standard errors of the answer away from it. The noise of generation is part of the distance.',
  ),
  largest_points: size
    .optional()
    .describe('The largest distance of a share, in percentage points; absent where no shares are compared.'),
  rms_errors: size.describe('The root mean square distance, in standard errors of the answers.'),
})

const SegmentResult = z.object({
  level: text,
  rows: z.object({ against: count, scenario: count }).describe('Rows in the artifacts that have the level.'),
  shares: shareDifferences,
  means: meanDifferences,
  quantiles: quantileDifferences.optional(),
  effective_rows: effectiveRows.optional(),
  bases: bases.optional(),
  no_estimates: NoEstimates.optional(),
  no_quantiles: NoEstimates.optional(),
})

const ReplicateSpread = z.object({
  ids: texts.describe('The scenarios that were taken together.'),
  spread: z
    .object({
      shares: byName(byName(size.nullable())),
      means: byName(size.nullable()),
      quantiles: byName(byName(size.nullable())).optional(),
    })
    .describe('Standard deviation of the difference from replicate to replicate; null where fewer than two have one.'),
})

const ComparisonResult = z.object({
  status: z
    .enum(['compared', 'mixed_model', 'missing'])
    .describe(
      'mixed_model: the two sides come from different models, or it is unknown whether they do; missing: a side has no rows.',
    ),
  shares: shareDifferences,
  means: meanDifferences,
  quantiles: quantileDifferences.optional().describe('Absent where no quantiles are compared.'),
  effective_rows: effectiveRows.optional(),
  bases: bases.optional(),
  rows: z
    .object({ against: count, scenario: count })
    .optional()
    .describe("Rows in the artifacts that the comparison's `where` leaves; absent without it."),
  rows_distance: RowsDistance.optional().describe(
    'How near the differences in the generated rows are to the answers; absent without answers that have a standard error.',
  ),
  no_estimates: NoEstimates.optional(),
  no_quantiles: NoEstimates.optional().describe('Why the quantiles have no answers; absent where they have.'),
  segments: z
    .array(SegmentResult)
    .optional()
    .describe("The same inside each level of the comparison's `by`, in the sequence of the data."),
  replicates: ReplicateSpread.optional().describe(
    'Absent unless the scenario is several that differ in the seed alone, taken together.',
  ),
})

export const ManifestComparison = z
  .object({
    against: text,
    against_replicates: texts
      .optional()
      .describe(
        'The scenarios that were taken together as `against`; absent unless it is several that differ in the seed alone.',
      ),
    outcomes: z.array(ComparedColumn).optional().describe('What is compared, in the sequence of the study.'),
    questions: z
      .object({ asked: count, beyond_chance: count })
      .optional()
      .describe(
        'Its questions, each counted once, and those whose answer is beyond chance (Benjamini and Hochberg at 5 % over the study).',
      ),
    by: text.optional().describe('The column whose levels are the segments.'),
    where: z
      .array(RowFilter)
      .optional()
      .describe(
        'The rows that all its outcomes are counted in, on both sides: those that pass all filters. Absent: all rows.',
      ),
    not_compared: z
      .array(NotCompared)
      .optional()
      .describe(
        'What the comparison names and the data do not have, so that there is no figure; absent when there is nothing.',
      ),
    scenarios: byName(ComparisonResult),
    gates: z.array(GateResult),
  })
  .meta({ id: 'comparison' })

export type ManifestComparison = Written<z.infer<typeof ManifestComparison>>
export type ComparisonResult = Written<z.infer<typeof ComparisonResult>>
/** The differences among the rows of one level. */
export type SegmentResult = Written<z.infer<typeof SegmentResult>>
/** One column that a comparison holds side by side. */
export type ComparedColumn = Written<z.infer<typeof ComparedColumn>>
/** A filter of the rows that a comparison counts in. */
export type RowFilter = Written<z.infer<typeof RowFilter>>
/** A column or level that a comparison names and its data do not have. */
export type NotCompared = Written<z.infer<typeof NotCompared>>
/** Both sides of an answer. A figure that the service does not tell is absent. */
export type OutcomeBase = Written<z.infer<typeof OutcomeBase>>
/** How near the differences in the generated rows are to the answers. */
export type RowsDistance = Written<z.infer<typeof RowsDistance>>
export type ReplicateSpread = Written<z.infer<typeof ReplicateSpread>>
/** Why a comparison has no estimates from the seed. */
export type NoEstimates = z.infer<typeof NoEstimates>
