import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import {
  type OperatorTenant,
  type OperatorTenantList,
  TenantQuota,
  TenantRetention,
  type TokenRevocation,
} from '../../contract/operator.ts'
import { changeTenant, listTenants, type TenantChange } from '../access/tenants.ts'
import type { TokenRevocations } from '../access/token-revocations.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { timestampOf } from '../store/timestamps.ts'
import { OperatorPageSize } from './operator.ts'

const ListQuery = z.strictObject({
  limit: OperatorPageSize,
  cursor: z
    .string()
    .regex(/^ten_[A-Za-z0-9]{1,64}$/, { error: 'is not a cursor of this list' })
    .optional(),
})

/** `/operator/v1/tenants` and `/operator/v1/clients`: limits, and revocation. Register only with an operator token. */
export function operatorTenantRoutes(context: ServiceContext, revocations: TokenRevocations): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/tenants', async (request): Promise<OperatorTenantList> => {
      const { limit, cursor } = checkQuery(ListQuery, request.query)
      const page = await listTenants(context.db, { after: cursor ?? null, limit })
      return { tenants: [...page.tenants], next_cursor: page.next }
    })

    app.post<{ Params: { tenant_id: string } }>('/operator/v1/tenants/:tenant_id/quota', async (request) => {
      const quota = checkBody(TenantQuota, request.body)
      return await change(context, request.params.tenant_id, {
        requestRowCap: quota.request_row_cap,
        subscriptionRows: quota.subscription_rows,
        storedBytesLimit: quota.stored_bytes_limit,
        artifactBytesLimit: quota.artifact_bytes_limit,
      })
    })

    app.post<{ Params: { tenant_id: string } }>('/operator/v1/tenants/:tenant_id/retention', async (request) => {
      const { retention_hours: retentionHours } = checkBody(TenantRetention, request.body)
      return await change(context, request.params.tenant_id, { retentionHours })
    })

    app.post<{ Params: { client_id: string } }>(
      '/operator/v1/clients/:client_id/revoke-tokens',
      { config: { isBodyOptional: true } },
      async (request): Promise<TokenRevocation> => {
        if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
        const revoked = await revocations.revoke(request.params.client_id, context.now())
        if (revoked === null) throw new ProblemError('svc_not_found', 'There is no such client.')
        return { client_id: request.params.client_id, revoked_at: timestampOf(revoked.revokedAtMs) }
      },
    )
  }
}

async function change(context: ServiceContext, tenantId: string, values: TenantChange): Promise<OperatorTenant> {
  const row = await changeTenant(context.db, tenantId, values)
  if (row === null) throw new ProblemError('svc_not_found', 'There is no such tenant.')
  return row
}
