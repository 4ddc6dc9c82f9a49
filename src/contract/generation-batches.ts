import { z } from 'zod'
import { Generation, GenerationRequest } from './generations.ts'
import { IDEMPOTENCY_KEY_PATTERN } from './ids.ts'
import { json, type Operation, pathId } from './operation.ts'
import { Problem } from './problem.ts'

/** Most generations of one batch. */
export const MAX_BATCH_GENERATIONS = 1000

/** POST /v1/datasets/{dataset_id}/generations/batch. An extension of this service. */
export const GenerationBatchRequest = z
  .strictObject({
    generations: z
      .array(
        z.strictObject({
          idempotency_key: z.string().regex(IDEMPOTENCY_KEY_PATTERN).describe('As the header of a single request.'),
          request: GenerationRequest.describe('As the body of a single request. `wait_seconds` has no effect.'),
        }),
      )
      .min(1)
      .max(MAX_BATCH_GENERATIONS)
      .refine((all) => new Set(all.map((one) => one.idempotency_key)).size === all.length, {
        message: 'must have different idempotency keys',
      })
      .describe(`Up to ${MAX_BATCH_GENERATIONS}, each with a key of its own.`),
  })
  .meta({ id: 'GenerationBatchRequest' })
export type GenerationBatchRequest = z.infer<typeof GenerationBatchRequest>

export const GenerationBatchEntry = z
  .object({
    idempotency_key: z.string(),
    replayed: z.boolean().optional().describe('True if an earlier request with this key created the generation.'),
    generation: Generation.optional().describe('The record that a single request would be answered with.'),
    problem: Problem.optional().describe('Why there is none; a single request would be refused with it.'),
  })
  .meta({ id: 'GenerationBatchEntry' })

export const GenerationBatch = z
  .object({
    entries: z.array(GenerationBatchEntry).describe('One for each generation, in the sequence of the request.'),
    request_id: z.string(),
  })
  .meta({ id: 'GenerationBatch' })
export type GenerationBatch = z.infer<typeof GenerationBatch>

export const BATCH_OPERATION: Operation = {
  operationId: 'createGenerations',
  method: 'POST',
  path: '/v1/datasets/{dataset_id}/generations/batch',
  tag: 'generations',
  summary: 'Order many generations of one dataset at once',
  description:
    'Extension: not in the specification. Each entry is treated as a request of its own: it is accepted, replayed by its key, or refused with a problem, whatever the others are. So the same batch may be sent again, whole or in other parts, and creates nothing twice.',
  security: 'bearer',
  consequential: true,
  parameters: [pathId('dataset_id', 'As returned by POST /v1/datasets.')],
  request: { required: true, content: json(GenerationBatchRequest) },
  responses: { 200: { description: 'What became of each entry.', content: json(GenerationBatch) } },
  errors: ['svc_dataset_not_ready'],
}
