import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readPrivateKey, readPublicKeys } from '../../../src/local/signatures/ssh-keys.ts'
import { signerOf, signMessage } from '../../../src/local/signatures/ssh-signature.ts'
import { AUTHOR } from './test-keys.ts'

const hasTool = (() => {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
})()

const { secret: PRIVATE_KEY, open: PUBLIC_KEY } = AUTHOR

const message = Buffer.from('{"record_version":1}\n')

describe('a signature', () => {
  const text = signMessage(message, readPrivateKey(PRIVATE_KEY))
  const [key] = readPublicKeys(PUBLIC_KEY)

  it('names the key that made it', () => {
    expect(signerOf(message, text).blob).toEqual(key!.blob)
  })

  it('is of no other bytes', () => {
    expect(() => signerOf(Buffer.from('{"record_version":2}\n'), text)).toThrow('it is not of these bytes')
  })

  it.each([
    ['another text', 'no signature', 'it is no signature of SSH'],
    ['a cut block', text.replace(/\n[^\n]+\n-----END/, '\n-----END'), 'it is damaged'],
    [
      'another purpose',
      armour(Buffer.from(unarmoured(text).toString('latin1').replace('whatif', 'gitgit'), 'latin1')),
      'another purpose',
    ],
    [
      'another version',
      armour(
        Buffer.from(unarmoured(text).toString('latin1').replace('SSHSIG\0\0\0\x01', 'SSHSIG\0\0\0\x02'), 'latin1'),
      ),
      'another version',
    ],
    ['a length beyond the end', armour(Buffer.from('SSHSIG\0\0\0\x01\xff\xff\xff\xff', 'latin1')), 'it is damaged'],
  ])('of %s is refused', (_name, other, why) => {
    expect(() => signerOf(message, other)).toThrow(why)
  })

  it('with one bit changed anywhere is refused', () => {
    const bytes = unarmoured(text)
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      let signer: Buffer | null = null
      try {
        signer = signerOf(message, armour(changed)).blob
      } catch {
        // Refused, as it should be.
      }
      // What is reserved is signed as empty, whatever the file says.
      expect(signer === null || signer.equals(key!.blob), `byte ${i}`).toBe(true)
    }
  })
})

describe('a list of keys', () => {
  it('may be a .pub file, or have names and comments', () => {
    expect(readPublicKeys(`# ours\n\n${PUBLIC_KEY}\nana@example.org ${PUBLIC_KEY}\n`)).toHaveLength(2)
  })

  it.each([
    ['options', `ana@example.org namespaces="git" ${PUBLIC_KEY}`, 'line 1 has options, which are not read'],
    ['options without a name', `cert-authority,namespaces="git" ${PUBLIC_KEY}`, 'line 1 has options'],
    ['no key', 'hello world', 'line 1 is no public key of SSH'],
    ['nothing', '# none\n', 'it has no public key'],
    ['a damaged key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==', 'line 1: it is damaged'],
    ['a key of a device', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t', 'its type is sk-ssh'],
  ])('with %s is refused', (_name, text, why) => {
    expect(() => readPublicKeys(text)).toThrow(why)
  })
})

describe.skipIf(!hasTool)('ssh-keygen (Debian: openssh-client)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-ssh-'))
  const path = (name: string) => join(folder, name)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { stdio: 'pipe' }).toString()
  writeFileSync(path('message'), message)

  it('makes the same signature with the same key, and accepts ours', () => {
    writeFileSync(path('ours'), PRIVATE_KEY, { mode: 0o600 })
    chmodSync(path('ours'), 0o600)
    keygen('-q', '-Y', 'sign', '-n', 'whatif', '-f', path('ours'), path('message'))
    expect(signMessage(message, readPrivateKey(PRIVATE_KEY))).toBe(readFileSync(path('message.sig'), 'utf8'))
    rmSync(path('message.sig'))
    writeFileSync(path('signers'), `ana@example.org ${PUBLIC_KEY}\n`)
    writeFileSync(path('ours.sig'), signMessage(message, readPrivateKey(PRIVATE_KEY)))
    const said = execFileSync(
      'ssh-keygen',
      ['-Y', 'verify', '-n', 'whatif', '-I', 'ana@example.org', '-f', path('signers'), '-s', path('ours.sig')],
      { input: message },
    )
    expect(said.toString()).toContain('Good "whatif" signature for ana@example.org')
  })

  it.each([
    ['ed25519', ['-t', 'ed25519']],
    ['rsa', ['-t', 'rsa', '-b', '2048']],
    ['ecdsa of 256 bits', ['-t', 'ecdsa', '-b', '256']],
    ['ecdsa of 384 bits', ['-t', 'ecdsa', '-b', '384']],
    ['ecdsa of 521 bits', ['-t', 'ecdsa', '-b', '521']],
  ])('makes signatures that are read: %s', (name, how) => {
    const file = path(name.replaceAll(' ', '-'))
    keygen('-q', ...how, '-N', '', '-f', file)
    keygen('-q', '-Y', 'sign', '-n', 'whatif', '-f', file, path('message'))
    const text = readFileSync(path('message.sig'), 'utf8')
    rmSync(path('message.sig'))
    const [key] = readPublicKeys(readFileSync(`${file}.pub`, 'utf8'))
    expect(signerOf(message, text).blob).toEqual(key!.blob)
    expect(() => signerOf(Buffer.from('other'), text)).toThrow('it is not of these bytes')
  })

  it('protects keys by passphrases, which are not asked for', () => {
    keygen('-q', '-t', 'ed25519', '-N', 'secret', '-f', path('protected'))
    expect(() => readPrivateKey(readFileSync(path('protected'), 'utf8'))).toThrow('it is protected by a passphrase')
    keygen('-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', path('other'))
    expect(() => readPrivateKey(readFileSync(path('other'), 'utf8'))).toThrow('its type is ssh-rsa')
  })
})

function unarmoured(text: string): Buffer {
  return Buffer.from(text.replaceAll(/-----.*-----|\n/g, ''), 'base64')
}

function armour(bytes: Buffer): string {
  return `-----BEGIN SSH SIGNATURE-----\n${bytes.toString('base64')}\n-----END SSH SIGNATURE-----\n`
}
