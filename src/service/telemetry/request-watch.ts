import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operationOf } from '../http/routing.ts'

/** A request that has ended. */
export interface EndedRequest {
  /** Of the contract; null when no route took the request. */
  readonly operation: string | null
  readonly method: string
  /** Pattern of the route, never the address. */
  readonly route: string | null
  /** Null: cut off before its reply was sent; whatever status it would have had, nobody got it. */
  readonly status: number | null
  readonly durationMs: number
}

/** Told of every request, those that hooks refuse included. Must not throw. */
export interface RequestWatcher {
  begin?(request: FastifyRequest): void
  end(ended: EndedRequest, request: FastifyRequest): void
}

/** Tells `watchers` of requests; more may be put in until the app is ready. Added before the hooks that refuse. */
export function addRequestWatch(app: FastifyInstance, watchers: readonly RequestWatcher[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (watchers.length > 0) watch(request, reply.raw)
    done()
  })

  function watch(request: FastifyRequest, reply: ServerResponse): void {
    const startedMs = performance.now()
    for (const watcher of watchers) watcher.begin?.(request)
    // A reply that is cut off never finishes; every one closes.
    reply.once('close', () => {
      const ended: EndedRequest = {
        operation: operationOf(request),
        method: request.method,
        route: request.is404 ? null : (request.routeOptions.url ?? null),
        status: reply.writableFinished ? reply.statusCode : null,
        durationMs: performance.now() - startedMs,
      }
      for (const watcher of watchers) watcher.end(ended, request)
    })
  }
}
