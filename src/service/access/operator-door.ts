import type { FastifyRequest } from 'fastify'
import { authorizationOf } from '../http/header-count.ts'
import { networkOf } from '../http/peer-network.ts'
import { UnauthorizedError } from '../http/problem-error.ts'
import { refusal } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-bucket.ts'
import { bearerOf } from './bearer-verifier.ts'
import { areSameSecrets } from './secret-hash.ts'

/** Wrong operator tokens of one peer: 10 at once, then one in 10 s. */
const GUESSES = { perSecond: 0.1, burst: 10 }

/**
 * Lets the operator token pass, on the operator's routes and for the metrics. A peer that guessed wrong too often is
 * refused whatever it sends next: were the right token let in, guessing could go on. Right tokens are not counted.
 */
export class OperatorDoor {
  readonly #token: string
  readonly #guesses: TokenBuckets | null

  constructor(token: string, { countsGuesses, now }: { readonly countsGuesses: boolean; readonly now: () => number }) {
    this.#token = token
    this.#guesses = countsGuesses ? new TokenBuckets(GUESSES, now) : null
  }

  /** @throws UnauthorizedError; ProblemError 429 after too many of them. */
  check(request: FastifyRequest): void {
    const peer = networkOf(request.ip)
    const tooMany = refusal(this.#guesses?.wait(peer) ?? 0)
    if (tooMany !== undefined) throw tooMany
    const token = bearerOf(authorizationOf(request))
    // Bearer tokens of clients do not fit here, nor the operator token under `/v1/`.
    if (token !== null && areSameSecrets(token, this.#token)) return
    // Who sends none guesses nothing.
    if (token !== null) this.#guesses?.take(peer)
    throw new UnauthorizedError()
  }
}
