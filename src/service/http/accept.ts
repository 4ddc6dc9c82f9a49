import type { FastifyRequest } from 'fastify'

/** Browsers name text/html; clients that take anything get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  return /(^|[,\s])text\/html\b/i.test(request.headers.accept ?? '')
}
