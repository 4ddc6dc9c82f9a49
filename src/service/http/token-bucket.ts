import type { Rate } from '../settings/settings.ts'

/** Buckets kept at most; the one unused for longest goes first. A new one is full, so forgetting only ever allows more. */
const MAX_BUCKETS = 10_000

/** One token bucket per key. `now` is in milliseconds. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>()

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  /** Seconds (at least 1) until there is a token; 0 when there is one. Takes none. */
  wait(key: string): number {
    const tokens = this.#refilled(key)
    return tokens >= 1 ? 0 : this.#secondsTo(tokens)
  }

  /** Takes a token: 0 when there was one, else the seconds (at least 1) until there is. */
  take(key: string): number {
    const refilled = this.#refilled(key)
    const isGranted = refilled >= 1
    // Deleted and set again: the map's order is the order of use.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isGranted ? refilled - 1 : refilled, atMs: this.#now() })
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    return isGranted ? 0 : this.#secondsTo(refilled)
  }

  #refilled(key: string): number {
    const { perSecond, burst } = this.#rate
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return burst
    // A clock set back must not take tokens away.
    return Math.min(burst, bucket.tokens + (Math.max(0, this.#now() - bucket.atMs) / 1000) * perSecond)
  }

  #secondsTo(tokens: number): number {
    return Math.max(1, Math.ceil((1 - tokens) / this.#rate.perSecond))
  }
}
