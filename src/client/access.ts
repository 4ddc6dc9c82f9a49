import { CredentialRotation, Credentials, SignupReceipt, SignupStatus } from './access-replies.ts'
import { checkedAddress, pathSegment } from './address-rules.ts'
import { type OpenCallOptions, openCall } from './open-call.ts'
import type { Reply } from './service-client.ts'
import { TokenSource } from './token-source.ts'

/**
 * POST /v1/signup. A repeat for the same contact email returns the same request id, so the request is repeated if an
 * answer is lost.
 */
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

/** GET /v1/signup/{request_id}. Anybody who knows the id can read the claim token, so messages do not show it. */
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
 * POST /v1/credential-claims. The token works once and the secret is sent once, so a request that may have reached the
 * service is not repeated.
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

export interface RotationOptions extends OpenCallOptions {
  readonly tokenUrl: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: string
}

/** POST /v1/credential-rotations. The key makes repeats harmless: they return the same claim token. */
export async function rotateCredentials(options: RotationOptions, key: string): Promise<Reply<CredentialRotation>> {
  const { audience, clientId, clientSecret } = options
  const tokenUrl = checkedAddress(options.tokenUrl, 'address of the identity provider')
  return openCall(options, {
    method: 'POST',
    path: '/v1/credential-rotations',
    headers: { 'idempotency-key': key },
    schema: CredentialRotation,
    repetition: 'free',
    bearer: (transport) => new TokenSource(transport, { tokenUrl, audience, clientId, clientSecret }),
    secrets: [clientSecret],
  })
}
