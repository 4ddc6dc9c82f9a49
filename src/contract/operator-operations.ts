import { z } from 'zod'
import { SIGNUP_STATUSES } from './access.ts'
import { SIGNUP_ID } from './access-operations.ts'
import { Job } from './jobs.ts'
import { json, type Operation, type OperatorOperation, type Parameter, pathId } from './operation.ts'
import {
  OperatorActionList,
  OperatorArtifact,
  OperatorArtifactList,
  OperatorJobList,
  OperatorOverview,
  OperatorSignup,
  OperatorSignupList,
  OperatorTenant,
  OperatorTenantList,
  SignupApproval,
  TenantQuota,
  TenantRetention,
  TokenRevocation,
} from './operator.ts'
import { SWEEP_OPERATIONS } from './sweeps.ts'

const PAGE: readonly Parameter[] = [
  { name: 'limit', in: 'query', description: 'Entries per page, default 50.', schema: z.int().min(1).max(100) },
  { name: 'cursor', in: 'query', description: '`next_cursor` of the last page.', schema: z.string() },
]

const TENANT_ID = pathId('tenant_id', 'As listed by GET /operator/v1/tenants.')

/** The path that Prometheus reads by convention. */
export const METRICS_PATH = '/metrics'

const UNTAGGED: readonly OperatorOperation[] = [
  {
    operationId: 'listSignups',
    method: 'GET',
    path: '/operator/v1/signups',
    summary: 'Requests for access, newest first',
    description: '`cursor` selects the page. Filter by `status` for requests that wait for a decision.',
    parameters: [{ name: 'status', in: 'query', description: 'Only these.', schema: z.enum(SIGNUP_STATUSES) }, ...PAGE],
    responses: { 200: { description: 'A page of requests.', content: json(OperatorSignupList) } },
  },
  {
    operationId: 'approveSignup',
    method: 'POST',
    path: '/operator/v1/signups/{request_id}/approve',
    summary: 'Approve a request for access; creates a tenant unless one is named',
    description:
      'From then on the status of the request shows the client a claim token. With `--claims operator` this reply has the token instead. Approving again then shows the token again until it is claimed, or a new one if it has expired. Without `--claims operator`, approving again changes nothing. A declined request stays declined, and the reply is a 400.',
    parameters: [SIGNUP_ID],
    request: { required: false, content: json(SignupApproval) },
    responses: { 200: { description: 'The approved request.', content: json(OperatorSignup) } },
  },
  {
    operationId: 'declineSignup',
    method: 'POST',
    path: '/operator/v1/signups/{request_id}/decline',
    summary: 'Decline a request for access',
    description:
      'The client sees the decision in the status of its request, and may ask again. An approved request stays approved, and the reply is a 400.',
    parameters: [SIGNUP_ID],
    responses: { 200: { description: 'The declined request.', content: json(OperatorSignup) } },
  },
  {
    operationId: 'listTenants',
    method: 'GET',
    path: '/operator/v1/tenants',
    summary: 'Tenants with their clients, limits and usage, newest first',
    description: '`cursor` selects the page.',
    parameters: PAGE,
    responses: { 200: { description: 'A page of tenants.', content: json(OperatorTenantList) } },
  },
  {
    operationId: 'setTenantQuota',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/quota',
    summary: "Set a tenant's limits on rows and stored bytes",
    description:
      'An omitted field does not change. `subscription_rows: null` removes that limit. A null limit on bytes means the limit in the settings. Lowering a limit deletes nothing.',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantQuota) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
  },
  {
    operationId: 'setTenantRetention',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/retention',
    summary: 'Set the retention of new datasets and generations of a tenant',
    description: 'Existing resources keep their end of retention.',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantRetention) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
  },
  {
    operationId: 'revokeClientTokens',
    method: 'POST',
    path: '/operator/v1/clients/{client_id}/revoke-tokens',
    summary: 'Refuse every bearer token that a client has, at once',
    description:
      'Its secret still mints new tokens. Other processes that share the database refuse the old tokens within a second.',
    parameters: [pathId('client_id', 'As listed by GET /operator/v1/tenants.')],
    responses: { 200: { description: 'The tokens are refused from now on.', content: json(TokenRevocation) } },
  },
  {
    operationId: 'listUnfinishedJobs',
    method: 'GET',
    path: '/operator/v1/jobs',
    summary: 'Unfinished jobs of all tenants, oldest first',
    description:
      '`cursor` selects the page. `trouble=true` lists only jobs that were interrupted by a fault outside the job: a killed worker, or unavailable storage or database. From the third interruption on they wait longer each time, until their deadline.',
    parameters: [{ name: 'trouble', in: 'query', description: 'Only these.', schema: z.literal('true') }, ...PAGE],
    responses: { 200: { description: 'A page of jobs.', content: json(OperatorJobList) } },
  },
  {
    operationId: 'cancelJob',
    method: 'POST',
    path: '/operator/v1/jobs/{job_id}/cancel',
    summary: 'Cancel a job of any tenant; a job that has ended does not change',
    description: 'The tenant sees the status `cancelled`.',
    parameters: [pathId('job_id', 'The job id that the tenant has.')],
    responses: { 200: { description: 'The job as it is now.', content: json(Job) } },
  },
  ...SWEEP_OPERATIONS,
  {
    operationId: 'listOperatorActions',
    method: 'GET',
    path: '/operator/v1/actions',
    summary: 'Actions taken with the operator token, newest first',
    description:
      'The service records every operator request that changes something before it carries it out, and its status afterwards. `cursor` selects the page.',
    parameters: PAGE,
    responses: { 200: { description: 'A page of actions.', content: json(OperatorActionList) } },
  },
  {
    operationId: 'getOperatorOverview',
    method: 'GET',
    path: '/operator/v1/overview',
    summary: 'Queues, totals and the latest failures of all tenants',
    description: 'What the page `/dashboard` shows, apart from signups, tenants and actions.',
    responses: { 200: { description: 'As of now.', content: json(OperatorOverview) } },
  },
  {
    operationId: 'listArtifacts',
    method: 'GET',
    path: '/operator/v1/artifacts',
    summary: 'Artifacts of all tenants, largest first',
    description: '`cursor` selects the page. Filter by `tenant_id` for the artifacts of one tenant.',
    parameters: [{ name: 'tenant_id', in: 'query', description: 'Only its artifacts.', schema: z.string() }, ...PAGE],
    responses: { 200: { description: 'A page of artifacts.', content: json(OperatorArtifactList) } },
  },
  {
    operationId: 'removeArtifact',
    method: 'POST',
    path: '/operator/v1/artifacts/{generation_id}/remove',
    summary: 'Remove an artifact of any tenant, with its generation',
    description:
      'Frees storage. For the tenant this looks as if the retention of the generation had ended: the generation is no longer found, and its rows stay billed. This cannot be undone.',
    parameters: [pathId('generation_id', 'As listed by GET /operator/v1/artifacts.')],
    responses: { 200: { description: 'What was removed.', content: json(OperatorArtifact) } },
  },
  {
    operationId: 'getMetrics',
    method: 'GET',
    path: METRICS_PATH,
    summary: 'Measurements of this process and of the queues, for Prometheus',
    description: 'Available only if metrics are switched on. Every process of a service has its own.',
    responses: {
      200: { description: 'Text exposition format 0.0.4.', content: { 'text/plain': z.string() } },
    },
  },
]

/**
 * Operator operations: decisions on access, limits of tenants, revocation, jobs, artifacts, sweeps, and a log of all
 * actions.
 */
export const OPERATOR_OPERATIONS: readonly Operation[] = UNTAGGED.map((operation) => ({
  ...operation,
  tag: 'operator',
  security: 'operator',
}))
