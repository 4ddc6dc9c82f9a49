import { z } from 'zod'
import { MAX_CELL_TABLES, MAX_CELLS, MAX_MEANS } from './limits.ts'
import { Bound } from './natural-quantiles.ts'

/** Target shares: column name → level name → share in [0, 1]; `0.70` means 70 % of all generated rows. */
export const CategoricalConditions = z.record(z.string(), z.record(z.string(), z.number().min(0).max(1)))

/** Ranges. Both ends are required and included. RFC 3339 strings for date columns. */
export const NumericConditions = z.record(z.string(), z.strictObject({ min: Bound, max: Bound }))

/**
 * Means of numeric columns among the rows that have a value: a number, or bounds. Ours: the specification does not have them, and a
 * service whose seeds are protected does not take them.
 */
export const MeanConditions = z
  .record(
    z.string(),
    z.union([
      z.number(),
      z
        .strictObject({ min: z.number().optional(), max: z.number().optional() })
        .refine(({ min, max }) => min !== undefined || max !== undefined, 'must have min or max'),
    ]),
  )
  .refine((means) => Object.keys(means).length <= MAX_MEANS, `must have at most ${MAX_MEANS} columns`)

/**
 * Bounds of shares: column → level → least and greatest share of all generated rows. Ours, and not taken where seeds are protected, as
 * means.
 */
export const ShareBoundConditions = z.record(
  z.string(),
  z.record(
    z.string(),
    z
      .strictObject({ min: z.number().min(0).max(1).optional(), max: z.number().min(0).max(1).optional() })
      .refine(({ min, max }) => min !== undefined || max !== undefined, 'must have min or max'),
  ),
)

/**
 * Shares of combinations of levels of two or three columns. Ours, and not taken where seeds are protected, as means.
 */
export const CellConditions = z
  .array(
    z.strictObject({
      columns: z.array(z.string()).min(2).max(3),
      shares: z
        .array(z.strictObject({ levels: z.array(z.string()).min(2).max(3), share: z.number().min(0).max(1) }))
        .min(1)
        .max(MAX_CELLS),
    }),
  )
  .max(MAX_CELL_TABLES)

/** A scenario. */
export const Conditions = z
  .strictObject({
    categorical: CategoricalConditions.optional().describe('Column → level → target share of all generated rows.'),
    numeric: NumericConditions.optional().describe('Column → range, both ends included.'),
    means: MeanConditions.optional().describe(
      'Column → mean of the rows that have a value: a number, or bounds. A column may have a range and a mean. An extension of this service.',
    ),
    bounds: ShareBoundConditions.optional().describe(
      'Column → level → least and greatest share of all generated rows, of levels without a target share. A bound that holds by itself changes nothing. An extension of this service.',
    ),
    cells: CellConditions.optional().describe(
      'Tables of two or three categorical columns → a level of each, and the share of all generated rows that have them together. Combinations that are not listed take the rest. An extension of this service.',
    ),
  })
  .meta({ id: 'Conditions' })
export type Conditions = z.infer<typeof Conditions>

/** The members of conditions that the specification does not have. A service that does not know them may ignore them. */
export const CONDITION_EXTENSIONS = ['means', 'bounds', 'cells'] as const
export type ConditionExtension = (typeof CONDITION_EXTENSIONS)[number]
