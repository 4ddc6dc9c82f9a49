import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { DEFAULT_RETENTION_HOURS } from '../../contract/limits.ts'
import { Restoration, type RestoredCounts, type SweepState } from '../../contract/sweeps.ts'
import type { ServiceContext } from '../context.ts'
import { checkBody } from '../http/request-shape.ts'
import { countExpired, restoreExpired } from '../retention/expired-resources.ts'
import { readSweepWatch, resumeSweeps } from '../retention/sweep-brake.ts'

const HOUR_MS = 60 * 60_000

/** `/operator/v1/sweeps`: held sweeps, and what has expired. Register only with an operator token. */
export function operatorSweepRoutes(context: ServiceContext): FastifyPluginAsync {
  const { db, now } = context
  const config = { isBodyOptional: true }
  return async (app) => {
    app.get('/operator/v1/sweeps', async (): Promise<SweepState> => await stateOf(context))

    app.post('/operator/v1/sweeps/resume', { config }, async (request): Promise<SweepState> => {
      if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
      await resumeSweeps(db, now())
      return await stateOf(context)
    })

    app.post('/operator/v1/sweeps/restore', { config }, async (request): Promise<RestoredCounts> => {
      const { hours = DEFAULT_RETENTION_HOURS, tenant_id: tenantId = null } =
        request.body === undefined ? {} : checkBody(Restoration, request.body)
      const nowMs = now()
      return await db.transaction(async (tx) => {
        return await restoreExpired(tx, { tenantId, nowMs, untilMs: nowMs + hours * HOUR_MS })
      })
    })
  }
}

async function stateOf({ db, now }: ServiceContext): Promise<SweepState> {
  const { held } = await readSweepWatch(db)
  return { held, restorable: await countExpired(db, now()) }
}
