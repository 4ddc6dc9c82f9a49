import type { FastifyRequest } from 'fastify'
import { OPERATIONS } from '../../contract/operations.ts'

const ids = new Map(
  OPERATIONS.map(({ method, path, operationId }) => [`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, operationId]),
)

/** The id of the operation that a request asks for; null when no route takes it. */
export function operationOf(request: FastifyRequest): string | null {
  if (request.is404) return null
  return ids.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${request.routeOptions.url}`) ?? null
}
