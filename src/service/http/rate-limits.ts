import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Rate } from '../settings/settings.ts'
import { ProblemError } from './problem-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `address`: counted per peer address (behind trusted proxies the client's address), because anybody may call the
     * route.
     */
    rateLimit?: 'address'
  }
}

/** Counts the open operations per peer (`networkOf` its address). Added before authentication. */
export function addAddressRateLimit(app: FastifyInstance, rate: Rate, now: () => number): void {
  const buckets = new TokenBuckets(rate, now)
  app.addHook('onRequest', (request, _reply, done) => {
    const isCounted = !request.is404 && request.routeOptions.config.rateLimit === 'address'
    done(isCounted ? refusal(buckets.take(networkOf(request.ip))) : undefined)
  })
}

/**
 * Counts authenticated requests per client, and tells how many are left: a client that reads it never needs to be refused. Names and
 * parameters (`q` and `w`, `r` and `t`) are those of draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4. Added after
 * authentication.
 */
export function addClientRateLimit(app: FastifyInstance, rate: Rate, now: () => number): void {
  const buckets = new TokenBuckets(rate, now)
  const policy = `"client";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.isAuthenticated) {
      done()
      return
    }
    const { clientId } = request.identity
    const waitSeconds = buckets.take(clientId)
    const { left, windowSeconds } = buckets.left(clientId)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"client";r=${left};t=${windowSeconds}`)
    done(refusal(waitSeconds))
  })
}

export function refusal(waitSeconds: number): ProblemError | undefined {
  if (waitSeconds === 0) return undefined
  return new ProblemError('svc_rate_limited', `Too many requests. Repeat this one after ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

/**
 * Most buckets; the least recently used one is dropped first. A new bucket is full, so dropping one only ever allows
 * more requests.
 */
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

  /** Seconds (at least 1) until a token is available; 0 if one is. Takes none. */
  wait(key: string): number {
    const tokens = this.#refilled(key)
    return tokens >= 1 ? 0 : this.#secondsTo(tokens)
  }

  /** Takes a token and returns 0; otherwise the seconds (at least 1) until one is available. */
  take(key: string): number {
    const refilled = this.#refilled(key)
    const isGranted = refilled >= 1
    // Deleted and set again, so the map iterates by last use.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isGranted ? refilled - 1 : refilled, atMs: this.#now() })
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    return isGranted ? 0 : this.#secondsTo(refilled)
  }

  /**
   * Whole tokens of a key, and the seconds in which as many are restored: who takes no more than these in that time keeps to the rate,
   * and both together never tell a higher one (section 8.5 of the draft). Without a token: the seconds until there is one.
   */
  left(key: string): { readonly left: number; readonly windowSeconds: number } {
    const tokens = this.#refilled(key)
    const left = Math.floor(tokens)
    return { left, windowSeconds: left === 0 ? this.#secondsTo(tokens) : Math.ceil(left / this.#rate.perSecond) }
  }

  #refilled(key: string): number {
    const { perSecond, burst } = this.#rate
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return burst
    // A clock that is set back must not remove tokens.
    return Math.min(burst, bucket.tokens + (Math.max(0, this.#now() - bucket.atMs) / 1000) * perSecond)
  }

  #secondsTo(tokens: number): number {
    return Math.max(1, Math.ceil((1 - tokens) / this.#rate.perSecond))
  }
}

/**
 * The key of one peer when addresses are counted or compared: an IPv4 address unchanged; of an IPv6 address the first
 * 64 bits, because one host changes the rest at will (RFC 8981). Other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const withoutZone = address.replace(/%.*$/s, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1]
  if (mapped !== undefined) return mapped
  if (isIP(withoutZone) !== 6) return withoutZone
  const [head = '', tail] = withoutZone.split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Groups of 16 bits. An IPv4 address at the end counts as two groups whose value is not used here. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
