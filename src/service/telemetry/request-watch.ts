import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operationOf } from '../http/routing.ts'

/** A finished request. */
export interface EndedRequest {
  /** Operation of the contract; null if no route matched the request. */
  readonly operation: string | null
  readonly method: string
  /** Pattern of the route, never the address. */
  readonly route: string | null
  /** Null: cut off before its reply was sent, so nobody received the status. */
  readonly status: number | null
  readonly durationMs: number
}

/** Called for every request, including those that hooks refuse. Must not throw. */
export interface RequestWatcher {
  begin?(request: FastifyRequest): void
  end(ended: EndedRequest, request: FastifyRequest): void
}

/** Reports requests to `watchers`; more can be added until the app is ready. Added before the hooks that refuse. */
export function addRequestWatch(app: FastifyInstance, watchers: readonly RequestWatcher[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (watchers.length > 0) watch(request, reply.raw)
    done()
  })

  function watch(request: FastifyRequest, reply: ServerResponse): void {
    const startedMs = performance.now()
    for (const watcher of watchers) watcher.begin?.(request)
    // A reply that is cut off never finishes, but every reply closes.
    reply.once('close', () => {
      const ended: EndedRequest = {
        operation: operationOf(request)?.operationId ?? null,
        method: request.method,
        route: request.is404 ? null : (request.routeOptions.url ?? null),
        status: reply.writableFinished ? reply.statusCode : null,
        durationMs: performance.now() - startedMs,
      }
      for (const watcher of watchers) watcher.end(ended, request)
    })
  }
}
