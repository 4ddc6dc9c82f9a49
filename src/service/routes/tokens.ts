import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationServerMetadata, JsonWebKeySet, OAuthError, TokenReply } from '../../contract/access.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts'
import { mintBearerToken } from '../access/bearer-tokens.ts'
import {
  oauthError,
  oauthErrorOf,
  readForm,
  readTokenRequest,
  refuseWithForeignProvider,
  verifyClient,
} from '../access/token-request.ts'
import type { ServiceContext } from '../context/context.ts'
import { readBoundedBody } from '../http/body-parsers.ts'
import type { HttpLimits } from '../http/http-limits.ts'
import { problemOf, sendProblem } from '../http/problem-record.ts'
import { authorizationOf } from '../http/request-headers.ts'

/** The identity provider: token mint, published keys and metadata. Errors of the mint are in OAuth form. */
export function tokenRoutes(context: ServiceContext, limits: HttpLimits): FastifyPluginAsync {
  const { addresses, settings } = context
  return async (app) => {
    app.get('/.well-known/jwks.json', async (): Promise<JsonWebKeySet> => {
      refuseWithForeignProvider(settings)
      const { kty, crv, x, y } = context.keys.signing.publicJwk
      const key = { kty, crv, x, y, kid: context.keys.signing.keyId, alg: 'ES256', use: 'sig' }
      return { keys: [key as JsonWebKeySet['keys'][number]] }
    })

    app.get('/.well-known/oauth-authorization-server', async (): Promise<AuthorizationServerMetadata> => {
      refuseWithForeignProvider(settings)
      return {
        issuer: addresses.authUrl,
        token_endpoint: `${addresses.authUrl}/oauth/token`,
        jwks_uri: `${addresses.authUrl}/.well-known/jwks.json`,
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        response_types_supported: [],
      }
    })

    await app.register(async (mint) => {
      mint.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) =>
        readForm((await readBoundedBody(request, limits)).toString('utf8')),
      )
      mint.setErrorHandler<FastifyError>((error, request, reply) => {
        const refused = oauthErrorOf(error)
        if (refused !== null) return sendOAuthError(request, reply, refused)
        const problem = problemOf(error, request.id, addresses.baseUrl)
        const { status, detail } = problem.body
        reply.header('cache-control', 'no-store')
        // A failure of the service, or a rate limit, is not an OAuth error: clients go by the status.
        if (status >= 429) return sendProblem(error, request, reply, addresses)
        reply.headers(problem.headers)
        return sendOAuthError(request, reply, { error: 'invalid_request', error_description: detail })
      })

      mint.post('/oauth/token', { config: { rateLimit: 'address' } }, async (request, reply): Promise<TokenReply> => {
        refuseWithForeignProvider(settings)
        const asked = readTokenRequest(request.body, authorizationOf(request))
        const client = await verifyClient(context.db, asked.clientId, asked.clientSecret)
        if (client === null) throw oauthError('invalid_client', 'Invalid credentials.')
        if (asked.audience !== addresses.baseUrl) {
          throw oauthError('invalid_target', `audience must be ${addresses.baseUrl}.`)
        }
        noStore(reply)
        return {
          access_token: await mintBearerToken(context, client.identity, client.tokenEpoch),
          token_type: 'Bearer',
          expires_in: TOKEN_LIFETIME_SECONDS,
        }
      })
    })
  }
}

function sendOAuthError(request: FastifyRequest, reply: FastifyReply, body: OAuthError): FastifyReply {
  const isClient = body.error === 'invalid_client'
  // RFC 6749, 5.2: 401 with the scheme that was used; 400 for everything else.
  if (isClient && authorizationOf(request) !== undefined) reply.header('www-authenticate', 'Basic realm="token"')
  return noStore(reply)
    .code(isClient ? 401 : 400)
    .send(body)
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}
