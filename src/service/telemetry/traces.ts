import type { RequestWatcher } from './request-watch.ts'
import type { ServiceEvents } from './service-events.ts'

/**
 * Traces of requests and of attempts at jobs. A job's attempt belongs to the trace of the request that created it, in
 * whatever process it runs: the request's context is recorded with the job.
 */
export interface Traces {
  /** Receives every request, and gives each its `traceParent`. */
  readonly requests: RequestWatcher
  /** Makes spans of the events of jobs. */
  listenTo(events: ServiceEvents): void
  /** Sends pending spans within a few seconds, and stops. Never rejects. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `traceparent` (W3C Trace Context) of the request's own span; null without tracing. */
    traceParent: string | null
  }
}
