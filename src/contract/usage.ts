import { z } from 'zod'

const Bytes = z.int().min(0)

/** GET /v1/usage: what the tenant uses and may use. The specification does not have it; it is an extension of this service. */
export const Usage = z
  .object({
    rows: z.object({
      billed: z.int().min(0).describe('Generated so far.'),
      reserved: z.int().min(0).describe('Asked for by generations in progress.'),
      subscription: z
        .int()
        .min(0)
        .nullable()
        .describe('Of the active subscription, those billed included; null: no limit.'),
      per_request: z.int().min(1).describe('Largest row_count of one generation.'),
    }),
    stored: z.object({
      bytes: Bytes.describe('All of what follows together.'),
      seed_bytes: Bytes.describe('Seed files of datasets in training.'),
      model_bytes: Bytes.describe('Models of datasets, and what is kept to generate from them faster.'),
      artifact_bytes: Bytes,
      limit_bytes: Bytes.nullable().describe('Null: no limit.'),
      per_artifact_bytes: Bytes.nullable().describe('Most that one artifact may take; null: no limit.'),
    }),
    datasets: z.object({ ready: z.int().min(0), processing: z.int().min(0) }),
    generations: z.int().min(0).describe('Those whose retention has not ended, failed ones included.'),
    artifacts: z.int().min(0),
    retention_hours: z.int().min(1).describe('How long what is made from now on is kept.'),
    request_id: z.string(),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof Usage>
