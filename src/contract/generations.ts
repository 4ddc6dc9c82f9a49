import { z } from 'zod'
import { OUTPUT_FORMAT_NAMES } from '../base/result-formats.ts'
import { Conditions } from './conditions.ts'
import { DateTime, EngineVersion, Identifier, ModelId } from './ids.ts'
import { MAX_WAIT_SECONDS } from './limits.ts'
import { NearestMix } from './nearest-mix.ts'
import { WorkError } from './problem.ts'

export const OutputFormat = z.enum(OUTPUT_FORMAT_NAMES)
export type OutputFormat = z.infer<typeof OutputFormat>

/** POST /v1/datasets/{dataset_id}/generations. Unknown fields are refused: a typo must not become a billed generation. */
export const GenerationRequest = z
  .strictObject({
    row_count: z.int().min(1).describe('Rows wanted; an upper bound on the rows returned.'),
    output_format: OutputFormat.optional().describe('Default parquet.'),
    seed: z
      .int()
      .optional()
      .describe(
        'From -(2^53 - 1) to 2^53 - 1; drawn when absent. The same dataset, request and seed give the same bytes.',
      ),
    wait_seconds: z
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS)
      .optional()
      .describe('How long the reply may wait for the rows. Default 0.'),
    conditions: Conditions.optional().describe('The scenario. Absent: rows of the unconditioned model.'),
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

/**
 * Why there are fewer rows than requested: the binding targets, in words and with the seed's counts: to two digits where the seed is protected.
 * Counts below 10 are not shown. At most 50 levels of a column, and 200 targets in all.
 */
export const Shortfall = z
  .object({
    detail: z.string(),
    binding: z.array(
      z.object({
        column: z.string(),
        level: z.string().optional(),
        target: z.number().optional(),
        seed_rows: z.int().optional().describe('Where the seed is protected, to two digits, and absent below 10.'),
        nearest: z.number().optional().describe('Of a mean that cannot be: the nearest one that can.'),
      }),
    ),
    nearest_mix: NearestMix.optional().describe(
      'The nearest conditions that have all rows. Absent: none are known. An extension of this service.',
    ),
  })
  .meta({ id: 'Shortfall' })
export type Shortfall = z.infer<typeof Shortfall>

/** How much of the seed supports the rows (Kish's effective sample size over the conditioned cells). */
export const Evidence = z
  .object({
    effective_rows: z
      .number()
      .describe(
        'Rows of the seed that support the result. Support below 50 is low. Where the seed is protected, they have noise and are rounded down: 1 (too few to be told), 10, 20, 50, 100, then two digits. A combination of levels that no row has, or too few of a protected seed, counts with the number of rows that the model expects.',
      ),
    largest_tilt: z
      .number()
      .describe(
        'Largest ratio of a cell’s share in the scenario to its share in the model. Where the seed is protected, with noise and to two digits, and cells with too few rows to be told are grouped.',
      ),
    in_range_share: z
      .number()
      .optional()
      .describe(
        'Share of the model inside all ranges, among the requested levels; to two digits where the seed is protected.',
      ),
    fill: z.number().optional().describe('Part of the requested rows that model and evidence support in this mix.'),
    cap: z
      .object({ natural_share_factor: z.number(), rows_per_seed_row: z.number() })
      .optional()
      .describe(
        'How far a combination of levels may be multiplied: to this many times its natural share, or to this many rows for each row of the seed, whichever is more. Where the seed is protected, all combinations that too few rows have to be told are treated alike, and each of them has at most 5 % of the delivered rows.',
      ),
    exact: z
      .boolean()
      .optional()
      .describe(
        'True where these figures are exact, because the seed is the caller’s own (a service that runs for one person). Absent: the seed is protected.',
      ),
    low_support: z.boolean().optional().describe('Whether the support is low.'),
    converged: z
      .boolean()
      .optional()
      .describe('Whether the mix is the closest possible to the model. The shares hold in any case.'),
    margin_deviation: z
      .int()
      .optional()
      .describe(
        'How many rows a level deviates from its share in whole rows: 0 unless combinations exclude each other.',
      ),
    note: z.string().optional().describe('A warning if there are more than 20 rows for each row of the seed.'),
    sampled_share: z
      .number()
      .optional()
      .describe(
        'Part of the model that has too many combinations of levels to enumerate. Sampled combinations represent it.',
      ),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof Evidence>

/** GET /v1/generations/{generation_id}; createGeneration replies with the same record. */
export const Generation = z
  .object({
    generation_id: Identifier,
    status: GenerationStatus,
    job_id: Identifier.optional().describe('The job to poll until the work ends.'),
    artifact_url: z
      .string()
      .optional()
      .describe('Present when ready or partial. Relative to the service (send the token), or absolute (do not).'),
    rows_generated: z.int().optional().describe('Rows delivered and billed; fewer than `row_count` when partial.'),
    dataset_id: Identifier.optional(),
    row_count: z.int().optional().describe('As requested.'),
    seed: z.int().optional().describe('As requested, or drawn.'),
    output_format: OutputFormat.optional(),
    created_at: DateTime.optional(),
    expires_at: DateTime.optional().describe('End of retention of the rows.'),
    targets: z.array(TargetResult).optional().describe('Target and achieved shares, as many as fit into 1 MiB.'),
    shortfall: Shortfall.optional().describe('Why there are fewer rows than requested.'),
    evidence: Evidence.optional().describe('How much of the seed data supports the rows.'),
    error: WorkError.optional().describe('Why it failed.'),
    artifact: z.object({ bytes: z.int(), sha256: z.string() }).optional().describe('Size and digest of the file.'),
    model_id: ModelId.optional(),
    engine_version: EngineVersion.optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Generation' })
export type Generation = z.infer<typeof Generation>
