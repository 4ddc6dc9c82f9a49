import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesVersion } from './request-headers.ts'

/** A reply that does not change while the service runs: a page, a style sheet, the OpenAPI document. */
export interface StaticDocument {
  readonly contentType: string
  readonly body: Buffer
  /** Hash of the content, so that every process of a service sends the same one. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

export function staticDocument(
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): StaticDocument {
  const bytes = Buffer.from(body)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { contentType, body: bytes, etag: `"${digest}"`, headers }
}

/**
 * Sends a document, or 304 to a client that has it. Caches revalidate each time, so a new version of the service shows
 * at once.
 */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: StaticDocument): FastifyReply {
  reply.header('etag', document.etag).header('cache-control', 'no-cache').headers(document.headers)
  if (namesVersion(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
  return reply.header('content-type', document.contentType).send(document.body)
}
