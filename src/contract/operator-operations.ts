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

/** Where Prometheus looks by custom. */
export const METRICS_PATH = '/metrics'

const UNTAGGED: readonly OperatorOperation[] = [
  {
    operationId: 'listSignups',
    method: 'GET',
    path: '/operator/v1/signups',
    summary: 'Requests for access, newest first',
    description: 'Pages are read with `cursor`. Filter by `status` for those that wait for a decision.',
    parameters: [{ name: 'status', in: 'query', description: 'Only these.', schema: z.enum(SIGNUP_STATUSES) }, ...PAGE],
    responses: { 200: { description: 'A page of requests.', content: json(OperatorSignupList) } },
  },
  {
    operationId: 'approveSignup',
    method: 'POST',
    path: '/operator/v1/signups/{request_id}/approve',
    summary: 'Approve a request for access; makes a tenant unless one is named',
    description:
      'The client finds a claim token in the status of its request from then on. With `--claims operator` the token is in this answer instead, and approving again shows it again until it is claimed, or a new one where it ran out. Otherwise approving again changes nothing; a declined request stays declined, and the answer is a 400.',
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
      'The client reads it in the status of its request, and may ask again. An approved request stays approved, and the answer is a 400.',
    parameters: [SIGNUP_ID],
    responses: { 200: { description: 'The declined request.', content: json(OperatorSignup) } },
  },
  {
    operationId: 'listTenants',
    method: 'GET',
    path: '/operator/v1/tenants',
    summary: 'Tenants with their clients, limits and use, newest first',
    description: 'Pages are read with `cursor`.',
    parameters: PAGE,
    responses: { 200: { description: 'A page of tenants.', content: json(OperatorTenantList) } },
  },
  {
    operationId: 'setTenantQuota',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/quota',
    summary: "Set a tenant's limits of rows and of stored bytes",
    description:
      'A field that is left out stays as it is. `subscription_rows: null` removes the limit; a limit of bytes that is null is that of the settings. What is stored already stays where a limit is lowered.',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantQuota) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
  },
  {
    operationId: 'setTenantRetention',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/retention',
    summary: 'Set how long datasets and generations of a tenant are kept, from now on',
    description: 'What exists keeps the end of retention that it has.',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantRetention) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
  },
  {
    operationId: 'revokeClientTokens',
    method: 'POST',
    path: '/operator/v1/clients/{client_id}/revoke-tokens',
    summary: 'Refuse every bearer token that a client has, at once',
    description: 'Its secret goes on to mint new ones. Other processes that share the database follow within a second.',
    parameters: [pathId('client_id', 'As listed by GET /operator/v1/tenants.')],
    responses: { 200: { description: 'The tokens are refused from now on.', content: json(TokenRevocation) } },
  },
  {
    operationId: 'listUnfinishedJobs',
    method: 'GET',
    path: '/operator/v1/jobs',
    summary: 'Jobs of all tenants that have not ended, in the order in which they came',
    description:
      'Pages are read with `cursor`. With `trouble=true` only those whose work broke off for a reason that is not in the job: a worker that was killed, storage or a database that was away. From the third time on they wait longer each time, until their deadline.',
    parameters: [{ name: 'trouble', in: 'query', description: 'Only these.', schema: z.literal('true') }, ...PAGE],
    responses: { 200: { description: 'A page of jobs.', content: json(OperatorJobList) } },
  },
  {
    operationId: 'cancelJob',
    method: 'POST',
    path: '/operator/v1/jobs/{job_id}/cancel',
    summary: 'Cancel a job of any tenant; one that has ended stays as it is',
    description: 'The tenant reads `cancelled` as the status of the job.',
    parameters: [pathId('job_id', 'As the tenant knows it.')],
    responses: { 200: { description: 'The job as it is now.', content: json(Job) } },
  },
  ...SWEEP_OPERATIONS,
  {
    operationId: 'listOperatorActions',
    method: 'GET',
    path: '/operator/v1/actions',
    summary: 'What was done with the operator token, newest first',
    description:
      'Every request of the operator that changes something is written down before it is carried out, and its status after. Pages are read with `cursor`.',
    parameters: PAGE,
    responses: { 200: { description: 'A page of actions.', content: json(OperatorActionList) } },
  },
  {
    operationId: 'getOperatorOverview',
    method: 'GET',
    path: '/operator/v1/overview',
    summary: 'Queues, amounts and the last failures of all tenants',
    description: 'What the page `/dashboard` shows, beside signups, tenants and actions.',
    responses: { 200: { description: 'As of now.', content: json(OperatorOverview) } },
  },
  {
    operationId: 'listArtifacts',
    method: 'GET',
    path: '/operator/v1/artifacts',
    summary: 'Artifacts of all tenants, the largest first',
    description: 'Pages are read with `cursor`. Filter by `tenant_id` for those of one tenant.',
    parameters: [{ name: 'tenant_id', in: 'query', description: 'Only its artifacts.', schema: z.string() }, ...PAGE],
    responses: { 200: { description: 'A page of artifacts.', content: json(OperatorArtifactList) } },
  },
  {
    operationId: 'removeArtifact',
    method: 'POST',
    path: '/operator/v1/artifacts/{generation_id}/remove',
    summary: 'Remove an artifact of any tenant, with its generation',
    description:
      'To make room. To the tenant it is as if the retention of the generation had ended: it is not found any more, and its rows stay billed. This cannot be undone.',
    parameters: [pathId('generation_id', 'As listed by GET /operator/v1/artifacts.')],
    responses: { 200: { description: 'What was removed.', content: json(OperatorArtifact) } },
  },
  {
    operationId: 'getMetrics',
    method: 'GET',
    path: METRICS_PATH,
    summary: 'Measurements of this process and of the queues, for Prometheus',
    description: 'On only where the metrics are switched on. Every process of a service has its own.',
    responses: {
      200: { description: 'Text exposition format 0.0.4.', content: { 'text/plain': z.string() } },
    },
  },
]

/** The operator's side: decisions on access, limits of tenants, revocation, jobs, artifacts, sweeps, and a log of it all. */
export const OPERATOR_OPERATIONS: readonly Operation[] = UNTAGGED.map((operation) => ({
  ...operation,
  tag: 'operator',
  security: 'operator',
}))
