import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { armoured, WireReader } from './ssh-wire.ts'

/** A fault of a key, a list of keys or a signature, in words that continue its name: "it is encrypted". */
export class SshFault extends Error {}

/** A public key as SSH writes it. */
export interface SshPublicKey {
  readonly type: string
  /** Its binary form, which identifies it. */
  readonly blob: Buffer
  readonly key: KeyObject
}

export const CURVES: Readonly<Record<string, { readonly crv: string; readonly hash: string; readonly bytes: number }>> =
  {
    'ecdsa-sha2-nistp256': { crv: 'P-256', hash: 'sha256', bytes: 32 },
    'ecdsa-sha2-nistp384': { crv: 'P-384', hash: 'sha384', bytes: 48 },
    'ecdsa-sha2-nistp521': { crv: 'P-521', hash: 'sha512', bytes: 66 },
  }

export const KEY_TYPES: readonly string[] = ['ssh-ed25519', 'ssh-rsa', ...Object.keys(CURVES)]

/** Weaker RSA keys are broken; verifying with longer ones takes minutes. */
const RSA_BITS = { least: 2048, most: 16_384 }

/** @throws SshFault */
export function publicKeyOf(blob: Buffer): SshPublicKey {
  try {
    const reader = new WireReader(blob)
    const type = reader.text()
    if (!KEY_TYPES.includes(type))
      throw new SshFault(`its type is ${shownType(type)}; keys of these types are read: ${KEY_TYPES.join(', ')}`)
    const jwk = CURVES[type] === undefined ? (type === 'ssh-rsa' ? rsaOf(reader) : edOf(reader)) : ecdsaOf(reader, type)
    if (!reader.isAtEnd) throw new SshFault('it has bytes behind its end')
    return { type, blob, key: createPublicKey({ key: jwk, format: 'jwk' }) }
  } catch (error) {
    if (error instanceof SshFault) throw error
    throw new SshFault('it is damaged')
  }
}

const shownType = (type: string): string => (/^[\w.@-]{1,60}$/.test(type) ? type : 'not known')

function edOf(reader: WireReader): JsonWebKey {
  return { kty: 'OKP', crv: 'Ed25519', x: base64url(reader.string()) }
}

function rsaOf(reader: WireReader): JsonWebKey {
  const [e, n] = [reader.string(), withoutZeros(reader.string())]
  const bits = n.length * 8
  if (bits < RSA_BITS.least || bits > RSA_BITS.most)
    throw new SshFault(`it has ${bits} bits, and RSA keys of ${RSA_BITS.least} to ${RSA_BITS.most} bits are read`)
  return { kty: 'RSA', n: base64url(n), e: base64url(withoutZeros(e)) }
}

function ecdsaOf(reader: WireReader, type: string): JsonWebKey {
  const { crv, bytes } = CURVES[type]!
  reader.string()
  const point = reader.string()
  if (point.length !== 1 + 2 * bytes || point[0] !== 4) throw new SshFault('it is damaged')
  return { kty: 'EC', crv, x: base64url(point.subarray(1, 1 + bytes)), y: base64url(point.subarray(1 + bytes)) }
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

const withoutZeros = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.subarray(0, 0) : bytes.subarray(first)
}

/** As `ssh-keygen -l` prints it. */
export const fingerprintOfKey = ({ blob }: SshPublicKey): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/**
 * The keys of a file: a `.pub` file, `authorized_keys` without options, or `allowed_signers` without options, whose names of people
 * are not used.
 *
 * @throws SshFault
 */
export function readPublicKeys(text: string): readonly SshPublicKey[] {
  const keys = text.split(/\r?\n/).flatMap((line, i): SshPublicKey[] => {
    const words = line.trim().split(/\s+/)
    if (words[0] === '' || words[0]?.startsWith('#')) return []
    const at = words.findIndex((word) => /^(?:sk-)?(?:ssh|ecdsa)-[\w.@-]+$/.test(word))
    const place = `line ${i + 1}`
    if (at < 0 || words[at + 1] === undefined) throw new SshFault(`${place} is no public key of SSH`)
    // To ignore a restriction would be to trust more than the file does.
    if (at > 1 || (at === 1 && words[0]!.includes('='))) throw new SshFault(`${place} has options, which are not read`)
    try {
      return [publicKeyOf(Buffer.from(words[at + 1]!, 'base64'))]
    } catch (error) {
      throw new SshFault(`${place}: ${(error as Error).message}`)
    }
  })
  if (keys.length === 0) throw new SshFault('it has no public key')
  return keys
}

/** An Ed25519 key that can sign. */
export interface SshPrivateKey {
  readonly key: KeyObject
  readonly publicBlob: Buffer
}

/**
 * Reads a private key in OpenSSH's form. Only an Ed25519 key without a passphrase: for others, `ssh-keygen -Y sign` makes the same
 * signature.
 *
 * @throws SshFault whose message has nothing of the key.
 */
export function readPrivateKey(text: string): SshPrivateKey {
  const bytes = armoured(text, 'OPENSSH PRIVATE KEY')
  if (bytes === null) throw new SshFault('it is no private key in the form of OpenSSH')
  try {
    const reader = new WireReader(bytes)
    const magic = 'openssh-key-v1\0'
    if (reader.take(magic.length).toString('latin1') !== magic) throw new SshFault('it is damaged')
    const [cipher] = [reader.text(), reader.text(), reader.string()]
    if (cipher !== 'none') throw new SshFault('it is protected by a passphrase')
    if (reader.number() !== 1) throw new SshFault('it holds several keys')
    const publicBlob = reader.string()
    const inner = new WireReader(reader.string())
    const [check, repeated] = [inner.number(), inner.number()]
    if (check !== repeated) throw new SshFault('it is damaged')
    const type = inner.text()
    if (type !== 'ssh-ed25519') throw new SshFault(`its type is ${shownType(type)}`)
    const [x, seed] = [inner.string(), inner.string().subarray(0, 32)]
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64url(x), d: base64url(seed) }
    return { key: createPrivateKey({ key: jwk, format: 'jwk' }), publicBlob }
  } catch (error) {
    if (error instanceof SshFault) throw error
    throw new SshFault('it is damaged')
  }
}
