import type { FastifyRequest } from 'fastify'
import { IDEMPOTENCY_KEY_PATTERN } from '../../contract/ids.ts'
import { invalidFields } from './request-shape.ts'

/** The `Idempotency-Key` of a request, or null. Throws `svc_invalid_field` for one of another shape, or several. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(key)) {
    throw invalidFields([{ field: 'Idempotency-Key', message: `must match ${IDEMPOTENCY_KEY_PATTERN.source}` }])
  }
  return key
}
