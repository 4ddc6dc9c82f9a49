import { z } from 'zod'
import { json, type Operation } from './operation.ts'

const Bytes = z.int().min(0)

/** GET /v1/usage: usage and limits of the tenant. An extension of this service that the specification does not have. */
export const Usage = z
  .object({
    rows: z.object({
      billed: z.int().min(0).describe('Rows generated so far.'),
      reserved: z.int().min(0).describe('Rows requested by generations in progress.'),
      subscription: z
        .int()
        .min(0)
        .nullable()
        .describe('Rows of the active subscription, including billed ones. Null: no limit.'),
      per_request: z.int().min(1).describe('Largest row_count of one generation.'),
    }),
    stored: z.object({
      bytes: Bytes.describe('Sum of the following figures.'),
      seed_bytes: Bytes.describe('Seed files of datasets in training.'),
      model_bytes: Bytes.describe('Models of datasets, and cached models that make generation faster.'),
      artifact_bytes: Bytes,
      limit_bytes: Bytes.nullable().describe('Null: no limit.'),
      per_artifact_bytes: Bytes.nullable().describe('Most bytes of one artifact. Null: no limit.'),
    }),
    datasets: z.object({ ready: z.int().min(0), processing: z.int().min(0) }),
    generations: z.int().min(0).describe('Resources whose retention has not ended, including failed ones.'),
    artifacts: z.int().min(0),
    retention_hours: z.int().min(1).describe('Retention of new resources.'),
    request_id: z.string(),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof Usage>

/** Operations about a tenant's own usage. */
export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    tag: 'usage',
    summary: 'Usage and limits of the tenant',
    description:
      'Extension: not in the specification. Billed and reserved rows with the subscription, stored bytes with their limit, and the numbers of datasets, generations and artifacts. The figures are current and cover all clients of the tenant.',
    security: 'bearer',
    responses: { 200: { description: 'The usage.', content: json(Usage) } },
  },
]
