/** What the service told of the seed's differences between a scenario and its baseline, reweighted to both. */

import { z } from 'zod'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import { number, size, text } from '../values/common-values.ts'
import { SETTLED_GAPS } from '../values/service-account.ts'
import { pairs } from './measurements.ts'

/** Null: too few to be told. */
const rows = size.nullable()

/** Rows of the seed behind a side. `support` limits what is said: the smaller of effective rows and their spread. */
const RecordedSide = z.object({ effectiveRows: rows, support: rows })

const RecordedBase = z.object({ rows, effectiveRows: rows })

const RecordedEstimate = z.object({
  scenario: number,
  against: number,
  difference: number,
  standardError: size,
  /** Null: the normal distribution. */
  degreesOfFreedom: number.min(1).nullable(),
  /** Of intervals that hold together with others, in place of 1.96. */
  simultaneousQuantile: number.min(1).optional(),
})

const RecordedEstimates = z.object({
  scenario: RecordedSide,
  against: RecordedSide,
  /** The rows that the figures of each column are made of. */
  bases: pairs(z.object({ scenario: RecordedBase, against: RecordedBase })),
  /** By column, then level. */
  shares: pairs(pairs(RecordedEstimate)),
  /** Only those with enough rows behind them. */
  means: pairs(RecordedEstimate),
  /** By column, then the share of the rows up to it, as text. A question about quantiles has nothing else. */
  quantiles: pairs(pairs(RecordedEstimate)).optional(),
})

const SettledGap = z.enum(SETTLED_GAPS)

export const EstimateRecord = z.discriminatedUnion('status', [
  z.object({
    key: text,
    status: z.literal('known'),
    estimates: RecordedEstimates,
    /** For a question about segments: the same inside each level. */
    segments: pairs(RecordedEstimates).optional(),
  }),
  z.object({ key: text, status: SettledGap }),
])

export type RecordedSide = DeepReadonly<z.infer<typeof RecordedSide>>
export type RecordedBase = DeepReadonly<z.infer<typeof RecordedBase>>
export type RecordedEstimate = DeepReadonly<z.infer<typeof RecordedEstimate>>
export type RecordedEstimates = DeepReadonly<z.infer<typeof RecordedEstimates>>
export type SettledGap = z.infer<typeof SettledGap>
export type EstimateRecord = DeepReadonly<z.infer<typeof EstimateRecord>>
