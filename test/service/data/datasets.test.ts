import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Dataset, DatasetList, DatasetReceipt, DatasetSchema } from '../../../src/contract/datasets.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { sweepAway } from '../sweep-away.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

const HOUR_MS = 60 * 60_000

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

async function train(file: string | Buffer, parts: Record<string, string> = {}, tenant = TENANT_A): Promise<Answer> {
  return await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', ...parts, seed_file: new Blob([file]) }),
    tenant,
  })
}
const get = async (path: string, tenant = TENANT_A) => await service.ask(path, { tenant })
const destroy = async (id: string, tenant = TENANT_A) =>
  await service.ask(`/v1/datasets/${id}`, { method: 'DELETE', tenant })

describe('a dataset', () => {
  it('is trained within the wait, and shows what cleaning and training did', async () => {
    const reply = await train(surveyCsv(400), { display_name: 'Wave 1' })
    expect(reply.status).toBe(200)
    expect(DatasetReceipt.parse(reply.body)).toMatchObject({
      status: 'ready',
      cleaning_summary: {
        input_rows: 400,
        input_columns: 7,
        clean_rows: 400,
        clean_columns: 6,
        dropped_columns: [{ name: 'respondent_id', reason: 'identifier' }],
        renamed_columns: [
          { from: 'loyalty_member', to: 'loyalty.member' },
          { from: 'monthly_spend', to: 'monthly.spend' },
          { from: 'joined_on', to: 'joined.on' },
        ],
      },
      training_summary: { training_rows: 400 },
    })
    const shown = await get(`/v1/datasets/${reply.body.dataset_id}`)
    expect(Dataset.parse(shown.body)).toMatchObject({
      dataset_id: reply.body.dataset_id,
      status: 'ready',
      display_name: 'Wave 1',
      expires_at: reply.body.expires_at,
      cleaning_summary: reply.body.cleaning_summary,
      training_summary: reply.body.training_summary,
    })
    expect(Date.parse(shown.body.expires_at) - Date.parse(shown.body.created_at)).toBe(24 * HOUR_MS)
    expect(shown.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('reports briefly how good its model is, compared with real rows and chance', async () => {
    const reply = await train(surveyCsv(400))
    const shown = Dataset.parse((await get(`/v1/datasets/${reply.body.dataset_id}`)).body)
    const { quality } = shown.training_summary!
    expect(quality).toMatchObject({
      training_rows: 320,
      held_out_rows: 80,
      synthetic_rows: 320,
      pairs: { measured: 15 },
      c2st: { rows: 80, chance: 0.0916 },
      dcr: { rows: 80, of_copies: 0.625 },
    })
    const similarities = [quality!.column_shapes!, quality!.pairs!].flatMap(({ mean, reference }) => [mean, reference])
    for (const figure of [...similarities, quality!.c2st!.auc, quality!.dcr!.nearer_training]) {
      expect(figure).toBeGreaterThan(0.3)
      expect(figure).toBeLessThan(1)
    }
    expect(JSON.stringify(quality).length).toBeLessThan(4096)
  })

  it('says why the quality of its model is not known', async () => {
    const reply = await train(surveyCsv(120))
    expect(Dataset.parse((await get(`/v1/datasets/${reply.body.dataset_id}`)).body).training_summary).toMatchObject({
      quality: null,
      quality_note: 'The table has 120 rows; at least 200 are needed to hold some out.',
    })
  })

  it('names the columns that others determine', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => {
      const price = 1000 + ((i * 7919) % 4001)
      const amount = 1 + ((i * 31) % 12)
      return `${price / 100},${amount},${(price * amount) / 100}`
    })
    const reply = await train(['price,amount,spent', ...rows].join('\n'))
    expect(DatasetReceipt.parse(reply.body).training_summary!.derived_columns).toEqual([
      { column: 'spent', sources: ['price', 'amount'], formula: 'price * amount', share: 1 },
    ])
  })

  it('describes the relations between columns', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => {
      const low = 1000 + ((i * 7919) % 4001)
      return `${low},${low + 1 + ((i * 131) % 1201)},${(i * 37) % 89}`
    })
    const reply = await train(['low,high,age', ...rows].join('\n'))
    expect(DatasetReceipt.parse(reply.body).training_summary!.relations).toEqual([
      { columns: ['low', 'high'], relation: 'low < high', share: 1 },
    ])
  })

  it('has a cleaned schema', async () => {
    const reply = await train(surveyCsv(400))
    const shown = await get(`/v1/datasets/${reply.body.dataset_id}/schema`)
    const { schema } = DatasetSchema.parse(shown.body)
    expect(schema.map(({ name }) => name)).toEqual([
      'region',
      'loyalty.member',
      'satisfaction',
      'monthly.spend',
      'age',
      'joined.on',
    ])
    const region = schema[0]?.type === 'categorical' ? schema[0] : null
    expect(region).toMatchObject({ source_name: 'region', missing_share: 0 })
    expect([...(region?.levels ?? [])].sort()).toEqual(['east', 'north', 'south', 'west'])
    expect(schema[3]).toMatchObject({ type: 'numeric', integer: false, min: 0, source_name: 'monthly_spend' })
    expect(schema[4]).toMatchObject({ type: 'numeric', integer: true })
    expect(schema[4]).not.toHaveProperty('format')
    expect(schema[5]).toMatchObject({ type: 'numeric', format: 'date', min: expect.stringMatching(/^2020-\d\d-\d\d$/) })
  })

  it('keeps its headers without cleaning', async () => {
    const reply = await train(surveyCsv(400), { auto_clean: 'no' })
    const { schema } = (await get(`/v1/datasets/${reply.body.dataset_id}/schema`)).body
    expect(schema.map(({ name }: { name: string }) => name)).toContain('loyalty_member')
  })

  it('has no seed file any more once it is trained', async () => {
    const reply = await train(surveyCsv(400))
    await seedGoes(reply.body.dataset_id)
    expect(existsSync(join(service.dataDir, 'blobs', 'models', `${reply.body.dataset_id}.1`))).toBe(true)
  })

  it.each([
    ['a damaged Parquet file', 'svc_unreadable_file', Buffer.from(`PAR1${'\0\x01'.repeat(200)}PAR1`, 'latin1')],
    ['too few rows', 'svc_untrainable_dataset', surveyCsv(49)],
  ])('with %s fails with the job’s error, and leaves nothing', async (_name, code, file) => {
    const reply = await train(file, { idempotency_key: `fails-${code}` })
    expect(reply.status).toBe(400)
    expect(reply.body.code).toBe(code)
    const [job] = await service.db.query<{ job_id: string; dataset_id: string }>(
      'select job_id, dataset_id from jobs order by created_at desc limit 1',
    )
    expect((await get(`/v1/jobs/${job?.job_id}`)).body).toMatchObject({
      status: 'failed',
      error: { code, detail: reply.body.detail },
    })
    expect((await get(`/v1/datasets/${job?.dataset_id}`)).status).toBe(404)
    // Removed once the failure is recorded.
    await expect.poll(async () => await service.blobs()).not.toContain(job?.dataset_id)
    const fresh = await train(surveyCsv(60), { idempotency_key: `fails-${code}` })
    expect(fresh.status).toBe(200)
  })

  it('in training is not listed, and reads of it are 409 and name the job', async () => {
    const release = service.hold()
    const upload = await train(surveyCsv(400), { wait_seconds: '0' })
    const { dataset_id: id, job_id: jobId } = upload.body
    expect(upload.status).toBe(202)
    await expect.poll(async () => (await get(`/v1/jobs/${jobId}`)).body.status).toBe('running')
    expect((await get('/v1/datasets')).body.datasets).not.toContainEqual(expect.objectContaining({ dataset_id: id }))
    const reads = await Promise.all([
      get(`/v1/datasets/${id}`),
      get(`/v1/datasets/${id}/schema`),
      service.ask(`/v1/datasets/${id}/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"row_count":1}',
      }),
    ])
    for (const read of reads) {
      expect(read.status).toBe(409)
      expect(read.body).toMatchObject({ code: 'svc_dataset_not_ready', detail: expect.stringContaining(jobId) })
      expect(read.headers.get('retry-after')).toBe('2')
    }
    expect((await destroy(id)).status).toBe(204)
    release()
    expect((await get(`/v1/jobs/${jobId}`)).body.status).toBe('cancelled')
    expect((await get(`/v1/datasets/${id}`)).status).toBe(404)
  })

  it('is gone with its blobs after deletion; a second deletion is 404', async () => {
    const { body } = await train(surveyCsv(400))
    await seedGoes(body.dataset_id)
    const removed = await destroy(body.dataset_id)
    expect([removed.status, removed.body]).toEqual([204, ''])
    expect((await destroy(body.dataset_id)).status).toBe(404)
    expect((await get(`/v1/datasets/${body.dataset_id}`)).body.code).toBe('svc_not_found')
    const left = async () => (await service.blobs()).filter((name) => name.startsWith(body.dataset_id))
    await expect.poll(left).toEqual([])
  })

  it('of another tenant is as unknown as one that never existed', async () => {
    const { body } = await train(surveyCsv(400))
    const paths = [`/v1/datasets/${body.dataset_id}`, `/v1/datasets/${body.dataset_id}/schema`]
    const unknown = await get('/v1/datasets/ds_0000000000000000000000', TENANT_B)
    for (const path of paths) {
      const reply = await get(path, TENANT_B)
      expect({ ...reply.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
    expect((await destroy(body.dataset_id, TENANT_B)).status).toBe(404)
    const [job] = await service.db.query<{ job_id: string }>('select job_id from jobs where dataset_id = $1', [
      body.dataset_id,
    ])
    expect((await get(`/v1/jobs/${job?.job_id}`, TENANT_B)).status).toBe(404)
    expect((await get(`/v1/jobs/${job?.job_id}`)).body.dataset_id).toBe(body.dataset_id)
  })

  it('is returned in its current state when its upload is repeated after training', async () => {
    const parts = { idempotency_key: 'repeat-after-training' }
    const release = service.hold()
    const first = await train(surveyCsv(300), { ...parts, wait_seconds: '0' })
    release()
    const second = await train(surveyCsv(300), parts)
    expect([first.status, second.status]).toEqual([202, 200])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toMatchObject({ dataset_id: first.body.dataset_id, status: 'ready' })
  })
})

describe('the list of datasets', () => {
  const list = async (query: string, tenant = TENANT_B) => await get(`/v1/datasets${query}`, tenant)
  const ids: string[] = []
  beforeAll(async () => {
    for (let i = 0; i < 5; i++) {
      const { body } = await train(surveyCsv(60), { display_name: `n${i}` }, TENANT_B)
      ids.unshift(body.dataset_id)
    }
  })

  it('goes newest first, page by page, to its end', async () => {
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { status, body } = await list(`?limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      expect(status).toBe(200)
      const page = DatasetList.parse(body)
      pages.push(page.datasets.map(({ dataset_id: id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  })

  it('shows metadata only', async () => {
    const { body } = await list('?limit=1')
    expect(body).toEqual({
      datasets: [
        {
          dataset_id: ids[0],
          status: 'ready',
          display_name: 'n4',
          created_at: expect.any(String),
          expires_at: expect.any(String),
        },
      ],
      limit: 1,
      next_cursor: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    })
  })

  it('has no further page when the last one is full', async () => {
    expect((await list('?limit=5')).body.next_cursor).toBeNull()
  })

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?limit=1.5',
    '?limit=',
    '?limit=1&limit=2',
    '?cursor=',
    '?cursor=abc',
    '?cursor=a.b',
    '?page=2',
  ])('refuses %s', async (query) => {
    const reply = await list(query)
    expect(reply.status).toBe(400)
    expect(reply.body.code).toBe('svc_invalid_field')
  })

  it('refuses a cursor that was changed, or that is another tenant’s', async () => {
    const { next_cursor: cursor } = (await list('?limit=1')).body as { next_cursor: string }
    expect((await list(`?cursor=${cursor}`)).status).toBe(200)
    for (let i = 0; i < cursor.length; i += 7) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
      expect((await list(`?cursor=${changed}`)).status).toBe(400)
    }
    expect((await list(`?cursor=${cursor}`, TENANT_A)).status).toBe(400)
  })
})

describe('retention', () => {
  it('follows the tenant’s setting', async () => {
    await service.db.query('update tenants set retention_hours = 168 where tenant_id = $1', [TENANT_A])
    const { body } = await train(surveyCsv(60))
    const { created_at: from, expires_at: to } = (await get(`/v1/datasets/${body.dataset_id}`)).body
    expect(Date.parse(to) - Date.parse(from)).toBe(168 * HOUR_MS)
  })

  it('ends a job that is past its deadline, and its dataset with it', async () => {
    await service.db.query(
      `insert into jobs (job_id, tenant_id, kind, status, dataset_id, created_at, deadline_at)
       values ('job_late', $1, 'training', 'running', 'ds_late', now(), now() - interval '1 minute')`,
      [TENANT_A],
    )
    await sweep(service.context)
    expect((await get('/v1/jobs/job_late')).body.status).toBe('expired')
  })

  it('hides a dataset from the moment it expires, and the sweep removes the rest of it', async () => {
    const { body } = await train(surveyCsv(400))
    // The sweeper of the service would come at a moment of its own.
    await service.stopWork()
    service.clock.aheadMs += 168 * HOUR_MS + 60_000
    expect((await get(`/v1/datasets/${body.dataset_id}`)).status).toBe(404)
    expect((await get('/v1/datasets')).body.datasets).toEqual([])
    expect((await destroy(body.dataset_id)).status).toBe(404)
    expect(await service.context.blobs.size(`models/${body.dataset_id}.1`)).not.toBeNull()
    await sweep(service.context)
    // It can still be restored.
    expect(await service.context.blobs.size(`models/${body.dataset_id}.1`)).not.toBeNull()
    await sweepAway(service.context)
    expect(await service.db.query('select dataset_id from datasets')).toEqual([])
    expect(await service.blobs()).toEqual([])
  })
})

/** Waits until the seed file of a trained dataset is given up: that comes after the answer. */
async function seedGoes(datasetId: string): Promise<void> {
  await expect.poll(async () => await service.context.blobs.size(`seeds/${datasetId}`)).toBeNull()
}
