import { createHmac, hkdfSync, type KeyObject } from 'node:crypto'
import { networkOf } from '../http/peer-network.ts'

/**
 * What is kept of the address that asked for access, to tell whether another one claims: an HMAC under a key of the
 * service. Whoever has the database alone learns no address from it, nor whether two requests came from the same one.
 */
export function hashAddress(sealing: KeyObject, requestId: string, address: string): string {
  const key = hkdfSync('sha256', sealing.export(), '', 'addresses of signups', 32)
  return createHmac('sha256', Buffer.from(key))
    .update(`${requestId}\n${networkOf(address)}`)
    .digest('base64url')
}
