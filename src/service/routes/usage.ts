import type { FastifyPluginAsync } from 'fastify'
import type { Usage } from '../../contract/usage.ts'
import type { ServiceContext } from '../context/context.ts'
import { readTenantLimits, storageLimits } from '../records/tenant-limits.ts'
import { readUsage, storedBytes } from '../records/usage.ts'

/** A tenant's usage and limits. */
export function usageRoutes({ db, settings }: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/v1/usage', async (request): Promise<Usage> => {
      const { tenantId } = request.identity
      const limits = await readTenantLimits(db, tenantId)
      const storage = storageLimits(limits, settings)
      const usage = await readUsage(db, tenantId)
      return {
        rows: {
          billed: usage.rows_billed,
          reserved: usage.rows_reserved,
          subscription: limits.subscriptionRows,
          per_request: limits.requestRowCap,
        },
        stored: {
          bytes: storedBytes(usage),
          seed_bytes: usage.seed_bytes,
          model_bytes: usage.model_bytes + usage.order_bytes,
          artifact_bytes: usage.artifact_bytes,
          limit_bytes: storage.storedBytes,
          per_artifact_bytes: storage.artifactBytes,
        },
        datasets: { ready: usage.datasets_ready, processing: usage.datasets_processing },
        generations: usage.generations,
        artifacts: usage.artifacts,
        retention_hours: settings.retentionHours ?? limits.retentionHours,
        request_id: request.id,
      }
    })
  }
}
