import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { SIGNUP_STATUSES } from '../../contract/access.ts'
import { SIGNUP_REQUEST_ID_PATTERN } from '../../contract/ids.ts'
import {
  type OperatorAction,
  type OperatorActionList,
  type OperatorOverview,
  type OperatorSignup,
  type OperatorSignupList,
  SignupApproval,
} from '../../contract/operator.ts'
import { runApprovalCommand } from '../access/approval-command.ts'
import type { OpenClaimToken } from '../access/claim-tokens.ts'
import { listActions } from '../access/operator-actions.ts'
import { claimTokenForOperator, decideSignup, listSignups, type SignupRow } from '../access/signups.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery, invalidFields } from '../http/request-shape.ts'
import { lastFailures } from '../records/job-records.ts'
import { timestampOf } from '../store/timestamps.ts'
import { readStock } from '../telemetry/stock.ts'

const DEFAULT_PAGE_SIZE = 50

/** `limit` of the operator's lists. */
export const OperatorPageSize = z
  .string()
  .regex(/^[0-9]{1,9}$/, { error: 'must be a whole number' })
  .transform(Number)
  .pipe(z.int().min(1).max(100))
  .default(DEFAULT_PAGE_SIZE)

const SignupListQuery = z.strictObject({
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
      const { status, limit, cursor } = checkQuery(SignupListQuery, request.query)
      const page = await listSignups(context, { status: status ?? null, after: cursor ?? null, limit })
      return { signups: page.signups.map((row) => recordOf(row)), next_cursor: page.next }
    })

    const config = { isBodyOptional: true }
    app.post<OneSignup>('/operator/v1/signups/:request_id/approve', { config }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
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
    throw invalidFields([{ field: 'request_id', message: 'names a signup that already has the other decision' }])
  }
  const { signup, isNew } = outcome
  if (decision.status === 'declined' || signup.client_id === null) return recordOf(signup)
  const { claims, identityProvider } = context.settings
  // With another identity provider there is nothing to claim.
  const givesToken = claims === 'operator' && identityProvider === null
  const claimToken = givesToken ? await claimTokenForOperator(context, signup.client_id) : null
  if (isNew) void runOnApproval(context, signup, claimToken)
  return recordOf(signup, claimToken)
}

/** The reply does not wait for the operator's command, which runs once: approving again shows the token again. */
async function runOnApproval(
  { settings, events }: ServiceContext,
  { request_id: requestId, contact_email: contactEmail, client_id: clientId }: SignupRow,
  claimToken: OpenClaimToken | null,
): Promise<void> {
  if (settings.onApproval === null || clientId === null) return
  const approval = { requestId, contactEmail, clientId, claimToken: claimToken?.text ?? null }
  const fault = await runApprovalCommand(settings.onApproval, approval)
  if (fault !== null) events?.emit({ type: 'approval_command.failed', clientId, fault })
}

function recordOf(row: SignupRow, claimToken: OpenClaimToken | null = null): OperatorSignup {
  const { client_id: clientId, claimed_at: claimedAt, claimed_elsewhere: isElsewhere, ...rest } = row
  return {
    ...rest,
    ...(clientId !== null && { client_id: clientId }),
    ...(claimToken !== null && {
      credential_claim_token: claimToken.text,
      claim_expires_at: claimToken.expiresAt,
    }),
    ...(claimedAt !== null && { claimed_at: claimedAt }),
    ...(isElsewhere !== null && { claimed_elsewhere: isElsewhere }),
  }
}

const ActionListQuery = z.strictObject({
  limit: OperatorPageSize,
  cursor: z
    .string()
    .regex(/^act_[A-Za-z0-9]{1,64}$/, { error: 'is not a cursor of this list' })
    .optional(),
})

/** `/operator/v1/actions`: the operator's actions. Register only with an operator token. */
export function operatorActionRoutes({ db }: Pick<ServiceContext, 'db'>): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/actions', async (request): Promise<OperatorActionList> => {
      const { limit, cursor } = checkQuery(ActionListQuery, request.query)
      const page = await listActions(db, { after: cursor ?? null, limit })
      return { actions: [...page.actions] as OperatorAction[], next_cursor: page.next }
    })
  }
}

/** How many failed jobs are shown. */
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
