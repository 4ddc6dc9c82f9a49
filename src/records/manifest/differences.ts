/** The differences of two scenarios, and their uncertainty. */

import { z } from 'zod'
import { byName, count, interval, number, size } from '../values/common-values.ts'
import { Histogram } from './columns.ts'
import type { Written } from './written.ts'

const NumericStatistics = z
  .object({
    n: count,
    mean: number,
    sd: number.nullable(),
    q05: number.nullable().describe('Null on a side of several replicates, as the other quantiles are.'),
    q25: number.nullable(),
    q50: number.nullable(),
    q75: number.nullable(),
    q95: number.nullable(),
    histogram: Histogram.optional(),
  })
  .meta({ id: 'statistics', description: 'Of the values that are not missing.' })

const IntervalBasis = z.enum(['seed', 'effective_rows', 'generation']).meta({
  id: 'basis',
  description:
    "The basis of the interval: the seed's own estimate, a bound from the number of effective rows, or the noise of generation alone.",
})

const IntervalSupport = z.enum(['ok', 'thin', 'too_few_rows', 'unknown']).meta({
  id: 'support',
  description:
    'Support of the side that has less: thin below 50, or with fewer than 20 degrees of freedom (50 for a mean); too_few_rows below 20 (then there is no interval); unknown where the service does not tell.',
})

const Answer = z
  .object({
    against: number,
    scenario: number,
    difference: number,
    degrees_of_freedom: z.number().min(1).optional().describe("Of Student's t; absent: the normal distribution."),
    with_model: number
      .optional()
      .describe(
        'Below 50 effective rows: the difference mixed with that of the rows. It is nearer to the truth on average, and too small.',
      ),
  })
  .meta({
    id: 'answer',
    description:
      'What the seed says, reweighted to both scenarios: the figures that readers are told. Absent where the service does not tell them.',
  })

/** The uncertainty of a difference. */
export const DifferenceCertainty = z.object({
  interval: interval.nullable().meta({
    id: 'difference_interval',
    description: '95 % interval of the difference; null where there is none.',
  }),
  standard_error: size.nullable().meta({
    id: 'standard_error',
    description:
      'Standard error of the answer. Without an answer, that of the difference in the rows, from effective rows or from the noise of generation.',
  }),
  basis: IntervalBasis,
  answer: Answer.optional(),
  support: IntervalSupport,
  band: z
    .tuple([number, number])
    .meta({
      id: 'band',
      description:
        'Like interval, but with 95 % confidence for all scenarios of the matrix together, or for all segments.',
    })
    .optional(),
  beyond_chance: z
    .boolean()
    .meta({
      id: 'beyond_chance',
      description:
        'Whether chance does not explain the difference, among all questions of the study; absent where that is not known, and where the difference was asked for.',
    })
    .optional(),
  asked_for: z
    .literal(true)
    .meta({ id: 'asked_for', description: 'A side sets the column, so its difference was asked for.' })
    .optional(),
})

/** What manifests of version 1.0 say of a difference, and later ones do not. */
const ofVersion10 = {
  seed: z
    .object({ difference: number, standard_error: size })
    .meta({
      id: 'seed_difference',
      description: 'Of manifests of version 1.0: the difference in the seed itself, reweighted to both scenarios.',
    })
    .optional(),
  departs: z
    .boolean()
    .meta({
      id: 'departs',
      description:
        "Of manifests of version 1.0: whether the difference is more than one standard error of the seed away from the seed's.",
    })
    .optional(),
}

const certainty = { ...DifferenceCertainty.partial().shape, ...ofVersion10 }

const ShareDifference = z.object({ against: size, scenario: size, delta: number, ...certainty })

const MeanDifference = z.object({
  against: NumericStatistics.nullable(),
  scenario: NumericStatistics.nullable(),
  delta: number.nullable(),
  ...certainty,
})

const QuantileDifference = z.object({
  against: number.nullable(),
  scenario: number.nullable(),
  delta: number.nullable(),
  ...DifferenceCertainty.partial().shape,
})

/** Column → share of the rows up to it, as text → quantile on both sides. */
export const quantileDifferences = byName(byName(QuantileDifference)).meta({ id: 'quantile_differences' })
/** Column → level → share on both sides. */
export const shareDifferences = byName(byName(ShareDifference)).meta({ id: 'share_differences' })
/** Column → statistics on both sides. */
export const meanDifferences = byName(MeanDifference).meta({ id: 'mean_differences' })

/** Of the values that are not missing. */
export type NumericStatistics = Written<z.infer<typeof NumericStatistics>>
export type IntervalBasis = z.infer<typeof IntervalBasis>
export type IntervalSupport = z.infer<typeof IntervalSupport>
/** What the seed says, reweighted to both scenarios. */
export type Answer = Written<z.infer<typeof Answer>>
/** The uncertainty of a difference. Manifests of earlier versions lack it. */
export type DifferenceCertainty = Written<z.infer<typeof DifferenceCertainty>>
export type ShareDifference = Written<z.infer<typeof ShareDifference>>
/** Null where a side has no value, or several replicates of which none has it alone. */
export type QuantileDifference = Written<z.infer<typeof QuantileDifference>>
/** The interval is for the difference of the means. */
export type MeanDifference = Written<z.infer<typeof MeanDifference>>
