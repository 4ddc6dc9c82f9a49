import type { FastifyPluginAsync } from 'fastify'
import { CredentialClaimRequest, type Credentials } from '../../contract/access.ts'
import { claimCredentials } from '../access/claim-tokens.ts'
import { refuseWithForeignProvider } from '../access/provider-elsewhere.ts'
import type { ServiceContext } from '../context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody } from '../http/request-shape.ts'

/** POST /v1/credential-claims: a claim token for a client secret, once. */
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
