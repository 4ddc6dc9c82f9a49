import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { OperatorArtifact, OperatorArtifactList } from '../../contract/operator.ts'
import type { ServiceContext } from '../context.ts'
import { listArtifacts, removeArtifact } from '../generations/stored-artifacts.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { OperatorPageSize } from './operator.ts'

const ListQuery = z.strictObject({
  tenant_id: z.string().min(1).max(100).optional(),
  limit: OperatorPageSize,
  // Size and id: the artifact itself may be gone when the next page is asked for.
  cursor: z
    .string()
    .regex(/^\d{1,15}\.gen_[A-Za-z0-9]{1,64}$/, { error: 'is not a cursor of this list' })
    .optional(),
})

/** `/operator/v1/artifacts`: what fills the disk, and removing it. Register only with an operator token. */
export function operatorArtifactRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/artifacts', async (request): Promise<OperatorArtifactList> => {
      const { tenant_id: tenantId, limit, cursor } = checkQuery(ListQuery, request.query)
      const [bytes = '', generationId = ''] = cursor?.split('.') ?? []
      const after = cursor === undefined ? null : { bytes: Number(bytes), generationId }
      const { artifacts, next } = await listArtifacts(context.db, { tenantId: tenantId ?? null, after, limit })
      return { artifacts: [...artifacts], next_cursor: next === null ? null : `${next.bytes}.${next.generationId}` }
    })

    app.post<{ Params: { generation_id: string } }>(
      '/operator/v1/artifacts/:generation_id/remove',
      { config: { isBodyOptional: true } },
      async (request): Promise<OperatorArtifact> => {
        if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
        const artifact = await removeArtifact(context, request.params.generation_id)
        if (artifact === null) throw new ProblemError('svc_not_found', 'There is no such artifact.')
        return artifact
      },
    )
  }
}
