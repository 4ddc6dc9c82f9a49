import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ObjectStorage } from '../../../src/objects/object-storage.ts'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openS3BlobStore } from '../../../src/service/blobs/s3-blob-store.ts'
import { type Fault, S3Server } from './s3-server.ts'

const MIB = 1 << 20
/** Three parts, the last one of a byte. */
const BYTES = randomBytes(16 * MIB + 1)
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const OBJECT = 'studies/seeds/ds_1'
const [BEGIN, PART_1, PART_2, COMPLETE] = [
  `POST ${OBJECT}?uploads`,
  `PUT ${OBJECT}?partNumber,uploadId`,
  `PUT ${OBJECT}?partNumber,uploadId`,
  `POST ${OBJECT}?uploadId`,
]

let server: S3Server
let root: string
let store: BlobStore
beforeAll(async () => {
  server = await S3Server.start()
})
afterAll(async () => await server.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'whatif-blobs-'))
  store = await openS3BlobStore(server.storage, root, { backoffMs: 1 })
  server.lines.length = 0
})
afterEach(async () => {
  server.fault = () => null
  await store.delete('seeds/ds_1')
  await store.close()
  await rm(root, { recursive: true, force: true })
})

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < BYTES.length; at += 500_009) yield BYTES.subarray(at, at + 500_009)
}
const put = async () => await store.put('seeds/ds_1', pieces())
const readAll = async () =>
  createHash('sha256')
    .update(await buffer(store.read('seeds/ds_1')))
    .digest('hex')
const fails = (line: string, fault: Fault, times = 1) => {
  server.fault = (request) => (request.line === line && request.earlier < times ? fault : null)
}
const refuseAll = (status: number, code: string) => {
  server.fault = () => ({ status, code })
}
const leavings = async () => ({
  objects: await server.objects(),
  uploads: await server.uploads(),
  scratch: (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length,
})
const NOTHING = { objects: [], uploads: [], scratch: 0 }

describe('storing a blob', () => {
  it.each<[string, string, Fault]>([
    ['an upload that cannot be begun', BEGIN, { status: 503, code: 'SlowDown' }],
    ['a part that is refused for the moment', PART_1, { status: 500, code: 'InternalError' }],
    ['a connection that breaks in a part', PART_2, { cutRequestAfter: 3 * MIB }],
    ['a part whose answer is lost', PART_1, 'lose the answer'],
    ['a completion that is refused for the moment', COMPLETE, { status: 503, code: 'ServiceUnavailable' }],
    ['a completion that begins with 200 and ends in an error', COMPLETE, { ok: 'InternalError' }],
    ['a completion whose answer is lost', COMPLETE, 'lose the answer'],
  ])('survives %s', async (_name, line, fault) => {
    fails(line, fault)
    expect(await put()).toEqual({ bytes: BYTES.length, sha256: SHA256 })
    server.fault = () => null
    expect(await readAll()).toBe(SHA256)
    expect(await server.objects()).toEqual([OBJECT])
    expect(await server.uploads()).toEqual([])
  })

  it.each<[string, string, Fault, string]>([
    ['cannot be begun', BEGIN, { status: 503, code: 'SlowDown' }, '503 (SlowDown)'],
    ['breaks in every try of a part', PART_1, { cutRequestAfter: MIB }, 'did not answer'],
    ['is refused in a part', PART_1, { status: 403, code: 'AccessDenied' }, '403 (AccessDenied)'],
    ['cannot be completed', COMPLETE, { ok: 'InternalError' }, 'did not finish'],
    ['is refused at its completion', COMPLETE, { status: 400, code: 'InvalidPart' }, '400 (InvalidPart)'],
  ])('leaves nothing when an upload %s', async (_name, line, fault, words) => {
    fails(line, fault, 100)
    const failure = await put().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'StorageError', message: expect.stringContaining(words) })
    expect(await leavings()).toEqual(NOTHING)
  })

  it('stops reading its source when a part has failed', async () => {
    fails(PART_1, { status: 403, code: 'AccessDenied' }, 100)
    let yielded = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yielded++
        yield Buffer.alloc(MIB)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await expect(store.put('seeds/ds_1', endless())).rejects.toThrow('AccessDenied')
    expect(yielded).toBeGreaterThan(8)
    expect(await leavings()).toEqual(NOTHING)
  })

  it('sends a small blob in one request, and repeats it when the connection breaks', async () => {
    fails(`PUT ${OBJECT}`, { cutRequestAfter: 1 }, 2)
    await store.put('seeds/ds_1', [Buffer.from('hello')] as never)
    expect(server.lines).toEqual([`PUT ${OBJECT}`, `PUT ${OBJECT}`, `PUT ${OBJECT}`])
  })

  it('leaves parts that could not be aborted to the deletion of the blob', async () => {
    server.fault = ({ line }) =>
      line === COMPLETE || line.startsWith('DELETE') ? { status: 503, code: 'SlowDown' } : null
    await expect(put()).rejects.toThrow('SlowDown')
    expect(await server.uploads()).toHaveLength(1)
    server.fault = () => null
    await store.delete('seeds/ds_1')
    expect(await leavings()).toEqual(NOTHING)
  })

  it('aborts no upload of another blob whose key has the same beginning', async () => {
    server.fault = ({ line }) =>
      /^(POST studies\/seeds\/ds_12\?uploadId|DELETE)/.test(line) ? { status: 503, code: 'SlowDown' } : null
    await expect(store.put('seeds/ds_12', pieces())).rejects.toThrow('SlowDown')
    server.fault = () => null
    await store.delete('seeds/ds_1')
    expect(await server.uploads()).toHaveLength(1)
    await store.delete('seeds/ds_12')
    expect(await server.uploads()).toEqual([])
  })

  it('works with a storage that cannot list uploads', async () => {
    await store.put('seeds/ds_1', [Buffer.from('hello')] as never)
    server.fault = ({ line }) => (line === 'GET ?uploads' ? { status: 501, code: 'NotImplemented' } : null)
    await store.delete('seeds/ds_1')
    expect(await server.objects()).toEqual([])
  })
})

describe('reading a blob', () => {
  beforeEach(async () => {
    await put()
    server.lines.length = 0
  })

  it.each([0, 1, 5 * MIB])('resumes where the connection broke after %i bytes', async (cutAnswerAfter) => {
    fails(`GET ${OBJECT}`, { cutAnswerAfter }, 1)
    expect(await readAll()).toBe(SHA256)
    expect(server.lines).toEqual([`GET ${OBJECT}`, `GET ${OBJECT}`])
  })

  it('continues through many breaks, as long as bytes arrive', async () => {
    fails(`GET ${OBJECT}`, { cutAnswerAfter: 2 * MIB }, 8)
    expect(await readAll()).toBe(SHA256)
  })

  it('fails when no byte comes any more', async () => {
    server.fault = ({ line, earlier }) =>
      line === `GET ${OBJECT}` ? (earlier === 0 ? { cutAnswerAfter: MIB } : { cutAnswerAfter: 0 }) : null
    await expect(readAll()).rejects.toMatchObject({ name: 'StorageError' })
  })

  it('fails when the blob was replaced while it was read', async () => {
    let goOn: () => void = () => undefined
    const replaced = new Promise<void>((resolve) => {
      goOn = resolve
    })
    server.fault = async ({ line, earlier }) => {
      if (line !== `GET ${OBJECT}`) return null
      if (earlier === 0) return { cutAnswerAfter: MIB }
      await replaced
      return null
    }
    const reading = store.read('seeds/ds_1')
    await new Promise((resolve) => reading.once('readable', resolve))
    await server.replace(OBJECT, randomBytes(BYTES.length))
    goOn()
    await expect(buffer(reading)).rejects.toMatchObject({ name: 'StorageError', code: 'PreconditionFailed' })
  })

  it('fails when a local copy cannot be made, and makes it at the next use', async () => {
    const other = await openS3BlobStore(server.storage, root, { backoffMs: 1 })
    server.fault = ({ line }) => (line === `GET ${OBJECT}` ? { cutAnswerAfter: 0 } : null)
    const use = async () => await other.withLocalFile('seeds/ds_1', async (path) => path)
    await expect(use()).rejects.toMatchObject({ name: 'StorageError' })
    server.fault = () => null
    await expect(use()).resolves.toEqual(expect.any(String))
    await other.close()
  })

  it('ends at once when aborted, even if the storage does not answer', async () => {
    fails(`GET ${OBJECT}`, 'no answer')
    const reading = store.read('seeds/ds_1')
    const failed = new Promise((resolve) => reading.once('error', resolve))
    reading.resume()
    await expect.poll(() => server.lines).toContain(`GET ${OBJECT}`)
    reading.destroy(new Error('given up'))
    await expect(failed).resolves.toMatchObject({ message: 'given up' })
  })
})

describe('storage that cannot be used', () => {
  const all: [string, () => Promise<void> | void, RegExp][] = [
    ['is down', async () => await server.stop(), /did not answer .*\(ECONNREFUSED\)/],
    ['has lost its bucket', async () => await server.setBucket(false), /404 \((NoSuchBucket|NotFound)\)/],
    ['refuses our key', () => refuseAll(403, 'AccessDenied'), /403/],
    ['is overloaded', () => refuseAll(503, 'SlowDown'), /503/],
  ]
  const mend = async (): Promise<void> => {
    server.fault = () => null
    if (!server.isListening) await server.startAgain()
    if (!(await server.hasBucket())) await server.setBucket(true)
  }
  afterEach(mend)

  it.each(all)('because it %s fails every operation with a StorageError, and recovers', async (_name, harm, words) => {
    await store.put('seeds/ds_1', [Buffer.from('hello')] as never)
    await harm()
    const failure = { name: 'StorageError', message: expect.stringMatching(words) }
    await expect(store.check()).rejects.toMatchObject(failure)
    await expect(store.size('seeds/ds_1')).rejects.toMatchObject(failure)
    await expect(buffer(store.read('seeds/ds_1'))).rejects.toMatchObject(failure)
    await expect(store.put('seeds/ds_1', [Buffer.from('x')] as never)).rejects.toMatchObject(failure)
    await expect(put()).rejects.toMatchObject(failure)
    await mend()
    await store.check()
    await put()
    expect(await readAll()).toBe(SHA256)
  })

  it.each(all)('because it %s lets no service start', async (_name, harm, words) => {
    await harm()
    const failure = await openS3BlobStore(server.storage, root, { backoffMs: 1 }).catch((error: Error) => error)
    const { message } = failure as Error
    expect(message).toMatch(words)
    expect(message).toMatch(/^The bucket whatif-test at 127\.0\.0\.1:\d+ cannot be used: .* (Check|Create) .*\.$/)
    expect(message).not.toContain(server.storage.secretAccessKey)
    expect(message).not.toContain('canary-message')
  })

  it('is reported for a read-only key', async () => {
    server.fault = ({ line }) => (line.startsWith('PUT') ? { status: 403, code: 'AccessDenied' } : null)
    await expect(openS3BlobStore(server.storage, root, { backoffMs: 1 })).rejects.toThrow(
      'Check the access key, and that it may get, put, list and delete objects and abort and list multipart uploads.',
    )
  })

  it('is reported for a wrong time', async () => {
    const now = () => Date.now() + 25 * 60 * 60_000
    await expect(openS3BlobStore(server.storage, root, { backoffMs: 1, now })).rejects.toThrow(
      /RequestTimeTooSkewed.*set both clocks, of the database and of the storage, by NTP/,
    )
  })

  it.each<[string, Partial<ObjectStorage>]>([
    ['endpoint', { endpoint: 'storage.example' }],
    ['endpoint', { endpoint: 'ftp://storage.example' }],
    ['endpoint', { endpoint: 'https://user:canary-secret-4b8f0e@storage.example' }],
    ['endpoint', { endpoint: 'https://storage.example/?x=1' }],
    ['region', { region: '' }],
    ['bucket', { bucket: 'a/b' }],
    ['bucket', { bucket: '..' }],
    ['prefix', { prefix: '/a' }],
    ['prefix', { prefix: 'a/../b' }],
    ['prefix', { prefix: 'a//b' }],
    ['access key id', { accessKeyId: '' }],
    ['secret access key', { secretAccessKey: 'canary-secret-4b8f0e\n' }],
  ])('is refused without a request for a wrong %s', async (name, wrong) => {
    const failure = await openS3BlobStore({ ...server.storage, ...wrong }, root).catch((error: Error) => error)
    expect((failure as Error).message).toMatch(new RegExp(`^The ${name} of the object storage must `))
    expect((failure as Error).message).not.toContain('canary')
    expect(server.lines).toEqual([])
  })
})
