import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { IDEMPOTENCY_KEY_PATTERN } from '../../contract/ids.ts'
import { MAX_WAIT_SECONDS } from '../../contract/limits.ts'
import type { FieldError } from '../../contract/problem.ts'
import { invalidFields } from './request-shape.ts'

/** How often a header, named in lower case, was sent: Node silently keeps only the first of some headers. */
export function headerCount(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i] as string
    if (other.length === name.length && other.toLowerCase() === name) count++
  }
  return count
}

/** The `Authorization` of a request. If there are several, none is used, because a proxy may have used another one. */
export function authorizationOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  return authorization === undefined || headerCount(request, 'authorization') > 1 ? undefined : authorization
}

/** Whether the client prefers a page to JSON (RFC 9110, 12.5.1). Clients without a preference get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html'
}

/** Whether an `If-None-Match` names this version (RFC 9110, 13.1.2: weak comparison). */
export function namesVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag
  })
}

/**
 * Seconds for which a request asks to delay its reply: `Prefer: wait=10` (RFC 7240, 4.3), at most MAX_WAIT_SECONDS.
 * Null without that preference. Invalid preferences are ignored, and nothing in this header is an error.
 *
 * @param prefer The header; several are joined by commas.
 */
export function preferredWaitSeconds(prefer: string | string[] | undefined): number | null {
  for (const preference of String(prefer ?? '').split(',')) {
    // Parameters of a preference follow after semicolons. The first of several preferences with one name counts.
    const [, digits] = /^\s*wait\s*=\s*(?:"(\d{1,9})"|(\d{1,9}))\s*(?:;|$)/i.exec(preference)?.filter(Boolean) ?? []
    if (digits !== undefined) return Math.min(MAX_WAIT_SECONDS, Number(digits))
  }
  return null
}

/** The `Idempotency-Key` of a request, or null. Throws `svc_invalid_field` for one of another shape, or several. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const { key, faults } = readIdempotencyKey(request)
  if (faults.length > 0) throw invalidFields(faults)
  return key
}

/** The same, with its fault as data, so that it can be reported with the faults of the body. */
export function readIdempotencyKey(request: FastifyRequest): { key: string | null; faults: readonly FieldError[] } {
  const key = request.headers['idempotency-key']
  if (key === undefined) return { key: null, faults: [] }
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return { key, faults: [] }
  const message = `must match ${IDEMPOTENCY_KEY_PATTERN.source}`
  return { key: null, faults: [{ field: 'Idempotency-Key', message }] }
}
