import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { ProblemError, transportProblem } from './problem-error.ts'
import { headerCount } from './request-headers.ts'

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Answers these requests before their body is read: requests without a matching route (404, 405), without a host or
 * with several, with a target that is not a path, with a path that no identifier can have, and with a compressed body.
 * No operation decompresses, so that sizes mean what they say. Added after authentication, which runs first.
 */
export function addRoutingErrors(app: FastifyInstance, routes: RouteIndex): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Node would answer this itself (`requireHostHeader`), with neither body nor request id.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(transportProblem(400, 'The request has no Host header.'))
    }
    // Node silently keeps the first one; a proxy may have used the last (RFC 9112, 3.2).
    if (headerCount(request, 'host') > 1) {
      return done(transportProblem(400, 'The request has several Host headers.'))
    }
    // The router would accept `*`, which is not a path but the whole server, for the index (RFC 9112, 3.2.4).
    if (!isPathOrAddress(request.url) && request.method !== 'OPTIONS') {
      return done(transportProblem(400, 'The target of the request is neither a path nor an http address.'))
    }
    // Node decodes only the chunks and passes on the result of any other coding (RFC 9112, 6.1).
    const transferCoding = request.headers['transfer-encoding']
    if (transferCoding !== undefined && transferCoding.toLowerCase() !== 'chunked') {
      return done(transportProblem(400, 'The only supported Transfer-Encoding is chunked.'))
    }
    if (request.is404) return done(routes.errorFor(request.method, request.url))
    // Before any route: PostgreSQL accepts no U+0000 in text, and our identifiers contain no control characters.
    if (Object.values(request.params as Record<string, string>).some((value) => CONTROL_CHARACTERS.test(value))) {
      return done(new ProblemError('svc_not_found', 'There is no such resource.'))
    }
    // Bodies of these are never read.
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'identity') return done()
    done(
      new ProblemError(
        'svc_unsupported_content_type',
        'Compressed request bodies are not supported; send them uncompressed.',
      ),
    )
  })
  app.setNotFoundHandler((request) => {
    throw routes.errorFor(request.method, request.url)
  })
}

/** A target in origin form or absolute form (RFC 9112, 3.2). */
function isPathOrAddress(target: string): boolean {
  return target.startsWith('/') || /^https?:\/\//i.test(target)
}

interface IndexedPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
  isPublic: boolean
}

/**
 * Knows every path of the app with its methods, to distinguish 405 from 404. It must exist before routes are
 * registered, and records each of them.
 */
export class RouteIndex {
  readonly #paths = new Map<string, IndexedPath>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', (route) => {
      const path = this.#paths.get(route.url) ?? {
        pattern: patternOf(route.url),
        methods: new Set<string>(),
        isPublic: false,
      }
      for (const method of [route.method].flat()) path.methods.add(method)
      if (route.config?.security === 'public') path.isPublic = true
      this.#paths.set(route.url, path)
    })
  }

  /** Whether a path belongs to a route that needs no bearer token. */
  isPublic(path: string): boolean {
    return this.#find(path)?.isPublic ?? false
  }

  /** The error of a request without a matching route: 405 with `Allow` if its path exists, otherwise 404. */
  errorFor(method: string, target: string): ProblemError {
    const path = this.#find(pathOf(target))
    if (path === null) return new ProblemError('svc_not_found', 'There is no such route.')
    const allow = [...path.methods].sort().join(', ')
    return new ProblemError('svc_method_not_allowed', `${method.slice(0, 20)} is not allowed here; use ${allow}.`, {
      headers: { allow },
    })
  }

  #find(path: string): IndexedPath | null {
    for (const indexed of this.#paths.values()) if (indexed.pattern.test(path)) return indexed
    return null
  }
}

/** `/v1/jobs/:job_id` → `/^\/v1\/jobs\/[^/]+$/`; `*` takes the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replace(/\*/g, '.*')
  return new RegExp(`^${source}$`)
}

const operations = new Map(
  OPERATIONS.map((operation) => [`${operation.method} ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`, operation]),
)

/** The operation of a request; null if no route matches. */
export function operationOf(request: FastifyRequest): Operation | null {
  if (request.is404) return null
  return operations.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${request.routeOptions.url}`) ?? null
}

/** The path of a request target as the router reads it: without origin and query, percent-decoded if possible. */
export function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
