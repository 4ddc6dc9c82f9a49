import { z } from 'zod'
import { DatasetReceipt } from './datasets.ts'
import { DateTime } from './ids.ts'
import { MAX_SEED_FILE_BYTES, MAX_WAIT_SECONDS } from './limits.ts'
import { IDEMPOTENCY_KEY, json, type Operation, pathId } from './operation.ts'
import { IDEMPOTENT_REPLAYED } from './response-headers.ts'

/** A seed file that is sent in parts, so that a cut connection costs one of them. Extensions of this service. */

/** Bytes of each part but the last. */
export const UPLOAD_PART_BYTES = 8 * 2 ** 20
/** Open uploads of a tenant; another one ends the oldest. */
export const MAX_OPEN_UPLOADS = 4
/** From the first request on. */
export const UPLOAD_LIFETIME_HOURS = 24

export const UploadRequest = z
  .strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Of the whole file, in lower-case hexadecimal.'),
    bytes: z.int().min(1).max(MAX_SEED_FILE_BYTES),
  })
  .meta({ id: 'UploadRequest' })

export const SeedUpload = z
  .object({
    upload_id: z.string(),
    part_bytes: z.int().min(1).describe('Bytes of each part. The last one has what is left.'),
    received_parts: z.array(z.int().min(1)).describe('Numbers of the parts that are there, from 1, ascending.'),
    expires_at: DateTime.describe('Then its parts are removed.'),
    request_id: z.string(),
  })
  .meta({ id: 'SeedUpload' })
export type SeedUpload = z.infer<typeof SeedUpload>

export const SeedUploadPart = z
  .object({ upload_id: z.string(), number: z.int().min(1), request_id: z.string() })
  .meta({ id: 'SeedUploadPart' })
export type SeedUploadPart = z.infer<typeof SeedUploadPart>

/** The parts of `DatasetUploadForm` that are text. */
export const UploadedDatasetRequest = z
  .strictObject({
    display_name: z.string().optional(),
    auto_clean: z.boolean().optional().describe('Default true.'),
    weight_column: z.string().optional(),
    design: z.string().optional().describe('JSON of a `SurveyDesign`.'),
    wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional(),
  })
  .meta({ id: 'UploadedDatasetRequest' })

const UPLOAD_ID = pathId('upload_id', 'As returned by POST /v1/uploads.')

/** What an operation answers that makes a dataset of a seed file, whichever way it came. */
export const MAKES_DATASET = {
  responses: {
    200: {
      description: 'Training finished within wait_seconds.',
      content: json(DatasetReceipt),
      headers: [IDEMPOTENT_REPLAYED],
    },
    202: {
      description: 'Training continues; poll the job, then GET the dataset.',
      content: json(DatasetReceipt),
      headers: [IDEMPOTENT_REPLAYED],
    },
  },
  errors: ['svc_unreadable_file', 'svc_untrainable_dataset', 'svc_quota_exceeded', 'svc_idempotency_conflict'],
} satisfies Pick<Operation, 'responses' | 'errors'>

export const UPLOAD_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'createUpload',
    method: 'POST',
    path: '/v1/uploads',
    tag: 'datasets',
    summary: 'Begin to send a seed file in parts, or go on with it',
    description: `Extension: not in the specification. An upload is known by size and digest of its file: the same request returns the same upload, with the parts that are there, also after a client was killed. It lives ${UPLOAD_LIFETIME_HOURS} hours. A tenant has ${MAX_OPEN_UPLOADS} at most; another one ends the oldest. Use \`POST /v1/datasets\` for small files.`,
    security: 'bearer',
    request: { required: true, content: json(UploadRequest) },
    responses: { 200: { description: 'The upload.', content: json(SeedUpload) } },
    errors: ['svc_quota_exceeded'],
  },
  {
    operationId: 'sendUploadPart',
    method: 'POST',
    path: '/v1/uploads/{upload_id}/parts',
    tag: 'datasets',
    summary: 'Send one part of a seed file',
    description:
      'Extension: not in the specification. Parts come in any sequence, and a part may be sent again. One whose bytes do not have the digest is refused, and what was there before stays.',
    security: 'bearer',
    parameters: [
      UPLOAD_ID,
      { name: 'number', in: 'query', description: 'From 1.', schema: z.int().min(1), required: true },
      {
        name: 'Content-Digest',
        in: 'header',
        description: 'SHA-256 of the part (RFC 9530): `sha-256=:<base64>:`.',
        schema: z.string(),
        required: true,
      },
    ],
    request: { required: true, content: { 'application/octet-stream': null } },
    responses: { 200: { description: 'The part is there.', content: json(SeedUploadPart) } },
  },
  {
    operationId: 'createDatasetOfUpload',
    method: 'POST',
    path: '/v1/uploads/{upload_id}/dataset',
    tag: 'datasets',
    summary: 'Make a dataset of a seed file that was sent in parts',
    description:
      'Extension: not in the specification. The same as `POST /v1/datasets` with the whole file, also for the `Idempotency-Key`: both ways with one key make one dataset. All parts must be there, and together have the digest of the file; the upload ends with it.',
    security: 'bearer',
    consequential: true,
    parameters: [UPLOAD_ID, IDEMPOTENCY_KEY],
    request: { required: true, content: json(UploadedDatasetRequest) },
    ...MAKES_DATASET,
  },
]
