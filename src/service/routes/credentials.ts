import type { FastifyPluginAsync } from 'fastify'
import {
  CredentialClaimRequest,
  type CredentialRotation,
  CredentialRotationRequest,
  type Credentials,
} from '../../contract/access.ts'
import { MAX_ROTATIONS } from '../../contract/limits.ts'
import { claimCredentials } from '../access/claim-tokens.ts'
import { rotateCredentials } from '../access/rotations.ts'
import { refuseWithForeignProvider } from '../access/token-request.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError, unauthorized } from '../http/problem-error.ts'
import { readIdempotencyKey } from '../http/request-headers.ts'
import { checkBody } from '../http/request-shape.ts'

/** POST /v1/credential-claims: exchanges a claim token for a client secret, once. */
export function credentialClaimRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    const config = { security: 'public', rateLimit: 'address' } as const

    app.post('/v1/credential-claims', { config }, async (request, reply): Promise<Credentials> => {
      refuseWithForeignProvider(context.settings)
      const { claim_token: token } = checkBody(CredentialClaimRequest, request.body)
      const claimed = await claimCredentials(context, token, request.ip)
      if (claimed === null) {
        throw new ProblemError('svc_invalid_claim', 'The claim token is unknown, expired or already used.')
      }
      if (claimed.isFirstElsewhere)
        context.events?.emit({ type: 'credentials.claimed_elsewhere', clientId: claimed.clientId })
      reply.header('cache-control', 'no-store')
      return {
        client_id: claimed.clientId,
        client_secret: claimed.clientSecret,
        token_url: `${context.addresses.authUrl}/oauth/token`,
        audience: context.addresses.baseUrl,
        grant_type: 'client_credentials',
      }
    })
  }
}

/** POST /v1/credential-rotations: returns a claim token for a new secret of the calling client. */
export function credentialRotationRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    const config = { isBodyOptional: true }

    app.post('/v1/credential-rotations', { config }, async (request, reply): Promise<CredentialRotation> => {
      refuseWithForeignProvider(context.settings)
      const { key, faults } = readIdempotencyKey(request)
      checkBody(CredentialRotationRequest, request.body === undefined ? {} : request.body, faults)
      const outcome = await rotateCredentials(context, request.identity, key)
      if (outcome.kind === 'unknown') throw unauthorized()
      if (outcome.kind === 'limited') {
        throw new ProblemError(
          'svc_rate_limited',
          `A client may rotate its secret ${MAX_ROTATIONS} times in 24 hours. Repeat this request after ${outcome.waitSeconds} s.`,
          { headers: { 'retry-after': String(outcome.waitSeconds) } },
        )
      }
      reply.header('cache-control', 'no-store')
      if (outcome.isReplay) reply.header('idempotent-replayed', 'true')
      return { credential_claim_token: outcome.claimToken, expires_at: outcome.expiresAt }
    })
  }
}
