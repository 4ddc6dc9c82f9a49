import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openFileBlobStore } from '../../../src/service/blobs/file-blob-store.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { endOverdueJobs } from '../../../src/service/jobs/end-jobs.ts'
import { keepBlob, markPending } from '../../../src/service/records/orphaned-blobs.ts'
import { removeBatch } from '../../../src/service/retention/blob-remover.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { deleteDataset } from '../../../src/service/routes/datasets.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import { removeBlobs, sweepAway } from '../sweep-away.ts'
import { newTestDatabase } from '../test-database.ts'

const DATASETS = 120
const HOUR_MS = 60 * 60_000

let folder: string
let blobs: BlobStore
let processes: readonly [Database, Database]
let remove: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-sweeping-'))
  blobs = await openFileBlobStore(folder)
  const made = await newTestDatabase()
  remove = made.remove
  const open = async () => await openPostgresDatabase(made.databaseUrl as string)
  processes = [await open(), await open()]
  await migrate(processes[0], MIGRATIONS)
  await processes[0].query(`insert into tenants (tenant_id, name, created_at) values ('ten_1', 'T', now())`)
})
afterAll(async () => {
  for (const db of processes) await db.close()
  await remove()
  await rm(folder, { recursive: true, force: true })
})

const contextOf = (db: Database) => ({ db, blobs, now: Date.now }) as ServiceContext

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

it('two processes sweep, expire and delete the same records simultaneously, and nothing is left or refused', async () => {
  const [one, other] = processes
  await one.exec(`
    insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, seed_blob)
      select 'ds_' || n, 'ten_1', 'job_' || n, 'processing', true, 'req', now(),
        now() + case when n % 2 = 0 then interval '-1 minute' else interval '1 hour' end, 1, 'x', 'seeds/ds_' || n
      from generate_series(1, ${DATASETS}) as n;
    insert into jobs (job_id, tenant_id, kind, status, dataset_id, created_at, deadline_at)
      select 'job_' || n, 'ten_1', 'training', 'running', 'ds_' || n, now(), now() - interval '1 minute'
      from generate_series(1, ${DATASETS}) as n`)
  const deleting = async (db: Database, first: number) => {
    for (let n = first; n <= DATASETS; n += 3) await deleteDataset(contextOf(db), 'ten_1', `ds_${n}`)
  }
  await Promise.all([
    sweep(contextOf(one)),
    sweep(contextOf(other)),
    endOverdueJobs(one, Date.now()),
    endOverdueJobs(other, Date.now()),
    deleting(one, 1),
    deleting(other, 2),
  ])
  // Records that one process left to the other while that one removed them.
  await Promise.all([sweepAway(contextOf(one)), sweepAway(contextOf(other))])
  await removeBlobs(contextOf(one))
  expect(await one.query('select dataset_id from datasets')).toEqual([])
  expect(await one.query('select blob_key from doomed_blobs')).toEqual([])
  const ends = await one.query<{ status: string }>('select distinct status from jobs order by status')
  for (const { status } of ends) expect(['cancelled', 'expired']).toContain(status)
})

it('a blob that is being recorded stays, however late the record is', async () => {
  const [one, other] = processes
  await markPending(one, 'seeds/late', Date.now() - 3 * HOUR_MS)
  await blobs.put('seeds/late', bytes('rows'))
  await one.transaction(async (tx) => {
    await keepBlob(tx, 'seeds/late')
    await removeBatch(contextOf(other))
  })
  await removeBatch(contextOf(other))
  expect(await blobs.size('seeds/late')).toBe(4)
})

it('a blob that is being removed cannot be recorded any more', async () => {
  const [one, other] = processes
  await markPending(one, 'seeds/gone', Date.now() - 3 * HOUR_MS)
  await blobs.put('seeds/gone', bytes('rows'))
  let keeping: Promise<unknown> = Promise.resolve()
  const slow: BlobStore = {
    ...blobs,
    remove: async (keys, signal) => {
      keeping = one.transaction(async (tx) => await keepBlob(tx, keys[0] as string))
      await keeping.catch(() => undefined)
      return await blobs.remove(keys, signal)
    },
  }
  await removeBatch({ ...contextOf(other), blobs: slow })
  await expect(keeping).rejects.toThrow('has become an orphan')
  await expect(stat(join(folder, 'seeds/gone'))).rejects.toThrow('ENOENT')
  expect(await one.query('select blob_key from doomed_blobs')).toEqual([])
})
