import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Health } from '../../contract/health.ts'
import type { ServiceContext } from '../context.ts'

/**
 * Every process has these, whatever its role. `/livez`: it answers, whatever else is away. `/readyz` and `/healthz`:
 * database and storage can be used, so that it can do its work.
 */
export function healthRoutes(context: ServiceContext): FastifyPluginAsync {
  const { version } = context.settings
  return async (app) => {
    app.get('/livez', async (_request, reply): Promise<Health> => {
      reply.header('cache-control', 'no-store')
      return { status: 'ok', version }
    })

    const check = async (_request: FastifyRequest, reply: FastifyReply): Promise<Health> => {
      reply.header('cache-control', 'no-store')
      const checks = await Promise.allSettled([context.db.query('select 1'), context.blobs.check()])
      if (checks.every((check) => check.status === 'fulfilled')) return { status: 'ok', version }
      reply.code(503).header('retry-after', '5')
      return { status: 'unavailable', version }
    }
    app.get('/healthz', check)
    app.get('/readyz', check)
  }
}
