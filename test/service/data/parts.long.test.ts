import { afterEach, describe, expect, it } from 'vitest'
import { PART_ROWS } from '../../../src/service/generations/part-rows.ts'
import { openWorkQueue } from '../../../src/service/queue/work-queue.ts'
import { BlobRemover } from '../../../src/service/retention/blob-remover.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { startWork } from '../../../src/service/start-workers.ts'
import { S3Server } from '../storage/s3-server.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

/** Three parts, the last of which is short. */
const ROWS = 2 * PART_ROWS + 50_001
const SPLIT: Partial<Settings> = { splitRows: 1_015_808 }
const FORMATS = ['parquet', 'arrow', 'csv'] as const
const CONDITIONS = {
  categorical: { region: { north: 0.4, south: 0.3 } },
  numeric: { age: { min: 20, max: 60 } },
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

interface Trained {
  readonly service: DataService
  readonly datasetId: string
}

async function start(settings: Partial<Settings>): Promise<Trained> {
  const service = await startDataService({ settings })
  open.push(service)
  await service.db.query('update tenants set request_row_cap = 10000000')
  const parts = { seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' }
  const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
  return { service, datasetId: body.dataset_id }
}

const order = async ({ service, datasetId }: Trained, format: string, more: object = {}): Promise<Answer> =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: ROWS, seed: 7, output_format: format, ...more }),
  })

/** The record of a generation when its job has ended. */
async function ended({ service }: Trained, { status, body }: Answer): Promise<Answer['body']> {
  expect(status).toBe(202)
  const read = async () => (await service.ask(`/v1/generations/${body.generation_id}`)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  return await read()
}

/** What says the same of every artifact with the same bytes. */
const statementOf = ({ artifact, rows_generated, targets, evidence, shortfall, status, model_id }: Answer['body']) => ({
  artifact,
  rows_generated,
  targets,
  evidence,
  shortfall,
  status,
  model_id,
})

async function statements(trained: Trained) {
  const all: Record<string, unknown> = {}
  all.plain = statementOf(await ended(trained, await order(trained, 'csv')))
  for (const format of FORMATS) {
    all[format] = statementOf(await ended(trained, await order(trained, format, { conditions: CONDITIONS })))
  }
  return all
}

const partJobs = async ({ service }: Trained) =>
  await service.db.query<{ status: string }>('select status from jobs where part_of is not null')

/** Parts of which the piece is stored, with the number of the attempt that made it. */
const madeParts = async ({ service }: Trained) =>
  await service.db.query<{ job_id: string; attempts: number }>(
    'select job_id, attempts from generation_parts join jobs using (job_id) where blob_key is not null order by job_id',
  )

/** Begins the work of the next process, which has the database to itself and at once removes what is due. */
async function startAgain({ service }: Trained): Promise<void> {
  const { context, db, errors } = service
  const onError = (error: unknown): void => void errors.push(error)
  const queue = await openWorkQueue(db, { onError })
  const remover = new BlobRemover(context, { onError })
  const work = await startWork({ ...context, queue, remover }, { isAlone: true, onError })
  open.push({ close: async () => await work.stop() })
  remover.soon()
}

/** Nothing is left of plans and pieces: no record, no file, no entry in the queue. */
async function expectNothingLeft({ service }: Trained): Promise<void> {
  const db = service.db
  const left = `select (select count(*)::integer from generation_plans) + (select count(*)::integer from generation_parts)
    + (select count(*)::integer from queue_entries) as count`
  expect(await db.query(left)).toEqual([{ count: 0 }])
  await expect
    .poll(async () => (await service.blobs()).filter((name) => /^(plans|pieces|scratch)/.test(name)))
    .toEqual([])
  await expect.poll(async () => await db.query('select blob_key from doomed_blobs')).toEqual([])
}

describe('a generation in parts', () => {
  it('has the record and the bytes of the whole, with any number of workers', async () => {
    const whole = await start({})
    const expected = await statements(whole)
    expect(expected.csv).toMatchObject({ rows_generated: ROWS, status: 'ready' })
    expect(await partJobs(whole)).toEqual([])
    for (const workers of [1, 2, 3]) {
      const split = await start({ ...SPLIT, workers })
      expect(await statements(split)).toEqual(expected)
      expect(await partJobs(split)).toEqual(Array.from({ length: 12 }, () => ({ status: 'completed' })))
      await expectNothingLeft(split)
      expect(split.service.errors).toEqual([])
    }
  })

  it('has them in a bucket', async () => {
    const whole = await start({})
    const server = await S3Server.start()
    open.push(server)
    const split = await start({ ...SPLIT, objectStorage: server.storage })
    const [expected, made] = [await order(whole, 'parquet'), await order(split, 'parquet')]
    expect(statementOf(await ended(split, made))).toEqual(statementOf(await ended(whole, expected)))
    await expectNothingLeft(split)
  })

  it('has them where a mean is stated, which is met over all rows', async () => {
    const conditions = { categorical: { region: { north: 0.4 } }, means: { age: 45 } }
    const [whole, split] = [await start({ disclosure: 'exact' }), await start({ ...SPLIT, disclosure: 'exact' })]
    const expected = await ended(whole, await order(whole, 'csv', { conditions }))
    const made = await ended(split, await order(split, 'csv', { conditions }))
    expect(made).toMatchObject({ rows_generated: ROWS, status: 'ready' })
    expect(statementOf(made)).toEqual(statementOf(expected))
    expect(await partJobs(split)).toHaveLength(3)
    await expectNothingLeft(split)
  })

  it('is billed once, told of once, and its parts are nobody else’s', async () => {
    const trained = await start({ ...SPLIT, webhooks: 'none' })
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
    expect(await service.db.query('select generation_id, rows_generated from ledger')).toEqual([
      { generation_id: made.body.generation_id, rows_generated: ROWS },
    ])
    const [part] = await service.db.query<{ job_id: string }>('select job_id from jobs where part_of is not null')
    for (const tenant of [TENANT_A, TENANT_B]) {
      expect(await service.ask(`/v1/jobs/${part?.job_id}`, { tenant })).toMatchObject({ status: 404 })
    }
    expect((await service.ask(`/v1/jobs/${made.body.job_id}`)).body).toMatchObject({ status: 'completed' })
  })

  it('leaves nothing when its dataset is deleted while its parts are at work', async () => {
    const trained = await start(SPLIT)
    const { service, datasetId } = trained
    const { body } = await order(trained, 'csv', { conditions: CONDITIONS })
    const made = 'select 1 from generation_parts where blob_key is not null'
    await expect.poll(async () => (await service.db.query(made)).length, { interval: 5 }).toBeGreaterThan(0)
    expect(await service.ask(`/v1/datasets/${datasetId}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect((await service.ask(`/v1/jobs/${body.job_id}`)).body.status).toBe('cancelled')
    expect((await service.ask(`/v1/generations/${body.generation_id}`)).body.status).toBe('failed')
    expect(new Set((await partJobs(trained)).map(({ status }) => status))).not.toContain('queued')
    await expectNothingLeft(trained)
    expect(await service.db.query('select 1 from ledger')).toEqual([])
  })

  it('fails as a whole when its pieces exceed the limit of an artifact', async () => {
    const trained = await start({ ...SPLIT, artifactBytes: 30 * 2 ** 20 })
    const { service } = trained
    const { body } = await order(trained, 'parquet')
    const artifact = await ended(trained, { status: 202, headers: new Headers(), body })
    expect(artifact).toMatchObject({ status: 'ready' })
    const whole = artifact.artifact.bytes
    // At the join, and before the last part.
    for (const limit of [whole - 1, Math.floor(whole / 2)]) {
      await service.db.query('update tenants set artifact_bytes_limit = $1', [limit])
      const refused = await ended(trained, await order(trained, 'parquet'))
      expect(refused).toMatchObject({ status: 'failed', error: { code: 'svc_quota_exceeded' } })
      await expectNothingLeft(trained)
    }
    expect(await service.db.query('select 1 from ledger')).toHaveLength(1)
  })

  it('is planned again when a worker of another version of the engine has begun it', async () => {
    const trained = await start(SPLIT)
    const { service } = trained
    const expected = await ended(trained, await order(trained, 'csv', { conditions: CONDITIONS }))
    const made = await order(trained, 'csv', { conditions: CONDITIONS })
    const other = `update generation_plans set plan = jsonb_set(plan::jsonb, '{findings,engineVersion}', '"0"')::json returning 1`
    await expect.poll(async () => await service.db.query(other), { interval: 5 }).toHaveLength(1)
    expect(statementOf(await ended(trained, made))).toEqual(statementOf(expected))
    const cancelled = (await partJobs(trained)).filter(({ status }) => status === 'cancelled')
    expect(cancelled.length).toBeGreaterThan(0)
    await expectNothingLeft(trained)
  })

  it('is planned again also while somebody holds the entry of its job', async () => {
    const trained = await start(SPLIT)
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

  it('goes on with its plan and its pieces when the service restarts', async () => {
    const trained = await start({ ...SPLIT, workers: 1 })
    const expected = await ended(trained, await order(trained, 'parquet', { conditions: CONDITIONS }))
    const made = await order(trained, 'parquet', { conditions: CONDITIONS })
    await expect.poll(async () => (await madeParts(trained)).length, { interval: 5 }).toBeGreaterThan(0)
    await trained.service.stopWork()
    const before = await madeParts(trained)
    expect(before.length).toBeLessThan(3)
    await startAgain(trained)
    expect(statementOf(await ended(trained, made))).toEqual(statementOf(expected))
    const after = 'select job_id, attempts from jobs where job_id = any($1::text[]) order by job_id'
    expect(await trained.service.db.query(after, [before.map(({ job_id: jobId }) => jobId)])).toEqual(before)
    await expectNothingLeft(trained)
  })

  it('is not planned, and has no deadline, before another one of its tenant has ended', async () => {
    const trained = await start({ ...SPLIT, workers: 1 })
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
    const trained = await start(SPLIT)
    const { service } = trained
    const { body } = await order(trained, 'csv')
    const made = 'select 1 from generation_parts where blob_key is not null'
    await expect.poll(async () => (await service.db.query(made)).length, { interval: 5 }).toBeGreaterThan(0)
    await service.db.query(`update jobs set deadline_at = now() - interval '1 hour' where part_of is not null`)
    expect(await ended(trained, { status: 202, headers: new Headers(), body })).toMatchObject({ status: 'failed' })
    expect((await service.ask(`/v1/jobs/${body.job_id}`)).body.status).toBe('expired')
    await expectNothingLeft(trained)
  })
})
