import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Health } from '../../contract/health.ts'
import { METRICS_PATH } from '../../contract/operator-operations.ts'
import { clockFault } from '../clock/service-clock.ts'
import type { ServiceContext } from '../context/context.ts'
import type { RequestWatcher } from '../telemetry/request-watch.ts'

/** An answer holds for so long, in milliseconds: whoever asks often must not keep database and storage busy. */
const HOLDS_MS = 1_000

/**
 * Every process has these, whatever its role. `/livez`: it answers, whatever else is away. `/readyz` and `/healthz`:
 * database and storage can be used, checked once a second at most, requests are still wanted, and what is wrong with
 * the clock.
 */
export function healthRoutes(context: ServiceContext): FastifyPluginAsync {
  const { version } = context.settings
  let last: { readonly isWell: Promise<boolean>; atMs: number } | null = null
  const isWell = async (): Promise<boolean> => {
    // A clock that was set back must not keep an answer.
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
