import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type SeedUpload, type SeedUploadPart, UploadedDatasetRequest, UploadRequest } from '../../contract/uploads.ts'
import type { ServiceContext } from '../context/context.ts'
import { createDataset } from '../datasets/create-dataset.ts'
import { noSuchUpload, openUpload, receivePart, receiveParts, requireUpload } from '../datasets/seed-uploads.ts'
import { endOfWait } from '../http/closing.ts'
import type { HttpLimits } from '../http/http-limits.ts'
import { LargeAnswers } from '../http/large-answers.ts'
import { ProblemError } from '../http/problem-error.ts'
import { idempotencyKeyOf } from '../http/request-headers.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { datasetReceipt, readSummaries } from '../records/dataset-records.ts'
import { useUpload } from '../records/upload-records.ts'

interface OneUpload {
  Params: { upload_id: string }
}

const PartQuery = z.strictObject({
  number: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number from 1')
    .transform(Number),
})

/** `/v1/uploads`: seed files in parts. */
export function uploadRoutes(context: ServiceContext, limits: HttpLimits): FastifyPluginAsync {
  const answers = new LargeAnswers(limits)
  return async (app) => {
    app.post('/v1/uploads', async (request): Promise<SeedUpload> => {
      const asked = checkBody(UploadRequest, request.body)
      const { upload, received } = await openUpload(context, request.identity.tenantId, asked)
      const { upload_id, part_bytes, expires_at } = upload
      return { upload_id, part_bytes, received_parts: [...received], expires_at, request_id: request.id }
    })

    app.post<OneUpload>('/v1/uploads/:upload_id/dataset', async (request, reply) => {
      const { tenantId } = request.identity
      const upload = await requireUpload(context, tenantId, request.params.upload_id)
      const fields = checkBody(UploadedDatasetRequest, request.body)
      const { dataset, isReplay } = await createDataset(context, {
        tenantId,
        requestId: request.id,
        traceParent: request.traceParent,
        headerKey: idempotencyKeyOf(request),
        receive: async (receiver) => await receiveParts(context, upload, fields, receiver, app.closing),
        record: async (tx, datasetId, nowMs) => {
          if (!(await useUpload(tx, upload.upload_id, datasetId, nowMs))) throw noSuchUpload()
        },
        signal: endOfWait(reply),
      })
      context.remover?.soon()
      reply.code(dataset.status === 'ready' ? 200 : 202)
      if (isReplay) reply.header('idempotent-replayed', 'true')
      const summaries = await readSummaries(context.db, [dataset.dataset_id])
      return answers.send(request, reply, [
        datasetReceipt(dataset, summaries.get(dataset.dataset_id) ?? null, request.id),
      ])
    })

    app.register(partRoute(context))
  }
}

/** In its own scope: this operation accepts only bytes, and streams them. */
function partRoute(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null))
    // Before fastify checks the type, because its reply could not say what this operation accepts.
    app.addHook('onRequest', async (request) => {
      if (/^application\/octet-stream\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return
      throw new ProblemError('svc_unsupported_content_type', 'Send the part as application/octet-stream.')
    })
    app.post<OneUpload>(
      '/v1/uploads/:upload_id/parts',
      async (request, reply) => await storePart(context, app.closing, request, reply),
    )
  }
}

async function storePart(
  context: ServiceContext,
  closing: AbortSignal,
  request: FastifyRequest<OneUpload>,
  reply: FastifyReply,
): Promise<SeedUploadPart> {
  const upload = await requireUpload(context, request.identity.tenantId, request.params.upload_id)
  if (upload.dataset_id !== null) throw noSuchUpload()
  const { number } = checkQuery(PartQuery, request.query)
  const digest = request.headers['content-digest']
  await receivePart(context, upload, {
    number,
    digest: typeof digest === 'string' ? digest : undefined,
    body: request.raw,
    signal: AbortSignal.any([closing, endOfWait(reply)]),
  })
  return { upload_id: upload.upload_id, number, request_id: request.id }
}
