import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkQueue } from '../../../src/service/queue/work-queue.ts'
import { BlobRemover } from '../../../src/service/retention/blob-remover.ts'
import { startWork } from '../../../src/service/start-workers.ts'
import { surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'
import {
  CONDITIONS,
  ended,
  expectNothingLeft,
  order,
  partJobs,
  ROWS,
  SPLIT,
  startWith,
  statementOf,
  type Trained,
  train,
} from './large-generations.ts'

/** Region and age alone: what is tested is the work, and `parted-bytes` compares the bytes of all kinds of columns. */
const SEED = surveyCsv(500)
  .split('\n')
  .map((line) => [1, 5].map((at) => line.split(',')[at]).join(','))
  .join('\n')

let trained: Trained
const close: (() => Promise<void>)[] = []

/** One service for all tests of a suite, each of which leaves nothing but its records. */
function withWorkers(workers: number): void {
  beforeAll(async () => {
    trained = await startWith(SEED, { ...SPLIT, workers, webhooks: 'none' })
    close.push(async () => await trained.service.close())
  })
  afterAll(async () => {
    for (const one of close.splice(0).reverse()) await one()
  })
}

/** Parts whose piece is stored, with the number of the attempt that made it. */
const madeParts = async () =>
  await trained.service.db.query<{ job_id: string; attempts: number }>(
    'select job_id, attempts from generation_parts join jobs using (job_id) where blob_key is not null order by job_id',
  )
const onePartIsMade = async () =>
  await expect.poll(async () => (await madeParts()).length, { interval: 5 }).toBeGreaterThan(0)

const billed = async (generationId: string) =>
  await trained.service.db.query('select rows_generated from ledger where generation_id = $1', [generationId])

/** Begins the work of the next process, which has the database to itself and at once removes what is due. */
async function startAgain(): Promise<void> {
  const { context, db, errors } = trained.service
  const onError = (error: unknown): void => void errors.push(error)
  const queue = await openWorkQueue(db, { onError })
  const remover = new BlobRemover(context, { onError })
  const work = await startWork({ ...context, queue, remover }, { isAlone: true, onError })
  close.push(async () => await work.stop())
  remover.soon()
}

describe('a generation in parts, by two workers,', () => {
  withWorkers(2)

  it('is billed once, told of once, and its parts are nobody else’s', async () => {
    const { service } = trained
    await service.db.query(
      `insert into webhooks (webhook_id, tenant_id, url, events, secret_sealed, created_at)
       values ('wh_1', $1, 'https://receiver.example', '{job.completed,job.failed,generation.ready}', '', now())`,
      [TENANT_A],
    )
    const made = await order(trained, 'csv')
    await ended(trained, made)
    const told = await service.db.query<{ type: string }>('select type from webhook_messages order by type')
    expect(told.map(({ type }) => type)).toEqual(['generation.ready', 'job.completed'])
    expect(await billed(made.body.generation_id)).toEqual([{ rows_generated: ROWS }])
    const [part] = await partJobs(trained, made)
    for (const tenant of [TENANT_A, TENANT_B]) {
      expect(await service.ask(`/v1/jobs/${part?.job_id}`, { tenant })).toMatchObject({ status: 404 })
    }
    expect((await service.ask(`/v1/jobs/${made.body.job_id}`)).body).toMatchObject({ status: 'completed' })
  })

  it('fails as a whole when its pieces exceed the limit of an artifact', async () => {
    const { service } = trained
    const { artifact } = await ended(trained, await order(trained, 'parquet'))
    const limitArtifacts = 'update tenants set artifact_bytes_limit = $1'
    // At the join, and before the last part.
    for (const limit of [artifact.bytes - 1, Math.floor(artifact.bytes / 2)]) {
      await service.db.query(limitArtifacts, [limit])
      const made = await order(trained, 'parquet')
      const refused = await ended(trained, made)
      expect(refused).toMatchObject({ status: 'failed', error: { code: 'svc_quota_exceeded' } })
      await expectNothingLeft(trained)
      expect(await billed(made.body.generation_id)).toEqual([])
    }
    await service.db.query(limitArtifacts, [null])
  })

  it('is planned again when a worker of another version of the engine has begun it', async () => {
    const { service } = trained
    const expected = await ended(trained, await order(trained, 'csv', { conditions: CONDITIONS }))
    const made = await order(trained, 'csv', { conditions: CONDITIONS })
    const other = `update generation_plans set plan = jsonb_set(plan::jsonb, '{findings,engineVersion}', '"0"')::json returning 1`
    await expect.poll(async () => await service.db.query(other), { interval: 5 }).toHaveLength(1)
    expect(statementOf(await ended(trained, made))).toEqual(statementOf(expected))
    expect((await partJobs(trained, made)).map(({ status }) => status)).toContain('cancelled')
    await expectNothingLeft(trained)
  })

  it('is planned again also while somebody holds the entry of its job', async () => {
    const made = await order(trained, 'csv', { conditions: CONDITIONS })
    const held = `with other as (
        update generation_plans set plan = jsonb_set(plan::jsonb, '{findings,engineVersion}', '"0"')::json returning 1)
      update queue_entries set holder = gen_random_uuid(), available_at = now() + interval '1 hour'
      where job_id = $1 and exists (select 1 from other) returning 1`
    const hold = async () => await trained.service.db.query(held, [made.body.job_id])
    await expect.poll(hold, { interval: 5 }).toHaveLength(1)
    expect(await ended(trained, made)).toMatchObject({ status: 'ready' })
    await expectNothingLeft(trained)
  })
})

// The last part has not begun when the first is made.
describe('a generation in parts, by one worker,', () => {
  withWorkers(1)

  it('leaves nothing when its dataset is deleted while its parts are at work', async () => {
    const { service } = trained
    const other = { service, datasetId: await train(service, SEED) }
    const made = await order(other, 'csv', { conditions: CONDITIONS })
    await onePartIsMade()
    expect(await service.ask(`/v1/datasets/${other.datasetId}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect((await service.ask(`/v1/jobs/${made.body.job_id}`)).body.status).toBe('cancelled')
    expect((await service.ask(`/v1/generations/${made.body.generation_id}`)).body.status).toBe('failed')
    const statuses = (await partJobs(trained, made)).map(({ status }) => status)
    expect(statuses).toHaveLength(3)
    expect(statuses).not.toContain('queued')
    await expectNothingLeft(trained)
    expect(await billed(made.body.generation_id)).toEqual([])
  })

  it('is not planned, and has no deadline, before another one of its tenant has ended', async () => {
    const db = trained.service.db
    const [first, second] = [await order(trained, 'csv'), await order(trained, 'parquet')]
    const ids = [first.body.job_id, second.body.job_id]
    // The first is at work when the second has looked, which waits without an attempt and a deadline, and not for long.
    const waiting = `select w.attempts, w.deadline_at, e.available_at - now() <= interval '1 minute' as is_soon
      from jobs w join queue_entries e on e.job_id = w.job_id join jobs f on f.job_id = $1
      where w.job_id = $2 and w.status = 'queued' and e.holder is null and e.available_at > now() and f.status = 'running'`
    const found = [{ attempts: 0, deadline_at: null, is_soon: true }]
    await expect.poll(async () => await db.query(waiting, ids), { interval: 5 }).toEqual(found)
    expect(
      await db.query('select 1 from generation_plans where generation_id = $1', [second.body.generation_id]),
    ).toEqual([])
    expect(await ended(trained, first)).toMatchObject({ status: 'ready' })
    expect(await ended(trained, second)).toMatchObject({ status: 'ready' })
    const begun = `select w.deadline_at - make_interval(mins => $3::integer) >= f.finished_at as is_later, w.attempts
      from jobs w join jobs f on f.job_id = $1 where w.job_id = $2`
    const minutes = trained.service.context.settings.jobDeadlineMinutes
    expect(await db.query(begun, [...ids, minutes])).toEqual([{ is_later: true, attempts: 1 }])
    await expectNothingLeft(trained)
  })

  it('ends by the deadline of its job', async () => {
    const { service } = trained
    const made = await order(trained, 'csv')
    await onePartIsMade()
    await service.db.query(`update jobs set deadline_at = now() - interval '1 hour' where part_of = $1`, [
      made.body.job_id,
    ])
    expect(await ended(trained, made)).toMatchObject({ status: 'failed' })
    expect((await service.ask(`/v1/jobs/${made.body.job_id}`)).body.status).toBe('expired')
    await expectNothingLeft(trained)
  })

  // The last of this suite: the work of its service ends.
  it('goes on with its plan and its pieces when the service restarts', async () => {
    const expected = await ended(trained, await order(trained, 'parquet', { conditions: CONDITIONS }))
    const made = await order(trained, 'parquet', { conditions: CONDITIONS })
    await onePartIsMade()
    await trained.service.stopWork()
    const before = await madeParts()
    expect(before.length).toBeLessThan(3)
    await startAgain()
    expect(statementOf(await ended(trained, made))).toEqual(statementOf(expected))
    const after = 'select job_id, attempts from jobs where job_id = any($1::text[]) order by job_id'
    expect(await trained.service.db.query(after, [before.map(({ job_id: jobId }) => jobId)])).toEqual(before)
    await expectNothingLeft(trained)
  })
})
