import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { MAX_PAGE_SIZE } from '../../contract/limits.ts'
import { invalidFields } from './request-shape.ts'

export const DEFAULT_PAGE_SIZE = 20

const LIMIT_ERROR = { error: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` }

/** Query parameters of a list of a tenant's. */
export const PAGE_QUERY = {
  limit: z
    .string()
    .regex(/^\d{1,9}$/, LIMIT_ERROR)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MAX_PAGE_SIZE, LIMIT_ERROR)
    .optional(),
  cursor: z.string().max(1000).optional(),
}

/** Which list, and whose. */
export interface ListOwner {
  readonly key: KeyObject
  readonly list: string
  readonly tenantId: string
}

/** The moment and the id of the last entry of a page. */
export type ListPlace = readonly [createdAt: string, id: string]

/**
 * Writes a place in a list as an opaque string: its text and an HMAC-SHA-256 over it, the list and the tenant, so that
 * clients cannot build one or use that of another tenant or list.
 */
export function writeCursor(owner: ListOwner, place: ListPlace): string {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url')
  return `${text}.${signatureOf(owner, text).toString('base64url')}`
}

/** Reads what `writeCursor` wrote for the same list and tenant; anything else is a 400. */
export function readCursor(owner: ListOwner, cursor: string): ListPlace {
  const [text, signature, ...rest] = cursor.split('.')
  if (text === undefined || signature === undefined || rest.length > 0) throw notOfThisList()
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(owner, text)
  // Compared as text too: base64url has several spellings of the same bytes.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notOfThisList()
  if (given.toString('base64url') !== signature) throw notOfThisList()
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ListPlace
}

const notOfThisList = () => invalidFields([{ field: 'cursor', message: 'is not a cursor of this list' }])

function signatureOf({ key, list, tenantId }: ListOwner, text: string): Buffer {
  return createHmac('sha256', key).update(`${list}\n${tenantId}\n${text}`).digest()
}
