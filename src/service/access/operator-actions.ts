import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../context/context.ts'
import { operationOf } from '../http/routing.ts'
import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/** An action that the operator took or tried. */
export interface OperatorActionRow {
  readonly action_id: string
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string
  readonly operation: string
  /** Id of its subject. */
  readonly subject: string | null
  /** Body of the request. Null: it had none, or one longer than the limit below. */
  readonly parameters: unknown
  readonly request_id: string
  readonly address: string
  /** HTTP status. Null: the process ended before it replied. */
  readonly status: number | null
}

/** Longest recorded body, as JSON. */
const MAX_PARAMETERS = 4096

/** Records an action before it is carried out. */
export async function beginAction(
  db: Queryable,
  action: Omit<OperatorActionRow, 'at' | 'status'> & { readonly nowMs: number },
): Promise<void> {
  const parameters = action.parameters == null ? null : JSON.stringify(action.parameters)
  await db.query(
    `insert into operator_actions (action_id, at, operation, subject, parameters, request_id, address)
     values ($1, $2::timestamptz, $3, $4, $5::json, $6, $7)`,
    [
      action.action_id,
      timestampOf(action.nowMs),
      action.operation,
      action.subject,
      parameters !== null && parameters.length <= MAX_PARAMETERS ? parameters : null,
      action.request_id,
      action.address,
    ],
  )
}

/** Records the action's outcome. */
export async function endAction(db: Queryable, actionId: string, status: number): Promise<void> {
  await db.query('update operator_actions set status = $2::integer where action_id = $1', [actionId, status])
}

/**
 * Carries out an operator's command on the machine, which changes the database without a request, and records it like a
 * request. Its status is the status of the corresponding request.
 */
export async function recordCommand<T>(
  db: Queryable,
  command: { readonly operation: string; readonly parameters?: unknown; readonly nowMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const actionId = newIdentifier('act')
  const from = { subject: null, request_id: 'none', address: 'command line' }
  await beginAction(db, { parameters: null, ...command, ...from, action_id: actionId })
  try {
    const result = await work()
    await endAction(db, actionId, 200)
    return result
  } catch (error) {
    await endAction(db, actionId, 500)
    throw error
  }
}

/** Actions, newest first; `after` is the action id that the last page ended with. */
export async function listActions(
  db: Queryable,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{ actions: readonly OperatorActionRow[]; next: string | null }> {
  const rows = await db.query<OperatorActionRow>(
    `select action_id, ${utcText('at')} as at, operation, subject, parameters, request_id, address, status
     from operator_actions
     where $1::text is null
       or (at, action_id) < (select a.at, a.action_id from operator_actions a where a.action_id = $1)
     order by operator_actions.at desc, action_id desc limit $2`,
    [page.after, page.limit + 1],
  )
  const actions = rows.slice(0, page.limit)
  return { actions, next: rows.length > page.limit ? (actions.at(-1)?.action_id ?? null) : null }
}

/**
 * Records what the operator does: every authenticated request under `/operator/` that changes something, before it is
 * carried out. If the entry cannot be written, nothing is done. The outcome is added before the reply is sent.
 */
export function addOperatorAudit(app: FastifyInstance, context: Pick<ServiceContext, 'db' | 'now'>): void {
  const { now } = context
  // An operator who frees space on a full disk is recorded too.
  const db = context.db.forRemoval
  const underWay = new WeakMap<FastifyRequest, string>()
  app.addHook('preHandler', async (request) => {
    const operation = operationOf(request)?.operationId ?? null
    const isAction = request.routeOptions.url?.startsWith('/operator/') === true && request.method !== 'GET'
    if (!isAction || operation === null || request.method === 'HEAD') return
    const actionId = newIdentifier('act')
    await beginAction(db, {
      action_id: actionId,
      nowMs: now(),
      operation,
      subject: Object.values(request.params as Readonly<Record<string, string>>)[0] ?? null,
      parameters: request.body ?? null,
      request_id: request.id,
      address: request.ip,
    })
    underWay.set(request, actionId)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const actionId = underWay.get(request)
    // The action has been carried out. An entry without outcome says less, but refusing the reply would say something
    // wrong.
    if (actionId !== undefined)
      await endAction(db, actionId, reply.statusCode).catch((error) => request.log.error(error))
    return payload
  })
}
