import { pathSegment } from './address-rules.ts'
import { type OpenCallOptions, openCall } from './open-call.ts'
import { SignupApproval, SignupList } from './replies.ts'
import type { Reply } from './service-client.ts'

export interface OperatorOptions extends OpenCallOptions {
  readonly operatorToken: string
}

/** GET /operator/v1/signups: one page; `cursor` is the `next_cursor` of the page before. */
export function listSignups(
  options: OperatorOptions,
  query: { readonly status?: 'pending' | 'approved' | 'declined'; readonly cursor?: string } = {},
): Promise<Reply<SignupList>> {
  const parameters = new URLSearchParams({ ...query })
  return openCall(options, {
    method: 'GET',
    path: `/operator/v1/signups${parameters.size === 0 ? '' : `?${parameters}`}`,
    schema: SignupList,
    repetition: 'free',
    bearer: options.operatorToken,
  })
}

/** POST /operator/v1/signups/{request_id}/approve: under a tenant of its own, or under `tenantId`. */
export async function approveSignup(
  options: OperatorOptions,
  requestId: string,
  tenantId?: string,
): Promise<Reply<SignupApproval>> {
  return openCall(options, {
    method: 'POST',
    path: `/operator/v1/signups/${pathSegment(requestId)}/approve`,
    body: tenantId === undefined ? {} : { tenant_id: tenantId },
    schema: SignupApproval,
    repetition: 'once',
    bearer: options.operatorToken,
  })
}
