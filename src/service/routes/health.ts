import type { FastifyPluginAsync } from 'fastify'
import type { Health } from '../../contract/health.ts'
import type { ServiceContext } from '../context.ts'

/** `/healthz`: whether database and storage can be used. Every process has it, whatever its role. */
export function healthRoutes(context: ServiceContext): FastifyPluginAsync {
  const { version } = context.settings
  return async (app) => {
    app.get('/healthz', async (_request, reply): Promise<Health> => {
      reply.header('cache-control', 'no-store')
      const checks = await Promise.allSettled([context.db.query('select 1'), context.blobs.check()])
      if (checks.every((check) => check.status === 'fulfilled')) return { status: 'ok', version }
      reply.code(503).header('retry-after', '5')
      return { status: 'unavailable', version }
    })
  }
}
