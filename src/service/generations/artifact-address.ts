import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ARTIFACT_URL_LIFETIME_SECONDS } from '../../contract/limits.ts'

/** Whose artifact an address leads to. */
export interface ArtifactOwner {
  readonly tenantId: string
  readonly generationId: string
}

/**
 * A relative address of an artifact, valid for 15 minutes and only together with the owner's bearer token: what is
 * signed is the owner, the generation and the end of its validity (seconds since 1970).
 */
export function signArtifactAddress(key: KeyObject, owner: ArtifactOwner, nowMs: number): string {
  const expires = Math.floor(nowMs / 1000) + ARTIFACT_URL_LIFETIME_SECONDS
  const signature = signatureOf(key, owner, String(expires)).toString('base64url')
  return `/v1/artifacts/${owner.generationId}?expires=${expires}&signature=${signature}`
}

/** Checks the parts of an address. `forged` stands for everything that was not signed like this for this owner. */
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
