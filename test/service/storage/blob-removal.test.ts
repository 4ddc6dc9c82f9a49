import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openS3BlobStore } from '../../../src/service/blobs/s3-blob-store.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { orphanBlob, takeOrphans } from '../../../src/service/records/orphaned-blobs.ts'
import { BlobRemover, removeBatch } from '../../../src/service/retention/blob-remover.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'
import { S3Server } from './s3-server.ts'

const MINUTE_MS = 60_000
/** The time of a request to a distant storage. */
const REQUEST_MS = 50

let folder: string
let db: Database
let server: S3Server
let blobs: BlobStore
let nowMs: number
const errors: unknown[] = []
const context = (): Pick<ServiceContext, 'db' | 'blobs' | 'now'> => ({ db, blobs, now: () => nowMs })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-removal-'))
  db = await openTestDatabase()
  server = await S3Server.start()
  blobs = await openS3BlobStore(server.storage, join(folder, 'scratch'), { backoffMs: 1 })
})
afterAll(async () => {
  await blobs.close()
  await server.close()
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  nowMs = Date.now()
  server.lines.length = 0
  errors.length = 0
})
afterEach(async () => {
  server.fault = () => null
  await db.exec('delete from doomed_blobs')
})

const orphans = async (): Promise<string[]> =>
  (await db.query<{ blob_key: string }>('select blob_key from doomed_blobs order by blob_key')).map(
    (row) => row.blob_key,
  )

async function giveUp(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, i) => `artifacts/gen_${i}.1`)
  await db.query(
    'insert into doomed_blobs (blob_key, due_at) select key, $2::timestamptz from unnest($1::text[]) as key',
    [keys, new Date(nowMs).toISOString()],
  )
  return keys
}

const store = async (key: string) => await blobs.put(key, Readable.from([Buffer.from('rows')]))
const remover = () => new BlobRemover(context(), { onError: (error) => errors.push(error) })

describe('orphaned blobs', () => {
  it('are removed in two requests per thousand, each by one of the processes', async () => {
    const keys = await giveUp(2500)
    for (const key of keys.slice(0, 20)) await store(key)
    expect(await server.objects()).toHaveLength(20)
    server.lines.length = 0
    server.fault = async () => {
      await wait(REQUEST_MS)
      return null
    }
    const removed: string[] = []
    const remove = blobs.remove.bind(blobs)
    const watched = new Proxy(blobs, {
      get: (target, name: keyof BlobStore) => {
        if (name !== 'remove') return target[name].bind(target)
        return async (batch: readonly string[], signal: AbortSignal) => {
          removed.push(...batch)
          return await remove(batch, signal)
        }
      },
    })
    const processes = [1, 2].map(
      () => new BlobRemover({ ...context(), blobs: watched }, { onError: (e) => errors.push(e) }),
    )
    for (const process of processes) {
      process.start()
      process.soon()
    }
    await expect.poll(orphans).toEqual([])
    await Promise.all(processes.map(async (process) => await process.stop()))
    expect(removed.sort()).toEqual(keys.sort())
    expect(await server.objects()).toEqual([])
    // Each has three batches: uploads that were left, and the objects. The stand-in may fail once, when two remove in one folder.
    expect(new Set(server.lines)).toEqual(new Set(['GET ?uploads', 'POST ']))
    expect(server.lines.length).toBeLessThan(10)
    expect(errors).toEqual([])
  })

  it('do not delay a stop: unfinished removals are due again at once', async () => {
    const keys = await giveUp(3)
    server.fault = ({ line }) => (line === 'POST ' ? 'no answer' : null)
    const one = remover()
    one.start()
    one.soon()
    await expect.poll(() => server.lines).toContain('POST ')
    await one.stop()
    expect(errors).toEqual([])
    server.fault = () => null
    expect(await removeBatch(context())).toBe(keys.length)
    expect(await orphans()).toEqual([])
  })

  it('are due again two minutes after a process took them and died', async () => {
    const keys = await giveUp(3)
    expect([...(await takeOrphans(db, 1000, nowMs))].sort()).toEqual(keys)
    nowMs += 2 * MINUTE_MS - 1
    expect(await removeBatch(context())).toBe(0)
    nowMs += 1
    expect(await removeBatch(context())).toBe(3)
    expect(await orphans()).toEqual([])
  })

  it('are removed a minute later if the storage refuses, which is reported', async () => {
    const keys = await giveUp(3)
    server.fault = ({ line }) => (line === 'POST ' ? { ok: 'AccessDenied' } : null)
    await expect(removeBatch(context())).rejects.toThrow('did not remove 3 of the requested objects')
    expect(await orphans()).toEqual(keys)
    expect(await removeBatch(context())).toBe(0)
    server.fault = () => null
    nowMs += MINUTE_MS
    expect(await removeBatch(context())).toBe(3)
  })

  it('are removed one by one from a storage that has no request for many', async () => {
    const keys = await giveUp(40)
    for (const key of keys.slice(0, 5)) await store(key)
    server.lines.length = 0
    server.fault = ({ line }) => (line === 'POST ' ? { status: 501, code: 'NotImplemented' } : null)
    const old = await openS3BlobStore(server.storage, join(folder, 'scratch'), { backoffMs: 1, isShared: true })
    await removeBatch({ ...context(), blobs: old })
    await old.close()
    expect(await orphans()).toEqual([])
    expect(await server.objects()).toEqual([])
    // One that is cut off is sent again.
    expect(new Set(server.lines.filter((line) => line.startsWith('DELETE studies/artifacts/'))).size).toBe(40)
  })

  it('are removed with the parts that a killed process left of them, and without those of others', async () => {
    const begin = async (key: string) => {
      const url = `${server.storage.endpoint}/${server.storage.bucket}/${server.storage.prefix}${key}?uploads`
      expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    }
    const [left] = await giveUp(3)
    await begin(left as string)
    await begin('artifacts/gen_of_another.1')
    expect(await server.uploads()).toHaveLength(2)
    await removeBatch(context())
    expect(await server.uploads()).toHaveLength(1)
  })

  it('are removed soon after they became orphans', async () => {
    const one = remover()
    one.start()
    await store('seeds/ds_1')
    await orphanBlob(db, 'seeds/ds_1', nowMs)
    one.soon()
    await expect.poll(orphans).toEqual([])
    expect(await blobs.size('seeds/ds_1')).toBeNull()
    await one.stop()
  })
})
