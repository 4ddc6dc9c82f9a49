/** Building blocks of parsers for a service's answers; `replies.ts` says what they ignore and what they refuse. */
import { z } from 'zod'
import { Identifier as ContractIdentifier } from '../contract/ids.ts'

/** A record whose optional fields may also be null. */
export const record = <S extends z.core.$ZodLooseShape>(shape: S) => z.preprocess(withoutNulls, z.object(shape))

/** Null in an optional field means that it is absent. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}

/** A record whose `status` steers the client. An unknown status keeps the service's own word for messages. */
export const statusRecord = <S extends z.core.$ZodLooseShape>(statuses: readonly string[], shape: S) =>
  z.preprocess(
    (value) => {
      const fields = withoutNulls(value)
      const status = (fields as { readonly status?: unknown } | null)?.status
      if (typeof status !== 'string') return fields
      return { ...(fields as object), unknown_status: statuses.includes(status) ? undefined : status }
    },
    z.object({ ...shape, unknown_status: text }),
  )

/** One of the values we know, or `'unknown'`; anything but a string is refused. */
export const openEnum = <const V extends readonly string[]>(values: V) =>
  z.string().transform((value): V[number] | 'unknown' => (values.includes(value) ? value : 'unknown'))

/** An optional field: absent if it does not have the known shape. */
export const extra = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

export const text = extra(z.string())
export const whole = extra(z.int())
export const count = z.int().min(0)

/**
 * An identifier becomes a segment of an address: its length is bounded (RFC 9110, 4.1), and it must not lead upwards.
 */
export const Identifier = ContractIdentifier.max(1000).refine((id) => id !== '.' && id !== '..', 'no identifier')

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** RFC 3339; anything else counts as absent. */
export const moment = extra(z.string().refine((value) => RFC_3339.test(value) && Number.isFinite(Date.parse(value))))
