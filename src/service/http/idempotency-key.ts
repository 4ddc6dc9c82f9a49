import type { FastifyRequest } from 'fastify'
import { IDEMPOTENCY_KEY_PATTERN } from '../../contract/ids.ts'
import type { FieldError } from '../../contract/problem.ts'
import { invalidFields } from './request-shape.ts'

/** The `Idempotency-Key` of a request, or null. Throws `svc_invalid_field` for one of another shape, or several. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const { key, faults } = readIdempotencyKey(request)
  if (faults.length > 0) throw invalidFields(faults)
  return key
}

/** The same, with its fault as data: to be told together with those of the body. */
export function readIdempotencyKey(request: FastifyRequest): { key: string | null; faults: readonly FieldError[] } {
  const key = request.headers['idempotency-key']
  if (key === undefined) return { key: null, faults: [] }
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return { key, faults: [] }
  const message = `must match ${IDEMPOTENCY_KEY_PATTERN.source}`
  return { key: null, faults: [{ field: 'Idempotency-Key', message }] }
}
