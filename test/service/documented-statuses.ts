import type { FastifyInstance } from 'fastify'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'
import { DOCUMENTED_OPERATIONS } from '../../src/contract/operations.ts'
import { operationOf } from '../../src/service/http/routing.ts'

const { paths } = buildOpenApi({ baseUrl: 'https://service.example', authUrl: 'https://service.example' }) as {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
}

/** Operation id → statuses of the OpenAPI document. */
const DOCUMENTED = new Map(
  DOCUMENTED_OPERATIONS.map(({ operationId, method, path }) => [
    operationId,
    new Set(Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number)),
  ]),
)

/**
 * Watches every reply of a service under test. What is returned throws when an operation has answered with a status that
 * the OpenAPI document does not have; call it when the test is done with the service.
 */
export function watchStatuses(app: FastifyInstance): () => void {
  const undocumented = new Set<string>()
  app.addHook('onSend', async (request, reply, payload) => {
    const statuses = DOCUMENTED.get(operationOf(request)?.operationId ?? '')
    if (statuses !== undefined && !statuses.has(reply.statusCode)) {
      undocumented.add(`${request.method} ${request.routeOptions.url} ${reply.statusCode}`)
    }
    return payload
  })
  return () => {
    if (undocumented.size === 0) return
    throw new Error(`Statuses that the OpenAPI document does not have: ${[...undocumented].sort().join(', ')}`)
  }
}
