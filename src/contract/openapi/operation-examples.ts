import { ERROR_CATALOGUE } from '../errors.ts'
import { INDEX_PATHS } from '../health.ts'
import type { ContractAddresses } from '../operation.ts'
import { GENERATION_BATCH, GENERATION_BATCH_REQUEST } from './batch-example.ts'
import type { OperationExamples } from './example.ts'
import { GENERATION_QUOTE } from './quote-example.ts'
import {
  COMPLETED_JOB,
  DATASET,
  DATASET_SCHEMA,
  ESTIMATE_REQUEST,
  ESTIMATES,
  GENERATION_REQUEST,
  IDS,
  PROCESSING_GENERATION,
  PROCESSING_RECEIPT,
  READY_GENERATION,
  READY_RECEIPT,
  TIMES,
} from './record-examples.ts'
import { SEED_UPLOAD, SEED_UPLOAD_PART, UPLOAD_REQUEST } from './upload-examples.ts'
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts'

const CLAIM_TOKEN = 'clm_one-time-token-of-the-approved-signup'

const SIGNUP = {
  request_id: IDS.signup,
  company_name: 'Harbour Coffee Research',
  contact_email: 'data@harbour.example',
  status: 'approved',
  client_id: IDS.client,
  created_at: TIMES.signup,
} as const

const TENANT = {
  tenant_id: IDS.tenant,
  name: 'Harbour Coffee Research',
  client_ids: [IDS.client],
  request_row_cap: 1_000_000,
  subscription_rows: 250_000,
  rows_used: 12_373,
  bytes_stored: 3_481_600,
  stored_bytes_limit: null,
  artifact_bytes_limit: null,
  retention_hours: 24,
  created_at: TIMES.signup,
} as const

const ARTIFACT = {
  generation_id: IDS.generation,
  tenant_id: IDS.tenant,
  dataset_id: IDS.dataset,
  output_format: 'parquet',
  rows_generated: 1_000,
  bytes: 18_432,
  created_at: TIMES.signup,
  expires_at: TIMES.signup,
} as const

const NOT_FOUND = { code: 'svc_not_found', ...ERROR_CATALOGUE.svc_not_found } as const

/** Examples of every operation with a JSON body, by operation id. A test checks them against their schemas. */
export function operationExamples({
  baseUrl,
  authUrl,
}: ContractAddresses): Readonly<Record<string, OperationExamples>> {
  return {
    signup: {
      request: { company_name: SIGNUP.company_name, contact_email: SIGNUP.contact_email },
      responses: {
        200: { request_id: IDS.signup, status: 'pending' },
        202: { request_id: IDS.signup, status: 'pending' },
      },
    },
    getSignup: {
      reply: {
        request_id: IDS.signup,
        status: 'approved',
        client_id: IDS.client,
        credential_claim_token: CLAIM_TOKEN,
      },
    },
    claimCredentials: {
      request: { claim_token: CLAIM_TOKEN },
      reply: {
        client_id: IDS.client,
        client_secret: 'shown-once-and-never-again',
        token_url: `${authUrl}/oauth/token`,
        audience: baseUrl,
        grant_type: 'client_credentials',
      },
    },
    rotateCredentials: {
      request: {},
      reply: { credential_claim_token: 'clm_one-time-token-of-this-rotation', expires_at: TIMES.claimTokenEnd },
    },
    mintToken: {
      request: {
        client_id: IDS.client,
        client_secret: 'shown-once-and-never-again',
        audience: baseUrl,
        grant_type: 'client_credentials',
      },
      responses: {
        200: { access_token: 'header.payload.signature', token_type: 'Bearer', expires_in: 86_400 },
        400: { error: 'invalid_target', error_description: `audience must be ${baseUrl}.` },
        401: { error: 'invalid_client', error_description: 'Invalid credentials.' },
      },
    },
    getJsonWebKeySet: {
      reply: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'tsugvJKA4vnALBeoHWk1gYdnR2mAIbj10WDIVE0FBUM',
            y: 'kO8hlKPoTroSRlNrBJKJs0atVO6M7h1MPk_-Z2O8tu4',
            kid: 'OoDPwmgTb7L874rrmKSLds3UdTEPGkUywS_QOLXKoDM',
            alg: 'ES256',
            use: 'sig',
          },
        ],
      },
    },
    getAuthorizationServerMetadata: {
      reply: {
        issuer: authUrl,
        token_endpoint: `${authUrl}/oauth/token`,
        jwks_uri: `${authUrl}/.well-known/jwks.json`,
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        response_types_supported: [],
      },
    },
    listSignups: { reply: { signups: [SIGNUP], next_cursor: null } },
    approveSignup: { request: { tenant_id: IDS.tenant }, reply: SIGNUP },
    declineSignup: {
      reply: {
        request_id: IDS.signup,
        company_name: SIGNUP.company_name,
        contact_email: SIGNUP.contact_email,
        status: 'declined',
        created_at: TIMES.signup,
      },
    },
    listTenants: { reply: { tenants: [TENANT], next_cursor: null } },
    setTenantQuota: {
      request: { request_row_cap: TENANT.request_row_cap, subscription_rows: TENANT.subscription_rows },
      reply: TENANT,
    },
    setTenantRetention: {
      request: { retention_hours: 72 },
      reply: { ...TENANT, retention_hours: 72 },
    },
    revokeClientTokens: { reply: { client_id: IDS.client, revoked_at: TIMES.generation } },
    listOperatorActions: {
      reply: {
        actions: [
          {
            action_id: 'act_4Tz9mQb1XcYw7LrNkE2sVd',
            at: TIMES.generation,
            operation: 'setTenantRetention',
            subject: IDS.tenant,
            parameters: { retention_hours: 72 },
            request_id: IDS.request,
            address: '203.0.113.7',
            status: 200,
          },
        ],
        next_cursor: null,
      },
    },
    getOperatorOverview: {
      reply: {
        version: '1.0.0',
        at: TIMES.generation,
        queues: [
          { kind: 'training', queued: 0, running: 1, oldest_queued_seconds: 0 },
          { kind: 'generation', queued: 3, running: 2, oldest_queued_seconds: 4 },
        ],
        stock: { tenants: 12, datasets_ready: 40, generations: 812, artifact_bytes: 1_270_000_000 },
        failures: [
          {
            job_id: IDS.trainingJob,
            tenant_id: IDS.tenant,
            kind: 'training',
            status: 'failed',
            error_code: 'svc_untrainable_dataset',
            finished_at: TIMES.generation,
          },
        ],
      },
    },
    listArtifacts: { reply: { artifacts: [ARTIFACT], next_cursor: null } },
    removeArtifact: { reply: ARTIFACT },
    ...WEBHOOK_EXAMPLES,
    getUsage: {
      reply: {
        rows: { billed: 12_373, reserved: 0, subscription: 250_000, per_request: 1_000_000 },
        stored: {
          bytes: 3_481_600,
          seed_bytes: 0,
          model_bytes: 3_463_168,
          artifact_bytes: 18_432,
          limit_bytes: 21_474_836_480,
          per_artifact_bytes: 4_294_967_296,
        },
        datasets: { ready: 1, processing: 0 },
        generations: 1,
        artifacts: 1,
        retention_hours: 24,
        request_id: IDS.request,
      },
    },
    listUnfinishedJobs: {
      reply: {
        jobs: [
          {
            job_id: IDS.generationJob,
            tenant_id: IDS.tenant,
            kind: 'generation',
            status: 'queued',
            attempts: 1,
            setbacks: 1,
            trouble: 'Its worker was lost.',
            created_at: TIMES.generation,
            deadline_at: TIMES.generationEnd,
          },
        ],
        next_cursor: null,
      },
    },
    cancelJob: {
      reply: {
        job_id: IDS.generationJob,
        status: 'cancelled',
        kind: 'generation',
        error: { code: 'svc_forbidden', detail: 'The operator cancelled the work.' },
        created_at: TIMES.generation,
        request_id: IDS.request,
      },
    },
    getSweeps: {
      reply: {
        held: { since: TIMES.generation, due: 257, living: 12 },
        restorable: { datasets: 31, generations: 226 },
      },
    },
    resumeSweeps: { reply: { held: null, restorable: { datasets: 31, generations: 226 } } },
    restoreExpired: { request: { hours: 24 }, reply: { datasets: 31, generations: 226 } },
    createDataset: {
      request: {
        seed_file: 'region,age,loyalty_member\nNorth,34,Yes\nSouth,61,No\n',
        display_name: 'Coffee tracker',
        auto_clean: true,
        wait_seconds: 0,
      },
      responses: { 200: READY_RECEIPT, 202: PROCESSING_RECEIPT },
    },
    createUpload: { request: UPLOAD_REQUEST, reply: SEED_UPLOAD },
    sendUploadPart: { reply: SEED_UPLOAD_PART },
    createDatasetOfUpload: {
      request: { display_name: 'Coffee tracker', auto_clean: true },
      responses: { 200: READY_RECEIPT, 202: PROCESSING_RECEIPT },
    },
    listDatasets: {
      reply: {
        datasets: [
          {
            dataset_id: IDS.dataset,
            status: 'ready',
            display_name: 'Coffee tracker',
            created_at: TIMES.upload,
            expires_at: TIMES.datasetEnd,
          },
        ],
        limit: 20,
        next_cursor: null,
        request_id: IDS.request,
      },
    },
    getDataset: { reply: DATASET },
    getDatasetSchema: { reply: DATASET_SCHEMA },
    createGenerations: { request: GENERATION_BATCH_REQUEST, reply: GENERATION_BATCH },
    quoteGeneration: { request: GENERATION_REQUEST, reply: GENERATION_QUOTE },
    createGeneration: {
      request: GENERATION_REQUEST,
      responses: { 200: READY_GENERATION, 202: PROCESSING_GENERATION },
    },
    estimateDifferences: { request: ESTIMATE_REQUEST, reply: ESTIMATES },
    getGeneration: { reply: READY_GENERATION },
    getJob: { reply: COMPLETED_JOB },
    getHealth: {
      responses: { 200: { status: 'ok', version: '1.0.0' }, 503: { status: 'unavailable', version: '1.0.0' } },
    },
    getReadiness: {
      responses: { 200: { status: 'ok', version: '1.0.0' }, 503: { status: 'unavailable', version: '1.0.0' } },
    },
    getLiveness: { reply: { status: 'ok', version: '1.0.0' } },
    getIndex: {
      reply: {
        service: 'whatif',
        version: '1.0.0',
        ...INDEX_PATHS,
        token_url: `${authUrl}/oauth/token`,
      },
    },
    getOpenApi: {
      reply: { openapi: '3.1.0', info: { title: 'Synthetic scenario data service', version: '1.0.0' } },
    },
    listErrors: { reply: { errors: [{ ...NOT_FOUND, url: '/errors/svc_not_found' }] } },
    getError: { reply: { ...NOT_FOUND, url: '/errors/svc_not_found' } },
  }
}
