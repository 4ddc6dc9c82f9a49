import { createPrivateKey, createPublicKey, hash } from 'node:crypto'

/** In front of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Keys that sign nothing but these tests, in the form of OpenSSH's PROTOCOL.key: no private key lies in the repository. */
function keyOf(name: string): { readonly secret: string; readonly open: string } {
  const seed = hash('sha256', `a key of these tests: ${name}`, 'buffer')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const own = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url')
  const open = Buffer.concat([string('ssh-ed25519'), string(own)])
  const check = Buffer.from('0123456701234567', 'hex')
  const inside = Buffer.concat([check, open, string(Buffer.concat([seed, own])), string('test')])
  const padding = Buffer.from(Array.from({ length: (8 - (inside.length % 8)) % 8 }, (_, i) => i + 1))
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[string('none'), string('none'), string(''), Buffer.from([0, 0, 0, 1])],
    ...[string(open), string(Buffer.concat([inside, padding]))],
  ])
  const lines = file.toString('base64').match(/.{1,70}/g)!
  const mark = (word: string) => `-----${word} OPENSSH PRIVATE KEY-----`
  return {
    secret: `${[mark('BEGIN'), ...lines, mark('END')].join('\n')}\n`,
    open: `ssh-ed25519 ${open.toString('base64')} test`,
  }
}

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export const AUTHOR = keyOf('author')
export const STRANGER = keyOf('stranger')
