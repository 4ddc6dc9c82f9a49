import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { OUTPUT_FORMATS, type OutputFormat } from '../../base/result-formats.ts'
import { ARTIFACT_URL_LIFETIME_SECONDS } from '../../contract/limits.ts'
import type { ByteRange } from '../../objects/read-object.ts'

/** Owner and generation of an artifact address. */
export interface ArtifactOwner {
  readonly tenantId: string
  readonly generationId: string
}

/**
 * A relative address of an artifact, valid for 15 minutes and only with the owner's bearer token. The signature covers
 * the owner, the generation and the end of validity (seconds since 1970).
 */
export function signArtifactAddress(key: KeyObject, owner: ArtifactOwner, nowMs: number): string {
  const expires = Math.floor(nowMs / 1000) + ARTIFACT_URL_LIFETIME_SECONDS
  const signature = signatureOf(key, owner, String(expires)).toString('base64url')
  return `/v1/artifacts/${owner.generationId}?expires=${expires}&signature=${signature}`
}

/** Checks the parts of an address. `forged` means anything that was not signed like this for this owner. */
export function checkArtifactAddress(
  key: KeyObject,
  owner: ArtifactOwner,
  address: { readonly expires: unknown; readonly signature: unknown },
  nowMs: number,
): 'valid' | 'expired' | 'forged' {
  const { expires, signature } = address
  if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,15}$/.test(expires)) return 'forged'
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(key, owner, expires)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged'
  // Compared as text too: base64url has several spellings of the same bytes.
  if (given.toString('base64url') !== signature) return 'forged'
  return Number(expires) * 1000 > nowMs ? 'valid' : 'expired'
}

function signatureOf(key: KeyObject, owner: ArtifactOwner, expires: string): Buffer {
  return createHmac('sha256', key).update(`artifact\n${owner.tenantId}\n${owner.generationId}\n${expires}`).digest()
}

/** File name and media type of a downloaded artifact. */
export function artifactFile(generationId: string, format: OutputFormat): { fileName: string; contentType: string } {
  return { fileName: `${generationId}.${format}`, contentType: OUTPUT_FORMATS[format] }
}

/**
 * Reads a `Range` header (RFC 9110, 14.1.2) for a file of `size` bytes. Null: serve the complete file, which is allowed
 * for units, syntax and numbers of ranges that a server does not support. `unsatisfiable`: 416.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '')
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'unsatisfiable' : { start: size - suffix, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
