import { pathSegment } from './address-rules.ts'
import { type OpenCallOptions, openCall } from './open-call.ts'
import { Credentials, SignupReceipt, SignupStatus } from './replies.ts'
import type { Reply } from './service-client.ts'

/** POST /v1/signup. Repeating it for the same contact email gives the same request id, so lost answers are asked for again. */
export function signUp(
  options: OpenCallOptions,
  company: { readonly companyName: string; readonly contactEmail: string },
): Promise<Reply<SignupReceipt>> {
  return openCall(options, {
    method: 'POST',
    path: '/v1/signup',
    body: { company_name: company.companyName, contact_email: company.contactEmail },
    schema: SignupReceipt,
    repetition: 'free',
  })
}

/** GET /v1/signup/{request_id}. Whoever knows the id can read the claim token, so messages do not show it. */
export async function getSignupStatus(options: OpenCallOptions, requestId: string): Promise<Reply<SignupStatus>> {
  return openCall(options, {
    method: 'GET',
    path: `/v1/signup/${pathSegment(requestId)}`,
    shownPath: '/v1/signup/{request_id}',
    schema: SignupStatus,
    repetition: 'free',
    secrets: [requestId],
  })
}

/**
 * POST /v1/credential-claims. The token works once and the secret comes once, so nothing is repeated that may have
 * reached the service.
 */
export function claimCredentials(options: OpenCallOptions, claimToken: string): Promise<Reply<Credentials>> {
  return openCall(options, {
    method: 'POST',
    path: '/v1/credential-claims',
    body: { claim_token: claimToken },
    schema: Credentials,
    repetition: 'once',
    secrets: [claimToken],
  })
}
