import type { FastifyInstance, FastifyRequest } from 'fastify'
import { METRICS_PATH } from '../../contract/operator-operations.ts'
import type { ServiceContext } from '../context/context.ts'
import { unauthorized } from '../http/problem-error.ts'
import { networkOf, refusal, TokenBuckets } from '../http/rate-limits.ts'
import { authorizationOf } from '../http/request-headers.ts'
import { pathOf } from '../http/routing.ts'
import { ownTokenCheck } from './bearer-tokens.ts'
import { BearerVerifier, bearerOf } from './bearer-verifier.ts'
import { foreignTokenCheck } from './foreign-tokens.ts'
import { areSameSecrets } from './secret-hash.ts'
import type { TokenRevocations } from './token-revocations.ts'
import type { Identity } from './verified-token.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, on every route that wants a bearer token; reading it elsewhere throws. */
    readonly identity: Identity
    readonly isAuthenticated: boolean
    /** Who calls; null where nobody was authenticated. Set by the gatekeeper alone. */
    caller: Identity | null
  }
  interface FastifyContextConfig {
    /** `public`: a route under `/v1/` that wants no bearer token. Everything else under `/v1/` does. */
    security?: 'public'
  }
}

/** Who may pass; made once per app. */
export class Gatekeeper {
  readonly #verifier: BearerVerifier
  readonly #operatorDoor: OperatorDoor | null
  readonly #isPublicPath: (path: string) => boolean

  /** `isPublicPath` knows the paths of public routes, for requests whose method does not fit. */
  constructor(
    context: Pick<ServiceContext, 'db' | 'keys' | 'addresses' | 'now' | 'settings'>,
    revocations: TokenRevocations,
    isPublicPath: (path: string) => boolean,
  ) {
    const { identityProvider, operatorToken, rateLimits } = context.settings
    const check = identityProvider === null ? ownTokenCheck(context) : foreignTokenCheck(context, identityProvider)
    this.#verifier = new BearerVerifier(check, revocations, context.now)
    const guesses = { countsGuesses: rateLimits, now: context.now }
    this.#operatorDoor = operatorToken === null ? null : new OperatorDoor(operatorToken, guesses)
    this.#isPublicPath = isPublicPath
  }

  /**
   * Checks what the path of a request asks for: a bearer token under `/v1/` but for public routes, the operator token
   * under `/operator/` and for the metrics, where that is on. It goes by paths, so that one that does not exist, or
   * exists with other methods only, answers 401 too. Throws or rejects with the problem of `unauthorized`; a promise only for a
   * token not seen before: with one per hook and request the service answered 9,700 requests/s, without them 14,000.
   */
  check(request: FastifyRequest): void | Promise<void> {
    // The pattern of the matched route decides, never the raw target: the router decodes `/%761/jobs` to `/v1/jobs`.
    // Read once: it makes an object each time.
    const { url: route, config } = request.routeOptions
    const path = route ?? pathOf(request.url)
    const isOperators = isUnder('/operator', path) || path === METRICS_PATH
    if (isOperators) this.#operatorDoor?.check(request)
    if (!isUnder('/v1', path)) return
    if (route === undefined ? this.#isPublicPath(path) : config.security === 'public') return
    const token = bearerOf(authorizationOf(request))
    if (token === null) throw unauthorized()
    const known = this.#verifier.recall(token)
    if (known !== undefined) return admit(request, known)
    return this.#verifier.verify(token).then((identity) => admit(request, identity))
  }
}

function admit(request: FastifyRequest, identity: Identity | null): void {
  if (identity === null) throw unauthorized()
  request.caller = identity
}

/** Lets `gatekeeper` check every request, and gives requests their `identity`. */
export function addAuthentication(app: FastifyInstance, gatekeeper: Gatekeeper): void {
  // A field, not a WeakMap of requests: that one costs at every collection of garbage.
  app.decorateRequest('caller', null)
  app.decorateRequest('identity', {
    getter(this: FastifyRequest): Identity {
      const { caller } = this
      if (caller === null) throw new Error(`${this.method} ${this.routeOptions.url} has no authentication.`)
      return caller
    },
  })
  app.decorateRequest('isAuthenticated', {
    getter(this: FastifyRequest): boolean {
      return this.caller !== null
    },
  })
  app.addHook('onRequest', (request, _reply, done) => {
    let checking: void | Promise<void>
    try {
      checking = gatekeeper.check(request)
    } catch (error) {
      return done(error as Error)
    }
    if (checking === undefined) return done()
    checking.then(() => done(), done)
  })
}

function isUnder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Wrong operator tokens of one peer: 10 at once, then one in 10 s. */
const GUESSES = { perSecond: 0.1, burst: 10 }

/**
 * Lets the operator token pass, on the operator's routes and for the metrics. A peer that guessed wrong too often is
 * refused whatever it sends next: were the right token let in, guessing could go on. Right tokens are not counted.
 */
class OperatorDoor {
  readonly #token: string
  readonly #guesses: TokenBuckets | null

  constructor(token: string, { countsGuesses, now }: { readonly countsGuesses: boolean; readonly now: () => number }) {
    this.#token = token
    this.#guesses = countsGuesses ? new TokenBuckets(GUESSES, now) : null
  }

  /** @throws ProblemError 401; ProblemError 429 after too many of them. */
  check(request: FastifyRequest): void {
    const peer = networkOf(request.ip)
    const tooMany = refusal(this.#guesses?.wait(peer) ?? 0)
    if (tooMany !== undefined) throw tooMany
    const token = bearerOf(authorizationOf(request))
    // Bearer tokens of clients do not fit here, nor the operator token under `/v1/`.
    if (token !== null && areSameSecrets(token, this.#token)) return
    // Who sends none guesses nothing.
    if (token !== null) this.#guesses?.take(peer)
    throw unauthorized()
  }
}
