import type { z } from 'zod'
import {
  ActionList,
  ArtifactList,
  OperatorArtifact,
  OperatorTenant,
  RestoredCounts,
  SignupDecision,
  SignupList,
  SweepState,
  TenantList,
  TokenRevocation,
  UnfinishedJobs,
} from './access-replies.ts'
import { pathSegment } from './address-rules.ts'
import { type OpenCallOptions, openCall } from './open-call.ts'
import { JobReply } from './replies.ts'
import type { Repetition } from './retry-timing.ts'
import type { Reply } from './service-client.ts'

export interface OperatorOptions extends OpenCallOptions {
  readonly operatorToken: string
}

/** GET /operator/v1/signups: one page. `cursor` is the `next_cursor` of the previous page. */
export function listSignups(
  options: OperatorOptions,
  query: { readonly status?: 'pending' | 'approved' | 'declined'; readonly cursor?: string } = {},
): Promise<Reply<SignupList>> {
  return get(options, withQuery('/operator/v1/signups', query), SignupList)
}

/** POST /operator/v1/signups/{request_id}/approve: under a new tenant, or under `tenantId`. */
export async function approveSignup(
  options: OperatorOptions,
  requestId: string,
  tenantId?: string,
): Promise<Reply<SignupDecision>> {
  const body = tenantId === undefined ? {} : { tenant_id: tenantId }
  return post(options, `/operator/v1/signups/${pathSegment(requestId)}/approve`, body, SignupDecision, 'once')
}

/** POST /operator/v1/signups/{request_id}/decline. */
export async function declineSignup(options: OperatorOptions, requestId: string): Promise<Reply<SignupDecision>> {
  return post(options, `/operator/v1/signups/${pathSegment(requestId)}/decline`, {}, SignupDecision, 'once')
}

/** GET /operator/v1/tenants: one page. */
export function listTenants(
  options: OperatorOptions,
  query: { readonly cursor?: string } = {},
): Promise<Reply<TenantList>> {
  return get(options, withQuery('/operator/v1/tenants', query), TenantList)
}

/**
 * POST /operator/v1/tenants/{tenant_id}/quota: omitted fields do not change. A null subscription has no limit. A null
 * limit of bytes means the limit in the settings.
 */
export async function setTenantQuota(
  options: OperatorOptions,
  tenantId: string,
  quota: {
    readonly request_row_cap?: number
    readonly subscription_rows?: number | null
    readonly stored_bytes_limit?: number | null
    readonly artifact_bytes_limit?: number | null
  },
): Promise<Reply<OperatorTenant>> {
  return post(options, `/operator/v1/tenants/${pathSegment(tenantId)}/quota`, quota, OperatorTenant)
}

/** POST /operator/v1/tenants/{tenant_id}/retention: applies to new resources. */
export async function setTenantRetention(
  options: OperatorOptions,
  tenantId: string,
  retentionHours: number,
): Promise<Reply<OperatorTenant>> {
  const body = { retention_hours: retentionHours }
  return post(options, `/operator/v1/tenants/${pathSegment(tenantId)}/retention`, body, OperatorTenant)
}

/** POST /operator/v1/clients/{client_id}/revoke-tokens. */
export async function revokeTokens(options: OperatorOptions, clientId: string): Promise<Reply<TokenRevocation>> {
  return post(options, `/operator/v1/clients/${pathSegment(clientId)}/revoke-tokens`, {}, TokenRevocation)
}

/** GET /operator/v1/jobs: one page. */
export function listUnfinishedJobs(
  options: OperatorOptions,
  query: { readonly trouble?: 'true'; readonly cursor?: string } = {},
): Promise<Reply<UnfinishedJobs>> {
  return get(options, withQuery('/operator/v1/jobs', query), UnfinishedJobs)
}

/** POST /operator/v1/jobs/{job_id}/cancel: a job that has ended does not change. */
export async function cancelJob(options: OperatorOptions, jobId: string): Promise<Reply<JobReply>> {
  return post(options, `/operator/v1/jobs/${pathSegment(jobId)}/cancel`, {}, JobReply)
}

/** GET /operator/v1/actions: one page, newest first. */
export function listActions(
  options: OperatorOptions,
  query: { readonly limit?: string; readonly cursor?: string } = {},
): Promise<Reply<ActionList>> {
  return get(options, withQuery('/operator/v1/actions', query), ActionList)
}

/** GET /operator/v1/sweeps. */
export function sweepState(options: OperatorOptions): Promise<Reply<SweepState>> {
  return get(options, '/operator/v1/sweeps', SweepState)
}

/** POST /operator/v1/sweeps/resume. */
export async function resumeSweeps(options: OperatorOptions): Promise<Reply<SweepState>> {
  return post(options, '/operator/v1/sweeps/resume', {}, SweepState)
}

/**
 * POST /operator/v1/sweeps/restore. Sent once: a repeat would not count the resources that the first request restored.
 */
export async function restoreExpired(
  options: OperatorOptions,
  wanted: { readonly hours?: number; readonly tenant_id?: string },
): Promise<Reply<RestoredCounts>> {
  return post(options, '/operator/v1/sweeps/restore', wanted, RestoredCounts, 'once')
}

/** GET /operator/v1/artifacts: the `limit` largest artifacts, of one tenant or of all. */
export function listArtifacts(
  options: OperatorOptions,
  query: { readonly tenant_id?: string; readonly limit: string },
): Promise<Reply<ArtifactList>> {
  return get(options, withQuery('/operator/v1/artifacts', query), ArtifactList)
}

/** POST /operator/v1/artifacts/{generation_id}/remove. */
export async function removeArtifact(options: OperatorOptions, id: string): Promise<Reply<OperatorArtifact>> {
  return post(options, `/operator/v1/artifacts/${pathSegment(id)}/remove`, {}, OperatorArtifact, 'once')
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(query)
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

function get<S extends z.ZodType>(options: OperatorOptions, path: string, schema: S): Promise<Reply<z.infer<S>>> {
  return openCall(options, {
    method: 'GET',
    path,
    schema,
    repetition: 'free',
    bearer: options.operatorToken,
    secrets: [options.operatorToken],
  })
}

/**
 * Setting the same value again changes nothing, so these requests are repeated if an answer is lost. Decisions are not
 * (`once`).
 */
function post<S extends z.ZodType>(
  options: OperatorOptions,
  path: string,
  body: unknown,
  schema: S,
  repetition: Repetition = 'free',
): Promise<Reply<z.infer<S>>> {
  return openCall(options, {
    method: 'POST',
    path,
    body,
    schema,
    repetition,
    bearer: options.operatorToken,
    secrets: [options.operatorToken],
  })
}
