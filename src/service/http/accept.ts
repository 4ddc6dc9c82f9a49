import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** Whether the client prefers a page to JSON (RFC 9110, 12.5.1). Clients that take either equally get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html'
}
