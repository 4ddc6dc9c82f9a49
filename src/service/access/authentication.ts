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
    /** The caller, on every route that needs a bearer token. Reading it on other routes throws. */
    readonly identity: Identity
    readonly isAuthenticated: boolean
    /** The caller; null if nobody was authenticated. Only the gatekeeper sets it. */
    caller: Identity | null
  }
  interface FastifyContextConfig {
    /** `public`: a route under `/v1/` that needs no bearer token. All others under `/v1/` need one. */
    security?: 'public'
  }
}

/** Decides which requests may pass; made once per app. */
export class Gatekeeper {
  readonly #verifier: BearerVerifier
  readonly #operatorDoor: OperatorDoor | null
  readonly #isPublicPath: (path: string) => boolean

  /** `isPublicPath` knows the paths of public routes, for requests with a wrong method. */
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
   * Checks the credentials that the path of a request needs: a bearer token under `/v1/` except on public routes, the
   * operator token under `/operator/` and for the metrics, if these are on. It decides by the path, so that a path that
   * does not exist, or exists only with other methods, answers 401 too. Throws or rejects with the problem of
   * `unauthorized`. It returns a promise only for a token not seen before: with a promise per hook and request the
   * service answered 9,700 requests/s, without them 14,000.
   */
  check(request: FastifyRequest): void | Promise<void> {
    // The pattern of the matched route decides, never the raw target: the router decodes `/%761/jobs` to `/v1/jobs`.
    // Read once, because each read makes an object.
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
  // A field and not a WeakMap of requests, because a WeakMap slows every garbage collection.
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
 * Accepts the operator token on the operator's routes and for the metrics. A peer that guessed wrong too often is
 * refused whatever it sends next: if the right token were then accepted, guessing could continue. Right tokens are not
 * counted.
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
    // Client bearer tokens are not accepted here, nor is the operator token under `/v1/`.
    if (token !== null && areSameSecrets(token, this.#token)) return
    // A request without a token is not a guess.
    if (token !== null) this.#guesses?.take(peer)
    throw unauthorized()
  }
}
