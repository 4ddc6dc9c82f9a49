import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BearerVerifier, bearerOf, type Identity } from '../access/bearer-tokens.ts'
import type { ServiceContext } from '../context.ts'
import { UnauthorizedError } from './problem-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, on every route that wants a bearer token; reading it elsewhere throws. */
    readonly identity: Identity
  }
  interface FastifyContextConfig {
    /** `public`: a route under `/v1/` that wants no bearer token. Everything else under `/v1/` does. */
    security?: 'public'
  }
}

const identities = new WeakMap<FastifyRequest, Identity>()

/**
 * Checks the bearer token of every request under `/v1/` but those to public routes, before anything else is looked at:
 * a path that does not exist, or exists with other methods only, answers 401 too. `isPublicPath` knows the paths of
 * public routes, for requests whose method does not fit.
 */
export function addAuthentication(
  app: FastifyInstance,
  context: Pick<ServiceContext, 'keys' | 'addresses' | 'now'>,
  isPublicPath: (path: string) => boolean,
): void {
  const verifier = new BearerVerifier(context)
  app.decorateRequest('identity', {
    getter(this: FastifyRequest): Identity {
      const identity = identities.get(this)
      if (identity === undefined) throw new Error(`${this.method} ${this.routeOptions.url} has no authentication.`)
      return identity
    },
  })
  app.addHook('onRequest', async (request) => {
    // The pattern of the matched route decides, never the raw target: the router decodes `/%761/jobs` to `/v1/jobs`.
    const path = request.is404 ? pathOf(request.url) : (request.routeOptions.url ?? '')
    if (!isProtectedPath(path)) return
    if (request.is404 ? isPublicPath(path) : request.routeOptions.config.security === 'public') return
    identities.set(request, await authenticate(verifier, request))
  })
}

/** Verifies the bearer token of a request; throws `UnauthorizedError`. */
export async function authenticate(verifier: BearerVerifier, request: FastifyRequest): Promise<Identity> {
  const token = bearerOf(request.headers.authorization)
  const identity = token === null ? null : await verifier.verify(token)
  if (identity === null) throw new UnauthorizedError()
  return identity
}

/** Whether a path is under `/v1`, where all but the public routes want a bearer token. */
export function isProtectedPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

/** The path of a request target as the router reads it: without origin and query, percent-decoded where that works. */
export function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
