import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ObjectStorage, StorageCredentials } from '../../../src/objects/object-storage.ts'
import { openS3BlobStore } from '../../../src/service/blobs/s3-blob-store.ts'
import { S3Server } from './s3-server.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 1, 3, 4, 5, 6)
const DOWNLOAD = { expiresInSeconds: 900, contentType: 'text/csv', fileName: 'the rows.csv' }

let server: S3Server
let folder: string
/** Number of requests for credentials. */
let asked: number
/** The answer to the next request. */
let next: () => Promise<StorageCredentials>
beforeAll(async () => {
  server = await S3Server.start()
})
afterAll(async () => await server.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  folder = await mkdtemp(join(tmpdir(), 'whatif-credentials-'))
  asked = 0
  next = async () => issue(`ASIA${asked}`, 60 * MINUTE)
  server.keys = {}
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

/** Credentials that the server knows for so long. */
function issue(accessKeyId: string, lifeMs: number): StorageCredentials {
  const expiresAtMs = Date.now() + lifeMs
  const key = { secretAccessKey: `secret/of+${accessKeyId}`, sessionToken: `token/of+${accessKeyId}==`, expiresAtMs }
  server.keys = { ...server.keys, [accessKeyId]: key }
  return { accessKeyId, ...key }
}

async function open(changes: Partial<ObjectStorage> = {}) {
  const { accessKeyId: _id, secretAccessKey: _secret, ...place } = server.storage
  const credentials = async () => {
    asked++
    return await next()
  }
  return await openS3BlobStore({ ...place, credentials, ...changes }, folder, { backoffMs: 1 })
}

const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
const put = async (store: Awaited<ReturnType<typeof open>>, bytes: number) =>
  await store.put('seeds/ds_1', Readable.from([Buffer.alloc(bytes, 'x')]))

describe('temporary credentials', () => {
  it('sign every kind of request and the addresses of artifacts, including their token', async () => {
    const store = await open()
    // First in parts, then in one request.
    for (const bytes of [17 << 20, 5]) await put(store, bytes)
    expect(await store.size('seeds/ds_1')).toBe(5)
    expect(await text(store.read('seeds/ds_1', { start: 1, end: 3 }))).toBe('xx')
    const address = await store.downloadAddress('seeds/ds_1', DOWNLOAD)
    const answer = await fetch(address as string)
    expect([answer.status, await answer.text()]).toEqual([200, 'xxxxx'])
    expect((await fetch((address as string).replace('text%2Fcsv', 'text%2Fhtml'))).status).toBe(403)
    await store.delete('seeds/ds_1')
    expect(asked).toBe(1)
    await store.close()
  })

  it('are renewed in the background 20 minutes before they end, and requested once a minute while they stay the same', async () => {
    const store = await open()
    later(39 * MINUTE)
    await store.check()
    expect(asked).toBe(1)
    later(2 * MINUTE)
    const old = server.keys
    next = async () => ({ ...issue('ASIA1', 19 * MINUTE) })
    await store.check()
    expect(asked).toBe(2)
    server.keys = { ...old, ...server.keys }
    await store.check()
    await store.check()
    expect(asked).toBe(2)
    later(MINUTE)
    await store.check()
    expect(asked).toBe(3)
    await store.close()
  })

  it('that cannot be renewed are used until they end, and limit how long an address is valid', async () => {
    const store = await open()
    await put(store, 5)
    next = async () => await Promise.reject(new Error('the endpoint is away'))
    later(52 * MINUTE)
    const url = new URL((await store.downloadAddress('seeds/ds_1', DOWNLOAD)) as string)
    expect(url.searchParams.get('X-Amz-Expires')).toBe(String(8 * 60))
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe('token/of+ASIA1==')
    expect(url.search).not.toContain('+')
    later(8 * MINUTE)
    await expect(store.check()).rejects.toMatchObject({ name: 'StorageError', code: 'no credentials' })
    next = async () => issue('ASIA9', 60 * MINUTE)
    await store.check()
    await store.close()
  })

  it('are fetched again, once for all refused requests, when the storage no longer knows them', async () => {
    const store = await open()
    await put(store, 5)
    server.keys = {}
    later(MINUTE)
    next = async () => issue('ASIA2', 60 * MINUTE)
    const read = async () => await text(store.read('seeds/ds_1'))
    expect(await Promise.all([read(), read(), read()])).toEqual(['xxxxx', 'xxxxx', 'xxxxx'])
    expect(asked).toBe(2)
    // They are not fetched again and again if the new ones are refused as well.
    server.keys = {}
    await expect(read()).rejects.toThrow('403 (InvalidAccessKeyId)')
    expect(asked).toBe(2)
    await store.close()
  })
})

describe('a service without credentials', () => {
  it.each<[string, () => Promise<StorageCredentials>, string]>([
    [
      'a source that fails',
      async () => await Promise.reject(new SyntaxError('Unexpected token in "canary-secret"')),
      'There are no credentials for the object storage (SyntaxError).',
    ],
    [
      'a source that names its error oddly',
      async () => await Promise.reject(Object.assign(new Error('x'), { name: 'canary-secret{' })),
      'There are no credentials for the object storage (unnamed error).',
    ],
    [
      'credentials that have ended',
      async () => issue('canary-secret', 0),
      'There are no credentials for the object storage (expired).',
    ],
  ])('does not start with %s, and shows no secret', async (_name, source, message) => {
    next = source
    const failure = await open().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'UnusableError', message: expect.stringContaining(message) })
    expect(inspect(failure)).not.toContain('canary-secret')
  })

  it('does not start with credentials that the storage refuses, and shows no secret', async () => {
    next = async () => ({ ...issue('ASIA1', 60 * MINUTE), secretAccessKey: 'canary-secret' })
    const failure = await open().catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining('403 (SignatureDoesNotMatch)') })
    expect(inspect(failure)).not.toContain('canary-secret')
  })

  it('does not start with half of an access key', async () => {
    await expect(open({ accessKeyId: 'AK' })).rejects.toThrow('The secret access key of the object storage must be')
  })
})
