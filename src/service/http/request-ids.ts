import type { FastifyInstance } from 'fastify'

/**
 * Puts `X-Request-Id` on every reply before anything else happens, so that no later failure can lose it. The id is made
 * by the app (`genReqId`); one that the request brings along is not looked at.
 */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
}
