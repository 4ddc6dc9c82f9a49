import { z } from 'zod'
import {
  ESTIMATE_STATUSES,
  LevelEstimate,
  MeanEstimate,
  QuantileEstimate,
  RowFilters,
  SEGMENT_STATUSES,
} from '../contract/estimates.ts'
import { ModelId } from '../contract/ids.ts'
import {
  MAX_ESTIMATE_OUTCOMES,
  MAX_ESTIMATED_LEVELS,
  MAX_ESTIMATED_SEGMENTS,
  MAX_FURTHER,
  MAX_QUANTILES,
} from '../contract/limits.ts'
import { ReportedShortfall } from './reported-shortfall.ts'
import { count, extra, Identifier, openEnum, record, text } from './tolerant-fields.ts'

const share = z.number().min(0).max(1)
const spread = z.number().min(0)

/** A side without a known status, or without effective rows, gives no interval. */
const EstimatedSide = record({
  status: openEnum(ESTIMATE_STATUSES),
  effective_rows: extra(z.number().positive()),
  support: extra(z.number().positive()),
  low_support: z.boolean(),
})

const EstimatedLevel = z.object({
  ...LevelEstimate.shape,
  scenario: share,
  baseline: share,
  difference: z.number().min(-1).max(1),
  standard_error: spread,
  degrees_of_freedom: extra(z.number().min(1)),
  simultaneous_quantile: extra(z.number().min(1)),
})

const EstimatedMean = z.object({
  ...MeanEstimate.shape,
  standard_error: spread,
  degrees_of_freedom: extra(z.number().min(1)),
  simultaneous_quantile: extra(z.number().min(1)),
  scenario_sd: spread,
  baseline_sd: spread,
})

const EstimatedQuantile = z.object({
  ...QuantileEstimate.shape,
  standard_error: spread,
  degrees_of_freedom: extra(z.number().min(1)),
  simultaneous_quantile: extra(z.number().min(1)),
})

const EstimatedBase = record({ rows: extra(count), effective_rows: extra(z.number().min(0)) })

/** `levels` is present for shares, `mean` for a mean with numbers, `quantiles` for these. An unknown statistic has none of them. */
const EstimatedOutcome = record({
  column: z.string().min(1),
  statistic: openEnum(['shares', 'mean', 'quantiles']),
  scenario_base: extra(EstimatedBase),
  baseline_base: extra(EstimatedBase),
  levels: z.array(EstimatedLevel).max(MAX_ESTIMATED_LEVELS).optional(),
  mean: EstimatedMean.optional(),
  quantiles: z.array(EstimatedQuantile).max(MAX_QUANTILES).optional(),
})

const estimated = {
  scenario: EstimatedSide,
  baseline: EstimatedSide,
  outcomes: z.array(EstimatedOutcome).max(MAX_ESTIMATE_OUTCOMES),
}

/** Reply of estimateDifferences. Services that do not know segments ignore or refuse the question about them. */
export const Estimates = record({
  dataset_id: Identifier.optional(),
  model_id: extra(ModelId),
  seed_rows: count,
  sampled_share: extra(share),
  /** Services that do not know filters ignore or refuse them. */
  where: extra(RowFilters),
  ...estimated,
  /** Services that do not know the field ignore or refuse it. */
  further: extra(z.array(record(estimated)).max(MAX_FURTHER)),
  feasible_rows: extra(count),
  shortfall: extra(ReportedShortfall),
  segments: extra(
    z
      .array(record({ level: z.string(), status: openEnum(SEGMENT_STATUSES), ...estimated }))
      .max(MAX_ESTIMATED_SEGMENTS),
  ),
  request_id: text,
})
export type Estimates = z.infer<typeof Estimates>
