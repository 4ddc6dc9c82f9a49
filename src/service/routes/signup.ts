import type { FastifyPluginAsync } from 'fastify'
import { type SignupReceipt, SignupRequest, type SignupStatus } from '../../contract/access.ts'
import { SIGNUP_REQUEST_ID_PATTERN } from '../../contract/ids.ts'
import { readSignup, requestAccess } from '../access/signups.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { networkOf, refusal, TokenBuckets } from '../http/rate-limits.ts'
import { checkBody } from '../http/request-shape.ts'

/** New requests of one address: 50 at once, which is a team behind one proxy, then one a minute. */
const NEW_REQUESTS = { perSecond: 1 / 60, burst: 50 }

/** POST /v1/signup and GET /v1/signup/{request_id}: requesting access and reading the decision. */
export function signupRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    const config = { security: 'public', rateLimit: 'address' } as const
    const newRequests = context.settings.rateLimits ? new TokenBuckets(NEW_REQUESTS, context.now) : null

    app.post('/v1/signup', { config }, async (request, reply): Promise<SignupReceipt> => {
      const { company_name: companyName, contact_email: contactEmail } = checkBody(SignupRequest, request.body)
      const peer = networkOf(request.ip)
      const tooMany = refusal(newRequests?.wait(peer) ?? 0)
      if (tooMany !== undefined) throw tooMany
      const outcome = await requestAccess(context, {
        companyName,
        contactEmail,
        address: request.ip,
        claims: context.settings.claims,
      })
      if (outcome === 'full')
        throw new ProblemError(
          'svc_rate_limited',
          'Too many requests for access wait for a decision. Ask the operator.',
          {
            headers: { 'retry-after': '3600' },
          },
        )
      const { requestId, status, isNew } = outcome
      if (isNew) newRequests?.take(peer)
      reply.code(isNew ? 202 : 200).header('cache-control', 'no-store')
      return { request_id: requestId, status }
    })

    app.get<{ Params: { request_id: string } }>(
      '/v1/signup/:request_id',
      { config },
      async (request, reply): Promise<SignupStatus> => {
        const requestId = request.params.request_id
        const found = SIGNUP_REQUEST_ID_PATTERN.test(requestId) ? await readSignup(context, requestId) : null
        if (found === null) throw new ProblemError('svc_not_found', 'There is no such signup request.')
        const { signup } = found
        // The request id proves no more than the e-mail address, for which a signup returns it.
        const claimToken = context.settings.claims === 'status' ? found.claimToken : null
        reply.header('cache-control', 'no-store')
        return {
          request_id: signup.request_id,
          status: signup.status,
          ...(signup.client_id !== null && { client_id: signup.client_id }),
          ...(claimToken !== null && { credential_claim_token: claimToken.text }),
        }
      },
    )
  }
}
