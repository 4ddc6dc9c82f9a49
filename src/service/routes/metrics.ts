import type { FastifyInstance } from 'fastify'
import { METRICS_PATH } from '../../contract/operator-operations.ts'
import type { ServiceContext } from '../context.ts'
import { operationOf } from '../http/operation-of.ts'

/**
 * GET /metrics, and the measuring of every request and event. A plugin for the root of the app, before its routes:
 * hooks reach only what is registered after them. Its library loads here, where metrics are wanted.
 */
export function metricsRoute(context: ServiceContext) {
  const plugin = async (app: FastifyInstance): Promise<void> => {
    const { ServiceMetrics } = await import('../metrics/service-metrics.ts')
    const metrics = new ServiceMetrics(context)
    context.events?.listen(metrics.onEvent)
    app.addHook('onRequest', (request, reply, done) => {
      const startedMs = performance.now()
      const end = metrics.beginRequest()
      reply.raw.once('close', () =>
        end({
          operation: operationOf(request),
          method: request.method,
          route: request.is404 ? null : (request.routeOptions.url ?? null),
          status: reply.raw.writableFinished ? reply.statusCode : null,
          durationMs: performance.now() - startedMs,
        }),
      )
      done()
    })
    app.get(METRICS_PATH, async (_request, reply) => {
      const text = await metrics.render()
      return await reply.header('cache-control', 'no-store').header('content-type', metrics.contentType).send(text)
    })
  }
  // fastify's mark of a plugin that works on the app it is registered on instead of in a scope of its own.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
