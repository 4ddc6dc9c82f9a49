import { z } from 'zod'
import { SIGNUP_STATUSES } from './access.ts'
import { SIGNUP_ID } from './access-operations.ts'
import { Job } from './jobs.ts'
import { json, type Operation, type Parameter, pathId } from './operation.ts'
import {
  OperatorActionList,
  OperatorOverview,
  OperatorArtifact,
  OperatorArtifactList,
  OperatorSignup,
  OperatorSignupList,
  OperatorTenant,
  OperatorTenantList,
  SignupApproval,
  TenantQuota,
  TenantRetention,
  TokenRevocation,
} from './operator.ts'
import { SWEEP_OPERATIONS } from './sweep-operations.ts'

const PAGE: readonly Parameter[] = [
  { name: 'limit', in: 'query', description: 'Entries per page, default 50.', schema: z.int().min(1).max(100) },
  { name: 'cursor', in: 'query', description: '`next_cursor` of the last page.', schema: z.string() },
]

const TENANT_ID = pathId('tenant_id', 'As listed by GET /operator/v1/tenants.')

/** Where Prometheus looks by custom. */
export const METRICS_PATH = '/metrics'

/** The operator's side: decisions on access, limits of tenants, revocation, sweeps. */
export const OPERATOR_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'listSignups',
    method: 'GET',
    path: '/operator/v1/signups',
    tag: 'operator',
    summary: 'Requests for access, newest first',
    description: 'Pages are read with `cursor`. Filter by `status` for those that wait for a decision.',
    security: 'operator',
    parameters: [{ name: 'status', in: 'query', description: 'Only these.', schema: z.enum(SIGNUP_STATUSES) }, ...PAGE],
    responses: { 200: { description: 'A page of requests.', content: json(OperatorSignupList) } },
    errors: ['svc_invalid_field'],
  },
  {
    operationId: 'approveSignup',
    method: 'POST',
    path: '/operator/v1/signups/{request_id}/approve',
    tag: 'operator',
    summary: 'Approve a request for access; makes a tenant unless one is named',
    description:
      'The client finds a claim token in the status of its request from then on. With `--claims operator` the token is in this answer instead, and approving again shows it again until it is claimed, or a new one where it ran out. Otherwise approving again changes nothing; a declined request stays declined, and the answer is a 400.',
    security: 'operator',
    parameters: [SIGNUP_ID],
    request: { required: false, content: json(SignupApproval) },
    responses: { 200: { description: 'The approved request.', content: json(OperatorSignup) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'declineSignup',
    method: 'POST',
    path: '/operator/v1/signups/{request_id}/decline',
    tag: 'operator',
    summary: 'Decline a request for access',
    description:
      'The client reads it in the status of its request, and may ask again. An approved request stays approved, and the answer is a 400.',
    security: 'operator',
    parameters: [SIGNUP_ID],
    responses: { 200: { description: 'The declined request.', content: json(OperatorSignup) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'listTenants',
    method: 'GET',
    path: '/operator/v1/tenants',
    tag: 'operator',
    summary: 'Tenants with their clients, limits and use, newest first',
    description: 'Pages are read with `cursor`.',
    security: 'operator',
    parameters: PAGE,
    responses: { 200: { description: 'A page of tenants.', content: json(OperatorTenantList) } },
    errors: ['svc_invalid_field'],
  },
  {
    operationId: 'setTenantQuota',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/quota',
    tag: 'operator',
    summary: "Set a tenant's limits of rows and of stored bytes",
    description:
      'A field that is left out stays as it is. `subscription_rows: null` removes the limit; a limit of bytes that is null is that of the settings. What is stored already stays where a limit is lowered.',
    security: 'operator',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantQuota) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'setTenantRetention',
    method: 'POST',
    path: '/operator/v1/tenants/{tenant_id}/retention',
    tag: 'operator',
    summary: 'Set how long datasets and generations of a tenant are kept, from now on',
    description: 'What exists keeps the end of retention that it has.',
    security: 'operator',
    parameters: [TENANT_ID],
    request: { required: true, content: json(TenantRetention) },
    responses: { 200: { description: 'The tenant as it is now.', content: json(OperatorTenant) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'revokeClientTokens',
    method: 'POST',
    path: '/operator/v1/clients/{client_id}/revoke-tokens',
    tag: 'operator',
    summary: 'Refuse every bearer token that a client has, at once',
    description: 'Its secret goes on to mint new ones. Other processes that share the database follow within a second.',
    security: 'operator',
    parameters: [pathId('client_id', 'As listed by GET /operator/v1/tenants.')],
    responses: { 200: { description: 'The tokens are refused from now on.', content: json(TokenRevocation) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'cancelJob',
    method: 'POST',
    path: '/operator/v1/jobs/{job_id}/cancel',
    tag: 'operator',
    summary: 'Cancel a job of any tenant; one that has ended stays as it is',
    description: 'The tenant reads `cancelled` as the status of the job.',
    security: 'operator',
    parameters: [pathId('job_id', 'As the tenant knows it.')],
    responses: { 200: { description: 'The job as it is now.', content: json(Job) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  ...SWEEP_OPERATIONS,
  {
    operationId: 'listOperatorActions',
    method: 'GET',
    path: '/operator/v1/actions',
    tag: 'operator',
    summary: 'What was done with the operator token, newest first',
    description:
      'Every request of the operator that changes something is written down before it is carried out, and its status after. Pages are read with `cursor`.',
    security: 'operator',
    parameters: PAGE,
    responses: { 200: { description: 'A page of actions.', content: json(OperatorActionList) } },
    errors: ['svc_invalid_field'],
  },
  {
    operationId: 'getOperatorOverview',
    method: 'GET',
    path: '/operator/v1/overview',
    tag: 'operator',
    summary: 'Queues, amounts and the last failures of all tenants',
    description: 'What the page `/dashboard` shows, beside signups, tenants and actions.',
    security: 'operator',
    responses: { 200: { description: 'As of now.', content: json(OperatorOverview) } },
  },
  {
    operationId: 'listArtifacts',
    method: 'GET',
    path: '/operator/v1/artifacts',
    tag: 'operator',
    summary: 'Artifacts of all tenants, the largest first',
    description: 'Pages are read with `cursor`. Filter by `tenant_id` for those of one tenant.',
    security: 'operator',
    parameters: [{ name: 'tenant_id', in: 'query', description: 'Only its artifacts.', schema: z.string() }, ...PAGE],
    responses: { 200: { description: 'A page of artifacts.', content: json(OperatorArtifactList) } },
    errors: ['svc_invalid_field'],
  },
  {
    operationId: 'removeArtifact',
    method: 'POST',
    path: '/operator/v1/artifacts/{generation_id}/remove',
    tag: 'operator',
    summary: 'Remove an artifact of any tenant, with its generation',
    description:
      'To make room. To the tenant it is as if the retention of the generation had ended: it is not found any more, and its rows stay billed. This cannot be undone.',
    security: 'operator',
    parameters: [pathId('generation_id', 'As listed by GET /operator/v1/artifacts.')],
    responses: { 200: { description: 'What was removed.', content: json(OperatorArtifact) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'getMetrics',
    method: 'GET',
    path: METRICS_PATH,
    tag: 'operator',
    summary: 'Measurements of this process and of the queues, for Prometheus',
    description: 'On only where the metrics are switched on. Every process of a service has its own.',
    security: 'operator',
    responses: {
      200: { description: 'Text exposition format 0.0.4.', content: { 'text/plain': z.string() } },
    },
  },
]
