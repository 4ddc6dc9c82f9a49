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
    claimed_at: DateTime.optional().describe('When its credentials were claimed first.'),
    claimed_elsewhere: z
      .boolean()
      .optional()
      .describe('Whether that came from another address than the request for access.'),
    credential_claim_token: z
      .string()
      .optional()
      .describe('In answers to an approval, where the operator hands the tokens out; until it is claimed.'),
    claim_expires_at: DateTime.optional().describe('End of that token.'),
  })
  .meta({ id: 'OperatorSignup' })
export type OperatorSignup = z.infer<typeof OperatorSignup>

/** GET /operator/v1/signups: newest first. */
export const OperatorSignupList = z
  .object({ signups: z.array(OperatorSignup), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorSignupList' })
export type OperatorSignupList = z.infer<typeof OperatorSignupList>

/** POST /operator/v1/signups/{request_id}/approve; the body may be left out. */
export const SignupApproval = z
  .strictObject({
    tenant_id: Identifier.max(100)
      .regex(NO_CONTROL_CHARACTERS)
      .optional()
      .describe('An existing tenant; absent: a new one is made.'),
  })
  .meta({ id: 'SignupApproval' })
export type SignupApproval = z.infer<typeof SignupApproval>

const RequestRowCap = z.int().min(1).describe('Largest row_count of one generation.')
const SubscriptionRows = z
  .int()
  .min(0)
  .nullable()
  .describe('Rows of the active subscription, those used included; null: no limit.')
const StoredBytesLimit = z
  .int()
  .min(0)
  .nullable()
  .describe('Most bytes that the tenant may have stored; null: what the settings of the service say.')
const ArtifactBytesLimit = z
  .int()
  .min(1)
  .nullable()
  .describe('Most bytes of one artifact; null: what the settings of the service say.')
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
    attempts: z.int().describe('Times its work was begun.'),
    setbacks: z.int().describe('Times its work broke off for a reason that is not in the job.'),
    trouble: z.string().optional().describe('What broke it off the last time.'),
    paused_until: DateTime.optional().describe('When it is handed out again.'),
    created_at: DateTime,
    deadline_at: DateTime.optional().describe('Absent: its work has not begun.'),
  })
  .meta({ id: 'OperatorJob' })
export type OperatorJob = z.infer<typeof OperatorJob>

/** GET /operator/v1/jobs: in the order in which they came. */
export const OperatorJobList = z
  .object({ jobs: z.array(OperatorJob), next_cursor: z.string().nullable() })
  .meta({ id: 'OperatorJobList' })
export type OperatorJobList = z.infer<typeof OperatorJobList>

/** POST /operator/v1/tenants/{tenant_id}/quota: what is left out stays as it is. */
export const TenantQuota = z
  .strictObject({
    request_row_cap: RequestRowCap.optional(),
    subscription_rows: SubscriptionRows.optional(),
    stored_bytes_limit: StoredBytesLimit.optional(),
    artifact_bytes_limit: ArtifactBytesLimit.optional(),
  })
  .meta({ id: 'TenantQuota' })
export type TenantQuota = z.infer<typeof TenantQuota>

/** POST /operator/v1/tenants/{tenant_id}/retention: for what is made from now on. */
export const TenantRetention = z.strictObject({ retention_hours: RetentionHours }).meta({ id: 'TenantRetention' })
export type TenantRetention = z.infer<typeof TenantRetention>

/** Something that the operator did or tried. */
export const OperatorAction = z
  .object({
    action_id: z.string(),
    at: DateTime,
    operation: z.string().describe('Its operationId; of a command on the machine, the command.'),
    subject: z.string().nullable().describe('Id of what it was about: a signup, tenant, client or job.'),
    parameters: z.looseObject({}).nullable().describe('Body of the request, or figures of the command.'),
    request_id: z.string().describe('none for a command.'),
    address: z.string().describe('Where the request came from; command line for a command.'),
    status: z.int().nullable().describe('HTTP status of the answer; null: the service ended before it.'),
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
        oldest_queued_seconds: z.int().describe('How long the oldest waiting job waits; 0 when none does.'),
      }),
    ),
    stock: z
      .record(z.string(), z.int())
      .describe(
        'How much there is: resources by count, files by bytes. Of `doomed_blobs` and `signups_pending` 10,000 are counted.',
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
      .describe('The 20 jobs that went wrong last.'),
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
