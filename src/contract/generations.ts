import { z } from 'zod'
import { Bound } from './datasets.ts'
import { DateTime, Identifier } from './ids.ts'
import { MAX_WAIT_SECONDS } from './limits.ts'
import { WorkError } from './problem.ts'

export const OUTPUT_FORMATS = ['parquet', 'csv', 'arrow'] as const
export const OutputFormat = z.enum(OUTPUT_FORMATS)
export type OutputFormat = z.infer<typeof OutputFormat>

/** Target shares: column name → level name → share in [0, 1]; `0.70` means 70 % of all generated rows. */
export const CategoricalConditions = z.record(z.string(), z.record(z.string(), z.number().min(0).max(1)))

/** Ranges, both ends required and included; RFC 3339 strings for date columns. */
export const NumericConditions = z.record(z.string(), z.strictObject({ min: Bound, max: Bound }))

/** POST /v1/datasets/{dataset_id}/generations. Unknown fields are refused: a typo must not become a billed generation. */
export const GenerationRequest = z
  .strictObject({
    row_count: z.int().min(1).describe('Rows wanted; an upper bound on the rows returned.'),
    output_format: OutputFormat.optional(),
    seed: z.int().optional().describe('Any safe integer; drawn when absent.'),
    wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional(),
    conditions: z
      .strictObject({ categorical: CategoricalConditions.optional(), numeric: NumericConditions.optional() })
      .optional(),
  })
  .meta({ id: 'GenerationRequest' })
export type GenerationRequest = z.infer<typeof GenerationRequest>

export const GENERATION_STATUSES = ['processing', 'ready', 'partial', 'failed'] as const
export const GenerationStatus = z.enum(GENERATION_STATUSES)
export type GenerationStatus = z.infer<typeof GenerationStatus>

export const TargetResult = z
  .object({ column: z.string(), level: z.string(), target: z.number(), achieved: z.number(), count: z.int() })
  .meta({ id: 'TargetResult' })
export type TargetResult = z.infer<typeof TargetResult>

/** Why fewer rows than requested: the targets that bind, in words and with the seed's counts. */
export const Shortfall = z
  .object({
    detail: z.string(),
    binding: z.array(
      z.object({
        column: z.string(),
        level: z.string().optional(),
        target: z.number().optional(),
        seed_rows: z.int().optional(),
      }),
    ),
  })
  .meta({ id: 'Shortfall' })
export type Shortfall = z.infer<typeof Shortfall>

/** How much of the seed stands behind the rows (Kish's effective sample size over the conditioned cells). */
export const Evidence = z
  .object({
    effective_rows: z.number(),
    largest_tilt: z.number().describe('Largest ratio of a cell’s share in the scenario to its share in the model.'),
    in_range_share: z.number().optional(),
    unlisted: z
      .enum(['unconditional', 'conditional'])
      .optional()
      .describe('Which reading of the unlisted rest was used.'),
    low_support: z.boolean().optional(),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof Evidence>

/** GET /v1/generations/{generation_id}; createGeneration answers the same record. */
export const Generation = z
  .object({
    generation_id: Identifier,
    status: GenerationStatus,
    job_id: Identifier.optional(),
    artifact_url: z.string().optional(),
    rows_generated: z.int().optional(),
    dataset_id: Identifier.optional(),
    row_count: z.int().optional(),
    seed: z.int().optional(),
    output_format: OutputFormat.optional(),
    created_at: DateTime.optional(),
    expires_at: DateTime.optional(),
    targets: z.array(TargetResult).optional(),
    shortfall: Shortfall.optional(),
    evidence: Evidence.optional(),
    error: WorkError.optional(),
    artifact: z.object({ bytes: z.int(), sha256: z.string() }).optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Generation' })
export type Generation = z.infer<typeof Generation>
