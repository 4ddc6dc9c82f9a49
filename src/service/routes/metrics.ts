import type { FastifyInstance } from 'fastify'
import { METRICS_PATH } from '../../contract/operator-operations.ts'
import type { ServiceContext } from '../context.ts'
import type { RequestWatcher } from '../telemetry/request-watch.ts'

/** GET /metrics, and the measuring of requests and events. Its library loads here, where metrics are wanted. */
export function metricsRoute(context: ServiceContext, watchers: RequestWatcher[]) {
  return async (app: FastifyInstance): Promise<void> => {
    const { ServiceMetrics } = await import('../telemetry/service-metrics.ts')
    const metrics = new ServiceMetrics(context)
    context.events?.listen(metrics.onEvent)
    watchers.push(metrics)
    app.get(METRICS_PATH, async (_request, reply) => {
      const text = await metrics.render()
      return await reply.header('cache-control', 'no-store').header('content-type', metrics.contentType).send(text)
    })
  }
}
