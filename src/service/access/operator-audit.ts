import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../context.ts'
import { operationOf } from '../http/operation-of.ts'
import { newIdentifier } from '../identifiers.ts'
import { beginAction, endAction } from './operator-actions.ts'

/**
 * Writes down what the operator does: every request under `/operator/` that changes something and has passed
 * authentication, before it is carried out. Without the entry nothing is done. The outcome is added before the answer
 * is sent.
 */
export function addOperatorAudit(app: FastifyInstance, context: Pick<ServiceContext, 'db' | 'now'>): void {
  const { now } = context
  // An operator who makes room on a full disk is recorded too.
  const db = context.db.forRemoval
  const underWay = new WeakMap<FastifyRequest, string>()
  app.addHook('preHandler', async (request) => {
    const operation = operationOf(request)
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
    // What was done is done: an entry without its outcome says less, and a refused answer would say something wrong.
    if (actionId !== undefined)
      await endAction(db, actionId, reply.statusCode).catch((error) => request.log.error(error))
    return payload
  })
}
