import { z } from 'zod'
import { SignupStatusValue } from './access.ts'
import { DateTime, Identifier } from './ids.ts'

/** A signup as the operator sees it. */
export const OperatorSignup = z
  .object({
    request_id: z.string(),
    company_name: z.string(),
    contact_email: z.string(),
    status: SignupStatusValue,
    client_id: z.string().optional(),
    created_at: DateTime,
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
    tenant_id: Identifier.max(100).optional().describe('An existing tenant; absent: a new one is made.'),
  })
  .meta({ id: 'SignupApproval' })
export type SignupApproval = z.infer<typeof SignupApproval>
