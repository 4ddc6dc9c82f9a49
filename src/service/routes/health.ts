import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Health } from '../../contract/health.ts'
import { METRICS_PATH } from '../../contract/operator-operations.ts'
import { clockFault } from '../clock/service-clock.ts'
import type { ServiceContext } from '../context/context.ts'
import type { RequestWatcher } from '../telemetry/request-watch.ts'

/** How long a result is reused, in milliseconds, so that frequent checks do not load database and storage. */
const HOLDS_MS = 1_000

/**
 * Every process has these routes, whatever its role. `/livez`: the process answers, whatever else is unavailable.
 * `/readyz` and `/healthz`: database and storage can be used (checked once a second at most), the service still accepts
 * requests, and the clock's fault, if any.
 */
export function healthRoutes(context: ServiceContext): FastifyPluginAsync {
  const { version } = context.settings
  let last: { readonly isWell: Promise<boolean>; atMs: number } | null = null
  const isWell = async (): Promise<boolean> => {
    // If the clock is set back, an old result must not be reused.
    if (last === null || Math.abs(context.now() - last.atMs) >= HOLDS_MS) {
      last = { isWell: look(context), atMs: context.now() }
    }
    return await last.isWell
  }
  return async (app) => {
    app.get('/livez', async (_request, reply): Promise<Health> => {
      reply.header('cache-control', 'no-store')
      return { status: 'ok', version }
    })

    const check = async (_request: FastifyRequest, reply: FastifyReply): Promise<Health> => {
      reply.header('cache-control', 'no-store')
      const clock = clockFault(context.clock)
      const rest = { version, ...(clock !== null && { clock }) }
      if (!app.draining.isOn && (await isWell())) return { status: 'ok', ...rest }
      reply.code(503).header('retry-after', '5')
      return { status: 'unavailable', ...rest }
    }
    app.get('/healthz', check)
    app.get('/readyz', check)
  }
}

async function look({ db, blobs }: ServiceContext): Promise<boolean> {
  const checks = await Promise.allSettled([db.query('select 1'), blobs.check()])
  return checks.every((check) => check.status === 'fulfilled')
}

/** GET /metrics, and the measuring of requests and events. Its library is loaded here, only if metrics are on. */
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
