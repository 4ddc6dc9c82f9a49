import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { SIGNUP_STATUSES } from '../../contract/access.ts'
import { SIGNUP_REQUEST_ID_PATTERN } from '../../contract/ids.ts'
import { type OperatorSignup, type OperatorSignupList, SignupApproval } from '../../contract/operator.ts'
import { decideSignup, listSignups, type SignupRow } from '../access/signups.ts'
import type { ServiceContext } from '../context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery, invalidFields } from '../http/request-shape.ts'

const DEFAULT_PAGE_SIZE = 50

/** `limit` of the operator's lists. */
export const OperatorPageSize = z
  .string()
  .regex(/^[0-9]{1,9}$/, { error: 'must be a whole number' })
  .transform(Number)
  .pipe(z.int().min(1).max(100))
  .default(DEFAULT_PAGE_SIZE)

const ListQuery = z.strictObject({
  status: z.enum(SIGNUP_STATUSES).optional(),
  limit: OperatorPageSize,
  cursor: z.string().regex(SIGNUP_REQUEST_ID_PATTERN, { error: 'is not a cursor of this list' }).optional(),
})

interface OneSignup {
  Params: { request_id: string }
}

/** `/operator/v1/signups`: listing and deciding signups. Register only when an operator token is set. */
export function operatorRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/signups', async (request): Promise<OperatorSignupList> => {
      const { status, limit, cursor } = checkQuery(ListQuery, request.query)
      const page = await listSignups(context, { status: status ?? null, after: cursor ?? null, limit })
      return { signups: page.signups.map(recordOf), next_cursor: page.next }
    })

    const config = { isBodyOptional: true }
    app.post<OneSignup>('/operator/v1/signups/:request_id/approve', { config }, async (request) => {
      const { tenant_id: tenantId } = request.body === undefined ? {} : checkBody(SignupApproval, request.body)
      return await decide(context, request.params.request_id, { status: 'approved', tenantId: tenantId ?? null })
    })

    app.post<OneSignup>('/operator/v1/signups/:request_id/decline', { config }, async (request) => {
      if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
      return await decide(context, request.params.request_id, { status: 'declined' })
    })
  }
}

async function decide(
  context: ServiceContext,
  requestId: string,
  decision: Parameters<typeof decideSignup>[2],
): Promise<OperatorSignup> {
  const outcome = await decideSignup(context, requestId, decision)
  if (outcome === 'unknown') throw new ProblemError('svc_not_found', 'There is no such signup request.')
  if (outcome === 'no_tenant') throw invalidFields([{ field: 'tenant_id', message: 'names no tenant' }])
  if (outcome === 'conflict') {
    throw invalidFields([{ field: 'request_id', message: 'names a signup that was decided otherwise before' }])
  }
  return recordOf(outcome)
}

function recordOf(row: SignupRow): OperatorSignup {
  const { client_id: clientId, ...rest } = row
  return { ...rest, ...(clientId !== null && { client_id: clientId }) }
}
