import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { S3Server } from '../storage/s3-server.ts'
import { ask, SharedDatabase } from './shared-database.ts'

const MASTER_KEY = 'the master key that all processes share'

let shared: SharedDatabase
let bucket: S3Server
let otherFolder: string

beforeEach(async () => {
  shared = await SharedDatabase.create()
  bucket = await S3Server.start()
  otherFolder = await mkdtemp(join(tmpdir(), 'whatif-other-'))
})
afterEach(async () => {
  await shared.close()
  await bucket.close()
  await rm(otherFolder, { recursive: true, force: true })
})

const start = async (settings: Partial<Settings>) => await shared.start({ masterKey: MASTER_KEY, ...settings })
const inBucket = (prefix = bucket.storage.prefix) => ({ objectStorage: { ...bucket.storage, prefix } })
const unusable = (message: RegExp) => ({ code: 'object_storage_unusable', message: expect.stringMatching(message) })

describe('a process on a database whose files are in a bucket', () => {
  beforeEach(async () => void (await start(inBucket())))

  it('is refused with files in a folder, with a message about the difference and the remedy', async () => {
    await expect(start({ role: 'worker' })).rejects.toMatchObject(
      unusable(
        /keeps files in the folder .*blobs; the database knows .* the bucket whatif-test below studies\/ at 127.*same settings of WHATIF_S3_\*/,
      ),
    )
  })

  it('is refused with another part of the bucket, and served with the same', async () => {
    await expect(start(inBucket('elsewhere/'))).rejects.toMatchObject(unusable(/below elsewhere\/ at/))
    await start({ role: 'worker', ...inBucket() })
  })

  it('is refused with another master key', async () => {
    await expect(start({ masterKey: 'another master key of 32 characters', ...inBucket() })).rejects.toThrow(
      /made with another master key. Give every process the same WHATIF_MASTER_KEY/,
    )
  })

  it('recognizes the storage by its place and its models when a rule of the bucket has removed the id', async () => {
    const marker = `${bucket.storage.prefix}installation/storage`
    expect(await bucket.objects()).toEqual([marker])
    await bucket.remove(marker)
    await start({ role: 'worker', ...inBucket() })
    expect(await bucket.objects()).toEqual([marker])
    await bucket.remove(marker)
    await shared.addTenant()
    const db = await shared.db()
    await db.query(
      `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, seed_bytes, seed_sha256,
         model_blob, schema, created_at, expires_at)
       values ('ds_1', 'ten_shared', 'job_1', 'ready', true, 'req_1', 1, 'x', 'models/ds_1.1', '[]', now(),
         now() + interval '1 day')`,
    )
    await expect(start({ role: 'worker', ...inBucket() })).rejects.toMatchObject(unusable(/another place/))
  })

  it('accepts another storage for the database if configured, and only that one from then on', async () => {
    await start({ storage: 'new', ...inBucket('elsewhere/') })
    await start(inBucket('elsewhere/'))
    await expect(start(inBucket())).rejects.toMatchObject(unusable(/which belongs to another database/))
  })
})

describe('a process on a database whose files are in a folder', () => {
  it('is refused with a folder that others do not share', async () => {
    await start({})
    await expect(start({ dataDir: otherFolder })).rejects.toMatchObject(unusable(/same --data on a shared disk/))
    await start({ role: 'api' })
  })

  it('agrees with other processes that start at the same moment', async () => {
    await Promise.all([start({}), start({ role: 'api' }), start({ role: 'worker' })])
    const db = await shared.db()
    expect(await db.query('select storage_kind from installation')).toEqual([{ storage_kind: 'folder' }])
  })

  it('is refused where the database has no record of its storage, but has models that are missing there', async () => {
    const { listenUrl } = await start({})
    await shared.addTenant()
    const body = form({ seed_file: new Blob([surveyCsv(200)]), wait_seconds: '60' })
    const { status } = await ask(`${listenUrl}/v1/datasets`, await shared.tokenOf(MASTER_KEY), { method: 'POST', body })
    expect(status).toBe(200)
    const db = await shared.db()
    await db.query('delete from installation')
    await expect(start(inBucket())).rejects.toMatchObject(unusable(/another place/))
    await start({ role: 'worker' })
  })

  it('of an older version is refused once a newer version has used the database, and the message names that version', async () => {
    await start({ version: '1.2.3' })
    await start({ version: '1.10.0' })
    await start({ version: '1.9.0' })
    const db = await shared.db()
    expect(await db.query('select newest_version from installation')).toEqual([{ newest_version: '1.10.0' }])
    await db.query(`insert into schema_migrations (name, sha256) values ('999-of-tomorrow', 'x')`)
    await expect(start({ version: '1.9.0' })).rejects.toMatchObject({
      code: 'database_unusable',
      message: expect.stringMatching(/newer version of whatif \(1\.10\.0\)/),
    })
  })
})
