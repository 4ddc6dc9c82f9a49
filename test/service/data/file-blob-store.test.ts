import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openFileBlobStore } from '../../../src/service/blobs/file-blob-store.ts'

let root: string
let store: BlobStore
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'whatif-blobs-'))
  store = await openFileBlobStore(root)
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function files(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a blob', () => {
  it('is stored with its size and hash, and read back whole or in part', async () => {
    const stored = await store.put('seeds/ds_1', chunks('hello, ', '', 'world'))
    expect(stored).toEqual({ bytes: 12, sha256: sha256('hello, world') })
    expect(await store.size('seeds/ds_1')).toBe(12)
    expect(String(await buffer(store.read('seeds/ds_1')))).toBe('hello, world')
    expect(String(await buffer(store.read('seeds/ds_1', { start: 7, end: 10 })))).toBe('wor')
    expect(await store.withLocalFile('seeds/ds_1', async (path) => String(await readFile(path)))).toBe('hello, world')
  })

  it('replaces an earlier one of its key', async () => {
    await store.put('seeds/ds_1', chunks('old'))
    await store.put('seeds/ds_1', chunks('new'))
    expect(String(await buffer(store.read('seeds/ds_1')))).toBe('new')
  })

  it('may be empty', async () => {
    expect(await store.put('seeds/ds_1', chunks())).toEqual({ bytes: 0, sha256: sha256('') })
    expect(await store.size('seeds/ds_1')).toBe(0)
  })

  it('is gone after deletion, which may be repeated', async () => {
    await store.put('seeds/ds_1', chunks('hello'))
    await store.delete('seeds/ds_1')
    await store.delete('seeds/ds_1')
    expect(await store.size('seeds/ds_1')).toBeNull()
    await expect(buffer(store.read('seeds/ds_1'))).rejects.toThrow('ENOENT')
  })

  it('can be made of a finished scratch file, which moves', async () => {
    const path = store.scratchPath()
    await writeFile(path, 'rows')
    expect(await store.adopt('artifacts/gen_1', path)).toEqual({ bytes: 4, sha256: sha256('rows') })
    expect(existsSync(path)).toBe(false)
    expect(String(await buffer(store.read('artifacts/gen_1')))).toBe('rows')
  })

  it('leaves nothing when its source fails', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('broken off')
    }
    await expect(store.put('seeds/ds_1', failing())).rejects.toThrow('broken off')
    expect(await files()).toEqual([])
  })

  it('leaves nothing when it is aborted half-way', async () => {
    const abort = new AbortController()
    async function* aborting(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      abort.abort(new Error('no longer wanted'))
      yield Buffer.from('whole')
    }
    await expect(store.put('seeds/ds_1', aborting(), { signal: abort.signal })).rejects.toThrow('no longer wanted')
    expect(await files()).toEqual([])
  })

  it('keeps the earlier one when its replacement fails', async () => {
    await store.put('seeds/ds_1', chunks('old'))
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ne')
      throw new Error('broken off')
    }
    await expect(store.put('seeds/ds_1', failing())).rejects.toThrow()
    expect(String(await buffer(store.read('seeds/ds_1')))).toBe('old')
  })
})

describe('a blob store', () => {
  it('removes what an earlier process left in its scratch folder, and nothing else', async () => {
    await store.put('seeds/ds_1', chunks('kept'))
    await writeFile(store.scratchPath(), 'left over')
    await openFileBlobStore(root)
    expect(await files()).toEqual([join(root, 'seeds/ds_1')])
  })

  it('that others share removes what nobody has written to for a day, and leaves what another may be at', async () => {
    const [live, dead] = [store.scratchPath(), store.scratchPath()]
    await writeFile(live, 'being written')
    await mkdir(dead)
    const before = new Date(Date.now() - 25 * 60 * 60_000)
    await utimes(dead, before, before)
    await openFileBlobStore(root, { isShared: true })
    expect(existsSync(dead)).toBe(false)
    expect(await files()).toEqual([live])
  })

  it.each(['../escape', 'seeds/../../escape', 'seeds/', '/etc/passwd', 'seeds/a/b', 'scratch/x', 'seeds/.hidden', ''])(
    'refuses the key "%s"',
    async (key) => {
      await expect(store.put(key, chunks('x'))).rejects.toThrow(RangeError)
      await expect(store.size(key)).rejects.toThrow(RangeError)
      expect(() => store.read(key)).toThrow(RangeError)
      expect(await files()).toEqual([])
    },
  )

  it('says when nothing can be stored', async () => {
    await expect(store.check()).resolves.toBeUndefined()
    await rm(root, { recursive: true })
    await expect(store.check()).rejects.toThrow('ENOENT')
  })
})
