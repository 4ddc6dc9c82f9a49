import { z } from 'zod'
import { json, type Operation } from './operation.ts'

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

/** What a tenant can ask about itself. */
export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    tag: 'usage',
    summary: 'What the tenant uses, and its limits',
    description:
      'Extension: not in the specification. Rows billed and reserved beside the subscription, bytes stored beside their limit, and how many datasets, generations and artifacts there are. The figures are of this moment, of all clients of the tenant.',
    security: 'bearer',
    responses: { 200: { description: 'The usage.', content: json(Usage) } },
  },
]
