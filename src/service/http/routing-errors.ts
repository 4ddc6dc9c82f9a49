import type { FastifyInstance } from 'fastify'
import { ProblemError, TransportError } from './problem-error.ts'
import type { RouteIndex } from './route-index.ts'

/**
 * Answers requests that no route takes (404, 405) or no identifier fits before their body is looked at, those without a host, and those whose
 * body is compressed: no operation decompresses, so that sizes mean what they say. Added after authentication, which comes first.
 */
export function addRoutingErrors(app: FastifyInstance, routes: RouteIndex): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Node would answer this itself (`requireHostHeader`), with neither body nor request id.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new TransportError(400, 'The request has no Host header.'))
    }
    if (request.is404) return done(routes.errorFor(request.method, request.url))
    // No identifier has it, and no database can be asked for it.
    if (Object.values(request.params as Record<string, string>).some((value) => value.includes('\0'))) {
      return done(new ProblemError('svc_not_found', 'There is no such resource.'))
    }
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'identity') return done()
    done(new ProblemError('svc_unsupported_content_type', 'Compressed request bodies are not read; send them plain.'))
  })
  app.setNotFoundHandler((request) => {
    throw routes.errorFor(request.method, request.url)
  })
}
