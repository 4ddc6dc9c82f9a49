import type { FastifyRequest, FastifyServerOptions } from 'fastify'

/**
 * fastify's logger options: JSON lines on stderr, or silence. A request is logged by its route pattern, never by its
 * address or headers: a signup's request id opens its claim token, an artifact's address is signed.
 */
export function loggerOptions(isOn: boolean): NonNullable<FastifyServerOptions['logger']> {
  if (!isOn) return false
  return {
    stream: process.stderr,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions?.url ?? null }),
      res: (reply) => ({ status: reply.statusCode }),
    },
  }
}
