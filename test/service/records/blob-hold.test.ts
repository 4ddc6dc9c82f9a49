import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openFileBlobStore } from '../../../src/service/blobs/file-blob-store.ts'
import { holdBlobs, orphanBlob, releaseBlobs } from '../../../src/service/records/orphaned-blobs.ts'
import { removeBatch } from '../../../src/service/retention/blob-remover.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'

const HOUR_MS = 60 * 60_000

let folder: string
let db: Database
let blobs: BlobStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-hold-'))
  db = await openTestDatabase()
  blobs = await openFileBlobStore(join(folder, 'blobs'))
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await releaseBlobs(db)
  await blobs.put('seeds/given-up', Readable.from([Buffer.from('x')]))
  await orphanBlob(db, 'seeds/given-up', Date.now() - HOUR_MS)
})

const remove = async () => await removeBatch({ db, blobs, now: Date.now })
const isThere = async () => (await blobs.size('seeds/given-up')) !== null

describe('while blobs are held for a backup', () => {
  it('none is removed, until they are released', async () => {
    await holdBlobs(db, 3600)
    await remove()
    expect(await isThere()).toBe(true)
    expect(await releaseBlobs(db)).toBe(true)
    await remove()
    expect(await isThere()).toBe(false)
    expect(await releaseBlobs(db)).toBe(false)
  })

  it('a second hold never ends the first one early', async () => {
    const until = await holdBlobs(db, 3600)
    expect(until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await holdBlobs(db, 60)).toBe(until)
    expect(Date.parse(await holdBlobs(db, 7200))).toBeGreaterThan(Date.parse(until))
  })

  it('a hold that has passed has no effect', async () => {
    await holdBlobs(db, -1)
    await remove()
    expect(await isThere()).toBe(false)
  })
})
