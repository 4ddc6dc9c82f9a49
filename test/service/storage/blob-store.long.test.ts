import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openFileBlobStore } from '../../../src/service/blobs/file-blob-store.ts'
import { openS3BlobStore } from '../../../src/service/blobs/s3-blob-store.ts'
import { S3Server } from './s3-server.ts'

const MIB = 1 << 20

interface Adapter {
  /** Over the temporary folder `root`. */
  open(root: string, options?: { isShared?: boolean }): Promise<BlobStore>
  /** Keys of all blobs, and what else is left of storing them. */
  leavings(root: string): Promise<string[]>
}

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

let server: S3Server
beforeAll(async () => {
  server = await S3Server.start()
})
afterAll(async () => await server.close())

const FILES: Adapter = {
  open: openFileBlobStore,
  leavings: async (root) => (await filesUnder(root)).map((path) => path.slice(root.length + 1)),
}
const S3: Adapter = {
  open: async (root, options) => await openS3BlobStore(server.storage, root, { backoffMs: 1, ...options }),
  leavings: async (root) => {
    // A blob's local copy is not a leftover: it belongs to the blob, and is removed with it.
    const keys = (await server.objects()).map((key) => key.slice('studies/'.length))
    const copies = (await filesUnder(root)).length
    return [...keys, ...(await server.uploads()), ...(copies > keys.length ? [`${copies} files`] : [])]
  },
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

async function* chunks(...pieces: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** Yields the bytes in pieces of a size that no part begins or ends with. */
async function* pieces(bytes: Buffer, after?: () => void): AsyncGenerator<Uint8Array> {
  const size = 300_007
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  after?.()
}

/** Fails once `bytes` have been read. */
async function* failing(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes)
  throw new Error('broken off')
}

const text = async (store: BlobStore, ...read: Parameters<BlobStore['read']>) =>
  String(await buffer(store.read(...read)))

describe.each([
  ['files', FILES],
  ['objects of an S3 bucket', S3],
])('blobs kept as %s', (_name, adapter) => {
  let root: string
  let store: BlobStore
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'whatif-blobs-'))
    store = await adapter.open(root)
  })
  afterEach(async () => {
    for (const key of (await adapter.leavings(root)).filter((name) => /^(?!scratch)[a-z]+\//.test(name)))
      await store.delete(key)
    await store.close()
    await rm(root, { recursive: true, force: true })
  })
  const leavings = async () => await adapter.leavings(root)

  describe('a blob', () => {
    it('is listed with its size, and nothing else is listed', async () => {
      for (const [key, content] of [
        ['seeds/ds_1', 'abc'],
        ['models/ds_1.1', 'de'],
        ['artifacts/gen_1.1', ''],
      ] as const) {
        await store.put(key, chunks(content))
      }
      await writeFile(store.scratchPath(), 'being written')
      const listed: { key: string; bytes: number }[] = []
      for await (const page of store.list()) listed.push(...page)
      expect(listed.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
        { key: 'artifacts/gen_1.1', bytes: 0 },
        { key: 'models/ds_1.1', bytes: 2 },
        { key: 'seeds/ds_1', bytes: 3 },
      ])
    })

    it('is stored with its size and hash, and read back whole or in part', async () => {
      const stored = await store.put('seeds/ds_1', chunks('hello, ', '', 'world'))
      expect(stored).toEqual({ bytes: 12, sha256: sha256('hello, world') })
      expect(await store.size('seeds/ds_1')).toBe(12)
      expect(await text(store, 'seeds/ds_1')).toBe('hello, world')
      expect(await text(store, 'seeds/ds_1', { start: 7, end: 10 })).toBe('wor')
      expect(await text(store, 'seeds/ds_1', { start: 7, end: 100 })).toBe('world')
      expect(await store.withLocalFile('seeds/ds_1', async (path) => String(await readFile(path)))).toBe('hello, world')
    })

    it('replaces an earlier one with the same key', async () => {
      await store.put('seeds/ds_1', chunks('old'))
      await store.put('seeds/ds_1', chunks('new'))
      expect(await text(store, 'seeds/ds_1')).toBe('new')
      expect(await store.withLocalFile('seeds/ds_1', async (path) => String(await readFile(path)))).toBe('new')
    })

    it('may be empty', async () => {
      expect(await store.put('seeds/ds_1', chunks())).toEqual({ bytes: 0, sha256: sha256('') })
      expect(await store.size('seeds/ds_1')).toBe(0)
      expect(await text(store, 'seeds/ds_1')).toBe('')
    })

    // Parts of a multipart upload have 8 MiB.
    it.each([8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 16 * MIB, 40 * MIB + 5])(
      'may have %i bytes, and arrives unchanged',
      async (size) => {
        const bytes = randomBytes(size)
        expect(await store.put('seeds/ds_1', pieces(bytes))).toEqual({ bytes: size, sha256: sha256(bytes) })
        expect(await store.size('seeds/ds_1')).toBe(size)
        expect(sha256(await buffer(store.read('seeds/ds_1')))).toBe(sha256(bytes))
        const range = { start: 8 * MIB - 3, end: size }
        if (size > range.start) {
          expect(sha256(await buffer(store.read('seeds/ds_1', range)))).toBe(sha256(bytes.subarray(range.start)))
        }
        expect(await leavings()).toEqual(['seeds/ds_1'])
      },
    )

    it('is gone after deletion, which may be repeated', async () => {
      await store.put('seeds/ds_1', chunks('hello'))
      await store.delete('seeds/ds_1')
      await store.delete('seeds/ds_1')
      expect(await store.size('seeds/ds_1')).toBeNull()
      await expect(buffer(store.read('seeds/ds_1'))).rejects.toMatchObject({ code: 'ENOENT' })
      // Opening the file is the user's matter where the path is given without looking.
      await expect(store.withLocalFile('seeds/ds_1', async (path) => await readFile(path))).rejects.toMatchObject({
        code: 'ENOENT',
      })
      expect(await leavings()).toEqual([])
    })

    it('can be made of a finished scratch file, which is moved', async () => {
      const path = store.scratchPath()
      const bytes = randomBytes(9 * MIB)
      await writeFile(path, bytes)
      expect(await store.adopt('artifacts/gen_1', path)).toEqual({ bytes: bytes.length, sha256: sha256(bytes) })
      expect(existsSync(path)).toBe(false)
      expect(sha256(await buffer(store.read('artifacts/gen_1')))).toBe(sha256(bytes))
    })

    it.each([100, 20 * MIB])('leaves nothing when its source fails after %i bytes', async (size) => {
      await expect(store.put('seeds/ds_1', failing(randomBytes(size)))).rejects.toThrow('broken off')
      expect(await leavings()).toEqual([])
    })

    it.each([100, 20 * MIB])('leaves nothing when it is aborted after %i bytes', async (size) => {
      const abort = new AbortController()
      const source = pieces(randomBytes(size), () => abort.abort(new Error('no longer wanted')))
      await expect(store.put('seeds/ds_1', source, { signal: abort.signal })).rejects.toThrow('no longer wanted')
      expect(await leavings()).toEqual([])
    })

    it('is not begun after an abort', async () => {
      const signal = AbortSignal.abort(new Error('no longer wanted'))
      await expect(store.put('seeds/ds_1', chunks('x'), { signal })).rejects.toThrow('no longer wanted')
      expect(await leavings()).toEqual([])
    })

    it.each([2, 20 * MIB])('keeps the earlier one when its replacement fails after %i bytes', async (size) => {
      await store.put('seeds/ds_1', chunks('old'))
      await expect(store.put('seeds/ds_1', failing(randomBytes(size)))).rejects.toThrow('broken off')
      expect(await text(store, 'seeds/ds_1')).toBe('old')
      expect(await leavings()).toEqual(['seeds/ds_1'])
    })

    it('can be read in part and then aborted', async () => {
      await store.put('seeds/ds_1', pieces(randomBytes(20 * MIB)))
      const reading = store.read('seeds/ds_1')
      for await (const chunk of reading) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      expect(reading.destroyed).toBe(true)
    })

    it('is read only as far as its reader reads', async () => {
      await store.put('seeds/ds_1', pieces(randomBytes(40 * MIB)))
      const reading = store.read('seeds/ds_1')
      await new Promise((resolve) => reading.once('readable', resolve))
      expect(reading.readableLength).toBeLessThanOrEqual(4 * MIB)
      reading.destroy()
    })

    it('has one local file for all who use it at the same time', async () => {
      await store.put('seeds/ds_1', chunks('hello'))
      const paths = await Promise.all(
        [1, 2, 3].map(async () => {
          return await store.withLocalFile('seeds/ds_1', async (path) => {
            expect((await stat(path)).size).toBe(5)
            return path
          })
        }),
      )
      expect(new Set(paths).size).toBe(1)
    })

    it('stays usable as a local file to the end of its use, even if its deletion has begun', async () => {
      // Files are deleted in place: their users hold them open. Only copies outlast the blob.
      await store.put('seeds/ds_1', chunks('hello'))
      if (adapter === FILES) return
      await store.withLocalFile('seeds/ds_1', async (path) => {
        await store.delete('seeds/ds_1')
        expect(String(await readFile(path))).toBe('hello')
      })
      expect(await leavings()).toEqual([])
    })
  })

  describe('the store', () => {
    it.each([
      '../escape',
      'seeds/../../escape',
      'seeds/',
      '/etc/passwd',
      'seeds/a/b',
      'scratch/x',
      'seeds/.hidden',
      '',
    ])('refuses the key "%s"', async (key) => {
      await expect(store.put(key, chunks('x'))).rejects.toThrow(RangeError)
      await expect(store.adopt(key, store.scratchPath())).rejects.toThrow(RangeError)
      await expect(store.size(key)).rejects.toThrow(RangeError)
      await expect(store.delete(key)).rejects.toThrow(RangeError)
      expect(() => store.read(key)).toThrow(RangeError)
      expect(await leavings()).toEqual([])
    })

    it('removes what an earlier process left in its scratch folder, and no blob', async () => {
      await store.put('seeds/ds_1', chunks('kept'))
      const left = store.scratchPath()
      await writeFile(left, 'left over')
      const next = await adapter.open(root)
      expect(existsSync(left)).toBe(false)
      expect(await text(next, 'seeds/ds_1')).toBe('kept')
      await next.close()
    })

    it('keeps the scratch files of other processes when it starts, where it is shared', async () => {
      const live = store.scratchPath()
      await writeFile(live, 'being written')
      const next = await adapter.open(root, { isShared: true })
      expect(existsSync(live)).toBe(true)
      await next.close()
    })

    it('refuses to read a range without a byte', () => {
      expect(() => store.read('seeds/ds_1', { start: 3, end: 3 })).toThrow(RangeError)
    })

    it('reports when nothing can be stored', async () => {
      await expect(store.check()).resolves.toBeUndefined()
      await rm(root, { recursive: true })
      await expect(store.check()).rejects.toThrow('ENOENT')
      await mkdir(root)
    })
  })
})
