import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../context/context.ts'
import { artifactFile, byteRangeOf, checkArtifactAddress } from '../generations/artifact-download.ts'
import { ProblemError, transportProblem } from '../http/problem-error.ts'
import { namesVersion } from '../http/request-headers.ts'
import { type GenerationRow, readGeneration } from '../records/generation-records.ts'

interface OneArtifact {
  Params: { generation_id: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/** Download of artifacts: signed address and the owner's bearer token, conditional requests, single ranges. */
export function artifactRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get<OneArtifact>('/v1/artifacts/:generation_id', { exposeHeadRoute: false }, async (request, reply) => {
      return await download(context, request, reply)
    })
    app.head<OneArtifact>('/v1/artifacts/:generation_id', async (request, reply) => {
      return await download(context, request, reply)
    })
  }
}

async function download(
  context: ServiceContext,
  request: FastifyRequest<OneArtifact>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row, blob, size, etag } = await findArtifact(context, request)
  const { fileName, contentType } = artifactFile(row.generation_id, row.output_format)
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
  if (namesVersion(request.headers['if-none-match'], etag)) return await reply.code(304).send()
  const ifRange = request.headers['if-range']
  // A range of another version of the file would be useless, so the complete file is sent (RFC 9110, 13.1.5).
  const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined
  const range = request.method === 'GET' ? byteRangeOf(wanted, size) : null
  if (range === 'unsatisfiable') {
    // The reply is then a problem record, not the file.
    reply.removeHeader('content-disposition').header('content-range', `bytes */${size}`)
    throw transportProblem(416, `The artifact has ${size} bytes.`)
  }
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`)
  reply.header('content-length', range === null ? size : range.end - range.start)
  if (request.method === 'HEAD') return await reply.send()
  return await reply.send(range === null ? context.blobs.read(blob) : context.blobs.read(blob, range))
}

interface Artifact {
  readonly row: GenerationRow
  readonly blob: string
  readonly size: number
  readonly etag: string
}

async function findArtifact(context: ServiceContext, request: FastifyRequest<OneArtifact>): Promise<Artifact> {
  const { tenantId } = request.identity
  const owner = { tenantId, generationId: request.params.generation_id }
  const { expires, signature } = request.query
  const address = checkArtifactAddress(context.keys.artifactAddress, owner, { expires, signature }, context.now())
  // Forged, altered or another tenant's: the same reply as for an artifact that does not exist.
  if (address === 'forged') throw noSuchArtifact()
  if (address === 'expired') {
    throw new ProblemError(
      'svc_artifact_url_expired',
      'The artifact address has passed its lifetime. GET the generation for a fresh one.',
    )
  }
  const row = await readGeneration(context.db, tenantId, owner.generationId, context.now())
  if (row?.artifact_blob == null || row.artifact_sha256 === null) throw noSuchArtifact()
  const size = await context.blobs.size(row.artifact_blob)
  if (size === null) throw new Error(`The blob ${row.artifact_blob} of a finished generation is missing.`)
  return { row, blob: row.artifact_blob, size, etag: `"${row.artifact_sha256}"` }
}

function noSuchArtifact(): ProblemError {
  return new ProblemError('svc_not_found', 'There is no such artifact.')
}
