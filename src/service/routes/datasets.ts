import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { DatasetList } from '../../contract/datasets.ts'
import type { ServiceContext } from '../context/context.ts'
import { createDataset } from '../datasets/create-dataset.ts'
import { datasetNotReady, noSuchDataset } from '../datasets/dataset-problems.ts'
import { receiveUpload } from '../datasets/receive-upload.ts'
import { storedSchemas } from '../datasets/stored-schemas.ts'
import { endOfWait } from '../http/closing.ts'
import type { HttpLimits } from '../http/http-limits.ts'
import { LargeAnswers } from '../http/large-answers.ts'
import { DEFAULT_PAGE_SIZE, PAGE_QUERY, readCursor, writeCursor } from '../http/list-pages.ts'
import { ProblemError } from '../http/problem-error.ts'
import { idempotencyKeyOf } from '../http/request-headers.ts'
import { checkQuery } from '../http/request-shape.ts'
import { endJobsOfDataset } from '../jobs/end-jobs.ts'
import {
  type DatasetRow,
  datasetReceipt,
  datasetRecord,
  listDatasets,
  lockDataset,
  readDataset,
  readDatasets,
  readSummaries,
  removeDataset,
} from '../records/dataset-records.ts'
import { GatheredReads } from '../store/gathered-reads.ts'

/** Summaries of a wide dataset have some hundred kilobytes. */
const MOST_SUMMARIES_AT_ONCE = 20

const ListQuery = z.strictObject(PAGE_QUERY)

interface OneDataset {
  Params: { dataset_id: string }
}

/** `/v1/datasets`: upload and training, listing, metadata, schema, deletion. */
export function datasetRoutes(context: ServiceContext, limits: HttpLimits): FastifyPluginAsync {
  const datasets = new GatheredReads((datasetIds) => readDatasets(context.db, datasetIds, context.now()))
  const summaries = new GatheredReads(
    async (datasetIds) => await readSummaries(context.db, datasetIds),
    MOST_SUMMARIES_AT_ONCE,
  )
  const schemas = storedSchemas(context.db)
  const answers = new LargeAnswers(limits)
  return async (app) => {
    app.get(
      '/v1/datasets',
      (request): Promise<DatasetList> => list(context, request, checkQuery(ListQuery, request.query)),
    )

    app.get<OneDataset>('/v1/datasets/:dataset_id', async (request, reply) => {
      const row = await readyDataset(datasets, request)
      const read = await summaries.read(row.dataset_id)
      return answers.send(request, reply, [datasetRecord(row, read, request.id)])
    })

    app.get<OneDataset>('/v1/datasets/:dataset_id/schema', async (request, reply) => {
      const { dataset_id: datasetId, tenant_id: tenantId } = await readyDataset(datasets, request)
      const schema = await schemas.read(tenantId, datasetId)
      if (schema === null) throw noSuchDataset()
      const [before, after] = [`{"dataset_id":"${datasetId}","schema":`, `,"request_id":"${request.id}"}`]
      return answers.send(request, reply, [before, schema.bytes, after])
    })

    const config = { isBodyOptional: true }
    app.delete<OneDataset>('/v1/datasets/:dataset_id', { config }, async (request, reply) => {
      const { tenantId } = request.identity
      if (!(await deleteDataset(context, tenantId, request.params.dataset_id))) throw noSuchDataset()
      return await reply.code(204).send()
    })

    app.register(uploadRoute(context, answers))
  }
}

/** In its own scope: this operation accepts only multipart/form-data. */
function uploadRoute(context: ServiceContext, answers: LargeAnswers): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    // The body stays unread here: the route streams it.
    app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
    // Before fastify checks the type, because its reply could not say what this operation accepts.
    app.addHook('onRequest', async (request) => {
      if (/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return
      throw new ProblemError('svc_unsupported_content_type', 'Send the seed file as multipart/form-data.')
    })

    app.post('/v1/datasets', async (request, reply) => {
      const { dataset, isReplay } = await createDataset(context, {
        tenantId: request.identity.tenantId,
        requestId: request.id,
        traceParent: request.traceParent,
        headerKey: idempotencyKeyOf(request),
        receive: async (receiver) => await receiveUpload(request.raw, receiver, app.closing),
        signal: endOfWait(reply),
      })
      reply.code(dataset.status === 'ready' ? 200 : 202)
      if (isReplay) reply.header('idempotent-replayed', 'true')
      const summaries = await readSummaries(context.db, [dataset.dataset_id])
      return answers.send(request, reply, [
        datasetReceipt(dataset, summaries.get(dataset.dataset_id) ?? null, request.id),
      ])
    })
  }
}

async function list(
  context: ServiceContext,
  request: FastifyRequest,
  { limit = DEFAULT_PAGE_SIZE, cursor }: z.output<typeof ListQuery>,
): Promise<DatasetList> {
  const { tenantId } = request.identity
  const owner = { key: context.keys.cursor, list: 'datasets', tenantId }
  const place = cursor === undefined ? null : readCursor(owner, cursor)
  const after = place === null ? null : { createdAt: place[0], datasetId: place[1] }
  const rows = await listDatasets(context.db, tenantId, { after, limit, nowMs: context.now() })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next =
    last === undefined || rows.length <= limit ? null : writeCursor(owner, [last.created_at, last.dataset_id])
  return { datasets: [...page], limit, next_cursor: next, request_id: request.id }
}

async function readyDataset(
  datasets: GatheredReads<DatasetRow>,
  request: FastifyRequest<OneDataset>,
): Promise<DatasetRow> {
  const row = await datasets.read(request.params.dataset_id)
  if (row === null || row.tenant_id !== request.identity.tenantId) throw noSuchDataset()
  if (row.status === 'processing') throw datasetNotReady(row)
  return row
}

/**
 * Removes a dataset: the API no longer shows it, its unfinished jobs are cancelled, its idempotency key is free, and
 * its blobs become orphans. Finished generations stay until their own expiry. False if there is no such dataset.
 */
export async function deleteDataset(context: ServiceContext, tenantId: string, datasetId: string): Promise<boolean> {
  const db = context.db.forRemoval
  const isRemoved = await db.transaction(async (tx) => {
    // A concurrent request on the dataset either comes first and is cancelled, or comes later and finds nothing.
    await lockDataset(tx, datasetId)
    const row = await readDataset(tx, tenantId, datasetId, context.now())
    if (row === null) return false
    await endJobsOfDataset(tx, datasetId, context.now())
    await removeDataset(tx, row, context.now())
    return true
  })
  if (isRemoved) context.remover?.soon()
  return isRemoved
}
