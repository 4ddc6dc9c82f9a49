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

  /** Takes a token: 0 when there was one, else the seconds (at least 1) until there is. */
  take(key: string): number {
    const nowMs = this.#now()
    const { perSecond, burst } = this.#rate
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    // A clock set back must not take tokens away.
    const refilled = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond)
    const isGranted = refilled >= 1
    // Deleted and set again: the map's order is the order of use.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isGranted ? refilled - 1 : refilled, atMs: nowMs })
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    return isGranted ? 0 : Math.max(1, Math.ceil((1 - refilled) / perSecond))
  }
}
