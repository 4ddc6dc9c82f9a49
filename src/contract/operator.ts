import { z } from 'zod'
import { NO_CONTROL_CHARACTERS, SignupStatusValue } from './access.ts'
import { OutputFormat } from './generations.ts'
import { DateTime, Identifier } from './ids.ts'
import { JobStatus } from './jobs.ts'
import { MAX_RETENTION_HOURS } from './limits.ts'

/** A signup as the operator sees it. */
export const OperatorSignup = z
  .object({
    request_id: z.string(),
    company_name: z.string(),
    contact_email: z.string(),
    status: SignupStatusValue,
    client_id: z.string().optional(),
    created_at: DateTime,
    claimed_at: DateTime.optional().describe('When its credentials were first claimed.'),
    claimed_elsewhere: z
      .boolean()
      .optional()
      .describe('Whether that claim came from another address than the request for access.'),
    credential_claim_token: z
      .string()
      .optional()
      .describe('In replies to an approval, if the operator distributes the tokens; until the token is claimed.'),
    claim_expires_at: DateTime.optional().describe('When that token expires.'),
  })
  .meta({ id: 'OperatorSignup' })
export type OperatorSignup = z.infer<typeof OperatorSignup>

/** GET /operator/v1/signups: newest first. */
export const OperatorSignupList = z
  .object({ signups: z.array(OperatorSignup), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorSignupList' })
export type OperatorSignupList = z.infer<typeof OperatorSignupList>

/** POST /operator/v1/signups/{request_id}/approve; the body is optional. */
export const SignupApproval = z
  .strictObject({
    tenant_id: Identifier.max(100)
      .regex(NO_CONTROL_CHARACTERS)
      .optional()
      .describe('An existing tenant. Absent: a new tenant is created.'),
  })
  .meta({ id: 'SignupApproval' })
export type SignupApproval = z.infer<typeof SignupApproval>

const RequestRowCap = z.int().min(1).describe('Largest row_count of one generation.')
const SubscriptionRows = z
  .int()
  .min(0)
  .nullable()
  .describe('Rows of the active subscription, including used ones. Null: no limit.')
const StoredBytesLimit = z
  .int()
  .min(0)
  .nullable()
  .describe('Most bytes that the tenant may store. Null: the limit in the settings of the service.')
const ArtifactBytesLimit = z
  .int()
  .min(1)
  .nullable()
  .describe('Most bytes of one artifact. Null: the limit in the settings of the service.')
const RetentionHours = z.int().min(1).max(MAX_RETENTION_HOURS)

/** A tenant as the operator sees it. */
export const OperatorTenant = z
  .object({
    tenant_id: z.string(),
    name: z.string(),
    client_ids: z.array(z.string()),
    request_row_cap: RequestRowCap,
    subscription_rows: SubscriptionRows,
    rows_used: z.int().describe('Rows generated so far.'),
    bytes_stored: z.int().describe('Seed files, models and artifacts.'),
    stored_bytes_limit: StoredBytesLimit,
    artifact_bytes_limit: ArtifactBytesLimit,
    retention_hours: RetentionHours,
    created_at: DateTime,
  })
  .meta({ id: 'OperatorTenant' })
export type OperatorTenant = z.infer<typeof OperatorTenant>

/** GET /operator/v1/tenants: newest first. */
export const OperatorTenantList = z
  .object({ tenants: z.array(OperatorTenant), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorTenantList' })
export type OperatorTenantList = z.infer<typeof OperatorTenantList>

/** A job that has not ended, as the operator sees it. */
export const OperatorJob = z
  .object({
    job_id: z.string(),
    tenant_id: z.string(),
    kind: z.enum(['training', 'generation']),
    status: JobStatus,
    attempts: z.int().describe('How often its work was started.'),
    setbacks: z.int().describe('How often a fault outside the job interrupted its work.'),
    trouble: z.string().optional().describe('What interrupted it the last time.'),
    paused_until: DateTime.optional().describe('When it becomes available again.'),
    created_at: DateTime,
    deadline_at: DateTime.optional().describe('Absent if its work has not started.'),
  })
  .meta({ id: 'OperatorJob' })
export type OperatorJob = z.infer<typeof OperatorJob>

/** GET /operator/v1/jobs: oldest first. */
export const OperatorJobList = z
  .object({ jobs: z.array(OperatorJob), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorJobList' })
export type OperatorJobList = z.infer<typeof OperatorJobList>

/** POST /operator/v1/tenants/{tenant_id}/quota: omitted fields do not change. */
export const TenantQuota = z
  .strictObject({
    request_row_cap: RequestRowCap.optional(),
    subscription_rows: SubscriptionRows.optional(),
    stored_bytes_limit: StoredBytesLimit.optional(),
    artifact_bytes_limit: ArtifactBytesLimit.optional(),
  })
  .meta({ id: 'TenantQuota' })
export type TenantQuota = z.infer<typeof TenantQuota>

/** POST /operator/v1/tenants/{tenant_id}/retention: applies to new resources. */
export const TenantRetention = z.strictObject({ retention_hours: RetentionHours }).meta({ id: 'TenantRetention' })
export type TenantRetention = z.infer<typeof TenantRetention>

/** An action that the operator took or tried. */
export const OperatorAction = z
  .object({
    action_id: z.string(),
    at: DateTime,
    operation: z.string().describe('Its operationId. For a command on the machine, the command.'),
    subject: z.string().nullable().describe('Id of its subject: a signup, tenant, client or job.'),
    parameters: z.looseObject({}).nullable().describe('Body of the request, or the figures of the command.'),
    request_id: z.string().describe('none for a command.'),
    address: z.string().describe('Where the request came from; command line for a command.'),
    status: z.int().nullable().describe('HTTP status of the reply. Null: the service ended before it replied.'),
  })
  .meta({ id: 'OperatorAction' })
export type OperatorAction = z.infer<typeof OperatorAction>

/** GET /operator/v1/actions: newest first. */
export const OperatorActionList = z
  .object({ actions: z.array(OperatorAction), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorActionList' })
export type OperatorActionList = z.infer<typeof OperatorActionList>

/** GET /operator/v1/overview: what the dashboard shows. */
export const OperatorOverview = z
  .object({
    version: z.string(),
    at: DateTime,
    queues: z.array(
      z.object({
        kind: z.enum(['training', 'generation']),
        queued: z.int(),
        running: z.int(),
        oldest_queued_seconds: z.int().describe('How long the oldest waiting job has been waiting; 0 if none waits.'),
      }),
    ),
    stock: z
      .record(z.string(), z.int())
      .describe(
        'Totals: resources by count, files by bytes. Counts of `doomed_blobs` and `signups_pending` stop at 10,000.',
      ),
    failures: z
      .array(
        z.object({
          job_id: z.string(),
          tenant_id: z.string(),
          kind: z.enum(['training', 'generation']),
          status: z.enum(['failed', 'expired', 'cancelled']),
          error_code: z.string().nullable(),
          finished_at: DateTime,
        }),
      )
      .describe('The 20 most recent failed jobs.'),
  })
  .meta({ id: 'OperatorOverview' })
export type OperatorOverview = z.infer<typeof OperatorOverview>

/** POST /operator/v1/clients/{client_id}/revoke-tokens. */
export const TokenRevocation = z.object({ client_id: z.string(), revoked_at: DateTime }).meta({ id: 'TokenRevocation' })
export type TokenRevocation = z.infer<typeof TokenRevocation>

/** An artifact as the operator sees it. */
export const OperatorArtifact = z
  .object({
    generation_id: z.string(),
    tenant_id: z.string(),
    dataset_id: z.string(),
    output_format: OutputFormat,
    rows_generated: z.int(),
    bytes: z.int(),
    created_at: DateTime,
    expires_at: DateTime,
  })
  .meta({ id: 'OperatorArtifact' })
export type OperatorArtifact = z.infer<typeof OperatorArtifact>

/** GET /operator/v1/artifacts: the largest first. */
export const OperatorArtifactList = z
  .object({ artifacts: z.array(OperatorArtifact), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorArtifactList' })
export type OperatorArtifactList = z.infer<typeof OperatorArtifactList>
