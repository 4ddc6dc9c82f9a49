import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { OperatorAction, OperatorActionList } from '../../contract/operator.ts'
import { listActions } from '../access/operator-actions.ts'
import type { ServiceContext } from '../context.ts'
import { checkQuery } from '../http/request-shape.ts'
import { OperatorPageSize } from './operator.ts'

const ListQuery = z.strictObject({
  limit: OperatorPageSize,
  cursor: z
    .string()
    .regex(/^act_[A-Za-z0-9]{1,64}$/, { error: 'is not a cursor of this list' })
    .optional(),
})

/** `/operator/v1/actions`: what the operator did. Register only with an operator token. */
export function operatorActionRoutes({ db }: Pick<ServiceContext, 'db'>): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/actions', async (request): Promise<OperatorActionList> => {
      const { limit, cursor } = checkQuery(ListQuery, request.query)
      const page = await listActions(db, { after: cursor ?? null, limit })
      return { actions: [...page.actions] as OperatorAction[], next_cursor: page.next }
    })
  }
}
