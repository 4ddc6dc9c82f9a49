import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM under `key` (32 bytes). `purpose` is authenticated but not stored: a sealed value moved to
 * another row or column does not open.
 */
export function seal(key: KeyObject, plaintext: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** Opens what `seal` made with the same key and purpose; null if the key, the purpose or the value differs. */
export function unseal(key: KeyObject, sealed: string, purpose: string): string | null {
  const [version, encoded] = sealed.split('.')
  if (version !== VERSION || encoded === undefined) return null
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
