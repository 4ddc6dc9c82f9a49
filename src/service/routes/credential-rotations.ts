import type { FastifyPluginAsync } from 'fastify'
import { type CredentialRotation, CredentialRotationRequest } from '../../contract/access.ts'
import { MAX_ROTATIONS } from '../../contract/limits.ts'
import { refuseWithForeignProvider } from '../access/provider-elsewhere.ts'
import { rotateCredentials } from '../access/rotations.ts'
import type { ServiceContext } from '../context.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { ProblemError, UnauthorizedError } from '../http/problem-error.ts'
import { checkBody } from '../http/request-shape.ts'

/** POST /v1/credential-rotations: a claim token for a new secret of the client that calls. */
export function credentialRotationRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    const config = { isBodyOptional: true }

    app.post('/v1/credential-rotations', { config }, async (request, reply): Promise<CredentialRotation> => {
      refuseWithForeignProvider(context.settings)
      const { key, faults } = readIdempotencyKey(request)
      checkBody(CredentialRotationRequest, request.body === undefined ? {} : request.body, faults)
      const outcome = await rotateCredentials(context, request.identity, key)
      if (outcome.kind === 'unknown') throw new UnauthorizedError()
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
