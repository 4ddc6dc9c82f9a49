import type { FastifyInstance } from 'fastify'
import { pathOf } from '../access/authentication.ts'
import { ProblemError } from './problem-error.ts'

interface IndexedPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
  isPublic: boolean
}

/**
 * Knows every path of the app with its methods, to tell 405 from 404. Made before routes are registered; reads them as
 * they come.
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

  /** Whether a path belongs to a route that wants no bearer token. */
  isPublic(path: string): boolean {
    return this.#find(path)?.isPublic ?? false
  }

  /** The error of a request that no route takes: 405 with `Allow` when its path exists, else 404. */
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
