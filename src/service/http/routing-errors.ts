import type { FastifyInstance } from 'fastify'
import { headerCount } from './header-count.ts'
import { ProblemError, TransportError } from './problem-error.ts'
import type { RouteIndex } from './route-index.ts'

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Answers requests that no route takes (404, 405) before their body is looked at, those without a host or with several,
 * those whose target is no path, those whose path names what no identifier can be, and those whose body is compressed: no
 * operation decompresses, so that sizes mean what they say. Added after authentication, which comes first.
 */
export function addRoutingErrors(app: FastifyInstance, routes: RouteIndex): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Node would answer this itself (`requireHostHeader`), with neither body nor request id.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new TransportError(400, 'The request has no Host header.'))
    }
    // Node keeps the first and says nothing; whoever forwards the request may have gone by the last (RFC 9112, 3.2).
    if (headerCount(request, 'host') > 1) {
      return done(new TransportError(400, 'The request has several Host headers.'))
    }
    // The router takes `*`, which is no path but the whole server, for the index (RFC 9112, 3.2.4).
    if (!isPathOrAddress(request.url) && request.method !== 'OPTIONS') {
      return done(new TransportError(400, 'The target of the request is neither a path nor an http address.'))
    }
    // Node undoes the chunks alone and hands on what another coding made of the body (RFC 9112, 6.1).
    const transferCoding = request.headers['transfer-encoding']
    if (transferCoding !== undefined && transferCoding.toLowerCase() !== 'chunked') {
      return done(new TransportError(400, 'The only Transfer-Encoding that is read is chunked.'))
    }
    if (request.is404) return done(routes.errorFor(request.method, request.url))
    // Before any route: PostgreSQL takes no U+0000 in a text, and no identifier of ours holds a control character.
    if (Object.values(request.params as Record<string, string>).some((value) => CONTROL_CHARACTERS.test(value))) {
      return done(new ProblemError('svc_not_found', 'There is no such resource.'))
    }
    // Bodies of these are never looked at, however they are compressed.
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'identity') return done()
    done(new ProblemError('svc_unsupported_content_type', 'Compressed request bodies are not read; send them plain.'))
  })
  app.setNotFoundHandler((request) => {
    throw routes.errorFor(request.method, request.url)
  })
}

/** A target in origin form or absolute form (RFC 9112, 3.2). */
function isPathOrAddress(target: string): boolean {
  return target.startsWith('/') || /^https?:\/\//i.test(target)
}
