import { z } from 'zod'
import { GenerationRequest, OutputFormat } from './generations.ts'
import { json, type Operation, pathId } from './operation.ts'

/** POST /v1/datasets/{dataset_id}/generations/quote. An extension of this service. */
export const GenerationQuote = z
  .object({
    output_format: OutputFormat,
    rows_at_most: z.int().min(1).describe('Most rows that are generated and billed: `row_count`.'),
    bytes_at_most: z
      .int()
      .min(0)
      .describe(
        'No artifact of this request is larger: as many bytes as the longest levels and numbers would take, or the limit of one artifact or of the storage, where that is less. Usually an artifact is much smaller.',
      ),
    accepted: z.boolean().describe('Whether a generation would be accepted now, as far as quota goes.'),
    refusal: z.string().optional().describe('Why not.'),
    quota: z.object({
      per_request_rows: z.int().min(1),
      rows_left: z
        .int()
        .min(0)
        .nullable()
        .describe('Rows of the subscription that are neither billed nor reserved. Null: no limit.'),
      bytes_left: z.int().min(0).nullable().describe('Bytes that may still be stored. Null: no limit.'),
      per_artifact_bytes: z.int().min(0).nullable().describe('Most bytes of one artifact. Null: no limit.'),
    }),
    request_id: z.string(),
  })
  .meta({ id: 'GenerationQuote' })
export type GenerationQuote = z.infer<typeof GenerationQuote>

export const QUOTE_OPERATION: Operation = {
  operationId: 'quoteGeneration',
  method: 'POST',
  path: '/v1/datasets/{dataset_id}/generations/quote',
  tag: 'generations',
  summary: 'What a generation would take at most, without ordering it',
  description:
    'Extension: not in the specification. The body is that of a generation, and is checked in the same way; `wait_seconds` has no effect. Nothing is recorded, reserved or billed, so a later generation may still be refused.',
  security: 'bearer',
  parameters: [pathId('dataset_id', 'As returned by POST /v1/datasets.')],
  request: { required: true, content: json(GenerationRequest) },
  responses: { 200: { description: 'The quote.', content: json(GenerationQuote) } },
  errors: [
    'svc_unknown_condition_column',
    'svc_means_not_offered',
    'svc_bounds_not_offered',
    'svc_cells_not_offered',
    'svc_dataset_not_ready',
  ],
}
