import { afterAll, beforeAll, expect, it } from 'vitest'
import { countWaiting, insertEntry } from '../../../src/service/queue/queue-entries.ts'
import { insertPlan, noteParts, type StoredPlan } from '../../../src/service/records/generation-parts.ts'
import { insertGeneration } from '../../../src/service/records/generation-records.ts'
import { beginJob, insertJob, lockUnfinishedJob } from '../../../src/service/records/job-records.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'

const IDS = { generationId: 'gen_1', jobId: 'job_1', tenantId: 'ten_1', datasetId: 'ds_1' }
const PARTS = [
  { firstRow: 0, endRow: 5 },
  { firstRow: 5, endRow: 10 },
]
const time = { nowMs: Date.now(), deadlineMs: 60_000 }
let db: Database
let partIds: readonly string[]

beforeAll(async () => {
  db = await openTestDatabase()
  await db.query(`insert into tenants (tenant_id, name, created_at) values ('ten_1', 'T', now())`)
  const order = { rowCount: 10, seed: 1, outputFormat: 'csv', conditions: { shares: [], ranges: [] } } as const
  const { nowMs } = time
  await insertGeneration(db, { ...IDS, ...order, requestId: 'req', nowMs, expiresMs: nowMs + 60_000 })
  await insertJob(db, { ...IDS, kind: 'generation', nowMs, traceParent: null })
  await insertEntry(db, { ...IDS, queue: 'generation', workMs: 1 })
  const whole = await beginJob(db, IDS.jobId, time)
  if (whole === null) throw new Error('The job did not begin.')
  await db.transaction(async (tx) => {
    await lockUnfinishedJob(tx, IDS.jobId)
    const plan = { blobKey: 'plans/gen_1.1' } as unknown as StoredPlan
    const rows = await insertPlan(tx, { ...whole, generation_id: IDS.generationId }, plan, PARTS, nowMs)
    partIds = rows.map(({ job_id: jobId }) => jobId)
    for (const jobId of partIds) await insertEntry(tx, { ...IDS, jobId, queue: 'generation', workMs: 1 })
    await noteParts(tx, IDS.jobId, 0.5)
  })
})
afterAll(async () => await db?.close())

it('a job whose parts are at work counts as one that waits, and its parts do not', async () => {
  expect(await countWaiting(db, IDS.tenantId, 10)).toBe(1)
})

it('a job that looks after its parts stays as far as they are', async () => {
  expect(await beginJob(db, IDS.jobId, time)).toMatchObject({ attempts: 2, stage: 'sampling', progress: 0.5 })
})

it('a part that begins again begins at nothing', async () => {
  await db.query(`update jobs set stage = 'sampling', progress = 0.3 where job_id = $1`, [partIds[0]])
  expect(await beginJob(db, partIds[0] as string, time)).toMatchObject({ stage: null, progress: 0 })
})
