import type { FastifyPluginAsync } from 'fastify'
import { type GenerationBatch, GenerationBatchRequest } from '../../contract/generation-batches.ts'
import { type Generation, GenerationRequest } from '../../contract/generations.ts'
import { ARTIFACT_URL_LIFETIME_SECONDS } from '../../contract/limits.ts'
import type { GenerationQuote } from '../../contract/quotes.ts'
import type { ServiceContext } from '../context/context.ts'
import { artifactFile, signArtifactAddress } from '../generations/artifact-download.ts'
import { createGenerations } from '../generations/create-batch.ts'
import { createGeneration } from '../generations/create-generation.ts'
import { quoteGeneration } from '../generations/quote-generation.ts'
import { endOfWait } from '../http/closing.ts'
import { ProblemError } from '../http/problem-error.ts'
import { problemOf } from '../http/problem-record.ts'
import { readIdempotencyKey } from '../http/request-headers.ts'
import { checkBody } from '../http/request-shape.ts'
import { type GenerationRow, generationRecord, readGenerations } from '../records/generation-records.ts'
import { GatheredReads } from '../store/gathered-reads.ts'

/** Generation of rows for a scenario, and its record. */
export function generationRoutes(context: ServiceContext): FastifyPluginAsync {
  const generations = new GatheredReads((generationIds) => readGenerations(context.db, generationIds, context.now()))
  return async (app) => {
    app.post<{ Params: { dataset_id: string } }>(
      '/v1/datasets/:dataset_id/generations',
      async (request, reply): Promise<Generation> => {
        const { key, faults } = readIdempotencyKey(request)
        const body = checkBody(GenerationRequest, request.body, faults)
        const { generation, isReplay } = await createGeneration(context, {
          tenantId: request.identity.tenantId,
          datasetId: request.params.dataset_id,
          requestId: request.id,
          traceParent: request.traceParent,
          idempotencyKey: key,
          body,
          signal: endOfWait(reply),
        })
        reply.code(generation.status === 'processing' ? 202 : 200)
        if (isReplay) reply.header('idempotent-replayed', 'true')
        return await show(context, generation, request.id)
      },
    )

    app.post<{ Params: { dataset_id: string } }>(
      '/v1/datasets/:dataset_id/generations/batch',
      async (request): Promise<GenerationBatch> => {
        const { generations } = checkBody(GenerationBatchRequest, request.body)
        const outcomes = await createGenerations(context, {
          tenantId: request.identity.tenantId,
          datasetId: request.params.dataset_id,
          requestId: request.id,
          traceParent: request.traceParent,
          generations,
        })
        const entries = outcomes.map(async (outcome, i) => ({
          idempotency_key: generations[i]!.idempotency_key,
          ...(outcome instanceof ProblemError
            ? { problem: problemOf(outcome, request.id, context.addresses.baseUrl).body }
            : {
                ...(outcome.isReplay && { replayed: true }),
                generation: await show(context, outcome.generation, request.id),
              }),
        }))
        return { entries: await Promise.all(entries), request_id: request.id }
      },
    )

    app.post<{ Params: { dataset_id: string } }>(
      '/v1/datasets/:dataset_id/generations/quote',
      async (request): Promise<GenerationQuote> => {
        const { tenantId } = request.identity
        const body = checkBody(GenerationRequest, request.body)
        const quote = await quoteGeneration(context, { tenantId, datasetId: request.params.dataset_id, body })
        return { ...quote, request_id: request.id }
      },
    )

    app.get<{ Params: { generation_id: string } }>(
      '/v1/generations/:generation_id',
      async (request): Promise<Generation> => {
        const { tenantId } = request.identity
        const row = await generations.read(request.params.generation_id)
        if (row === null || row.tenant_id !== tenantId)
          throw new ProblemError('svc_not_found', 'There is no such generation.')
        return await show(context, row, request.id)
      },
    )
  }
}

/** The record with a new artifact address. */
async function show(context: ServiceContext, row: GenerationRow, requestId: string): Promise<Generation> {
  return generationRecord(row, requestId, await artifactAddress(context, row))
}

/**
 * Absolute if the storage serves blobs itself (enterprise mode); otherwise relative, and only for the owner's token.
 */
async function artifactAddress(context: ServiceContext, row: GenerationRow): Promise<string | null> {
  if (row.artifact_blob === null) return null
  const absolute = await context.blobs.downloadAddress(row.artifact_blob, {
    ...artifactFile(row.generation_id, row.output_format),
    expiresInSeconds: ARTIFACT_URL_LIFETIME_SECONDS,
  })
  if (absolute !== null) return absolute
  const owner = { tenantId: row.tenant_id, generationId: row.generation_id }
  return signArtifactAddress(context.keys.artifactAddress, owner, context.now())
}
