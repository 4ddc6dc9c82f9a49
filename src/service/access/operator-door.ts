import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../http/problem-error.ts'
import { networkOf, refusal, TokenBuckets } from '../http/rate-limits.ts'
import { authorizationOf } from '../http/request-headers.ts'
import { bearerOf } from './bearer-verifier.ts'
import { areSameSecrets } from './secret-hash.ts'

/** Wrong operator tokens of one peer, and those that begin alike whoever sends them: 10 at once, then one in 10 s. */
const GUESSES = { perSecond: 0.1, burst: 10 }

/** Characters by which guesses are counted together. Only guesses that begin like the right token can find it. */
const PREFIX_LENGTH = 4

/** How long the right token waits while its peer is locked out. */
const SLOWED_MS = 1_000

/**
 * Accepts the operator token on the operator's routes and for the metrics. Wrong tokens are counted per peer, and per
 * first characters of the token over all peers: whoever has many addresses still has ten guesses that begin like the right
 * token, then one in 10 s. The right token is not counted. It passes, after a pause, while its peer is locked out, so that
 * nobody who shares an address with the operator (behind one proxy, say) can lock the operator out.
 */
export class OperatorDoor {
  readonly #token: string
  readonly #guesses: { readonly ofPeer: TokenBuckets; readonly ofPrefix: TokenBuckets } | null

  constructor(token: string, { countsGuesses, now }: { readonly countsGuesses: boolean; readonly now: () => number }) {
    this.#token = token
    this.#guesses = countsGuesses
      ? { ofPeer: new TokenBuckets(GUESSES, now), ofPrefix: new TokenBuckets(GUESSES, now) }
      : null
  }

  /** Throws or rejects with ProblemError 401, or 429 after too many of them. Returns a promise only for a pause. */
  check(request: FastifyRequest): void | Promise<void> {
    const token = bearerOf(authorizationOf(request))
    // A request without a token is not a guess.
    if (token === null) throw unauthorized()
    const prefix = token.slice(0, PREFIX_LENGTH)
    const tooManyAlike = refusal(this.#guesses?.ofPrefix.wait(prefix) ?? 0)
    if (tooManyAlike !== undefined) throw tooManyAlike
    const peer = networkOf(request.ip)
    const tooMany = refusal(this.#guesses?.ofPeer.wait(peer) ?? 0)
    // Client bearer tokens are not accepted here, nor is the operator token under `/v1/`.
    if (areSameSecrets(token, this.#token))
      return tooMany === undefined ? undefined : new Promise((pass) => setTimeout(pass, SLOWED_MS))
    this.#guesses?.ofPrefix.take(prefix)
    this.#guesses?.ofPeer.take(peer)
    throw tooMany ?? unauthorized()
  }
}
