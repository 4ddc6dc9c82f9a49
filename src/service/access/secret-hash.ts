import { createHash, createHmac, hkdfSync, type KeyObject, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { networkOf } from '../http/rate-limits.ts'

/** N = 2^14, r = 8, p = 1: 16 MiB and some 30 ms per hash, off the main thread. */
const COST_LOG2 = 14
const BLOCK_SIZE = 8
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** A new secret: 32 random bytes as 43 base64url characters, which need no encoding anywhere. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** scrypt with a random salt, in one string with its parameters: `scrypt$14$8$1$salt$hash`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(secret, salt, COST_LOG2, BLOCK_SIZE, PARALLELISM)
  return ['scrypt', COST_LOG2, BLOCK_SIZE, PARALLELISM, salt.toString('base64url'), hash.toString('base64url')].join(
    '$',
  )
}

/**
 * Whether `stored` was made from `secret`. If `stored` is null it does the same work and returns false, so that an
 * unknown client takes as long as a wrong secret.
 */
export async function verifySecret(secret: string, stored: string | null): Promise<boolean> {
  const [scheme, cost, block, parallelism, salt, hash] = (stored ?? NOBODY).split('$')
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined)
    throw new Error('A stored secret hash is damaged.')
  const derived = await derive(secret, Buffer.from(salt, 'base64url'), Number(cost), Number(block), Number(parallelism))
  const expected = Buffer.from(hash, 'base64url')
  return derived.length === expected.length && timingSafeEqual(derived, expected) && stored !== null
}

/** SHA-256 of a token with 256 random bits: such a token cannot be guessed, so it needs no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares secrets in a time that depends on neither, nor on their lengths, because both are hashed first. */
export function areSameSecrets(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

const NOBODY = `scrypt$${COST_LOG2}$${BLOCK_SIZE}$${PARALLELISM}$${'A'.repeat(22)}$${'A'.repeat(43)}`

async function derive(secret: string, salt: Buffer, costLog2: number, r: number, p: number): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, { N: 2 ** costLog2, r, p, maxmem: 256 * 2 ** costLog2 * r }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    )
  })
}

/**
 * The stored form of the address that asked for access, to detect a claim from another address: an HMAC under a key of
 * the service. Somebody with the database alone learns no address from it, and cannot tell whether two requests came
 * from the same one.
 */
export function hashAddress(sealing: KeyObject, requestId: string, address: string): string {
  const key = hkdfSync('sha256', sealing.export(), '', 'addresses of signups', 32)
  return createHmac('sha256', Buffer.from(key))
    .update(`${requestId}\n${networkOf(address)}`)
    .digest('base64url')
}
