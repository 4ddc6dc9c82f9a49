import { z } from 'zod'
import { OUTPUT_FORMATS } from '../base/result-formats.ts'
import { ACCESS_OPERATIONS } from './access-operations.ts'
import { Dataset, DatasetList, DatasetSchema, FALSE_WORDS, TRUE_WORDS } from './datasets.ts'
import { DOCUMENTATION_OPERATIONS, IF_NONE_MATCH } from './documentation-operations.ts'
import { EstimateRequest, Estimates } from './estimates.ts'
import { BATCH_OPERATION } from './generation-batches.ts'
import { Generation, GenerationRequest } from './generations.ts'
import { Health, ServiceIndex } from './health.ts'
import { IDEMPOTENCY_KEY_PATTERN } from './ids.ts'
import { Job } from './jobs.ts'
import {
  ARTIFACT_URL_LIFETIME_SECONDS,
  MAX_DISPLAY_NAME_CODE_POINTS,
  MAX_PAGE_SIZE,
  MAX_SEED_FILE_BYTES,
  MAX_WAIT_SECONDS,
} from './limits.ts'
import { type Content, HTML, IDEMPOTENCY_KEY, json, type Operation, PREFER_WAIT, pathId } from './operation.ts'
import { OPERATOR_OPERATIONS } from './operator-operations.ts'
import { PROBLEM_CONTENT_TYPE, Problem } from './problem.ts'
import { QUOTE_OPERATION } from './quotes.ts'
import {
  CONTENT_DISPOSITION,
  CONTENT_RANGE,
  ETAG,
  IDEMPOTENT_REPLAYED,
  PREFERENCE_APPLIED,
  RETRY_AFTER,
} from './response-headers.ts'
import { MAKES_DATASET, UPLOAD_OPERATIONS } from './uploads.ts'
import { USAGE_OPERATIONS } from './usage.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

const DATASET_ID = pathId('dataset_id', 'As returned by POST /v1/datasets.')

/** Bytes in the requested `output_format`. */
const ARTIFACT: Content = Object.fromEntries(
  Object.values(OUTPUT_FORMATS).map((mediaType) => [mediaType.split(';')[0], null]),
)

/** Parts of POST /v1/datasets; all but the file arrive as text. */
export const DatasetUploadForm = z
  .strictObject({
    seed_file: z
      .string()
      .meta({ format: 'binary', contentMediaType: 'application/octet-stream' })
      .describe(
        `CSV, TSV, Parquet, Excel, SAV, or JSON of one record a row; at most ${MAX_SEED_FILE_BYTES / 2 ** 20} MB.`,
      ),
    display_name: z.string().max(MAX_DISPLAY_NAME_CODE_POINTS).optional().describe('No control characters.'),
    auto_clean: z
      .boolean()
      .optional()
      .describe(
        `Default true. The part is one of the words ${[...TRUE_WORDS, ...FALSE_WORDS].map((word) => `\`${word}\``).join(', ')}, in any case.`,
      ),
    weight_column: z
      .string()
      .optional()
      .describe(
        'Header of the column that holds the case weights (survey weights) of the rows: numbers of at least 0, one in every row. The model learns the weighted population, and the column is not part of it. An extension of this service; `training_summary.weight_column` confirms it.',
      ),
    design: z
      .string()
      .optional()
      .describe(
        'How the rows were drawn (strata and clusters, or replicate weights, which need `weight_column`): JSON of a `SurveyDesign`. Standard errors use it. The columns are not part of the model; their values may be numbers in place of names. An extension of this service; `training_summary.design` confirms it.',
      ),
    wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe('Default 0.'),
    idempotency_key: z
      .string()
      .regex(IDEMPOTENCY_KEY_PATTERN)
      .optional()
      .describe('If both are given, the header is used.'),
  })
  .meta({ id: 'DatasetUploadForm' })

/** All routes of the service. */
export const OPERATIONS: readonly Operation[] = [
  ...ACCESS_OPERATIONS,
  ...OPERATOR_OPERATIONS,
  {
    operationId: 'createDataset',
    method: 'POST',
    path: '/v1/datasets',
    tag: 'datasets',
    summary: 'Upload a seed dataset; it is cleaned and a model is trained on it',
    description:
      'Send the file as multipart/form-data. Training continues after the reply unless it finishes within `wait_seconds`: poll the job in the reply, then read the dataset. With an `Idempotency-Key` the request can be repeated safely.',
    security: 'bearer',
    consequential: true,
    parameters: [IDEMPOTENCY_KEY],
    request: { required: true, content: { 'multipart/form-data': DatasetUploadForm } },
    ...MAKES_DATASET,
  },
  ...UPLOAD_OPERATIONS,
  {
    operationId: 'listDatasets',
    method: 'GET',
    path: '/v1/datasets',
    tag: 'datasets',
    summary: 'Trained datasets, newest first',
    description: 'Metadata only. Datasets in training are not listed.',
    security: 'bearer',
    parameters: [
      { name: 'limit', in: 'query', description: 'Entries per page.', schema: z.int().min(1).max(MAX_PAGE_SIZE) },
      {
        name: 'cursor',
        in: 'query',
        description: '`next_cursor` of the previous page, unchanged.',
        schema: z.string(),
      },
    ],
    responses: { 200: { description: 'A page of datasets.', content: json(DatasetList) } },
  },
  {
    operationId: 'getDataset',
    method: 'GET',
    path: '/v1/datasets/{dataset_id}',
    tag: 'datasets',
    summary: 'A dataset with its summaries',
    description:
      'What cleaning did to the file, and how good the model is. Answers 409 while the dataset is in training.',
    security: 'bearer',
    parameters: [DATASET_ID],
    responses: { 200: { description: 'The dataset.', content: json(Dataset) } },
    errors: ['svc_dataset_not_ready'],
  },
  {
    operationId: 'deleteDataset',
    method: 'DELETE',
    path: '/v1/datasets/{dataset_id}',
    tag: 'datasets',
    summary: 'Delete a dataset; cancels its training and its unfinished generations',
    description: 'The uploaded file, the model and the summaries are removed. This cannot be undone.',
    security: 'bearer',
    consequential: true,
    parameters: [DATASET_ID],
    responses: { 204: { description: 'The dataset is deleted. Finished generations stay until their own expiry.' } },
  },
  {
    operationId: 'getDatasetSchema',
    method: 'GET',
    path: '/v1/datasets/{dataset_id}/schema',
    tag: 'datasets',
    summary: 'The cleaned schema, from which conditions are built',
    description:
      'The names and levels that conditions may use. Cleaning renames and drops columns, so never take them from the headers of the uploaded file.',
    security: 'bearer',
    parameters: [DATASET_ID],
    responses: { 200: { description: 'The schema.', content: json(DatasetSchema) } },
    errors: ['svc_dataset_not_ready'],
  },
  {
    operationId: 'createGeneration',
    method: 'POST',
    path: '/v1/datasets/{dataset_id}/generations',
    tag: 'generations',
    summary: 'Generate rows that follow a scenario',
    description:
      'The rows follow the target shares and ranges in `conditions` as far as model and evidence allow. If there are fewer rows than requested, the result is a `partial` generation with a `shortfall`. Only generated rows are billed.',
    security: 'bearer',
    consequential: true,
    parameters: [DATASET_ID, IDEMPOTENCY_KEY],
    request: { required: true, content: json(GenerationRequest) },
    responses: {
      200: {
        description: 'The generation ended within wait_seconds.',
        content: json(Generation),
        headers: [IDEMPOTENT_REPLAYED],
      },
      202: { description: 'Work continues; poll the job.', content: json(Generation), headers: [IDEMPOTENT_REPLAYED] },
    },
    errors: [
      'svc_unknown_condition_column',
      'svc_means_not_offered',
      'svc_bounds_not_offered',
      'svc_cells_not_offered',
      'svc_quota_exceeded',
      'svc_idempotency_conflict',
      'svc_dataset_not_ready',
    ],
  },
  BATCH_OPERATION,
  QUOTE_OPERATION,
  {
    operationId: 'estimateDifferences',
    method: 'POST',
    path: '/v1/datasets/{dataset_id}/estimates',
    tag: 'generations',
    summary: 'What the seed data itself says about the difference of two scenarios',
    description:
      'Extension: not in the specification. The service weights the rows of the seed to the scenario and to the baseline (absent: the unchanged population). It returns every outcome for both sides, with the difference and its standard error. With `by` it returns the same inside each level of a column. It replies at once, creates nothing and bills nothing; no key is needed. Where the seed is protected, all numbers have noise that hides any single row: the same question always has the same noise, `standard_error` includes it, and `difference` is `scenario` less `baseline` as they are told. A side or a level that too few rows support has no numbers: fewer than 10, and up to about 25 where a range or a left-out level may single out one person. A client may ask about a limited number of different groups of each dataset a day; beyond it the reply is 429. None of this is a formal guarantee of privacy.',
    security: 'bearer',
    parameters: [DATASET_ID],
    request: { required: true, content: json(EstimateRequest) },
    responses: { 200: { description: 'The estimates.', content: json(Estimates) } },
    errors: [
      'svc_unknown_condition_column',
      'svc_means_not_offered',
      'svc_bounds_not_offered',
      'svc_cells_not_offered',
      'svc_quantiles_not_offered',
      'svc_dataset_not_ready',
    ],
  },
  {
    operationId: 'getGeneration',
    method: 'GET',
    path: '/v1/generations/{generation_id}',
    tag: 'generations',
    summary: 'A generation, with a fresh artifact address when it has an artifact',
    description: 'Each reply signs a new `artifact_url`, so read the generation again when an address has expired.',
    security: 'bearer',
    parameters: [pathId('generation_id', 'As returned by the request that created it.')],
    responses: { 200: { description: 'The generation.', content: json(Generation) } },
  },
  {
    operationId: 'downloadArtifact',
    method: 'GET',
    path: '/v1/artifacts/{generation_id}',
    tag: 'generations',
    summary: 'Download an artifact from the address in the generation record',
    description: `Use \`artifact_url\` as it is: it is signed, and valid for ${ARTIFACT_URL_LIFETIME_SECONDS / 60} minutes. Single ranges and conditional requests work.`,
    security: 'bearer',
    parameters: [
      pathId('generation_id', 'Part of `artifact_url`.'),
      { name: 'expires', in: 'query', description: 'Part of `artifact_url`.', schema: z.string() },
      { name: 'signature', in: 'query', description: 'Part of `artifact_url`.', schema: z.string() },
      { name: 'Range', in: 'header', description: 'One range of bytes.', schema: z.string() },
      { name: 'If-None-Match', in: 'header', description: 'The `ETag` of a copy.', schema: z.string() },
    ],
    responses: {
      200: { description: 'The whole artifact.', content: ARTIFACT, headers: [ETAG, CONTENT_DISPOSITION] },
      206: {
        description: 'The requested range.',
        content: ARTIFACT,
        headers: [ETAG, CONTENT_RANGE, CONTENT_DISPOSITION],
      },
      304: { description: 'The copy is current.', headers: [ETAG] },
      416: {
        description: 'The range lies outside the artifact.',
        content: { [PROBLEM_CONTENT_TYPE]: Problem },
        headers: [CONTENT_RANGE],
      },
    },
    errors: ['svc_artifact_url_expired'],
  },
  {
    operationId: 'getJob',
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    tag: 'jobs',
    summary: 'A job; poll until its status is terminal',
    description:
      'The terminal statuses are `completed`, `failed`, `expired` and `cancelled`. `Prefer: wait=<seconds>` delays the reply until then.',
    security: 'bearer',
    parameters: [pathId('job_id', 'As returned by the request that started it.'), PREFER_WAIT],
    responses: { 200: { description: 'The job.', content: json(Job), headers: [PREFERENCE_APPLIED] } },
  },
  ...WEBHOOK_OPERATIONS,
  ...USAGE_OPERATIONS,
  {
    operationId: 'getHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'utility',
    summary: 'Whether the service can work',
    description:
      'Checks the database and the storage. Needs no token and has no rate limit, for load balancers and monitors.',
    security: 'none',
    responses: {
      200: { description: 'It can.', content: json(Health) },
      503: {
        description: 'The database or the storage does not answer.',
        content: json(Health),
        headers: [RETRY_AFTER],
      },
    },
  },
  {
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'utility',
    summary: 'Whether this process should receive requests',
    description: 'The same as `/healthz`, under the name that orchestrators use.',
    security: 'none',
    responses: {
      200: { description: 'It should.', content: json(Health) },
      503: {
        description: 'The process cannot work now, or it is closing.',
        content: json(Health),
        headers: [RETRY_AFTER],
      },
    },
  },
  {
    operationId: 'getLiveness',
    method: 'GET',
    path: '/livez',
    tag: 'utility',
    summary: 'Whether this process answers at all',
    description: 'Checks nothing else, because an unavailable database is no reason to restart the process.',
    security: 'none',
    responses: { 200: { description: 'It answers.', content: json(Health) } },
  },
  {
    operationId: 'getIndex',
    method: 'GET',
    path: '/',
    tag: 'utility',
    summary: 'The index: a page for people, JSON for clients',
    description:
      'Paths relative to the address of the service. A page if `Accept` prefers `text/html`, otherwise JSON.',
    security: 'none',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The index.',
        content: { ...json(ServiceIndex), ...HTML },
        headers: [ETAG],
      },
      304: { description: 'The copy is current.', headers: [ETAG] },
    },
  },
  ...DOCUMENTATION_OPERATIONS,
]

/** The operations in the OpenAPI document. */
export const DOCUMENTED_OPERATIONS = OPERATIONS.filter(({ isPage }) => isPage !== true)
