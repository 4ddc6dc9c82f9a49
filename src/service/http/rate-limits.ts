import type { FastifyInstance } from 'fastify'
import type { Rate } from '../settings/settings.ts'
import { networkOf } from './peer-network.ts'
import { ProblemError } from './problem-error.ts'
import { TokenBuckets } from './token-bucket.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `address`: counted per peer address (behind trusted proxies the client's), because anybody may call the route. */
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

/** Counts authenticated requests per client. Added after authentication. */
export function addClientRateLimit(app: FastifyInstance, rate: Rate, now: () => number): void {
  const buckets = new TokenBuckets(rate, now)
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.isAuthenticated ? refusal(buckets.take(request.identity.clientId)) : undefined)
  })
}

export function refusal(waitSeconds: number): ProblemError | undefined {
  if (waitSeconds === 0) return undefined
  return new ProblemError('svc_rate_limited', `Too many requests. Repeat this one after ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}
