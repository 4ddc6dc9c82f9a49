import { z } from 'zod'
import { Conditions } from './conditions.ts'
import { Shortfall } from './generations.ts'
import { Identifier, ModelId } from './ids.ts'
import {
  LEAST_QUANTILE,
  MAX_ESTIMATE_OUTCOMES,
  MAX_ESTIMATED_SEGMENTS,
  MAX_FILTER_LEVELS,
  MAX_FILTERS,
  MAX_FURTHER,
  MAX_QUANTILES,
  MAX_TOGETHER,
} from './limits.ts'
import { Bound } from './natural-quantiles.ts'

/** Rows of a dataset, by columns; a row that has no value in one of them is not among them. */
export const RowFilters = z
  .strictObject({
    categorical: z
      .record(z.string(), z.array(z.string()).min(1).max(MAX_FILTER_LEVELS))
      .optional()
      .describe('Column → levels: rows that have one of them.'),
    numeric: z
      .record(
        z.string(),
        z
          .strictObject({ min: Bound.optional(), max: Bound.optional() })
          .refine(({ min, max }) => min !== undefined || max !== undefined, 'must have min or max'),
      )
      .optional()
      .describe('Column → ends, both included: rows whose value lies between them. An end that is left out is open.'),
  })
  .refine(({ categorical = {}, numeric = {} }) => {
    const columns = Object.keys(categorical).length + Object.keys(numeric).length
    return columns >= 1 && columns <= MAX_FILTERS
  }, `must have 1 to ${MAX_FILTERS} columns`)
  .meta({ id: 'RowFilters' })
export type RowFilters = z.infer<typeof RowFilters>

/**
 * POST /v1/datasets/{dataset_id}/estimates: what the seed itself, reweighted to two scenarios, says about their
 * difference. The specification does not have this operation; it is an extension of this service.
 */
export const EstimateRequest = z
  .strictObject({
    scenario: Conditions.describe('The scenario. `{}` is the unchanged population.'),
    baseline: Conditions.optional().describe('What the scenario is compared with. Absent: the unchanged population.'),
    outcomes: z
      .array(
        z.strictObject({
          column: z.string().describe('A column of the cleaned schema.'),
          statistic: z
            .enum(['shares', 'mean', 'quantiles'])
            .optional()
            .describe(
              '`shares` for categorical columns, `mean` for numeric ones, and for categorical ones whose levels are whole numbers: the mean of these codes; `quantiles` for numeric columns. Absent: `shares` or `mean` by the kind of the column.',
            ),
          quantiles: z
            .array(
              z
                .number()
                .min(LEAST_QUANTILE)
                .max(1 - LEAST_QUANTILE),
            )
            .min(1)
            .max(MAX_QUANTILES)
            .optional()
            .describe(
              'With statistic `quantiles`, and needed there: which, as shares of the rows up to them; 0.5 is the median. A service that protects its seeds tells none, because a quantile is the value of some row: it answers 400 `svc_quantiles_not_offered`.',
            ),
          base: z
            .enum(['all', 'valid'])
            .optional()
            .describe(
              'What shares are shares of: `all` rows, or the rows that have an answer (`valid`). Absent: `all`. A mean is always of the rows that have a value.',
            ),
        }),
      )
      .min(1)
      .max(MAX_ESTIMATE_OUTCOMES),
    rows: z
      .int()
      .min(1)
      .optional()
      .describe('Rows wanted of the scenario. The reply then says how many of them a generation would have.'),
    together: z
      .array(Conditions)
      .max(MAX_TOGETHER)
      .optional()
      .describe(
        'Other scenarios that are compared with the same baseline and looked at together with this one, such as the points of a curve. The figures then have a `simultaneous_quantile`.',
      ),
    further: z
      .array(
        z.strictObject({
          scenario: Conditions,
          baseline: Conditions.optional().describe('Absent: the unchanged population.'),
        }),
      )
      .max(MAX_FURTHER)
      .optional()
      .describe(
        'Further scenarios whose differences in the same outcomes are asked for, as if each had a request of its own. Each counts as a question. The reply then has `further`, with fewer levels of each outcome if there are many.',
      ),
    where: RowFilters.optional().describe(
      'The rows that outcomes are counted in, on both sides; the scenarios stay what they are. Absent: all rows. The reply repeats it: a service that does not has counted all rows.',
    ),
    by: z
      .string()
      .optional()
      .describe(
        `A categorical column of at most ${MAX_ESTIMATED_SEGMENTS} levels. The reply then also has the same estimates inside each of its levels, with fewer levels of each outcome if the request has many outcomes.`,
      ),
  })
  .meta({ id: 'EstimateRequest' })
export type EstimateRequest = z.infer<typeof EstimateRequest>

export const ESTIMATE_STATUSES = ['estimated', 'too_few_rows'] as const

const EstimatedSide = z
  .object({
    status: z
      .enum(ESTIMATE_STATUSES)
      .describe(
        '`too_few_rows`: too few rows of the seed support this side (none; where the seed is protected, fewer than 10 to about 25: noise decides), or they cannot be weighted to its shares, or the weighting would take more work than one reply may (fewer columns or levels take less). No outcome then has numbers. The reply does not distinguish these cases.',
      ),
    effective_rows: z
      .number()
      .optional()
      .describe(
        'Effective rows of the seed behind this side (Kish 1965). Where the seed is protected, rounded down to 10, 20, 50, 100, then to two digits.',
      ),
    support: z
      .number()
      .optional()
      .describe(
        'The smaller of the effective rows and 2 (sum w²)² / (sum w⁴ - (sum w²)² / n), which is smaller where few rows have most of the weight; rounded likewise. Limits of intervals use it.',
      ),
    low_support: z.boolean().describe('Whether `support` is below 50.'),
  })
  .meta({ id: 'EstimatedSide' })

const standardError = z
  .number()
  .describe(
    'Standard error of the difference, for inference from the seed to its population. It takes into account that the weights are calibrated, and follows the survey design that the upload declares.',
  )

const degreesOfFreedom = z
  .number()
  .optional()
  .describe('Degrees of freedom of Student’s t for an interval. Absent: the normal distribution.')

const simultaneousQuantile = z
  .number()
  .optional()
  .describe(
    'What takes the place of 1.96 in intervals that hold for all differences that are looked at together: those of `together`, or of the segments. The 95 % quantile of the largest of them under their joint normal distribution.',
  )

export const LevelEstimate = z
  .object({
    level: z.string(),
    scenario: z.number().describe('Share of the base.'),
    baseline: z.number().describe('The same in the baseline.'),
    difference: z.number().describe('Scenario minus baseline, rounded separately.'),
    standard_error: standardError,
    degrees_of_freedom: degreesOfFreedom,
    simultaneous_quantile: simultaneousQuantile,
  })
  .meta({ id: 'LevelEstimate' })

export const MeanEstimate = z
  .object({
    scenario: z
      .number()
      .describe('Mean of the rows that have a value. For dates, milliseconds since 1970, here and below.'),
    baseline: z.number().describe('The same in the baseline.'),
    difference: z.number().describe('Scenario minus baseline, rounded separately.'),
    standard_error: standardError,
    degrees_of_freedom: degreesOfFreedom,
    simultaneous_quantile: simultaneousQuantile,
    scenario_sd: z.number().describe('Standard deviation of the values.'),
    baseline_sd: z.number().describe('The same in the baseline.'),
  })
  .meta({ id: 'MeanEstimate' })

export const QuantileEstimate = z
  .object({
    quantile: z.number().describe('As requested: the share of the rows up to it.'),
    scenario: z
      .number()
      .describe(
        'The least value with that share of the weights up to it, or the middle of it and the next one where the share is met exactly.',
      ),
    baseline: z.number().describe('The same in the baseline.'),
    difference: z.number().describe('Scenario minus baseline.'),
    standard_error: standardError,
    degrees_of_freedom: degreesOfFreedom,
    simultaneous_quantile: simultaneousQuantile,
  })
  .meta({ id: 'QuantileEstimate' })

const EstimatedBase = z
  .object({
    rows: z
      .number()
      .optional()
      .describe('Rows of the seed that a figure of this side is made of. Absent: too few to be told.'),
    effective_rows: z.number().optional().describe('Their `support`. Absent likewise.'),
  })
  .meta({ id: 'EstimatedBase' })

const OutcomeEstimate = z
  .object({
    column: z.string(),
    statistic: z.enum(['shares', 'mean', 'quantiles']),
    base: z.enum(['all', 'valid']).optional().describe('For shares: as requested.'),
    scenario_base: EstimatedBase.optional(),
    baseline_base: EstimatedBase.optional(),
    levels: z
      .array(LevelEstimate)
      .optional()
      .describe(
        'For shares: the levels that enough rows support on both sides, most frequent first. Empty: too few rows.',
      ),
    mean: MeanEstimate.nullable()
      .optional()
      .describe(
        'For a mean. Null: too few rows with a value, or values beyond about 1e154, whose squares are infinite.',
      ),
    quantiles: z
      .array(QuantileEstimate)
      .optional()
      .describe('For quantiles: those that enough rows support, in the order of the request.'),
  })
  .meta({ id: 'OutcomeEstimate' })
export type OutcomeEstimate = z.infer<typeof OutcomeEstimate>

export const SEGMENT_STATUSES = ['estimated', 'too_few_rows', 'excluded'] as const

const SegmentEstimate = z
  .object({
    level: z.string(),
    status: z
      .enum(SEGMENT_STATUSES)
      .describe(
        '`excluded`: the shares of a side leave the level no rows. `too_few_rows`: too few rows of the seed inside the segment support a side.',
      ),
    scenario: EstimatedSide,
    baseline: EstimatedSide,
    outcomes: z.array(OutcomeEstimate).describe('Of the rows of the segment, in the order of the request.'),
  })
  .meta({ id: 'SegmentEstimate' })
export type SegmentEstimate = z.infer<typeof SegmentEstimate>

const FurtherEstimate = z
  .object({
    scenario: EstimatedSide,
    baseline: EstimatedSide,
    outcomes: z.array(OutcomeEstimate).describe('In the order of the request.'),
  })
  .meta({ id: 'FurtherEstimate' })
export type FurtherEstimate = z.infer<typeof FurtherEstimate>

/** Reply of estimateDifferences. */
export const Estimates = z
  .object({
    dataset_id: Identifier,
    model_id: ModelId.optional(),
    seed_rows: z.int().describe('Rows of the cleaned seed.'),
    sampled_share: z
      .number()
      .describe('Part of these rows that the model stores. The estimates are computed from them.'),
    where: RowFilters.optional().describe('As requested: all figures are of these rows.'),
    scenario: EstimatedSide,
    baseline: EstimatedSide,
    outcomes: z.array(OutcomeEstimate).describe('In the order of the request.'),
    feasible_rows: z
      .int()
      .optional()
      .describe(
        'With `rows`: how many of these rows a generation of the scenario would have. 0: it would fail. The model and the seed decide it, as for a generation.',
      ),
    shortfall: Shortfall.optional().describe('Why they are fewer than `rows`; absent otherwise.'),
    further: z.array(FurtherEstimate).optional().describe('With `further`: one for each, in the order of the request.'),
    segments: z
      .array(SegmentEstimate)
      .optional()
      .describe('With `by`: one for each level of the column, in the order of the schema.'),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Estimates' })
export type Estimates = z.infer<typeof Estimates>
