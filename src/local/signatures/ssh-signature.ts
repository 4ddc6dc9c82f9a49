import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { CURVES, publicKeyOf, SshFault, type SshPrivateKey, type SshPublicKey } from './ssh-keys.ts'
import { armoured, WireReader, wireNumber, wireString, withArmour } from './ssh-wire.ts'

/** What the signature is for (`ssh-keygen -n`): a signature of the same bytes for another purpose is none of a record. */
export const NAMESPACE = 'whatif'

const MAGIC = 'SSHSIG'
const BLOCK = 'SSH SIGNATURE'

/** What is signed (OpenSSH, PROTOCOL.sshsig): not the message, but its hash and what it is for. */
function signedBytes(message: Buffer, hash: string): Buffer {
  const digest = createHash(hash).update(message).digest()
  return Buffer.concat([Buffer.from(MAGIC), ...[NAMESPACE, '', hash, digest].map((part) => wireString(part))])
}

/** The signature of a message as `ssh-keygen -Y sign -n whatif` writes it: with an Ed25519 key, byte for byte. */
export function signMessage(message: Buffer, { key, publicBlob }: SshPrivateKey): string {
  const signature = sign(null, signedBytes(message, 'sha512'), key)
  const parts = [publicBlob, NAMESPACE, '', 'sha512', Buffer.concat([wireString('ssh-ed25519'), wireString(signature)])]
  return withArmour(Buffer.concat([Buffer.from(MAGIC), wireNumber(1), ...parts.map((part) => wireString(part))]), BLOCK)
}

/**
 * The key that signed a message. Says nothing about whose key it is.
 *
 * @throws SshFault where the text is no signature, or not of this message.
 */
export function signerOf(message: Buffer, text: string): SshPublicKey {
  const bytes = armoured(text, BLOCK)
  if (bytes === null) throw new SshFault('it is no signature of SSH')
  let parts: { signer: SshPublicKey; namespace: string; hash: string; type: string; signature: Buffer }
  try {
    const reader = new WireReader(bytes)
    if (reader.take(MAGIC.length).toString('latin1') !== MAGIC || reader.number() !== 1)
      throw new SshFault('it is a signature of another version')
    const [blob, namespace, _reserved, hash, made] = [
      reader.string(),
      reader.text(),
      reader.string(),
      reader.text(),
      new WireReader(reader.string()),
    ]
    parts = { signer: publicKeyOf(blob), namespace, hash, type: made.text(), signature: made.string() }
  } catch (error) {
    if (error instanceof SshFault) throw error
    throw new SshFault('it is damaged')
  }
  const { signer, namespace, hash, type, signature } = parts
  if (namespace !== NAMESPACE) throw new SshFault(`it was made for another purpose (ssh-keygen -n ${NAMESPACE})`)
  if (!['sha256', 'sha512'].includes(hash)) throw new SshFault('it uses a hash that is not allowed')
  if (!isSignature(signedBytes(message, hash), { signer, type, signature }))
    throw new SshFault('it is not of these bytes: record or signature was changed')
  return signer
}

interface MadeSignature {
  readonly signer: SshPublicKey
  readonly type: string
  readonly signature: Buffer
}

/** The hashes of RSA signatures; that of `ssh-rsa`, SHA-1, is broken. */
const RSA_HASHES: Readonly<Record<string, string>> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }

function isSignature(signed: Buffer, { signer, type, signature }: MadeSignature): boolean {
  if (signer.type === 'ssh-rsa') {
    const hash = Object.hasOwn(RSA_HASHES, type) ? RSA_HASHES[type] : undefined
    return hash !== undefined && isVerified(hash, signed, signer.key, signature)
  }
  if (type !== signer.type) return false
  const curve = CURVES[type]
  if (curve === undefined) return isVerified(null, signed, signer.key, signature)
  const both = numbersOf(signature, curve.bytes)
  return both !== null && isVerified(curve.hash, signed, signer.key, both)
}

function isVerified(hash: string | null, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** The two numbers of an ECDSA signature in a fixed length each; null: they have another form. */
function numbersOf(signature: Buffer, bytes: number): Buffer | null {
  try {
    const reader = new WireReader(signature)
    const numbers = [reader.string(), reader.string()].map((number) => {
      const digits = number[0] === 0 ? number.subarray(1) : number
      if (digits.length > bytes) throw new RangeError('it is too long')
      return Buffer.concat([Buffer.alloc(bytes - digits.length), digits])
    })
    return Buffer.concat(numbers)
  } catch {
    return null
  }
}
