import { z } from 'zod'
import { MAX_ROTATIONS, MAX_SEED_FILE_BYTES, ROTATION_WINDOW_SECONDS } from './limits.ts'

/**
 * The error catalogue: every stable code with its status, its cause, its remedy, and whether the same request may be
 * sent again. `/errors`, `/errors/{code}`, the OpenAPI document and the service's replies are all made from this table.
 * Codes are part of the v1 contract. Adding one is free; renaming one needs a migration window.
 */
export interface ErrorEntry {
  /** HTTP status, or null for a code that only appears inside a generation's or job's `error`. */
  readonly status: number | null
  readonly title: string
  readonly cause: string
  readonly fix: string
  /** Whether the unchanged request may be repeated (a POST only with the same `Idempotency-Key`). */
  readonly retryable: boolean
  /** What to include in a support request. */
  readonly support: string
}

const REQUEST_ID = 'Keep the X-Request-Id of the reply.'

export const ERROR_CATALOGUE = {
  svc_invalid_field: {
    status: 400,
    title: 'Bad Request',
    cause:
      'A form field, query parameter, header or body field is missing, unknown or has a value that is not allowed.',
    fix: 'Read `errors`: each entry names a field and says what was expected. Correct all of them and send the request again.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_unknown_condition_column: {
    status: 400,
    title: 'Bad Request',
    cause: 'A condition names a column or level that is not in the cleaned schema of the dataset.',
    fix: 'Build conditions from GET /v1/datasets/{dataset_id}/schema, never from the headers of the uploaded file. `schema_hint` lists the nearest names.',
    retryable: false,
    support: `${REQUEST_ID} Add the dataset_id.`,
  },
  svc_means_not_offered: {
    status: 400,
    title: 'Bad Request',
    cause:
      'The conditions state means, and this service protects the seeds of its datasets. Where a mean can no longer be met tells the largest value of the seed.',
    fix: 'State ranges and shares instead, for example shares of bands of the column; or use a service that runs for the owner of the seed alone.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_bounds_not_offered: {
    status: 400,
    title: 'Bad Request',
    cause:
      'The conditions bound shares, and this service protects the seeds of its datasets. Where a bound begins to bind tells the share that the seed has.',
    fix: 'State the shares themselves; or use a service that runs for the owner of the seed alone.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_cells_not_offered: {
    status: 400,
    title: 'Bad Request',
    cause:
      'The conditions state cells, and this service protects the seeds of its datasets. Where a cell can no longer be filled tells whether anybody of the seed is in it.',
    fix: 'State shares of the columns; or use a service that runs for the owner of the seed alone.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_quantiles_not_offered: {
    status: 400,
    title: 'Bad Request',
    cause:
      'A question about estimates asks for quantiles, and this service protects the seeds of its datasets. A quantile is the value of some row, which no noise of a mean would hide.',
    fix: 'Ask for means instead, or for shares of bands of the column; or use a service that runs for the owner of the seed alone.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_unreadable_file: {
    status: 400,
    title: 'Bad Request',
    cause: 'The uploaded file is not a readable CSV, Parquet, Excel or SAV file.',
    fix: 'Read `detail`: it says what the file looked like and why it could not be read. Export it again, for example as CSV in UTF-8.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_untrainable_dataset: {
    status: 400,
    title: 'Bad Request',
    cause:
      'After cleaning, no column that can be modelled remains, or there are too few rows; or the column named by `weight_column` does not hold weights, or those named by `design` do not say how the rows were drawn.',
    fix: 'Read `detail`: it says what was dropped and why. Upload a file with at least 50 usable rows and a column that varies.',
    retryable: false,
    support: `${REQUEST_ID} Add the job_id.`,
  },
  svc_invalid_claim: {
    status: 400,
    title: 'Bad Request',
    cause:
      'The claim token is unknown, expired, already used or voided by a newer rotation. The cases are not distinguished.',
    fix: 'Read the signup status again for a fresh token, or ask the operator.',
    retryable: false,
    support: `${REQUEST_ID} Never send the claim token.`,
  },
  svc_quota_exceeded: {
    status: 402,
    title: 'Payment Required',
    cause:
      'The request asks for more rows than the active row subscription or the request cap allows, or the tenant has used up its storage limit. Inside a generation: its artifact would exceed the limit of one artifact or the remaining storage.',
    fix: 'Ask for fewer rows, or for Parquet instead of CSV. Delete datasets that are not needed, or ask the operator to raise the quota.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The credentials are valid but do not allow this operation. Inside a job: the operator cancelled the work.',
    fix: 'Use credentials that allow it, or ask the operator.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_not_found: {
    status: 404,
    title: 'Not Found',
    cause: 'There is no such route or resource, it belongs to another tenant, or its retention has ended.',
    fix: 'Check the identifier: it is a string, never an element of an array. After expiry, upload or generate again.',
    retryable: false,
    support: `${REQUEST_ID} Add the identifier.`,
  },
  svc_method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    cause: 'The route exists but not with this method.',
    fix: 'Use a method from the `Allow` header.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_idempotency_conflict: {
    status: 409,
    title: 'Conflict',
    cause: 'The Idempotency-Key was used with a different body, or a request with this key is still in flight.',
    fix: 'If a request is in flight, wait for `Retry-After` and repeat the same request. If the body is different, use another key.',
    retryable: true,
    support: `${REQUEST_ID} Add the Idempotency-Key.`,
  },
  svc_dataset_not_ready: {
    status: 409,
    title: 'Conflict',
    cause: 'The dataset is still in training.',
    fix: 'Poll the job named in `detail` until it is completed, then repeat the request.',
    retryable: true,
    support: `${REQUEST_ID} Add the job_id.`,
  },
  svc_artifact_url_expired: {
    status: 410,
    title: 'Gone',
    cause: 'The artifact address has passed its lifetime.',
    fix: 'GET the generation again; its record has a fresh address.',
    retryable: false,
    support: `${REQUEST_ID} Add the generation_id.`,
  },
  svc_file_too_large: {
    status: 413,
    title: 'Content Too Large',
    cause: `The seed file is larger than ${MAX_SEED_FILE_BYTES / 2 ** 20} MB.`,
    fix: 'Upload a smaller file: drop columns that are not needed, take a sample of the rows, or write the file as Parquet.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_body_too_large: {
    status: 413,
    title: 'Content Too Large',
    cause: 'The JSON body is larger than this service accepts.',
    fix: 'Send a smaller body.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_unsupported_content_type: {
    status: 415,
    title: 'Unsupported Media Type',
    cause: 'The operation does not accept the content type of the body.',
    fix: 'Send multipart/form-data to POST /v1/datasets and application/json elsewhere.',
    retryable: false,
    support: REQUEST_ID,
  },
  svc_infeasible_scenario: {
    status: null,
    title: 'Infeasible scenario',
    cause:
      'No row can satisfy all targets and ranges of the scenario together, or too few rows of the seed data satisfy the scenario: none, or fewer than 10 to about 25 where the seed is protected (noise decides).',
    fix: 'Read the detail: it names the targets or ranges that contradict each other. Loosen one of them. Where the record of the generation has `shortfall.nearest_mix`, that is the least change that gives all rows.',
    retryable: false,
    support: 'Keep the generation_id and the job_id.',
  },
  svc_rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    cause: `Too many requests in a short time, too many waiting jobs of the company, or more than ${MAX_ROTATIONS} rotations of a secret in ${ROTATION_WINDOW_SECONDS / 3600} hours.`,
    fix: 'Wait for `Retry-After`, then repeat the request; for a POST with the same Idempotency-Key.',
    retryable: true,
    support: REQUEST_ID,
  },
  svc_internal: {
    status: 500,
    title: 'Internal Server Error',
    cause: 'The service failed unexpectedly.',
    fix: 'Repeat the request with backoff; for a POST with the same Idempotency-Key.',
    retryable: true,
    support: REQUEST_ID,
  },
  svc_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    cause: 'The service, its database or its storage is not available at the moment.',
    fix: 'Wait for `Retry-After`, then repeat the request; for a POST with the same Idempotency-Key.',
    retryable: true,
    support: REQUEST_ID,
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERROR_CATALOGUE

/**
 * Statuses after which a client repeats a request, with backoff; a POST only with the same key (specification, "Retry
 * guidance").
 */
export const RETRYABLE_STATUSES = [429, 500, 502, 503, 504] as const

/** GET /errors/{code}: an entry of the error catalogue. */
export const ErrorDescription = z
  .object({
    code: z.string(),
    status: z
      .int()
      .nullable()
      .describe('HTTP status. Null if the code occurs only inside the `error` of a job or generation.'),
    title: z.string(),
    cause: z.string(),
    fix: z.string(),
    retryable: z
      .boolean()
      .describe('Whether the unchanged request may be repeated; a POST only with the same `Idempotency-Key`.'),
    support: z.string().describe('What to keep for a support request.'),
    url: z.string().describe('Address of this description, relative to the service’s own.'),
  })
  .meta({ id: 'ErrorDescription' })
export type ErrorDescription = z.infer<typeof ErrorDescription>

/** GET /errors: the whole catalogue. */
export const ErrorIndex = z.object({ errors: z.array(ErrorDescription) }).meta({ id: 'ErrorIndex' })
export type ErrorIndex = z.infer<typeof ErrorIndex>
