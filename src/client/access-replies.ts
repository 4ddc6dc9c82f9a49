/**
 * Tolerant parsers of the replies of the identity provider, the signup routes and the operator routes; `replies.ts`
 * says how tolerant.
 */
import { z } from 'zod'
import { SIGNUP_REQUEST_ID_PATTERN } from '../contract/ids.ts'
import { extra, Identifier, moment, openEnum, record, text } from './tolerant-fields.ts'

/** The form in which the identity provider refuses (RFC 6749, 5.2). */
export const OAuthRefusal = record({ error: z.string(), error_description: text })

/** Reply of the token operation. The token must be fit for a header: visible ASCII, no spaces. */
export const TokenReply = record({
  access_token: z
    .string()
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: extra(z.number().positive()),
})

/** Reply of signup. The id is used verbatim in a path, hence its exact form. */
export const SignupReceipt = record({
  request_id: z.string().regex(SIGNUP_REQUEST_ID_PATTERN),
  status: extra(openEnum(['pending', 'approved', 'declined'])),
})
export type SignupReceipt = z.infer<typeof SignupReceipt>

/** Reply of the signup status. */
export const SignupStatus = record({
  status: openEnum(['pending', 'approved', 'declined']),
  client_id: Identifier.optional(),
  credential_claim_token: z.string().min(1).optional(),
})
export type SignupStatus = z.infer<typeof SignupStatus>

/** Reply of a credential claim. The service sends it once, so only indispensable fields are required. */
export const Credentials = record({
  client_id: Identifier,
  client_secret: z.string().min(1),
  token_url: z.string().min(1),
  audience: z.string().min(1),
})
export type Credentials = z.infer<typeof Credentials>

/** Reply of a rotation. */
export const CredentialRotation = record({ credential_claim_token: z.string().min(1) })
export type CredentialRotation = z.infer<typeof CredentialRotation>

/** Reply of the operator's decision on a signup. */
export const SignupDecision = record({
  request_id: text,
  status: openEnum(['pending', 'approved', 'declined']),
  tenant_id: text,
  client_id: text,
  /** Present if the operator distributes the tokens. */
  credential_claim_token: text,
  claim_expires_at: moment,
})
export type SignupDecision = z.infer<typeof SignupDecision>

/** Reply of the operator's list of signups. */
export const SignupList = record({
  signups: z.array(
    record({
      request_id: z.string(),
      status: openEnum(['pending', 'approved', 'declined']),
      company_name: text,
      contact_email: text,
      client_id: text,
      created_at: moment,
      claimed_at: moment,
      claimed_elsewhere: extra(z.boolean()),
    }),
  ),
  next_cursor: text,
})
export type SignupList = z.infer<typeof SignupList>

/** A tenant, as the operator's routes show it. */
export const OperatorTenant = record({
  tenant_id: z.string(),
  name: text,
  client_ids: extra(z.array(z.string())),
  request_row_cap: extra(z.number()),
  /** Absent: no limit. */
  subscription_rows: extra(z.number()),
  rows_used: extra(z.number()),
  bytes_stored: extra(z.number()),
  /** Absent: the limit in the service's settings. */
  stored_bytes_limit: extra(z.number()),
  artifact_bytes_limit: extra(z.number()),
  retention_hours: extra(z.number()),
  created_at: moment,
})
export type OperatorTenant = z.infer<typeof OperatorTenant>

/** Reply of the operator's list of tenants. */
export const TenantList = record({ tenants: z.array(OperatorTenant), next_cursor: text })
export type TenantList = z.infer<typeof TenantList>

/** Reply of the operator's list of actions. */
export const ActionList = record({
  actions: z.array(
    record({
      action_id: text,
      at: moment,
      operation: z.string(),
      subject: text,
      parameters: extra(z.record(z.string(), z.unknown())),
      request_id: text,
      address: text,
      status: extra(z.number()),
    }),
  ),
  next_cursor: text,
})
export type ActionList = z.infer<typeof ActionList>

/** The operator's view of sweeps. `held` is absent while sweeps run. */
export const SweepState = record({
  held: extra(record({ since: text, due: extra(z.number()), living: extra(z.number()) })),
  restorable: extra(record({ datasets: extra(z.number()), generations: extra(z.number()) })),
})
export type SweepState = z.infer<typeof SweepState>

/** Reply of a restoration. */
export const RestoredCounts = record({ datasets: extra(z.number()), generations: extra(z.number()) })
export type RestoredCounts = z.infer<typeof RestoredCounts>

/** An artifact, as the operator's routes show it. */
export const OperatorArtifact = record({
  generation_id: z.string(),
  tenant_id: text,
  dataset_id: text,
  output_format: text,
  rows_generated: extra(z.number()),
  bytes: extra(z.number()),
  created_at: moment,
  expires_at: moment,
})
export type OperatorArtifact = z.infer<typeof OperatorArtifact>

/** Reply of the operator's list of artifacts. */
export const ArtifactList = record({ artifacts: z.array(OperatorArtifact), next_cursor: text })
export type ArtifactList = z.infer<typeof ArtifactList>

/** Reply of the operator's list of unfinished jobs. */
export const UnfinishedJobs = record({
  jobs: z.array(
    record({
      job_id: z.string(),
      tenant_id: text,
      kind: text,
      status: text,
      attempts: extra(z.number()),
      setbacks: extra(z.number()),
      trouble: text,
      paused_until: moment,
      created_at: moment,
      deadline_at: moment,
    }),
  ),
  next_cursor: text,
})
export type UnfinishedJobs = z.infer<typeof UnfinishedJobs>

/** Reply of a revocation. */
export const TokenRevocation = record({ client_id: text, revoked_at: text })
export type TokenRevocation = z.infer<typeof TokenRevocation>
