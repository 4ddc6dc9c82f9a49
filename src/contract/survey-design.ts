import { z } from 'zod'
import { MAX_COLUMN_NAME_BYTES, MAX_REPLICATE_COLUMNS } from './limits.ts'

/** How replicate weights were made, in the words of R's survey package (`svrepdesign`); `jackknife` is JK1 or JKn there. */
export const REPLICATE_TYPES = ['brr', 'fay', 'jackknife', 'bootstrap'] as const

const Column = z
  .string()
  .min(1)
  .refine((name) => !name.includes('\u0000'), 'must not hold NUL characters')
  .refine(
    (name) => Buffer.byteLength(name) <= MAX_COLUMN_NAME_BYTES,
    `must be at most ${MAX_COLUMN_NAME_BYTES} bytes long`,
  )

const ReplicateWeights = z.strictObject({
  columns: Column.describe(
    `Pattern of the columns' headers: \`*\` is any text, \`?\` any character. From 2 to ${MAX_REPLICATE_COLUMNS} columns. The column of \`weight_column\` is none of them.`,
  ),
  type: z.enum(REPLICATE_TYPES),
  scale: z
    .number()
    .positive()
    .optional()
    .describe(
      'Default: that of the type. For R columns: 1/R (brr), 1/(R (1 - rho)²) (fay), (R - 1)/R (jackknife; 1 with `rscales`), 1/(R - 1) (bootstrap).',
    ),
  rscales: z
    .array(z.number().nonnegative())
    .min(1)
    .max(MAX_REPLICATE_COLUMNS)
    .optional()
    .describe('One for each column, in their sequence in the file. Default: 1 each.'),
  rho: z.number().min(0).lt(1).optional().describe('Of type `fay` only, and needed there.'),
})

/** How the rows of a seed file were drawn. Standard errors use it; the model is not trained on it. */
export const SurveyDesign = z
  .strictObject({
    strata: Column.optional().describe('Header of the column with the stratum of each row.'),
    clusters: Column.optional().describe(
      'Header of the column with the cluster (primary sampling unit) of each row. Equal values in different strata are different clusters.',
    ),
    replicate_weights: ReplicateWeights.optional().describe('In place of strata and clusters.'),
  })
  .refine(
    ({ strata, clusters, replicate_weights }) =>
      (strata !== undefined || clusters !== undefined) !== (replicate_weights !== undefined),
    'must name strata or clusters, or else replicate_weights',
  )
  .refine(({ strata, clusters }) => strata === undefined || strata !== clusters, 'must name two columns')
  .refine(
    ({ replicate_weights }) =>
      replicate_weights === undefined || (replicate_weights.type === 'fay') === (replicate_weights.rho !== undefined),
    'must have rho with type fay, and with no other type',
  )
  .meta({ id: 'SurveyDesign' })
export type SurveyDesign = z.infer<typeof SurveyDesign>

export const DesignCounts = z
  .object({
    strata: z.int().min(0).describe('1 without a column of strata.'),
    clusters: z.int().min(0).describe('Clusters of all strata; the training rows without a column of clusters.'),
    lonely_strata: z
      .int()
      .min(0)
      .describe('Strata with a single cluster. Its spread is that around the mean of all clusters.'),
    replicates: z.int().min(0).describe('Columns of replicate weights.'),
  })
  .meta({ id: 'DesignCounts' })
export type DesignCounts = z.infer<typeof DesignCounts>
