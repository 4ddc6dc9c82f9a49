import { createSecretKey, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { areSameSecrets, hashSecret, verifySecret } from '../../../src/service/access/secret-hash.ts'
import { seal, unseal } from '../../../src/service/keys/sealing.ts'
import { loadServiceKeys } from '../../../src/service/keys/service-keys.ts'
import { loadMasterKey, MASTER_KEY_FILE, readSecretFile } from '../../../src/service/settings/master-key.ts'
import { openTestStore, type TestStore } from '../http/test-service.ts'

const newKey = () => createSecretKey(randomBytes(32))

describe('the keys of the service', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(async () => await store?.close())
  beforeEach(async () => await store.db.exec('delete from service_keys'))

  const published = async (master = newKey()) => {
    const { signing, sealing, cursor, artifactAddress } = await loadServiceKeys(store.db, master)
    const bytes = [sealing, cursor, artifactAddress].map((key) => key.export().toString('hex'))
    return { keyId: signing.keyId, jwk: signing.publicJwk, bytes }
  }

  it('are made once and stay the same', async () => {
    const master = newKey()
    const first = await published(master)
    expect(await published(master)).toEqual(first)
    expect(new Set(first.bytes).size).toBe(3)
  })

  it('are the same for processes that start together', async () => {
    const master = newKey()
    const all = await Promise.all(Array.from({ length: 6 }, () => published(master)))
    expect(all).toEqual(Array(6).fill(all[0]))
  })

  it('do not open with another master key', async () => {
    await published()
    await expect(published()).rejects.toThrow(/master key does not open the keys/)
  })

  it('do not open when two of them are exchanged in the database', async () => {
    const master = newKey()
    await published(master)
    await store.db.exec(`
      update service_keys k set sealed = o.sealed from service_keys o
      where (k.name, o.name) in (('cursor', 'artifact_address'), ('artifact_address', 'cursor'))`)
    await expect(published(master)).rejects.toThrow(/master key does not open the keys/)
  })

  it('show none of their bytes when printed', async () => {
    const keys = await loadServiceKeys(store.db, newKey())
    const shown = inspect(keys, { depth: 9 }) + JSON.stringify(keys)
    for (const key of [keys.sealing, keys.cursor, keys.artifactAddress]) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(shown).not.toContain(key.export().toString(encoding))
      }
    }
    expect(shown).not.toContain(keys.signing.privateKey.export({ format: 'jwk' }).d)
  })
})

describe('the master key', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whatif-keys-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is made as a file of mode 600 and then read from it', () => {
    const made = loadMasterKey(folder, null)
    expect(statSync(join(folder, MASTER_KEY_FILE)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual([MASTER_KEY_FILE])
    expect(loadMasterKey(folder, null).equals(made)).toBe(true)
  })

  it('of the settings has precedence, and no file is made', () => {
    const given = 'a master key of enough characters'
    expect(loadMasterKey(folder, given).equals(loadMasterKey(folder, given))).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not used as it is written: the key is derived from its text', () => {
    expect(loadMasterKey(folder, 'x'.repeat(32)).export().toString()).not.toBe('x'.repeat(32))
  })

  it('is refused when it is short', () => {
    expect(() => loadMasterKey(folder, 'short')).toThrow('the master key must have at least 32 characters')
  })

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o666])('is refused in a file of mode %o', (mode) => {
    const path = join(folder, MASTER_KEY_FILE)
    writeFileSync(path, 'secret')
    chmodSync(path, mode)
    expect(() => loadMasterKey(folder, null)).toThrow(`${path} can be read by others: make it private with "chmod 600"`)
    expect(readFileSync(path, 'utf8')).toBe('secret')
  })

  it('is refused when its file is empty', () => {
    const path = join(folder, MASTER_KEY_FILE)
    writeFileSync(path, ' \n', { mode: 0o600 })
    expect(() => readSecretFile(path)).toThrow('is empty')
  })
})

describe('a sealed value', () => {
  const key = newKey()

  it.each(['', 'text', 'é€𝄞', 'x'.repeat(10_000)])('opens to what was sealed', (text) => {
    expect(unseal(key, seal(key, text, 'a'), 'a')).toBe(text)
  })

  it('differs each time', () => {
    expect(seal(key, 'x', 'a')).not.toBe(seal(key, 'x', 'a'))
  })

  it.each([
    ['with another key', (sealed: string) => unseal(newKey(), sealed, 'a')],
    ['for another purpose', (sealed: string) => unseal(key, sealed, 'b')],
    ['cut short', (sealed: string) => unseal(key, sealed.slice(0, -4), 'a')],
    ['cut to nothing', (sealed: string) => unseal(key, sealed.slice(0, 8), 'a')],
    ['of another version', (sealed: string) => unseal(key, sealed.replace('v1', 'v2'), 'a')],
    ['that is none', () => unseal(key, 'text', 'a')],
  ])('does not open %s', (_name, open) => {
    expect(open(seal(key, 'text', 'a'))).toBeNull()
  })
})

describe('a hashed secret', () => {
  it('verifies the secret and no other', async () => {
    const stored = await hashSecret('secret')
    expect(stored).toMatch(/^scrypt\$14\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await Promise.all(['secret', 'Secret', '', stored].map((text) => verifySecret(text, stored)))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('has a salt of its own', async () => {
    expect(await hashSecret('secret')).not.toBe(await hashSecret('secret'))
  })

  it('that is absent verifies nothing', async () => {
    expect(await verifySecret('secret', null)).toBe(false)
  })

  it('that is damaged is an error, not a failed comparison', async () => {
    await expect(verifySecret('secret', 'plain')).rejects.toThrow('damaged')
  })

  it.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['', '', true],
  ])('compares %j and %j in constant time: %s', (left, right, same) => {
    expect(areSameSecrets(left, right)).toBe(same)
  })
})
