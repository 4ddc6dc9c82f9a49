import type { FastifyPluginAsync } from 'fastify'
import type { OperatorOverview } from '../../contract/operator.ts'
import type { ServiceContext } from '../context.ts'
import { lastFailures } from '../records/job-records.ts'
import { timestampOf } from '../store/timestamps.ts'
import { readStock } from '../telemetry/stock.ts'

/** How many of the jobs that went wrong are shown. */
const FAILURES = 20

/** `/operator/v1/overview`: what the dashboard shows. Register only with an operator token. */
export function operatorOverviewRoutes({ db, now, settings }: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/overview', async (_request, reply): Promise<OperatorOverview> => {
      const [{ queues, stock }, failures] = await Promise.all([readStock(db, now()), lastFailures(db, FAILURES)])
      reply.header('cache-control', 'no-store')
      return {
        version: settings.version,
        at: timestampOf(now()),
        queues: queues.map(({ kind, queued, running, oldestQueuedMs }) => ({
          kind,
          queued,
          running,
          oldest_queued_seconds: Math.round(oldestQueuedMs / 1000),
        })),
        stock: { ...stock },
        failures: [...failures],
      }
    })
  }
}
