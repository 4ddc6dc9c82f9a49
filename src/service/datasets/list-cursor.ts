import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { ListPosition } from '../records/dataset-records.ts'

/**
 * Writes a list position as an opaque string: its text and an HMAC-SHA-256 over it and the tenant, so that it can
 * neither be built nor taken to another tenant.
 */
export function writeCursor(key: KeyObject, tenantId: string, position: ListPosition): string {
  const text = Buffer.from(JSON.stringify([position.createdAt, position.datasetId])).toString('base64url')
  return `${text}.${signatureOf(key, tenantId, text).toString('base64url')}`
}

/** Reads what `writeCursor` wrote for the same tenant; null for anything else. */
export function readCursor(key: KeyObject, tenantId: string, cursor: string): ListPosition | null {
  const [text, signature, ...rest] = cursor.split('.')
  if (text === undefined || signature === undefined || rest.length > 0) return null
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(key, tenantId, text)
  // Compared as text too: base64url has several spellings of the same bytes.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  if (given.toString('base64url') !== signature) return null
  const [createdAt, datasetId] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [string, string]
  return { createdAt, datasetId }
}

function signatureOf(key: KeyObject, tenantId: string, text: string): Buffer {
  return createHmac('sha256', key).update(`datasets\n${tenantId}\n${text}`).digest()
}
