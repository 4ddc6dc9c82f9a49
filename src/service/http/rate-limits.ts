import type { FastifyInstance } from 'fastify'
import type { HttpLimits } from './http-limits.ts'
import { ProblemError } from './problem-error.ts'
import { TokenBuckets } from './token-bucket.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `address`: counted per peer address, because anybody may call the route. */
    rateLimit?: 'address'
  }
}

/** Counts the open operations per peer address. Added before authentication. */
export function addAddressRateLimit(app: FastifyInstance, limits: HttpLimits, now: () => number): void {
  const buckets = new TokenBuckets(limits.addressRate, now)
  app.addHook('onRequest', async (request) => {
    if (!request.is404 && request.routeOptions.config.rateLimit === 'address') check(buckets.take(request.ip))
  })
}

/** Counts authenticated requests per client. Added after authentication. */
export function addClientRateLimit(app: FastifyInstance, limits: HttpLimits, now: () => number): void {
  const buckets = new TokenBuckets(limits.clientRate, now)
  app.addHook('onRequest', async (request) => {
    if (request.isAuthenticated) check(buckets.take(request.identity.clientId))
  })
}

function check(waitSeconds: number): void {
  if (waitSeconds === 0) return
  throw new ProblemError('svc_rate_limited', `Too many requests. Repeat this one after ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}
