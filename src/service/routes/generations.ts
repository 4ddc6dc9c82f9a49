import type { FastifyPluginAsync } from 'fastify'
import type { Generation } from '../../contract/generations.ts'
import type { ServiceContext } from '../context.ts'
import { signArtifactAddress } from '../generations/artifact-address.ts'
import { createGeneration } from '../generations/create-generation.ts'
import { type GenerationRow, generationRecord, readGeneration } from '../generations/generation-records.ts'
import { endOfWait } from '../http/end-of-wait.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { ProblemError } from '../http/problem-error.ts'

/** Scenario-conditioned generation and its record. */
export function generationRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.post<{ Params: { dataset_id: string } }>(
      '/v1/datasets/:dataset_id/generations',
      async (request, reply): Promise<Generation> => {
        const { generation, isReplay } = await createGeneration(context, {
          tenantId: request.identity.tenantId,
          datasetId: request.params.dataset_id,
          requestId: request.id,
          idempotencyKey: idempotencyKeyOf(request),
          body: request.body,
          signal: endOfWait(reply),
        })
        reply.code(generation.status === 'processing' ? 202 : 200)
        if (isReplay) reply.header('idempotent-replayed', 'true')
        return show(context, generation, request.id)
      },
    )

    app.get<{ Params: { generation_id: string } }>(
      '/v1/generations/:generation_id',
      async (request): Promise<Generation> => {
        const { tenantId } = request.identity
        const row = await readGeneration(context.db, tenantId, request.params.generation_id, context.now())
        if (row === null) throw new ProblemError('svc_not_found', 'There is no such generation.')
        return show(context, row, request.id)
      },
    )
  }
}

/** The record with an artifact address made now. */
function show(context: ServiceContext, row: GenerationRow, requestId: string): Generation {
  const owner = { tenantId: row.tenant_id, generationId: row.generation_id }
  const url =
    row.artifact_blob === null ? null : signArtifactAddress(context.keys.artifactAddress, owner, context.now())
  return generationRecord(row, requestId, url)
}
