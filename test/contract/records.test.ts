import { describe, expect, it } from 'vitest'
import {
  CredentialClaimRequest,
  Credentials,
  SignupReceipt,
  SignupRequest,
  SignupStatus,
  TokenReply,
} from '../../src/contract/access.ts'
import { AnyDatasetSchema, Dataset, DatasetList, DatasetReceipt } from '../../src/contract/datasets.ts'
import { ERROR_CATALOGUE, RETRYABLE_STATUSES } from '../../src/contract/errors.ts'
import { EstimateRequest, Estimates } from '../../src/contract/estimates.ts'
import { Generation, GenerationRequest } from '../../src/contract/generations.ts'
import { IDEMPOTENCY_KEY_PATTERN, SIGNUP_REQUEST_ID_PATTERN } from '../../src/contract/ids.ts'
import { Job, TERMINAL_JOB_STATUSES } from '../../src/contract/jobs.ts'
import { Problem, UNAUTHORIZED_PROBLEM } from '../../src/contract/problem.ts'

const AT = '2026-11-20T12:00:00.000Z'
const CLEANING = {
  input_rows: 6000,
  input_columns: 18,
  clean_rows: 5990,
  clean_columns: 15,
  dropped_columns: [{ name: 'id', reason: 'identifier' }],
}
const TRAINING = { trained_at: AT, duration_ms: 1200 }

/** Records with the fields that the specification names, and those with everything optional left out. */
describe('the contract reads what the specification shows', () => {
  it.each([
    ['signup request', SignupRequest, { company_name: 'Acme', contact_email: 'a@acme.example' }],
    ['signup receipt', SignupReceipt, { request_id: 'req_A1b2' }],
    ['pending signup', SignupStatus, { status: 'pending' }],
    ['approved signup', SignupStatus, { status: 'approved', client_id: 'cli_1', credential_claim_token: 'clm_1' }],
    ['claim request', CredentialClaimRequest, { claim_token: 'clm_1' }],
    [
      'claim result',
      Credentials,
      {
        client_id: 'cli_1',
        client_secret: 'secret',
        token_url: 'https://idp.example/oauth/token',
        audience: 'https://service.example',
        grant_type: 'client_credentials',
      },
    ],
    ['token', TokenReply, { access_token: 'a.b.c' }],
    [
      'upload that was trained at once',
      DatasetReceipt,
      {
        dataset_id: 'ds_1',
        status: 'ready',
        request_id: 'r',
        expires_at: AT,
        cleaning_summary: CLEANING,
        training_summary: TRAINING,
      },
    ],
    [
      'upload in training',
      DatasetReceipt,
      { dataset_id: 'ds_1', status: 'processing', request_id: 'r', job_id: 'job_1' },
    ],
    [
      'dataset',
      Dataset,
      {
        dataset_id: 'ds_1',
        status: 'ready',
        display_name: null,
        request_id: 'r',
        created_at: AT,
        expires_at: AT,
        cleaning_summary: CLEANING,
        training_summary: TRAINING,
      },
    ],
    ['bare dataset', Dataset, { dataset_id: 'ds_1', status: 'ready' }],
    [
      'list of datasets',
      DatasetList,
      {
        datasets: [{ dataset_id: 'ds_1', status: 'ready', display_name: null, created_at: AT, expires_at: AT }],
        limit: 100,
        next_cursor: null,
        request_id: 'r',
      },
    ],
    [
      'schema of names and levels',
      AnyDatasetSchema,
      { schema: [{ name: 'region.code', levels: ['North', 'South'] }, { name: 'age' }] },
    ],
    ['generation in progress', Generation, { generation_id: 'gen_1', status: 'processing', job_id: 'job_1' }],
    [
      'generation that is ready',
      Generation,
      { generation_id: 'gen_1', status: 'ready', artifact_url: '/v1/a', rows_generated: 10 },
    ],
    [
      'generation with storage of its own',
      Generation,
      { generation_id: 'gen_1', status: 'partial', artifact_url: 'https://bucket.example/a', rows_generated: 7 },
    ],
    ['failed generation', Generation, { generation_id: 'gen_1', status: 'failed' }],
    ['job', Job, { job_id: 'job_1', status: 'completed', dataset_id: 'ds_1' }],
    ['bare job', Job, { job_id: 'job_1', status: 'expired' }],
    [
      'problem',
      Problem,
      {
        type: 'https://service.example/errors/svc_invalid_field',
        title: 'Bad Request',
        status: 400,
        detail: 'd',
        code: 'svc_invalid_field',
        request_id: 'r',
      },
    ],
    [
      'problem without a code',
      Problem,
      { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'Invalid credentials.' },
    ],
    [
      'scenario',
      GenerationRequest,
      {
        row_count: 1000,
        output_format: 'parquet',
        seed: 7,
        wait_seconds: 30,
        conditions: { categorical: { 'purchase.intent': { Yes: 0.7 } }, numeric: { age: { min: 18, max: 35 } } },
      },
    ],
    ['bare scenario', GenerationRequest, { row_count: 1 }],
  ])('%s', (_name, schema, record) => {
    expect(schema.parse(record)).toEqual(record)
  })
})

describe('the contract refuses', () => {
  it.each([
    ['an identifier in an array', DatasetReceipt, { dataset_id: ['ds_1'], status: 'ready' }],
    ['a signup id with a dot', SignupReceipt, { request_id: 'req_a.b' }],
    ['a scenario without row_count', GenerationRequest, {}],
    ['a scenario of no rows', GenerationRequest, { row_count: 0 }],
    ['a share above one', GenerationRequest, { row_count: 1, conditions: { categorical: { a: { b: 1.1 } } } }],
    ['a range with one bound', GenerationRequest, { row_count: 1, conditions: { numeric: { a: { min: 1 } } } }],
    [
      'a misspelt field, which would be an unconditioned generation',
      GenerationRequest,
      { row_count: 1, condition: {} },
    ],
    ['a misspelt kind of condition', GenerationRequest, { row_count: 1, conditions: { categoric: {} } }],
    ['a wait above 60 s', GenerationRequest, { row_count: 1, wait_seconds: 61 }],
    ['a format that is not offered', GenerationRequest, { row_count: 1, output_format: 'xlsx' }],
    ['an unknown field of a claim', CredentialClaimRequest, { claim_token: 'a', token: 'b' }],
  ])('%s', (_name, schema, record) => {
    expect(schema.safeParse(record).success).toBe(false)
  })
})

describe('the formats of identifiers', () => {
  it.each([
    ['wi1.gen.75021fc2890bdf8b0fc0db0b62499dd2.e0', true],
    ['a'.repeat(128), true],
    ['A-z_0.9:', true],
    ['a'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['é', false],
    ['a\n', false],
  ])('idempotency key %j: %s', (key, valid) => {
    expect(IDEMPOTENCY_KEY_PATTERN.test(key)).toBe(valid)
  })

  it.each([
    [`req_${'a'.repeat(64)}`, true],
    [`req_${'a'.repeat(65)}`, false],
    ['req_', false],
    ['req_a-b', false],
    ['req_a\n', false],
  ])('signup request id %j: %s', (id, valid) => {
    expect(SIGNUP_REQUEST_ID_PATTERN.test(id)).toBe(valid)
  })
})

describe('the error catalogue', () => {
  it('has the codes of the specification with their statuses', () => {
    const statuses = Object.fromEntries(Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => [code, status]))
    expect(statuses).toMatchObject({
      svc_invalid_field: 400,
      svc_unknown_condition_column: 400,
      svc_idempotency_conflict: 409,
      svc_file_too_large: 413,
      svc_unsupported_content_type: 415,
    })
  })

  it('marks an entry as retryable when clients repeat its status, or when it is a temporary conflict', () => {
    for (const { status, retryable } of Object.values(ERROR_CATALOGUE)) {
      expect(retryable).toBe(status === 409 || RETRYABLE_STATUSES.some((listed) => listed === status))
    }
  })

  it('words the answer to every authentication failure as the specification does', () => {
    expect(UNAUTHORIZED_PROBLEM).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'Invalid credentials.',
    })
  })

  it('knows the statuses that end a job', () => {
    expect(TERMINAL_JOB_STATUSES).toEqual(['completed', 'failed', 'expired', 'cancelled'])
  })
})

describe('a request for estimates', () => {
  const OUTCOMES = [{ column: 'intent' }, { column: 'spend', statistic: 'mean' }]
  const SCENARIO = { categorical: { region: { North: 0.7 } }, numeric: { age: { min: 18, max: 34 } } }

  it.each([
    ['of one scenario', { scenario: SCENARIO, outcomes: OUTCOMES }],
    ['of the population against a baseline', { scenario: {}, baseline: SCENARIO, outcomes: OUTCOMES }],
  ])('%s is read', (_name, request) => {
    expect(EstimateRequest.parse(request)).toEqual(request)
  })

  it.each([
    ['without a scenario', { outcomes: OUTCOMES }],
    ['without outcomes', { scenario: SCENARIO, outcomes: [] }],
    ['with more than 50 outcomes', { scenario: SCENARIO, outcomes: Array(51).fill({ column: 'intent' }) }],
    ['with another statistic', { scenario: SCENARIO, outcomes: [{ column: 'spend', statistic: 'median' }] }],
    ['with a field that does not exist', { scenario: SCENARIO, outcomes: OUTCOMES, per: 'region' }],
    ['with a condition that does not exist', { scenario: { shares: {} }, outcomes: OUTCOMES }],
  ])('%s is refused', (_name, request) => {
    expect(EstimateRequest.safeParse(request).success).toBe(false)
  })

  it('is answered with numbers, or without any if it has too few rows', () => {
    const head = { dataset_id: 'ds_1', seed_rows: 4903, sampled_share: 1 }
    const side = { status: 'estimated', effective_rows: 810, low_support: false }
    const level = { level: 'Yes', scenario: 0.473, baseline: 0.347, difference: 0.126, standard_error: 0.014 }
    const mean = { scenario: 51, baseline: 48, difference: 3, standard_error: 1, scenario_sd: 40, baseline_sd: 39 }
    const answers = [
      {
        ...head,
        scenario: side,
        baseline: side,
        outcomes: [
          { column: 'intent', statistic: 'shares', levels: [level] },
          { column: 'spend', statistic: 'mean', mean },
        ],
      },
      {
        ...head,
        scenario: { status: 'too_few_rows', low_support: true },
        baseline: side,
        outcomes: [
          { column: 'intent', statistic: 'shares', levels: [] },
          { column: 'spend', statistic: 'mean', mean: null },
        ],
      },
    ]
    for (const answer of answers) expect(Estimates.parse(answer)).toEqual(answer)
  })
})
