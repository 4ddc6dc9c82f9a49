import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWholeService, surveyCsv, TENANT_A, TENANT_B, type WholeService } from './whole-service.ts'

const HOUR_MS = 60 * 60_000
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: WholeService
/** The datasets of tenant A, newest first. */
let newestFirst: string[]
beforeAll(async () => {
  service = await startWholeService()
  newestFirst = []
  for (let i = 0; i < 5; i++) {
    newestFirst.unshift(await service.train(surveyCsv(60), i === 0 ? {} : { display_name: `Wave ${i}` }))
  }
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const list = async (query = '', tenant = TENANT_A) => await service.get(`/v1/datasets${query}`, { tenant })
const idsOf = ({ body }: { body: { datasets: { dataset_id: string }[] } }) =>
  body.datasets.map(({ dataset_id: id }) => id)

describe('GET /v1/datasets', () => {
  it('[GET /v1/datasets 2] [Dataset: display_name] [Dataset: created_at] [Dataset: expires_at] lists metadata only, newest first', async () => {
    const reply = await list()
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.body).sort()).toEqual(['datasets', 'limit', 'next_cursor', 'request_id'])
    expect(idsOf(reply)).toEqual(newestFirst)
    for (const [i, entry] of reply.body.datasets.entries()) {
      expect(entry).toEqual({
        dataset_id: newestFirst[i],
        status: 'ready',
        display_name: i === 4 ? null : `Wave ${4 - i}`,
        created_at: expect.stringMatching(DATE_TIME),
        expires_at: expect.stringMatching(DATE_TIME),
      })
    }
    expect(reply.body).toMatchObject({ limit: expect.any(Number), next_cursor: null })
  })

  it('[GET /v1/datasets 2] is an empty list for a tenant without datasets', async () => {
    expect((await list('', TENANT_B)).body).toMatchObject({ datasets: [], next_cursor: null })
  })

  it('[GET /v1/datasets 1] [Limits: List page size] is paged by limit and cursor, to its end', async () => {
    for (const limit of [1, 2, 4, 5, 100]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await list(`?limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
        expect(page.body.limit).toBe(limit)
        expect(page.body.datasets.length).toBeLessThanOrEqual(limit)
        expect(page.body.datasets.length).toBeGreaterThan(0)
        seen.push(...idsOf(page))
        cursor = page.body.next_cursor
      } while (cursor !== null)
      expect(seen).toEqual(newestFirst)
    }
  })

  it('[GET /v1/datasets 1] keeps its place when datasets are removed or added between two pages', async () => {
    const extra = await service.train(surveyCsv(60))
    const first = await list('?limit=2')
    expect(idsOf(first)).toEqual([extra, newestFirst[0]])
    const cursor = encodeURIComponent(first.body.next_cursor)
    // The dataset of the cursor and the next one are deleted; a new one comes before both pages.
    const newer = await service.train(surveyCsv(60))
    await service.call('DELETE', `/v1/datasets/${newestFirst[0]}`)
    await service.call('DELETE', `/v1/datasets/${newestFirst[1]}`)
    expect(idsOf(await list(`?limit=2&cursor=${cursor}`))).toEqual(newestFirst.slice(2, 4))
    await service.call('DELETE', `/v1/datasets/${extra}`)
    await service.call('DELETE', `/v1/datasets/${newer}`)
    newestFirst = newestFirst.slice(2)
  })

  it('[GET /v1/datasets 1] a cursor after which no dataset is left gives an empty last page', async () => {
    const last = await service.train(surveyCsv(60))
    const before = await list('?limit=1')
    expect(idsOf(before)).toEqual([last])
    for (const id of newestFirst) await service.call('DELETE', `/v1/datasets/${id}`)
    const after = await list(`?limit=1&cursor=${encodeURIComponent(before.body.next_cursor)}`)
    expect(after.body).toMatchObject({ datasets: [], next_cursor: null })
    newestFirst = [last]
  })

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1.0', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=1', 'limit'],
    ['?limit=99999999999999999999', 'limit'],
    ['?cursor=', 'cursor'],
    ['?cursor=2', 'cursor'],
    ['?cursor=a.b', 'cursor'],
    ['?cursor=a&cursor=b', 'cursor'],
    ['?cursor=LONG', 'cursor'],
    ['?offset=2', 'offset'],
  ])('[GET /v1/datasets 3] [Errors: 400 svc_invalid_field] refuses %s', async (query, field) => {
    const reply = await list(query.replace('LONG', 'x'.repeat(2000)))
    expect(reply.body).toMatchObject({ status: 400, code: 'svc_invalid_field', errors: [{ field }] })
  })

  it('[GET /v1/datasets 3] is 401 without a token, before its query is checked', async () => {
    expect((await service.get('/v1/datasets?limit=0', { tenant: null })).status).toBe(401)
  })
})

describe('GET /v1/datasets/{dataset_id}', () => {
  it('[GET /v1/datasets/{dataset_id} 1] [Dataset: dataset_id] [Dataset: request_id] [Dataset: cleaning_summary] [Dataset: training_summary] returns the full metadata', async () => {
    const id = await service.train(surveyCsv(120), { display_name: 'Metadata' })
    const reply = await service.get(`/v1/datasets/${id}`)
    expect(reply.body).toEqual({
      dataset_id: id,
      status: 'ready',
      display_name: 'Metadata',
      request_id: reply.headers.get('x-request-id'),
      created_at: expect.stringMatching(DATE_TIME),
      expires_at: expect.stringMatching(DATE_TIME),
      cleaning_summary: expect.objectContaining({
        input_rows: 120,
        input_columns: 7,
        clean_rows: 120,
        clean_columns: 6,
        dropped_columns: [{ name: 'respondent_id', reason: 'identifier', detail: expect.any(String) }],
      }),
      training_summary: expect.objectContaining({ trained_at: expect.stringMatching(DATE_TIME) }),
    })
    expect(Number.isInteger(reply.body.training_summary.duration_ms)).toBe(true)
  })

  it.each(['ds_unknown', 'ds_0000000000000000000000', 'x', "'--"])('[Errors 4] %s is 404', async (id) => {
    expect((await service.get(`/v1/datasets/${id}`)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
  })

  it('[Errors 4] the first character of an identifier, as if it were an array, is 404', async () => {
    const [id] = newestFirst
    expect((await service.get(`/v1/datasets/${id?.[0]}`)).status).toBe(404)
  })
})

describe('DELETE /v1/datasets/{dataset_id}', () => {
  it('[DELETE /v1/datasets/{dataset_id} 1] [Decisions, Datasets: Delete] removes access to the dataset; the first is 204, the second 404', async () => {
    const id = await service.train(surveyCsv(60))
    const gone = await service.call('DELETE', `/v1/datasets/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(gone.headers.get('x-request-id')).toMatch(/^req_/)
    const after = [
      await service.get(`/v1/datasets/${id}`),
      await service.get(`/v1/datasets/${id}/schema`),
      await service.generate(id, { row_count: 1 }),
      await service.call('DELETE', `/v1/datasets/${id}`),
    ]
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(idsOf(await list('?limit=100'))).not.toContain(id)
    // Its seed may be being put away since its training.
    await expect.poll(async () => (await service.blobs()).filter((name) => name.startsWith(id))).toEqual([])
  })

  it('[DELETE /v1/datasets/{dataset_id} 1] [Decisions, Datasets: Delete] leaves its generations until they expire', async () => {
    const id = await service.train(surveyCsv(60))
    const { body } = await service.generate(id, { row_count: 5, wait_seconds: 60 })
    await service.call('DELETE', `/v1/datasets/${id}`)
    const generation = await service.get(`/v1/generations/${body.generation_id}`)
    expect(generation.body).toMatchObject({ status: 'ready', dataset_id: id })
    expect((await service.get(generation.body.artifact_url)).status).toBe(200)
    expect((await service.get(`/v1/jobs/${body.job_id}`)).body.status).toBe('completed')
  })

  it('[Decisions, Datasets: Delete] releases its idempotency key', async () => {
    const first = await service.upload(surveyCsv(60), {}, { key: 'deleted' })
    await service.call('DELETE', `/v1/datasets/${first.body.dataset_id}`)
    const second = await service.upload(surveyCsv(70), {}, { key: 'deleted' })
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(second.body.dataset_id).not.toBe(first.body.dataset_id)
  })
})

describe('retention of datasets', () => {
  it('[Limits: Default retention] [Decisions, Datasets: Retention] [Dataset: expires_at] is 24 hours', async () => {
    const { created_at: from, expires_at: to } = (await list()).body.datasets[0]
    expect(Date.parse(to) - Date.parse(from)).toBe(24 * HOUR_MS)
  })

  it('[Limits: Maximum retention] [Decisions, Datasets: Retention] is set by the operator per tenant, up to 7 days', async () => {
    const client = await service.newClient()
    const set = async (hours: number) =>
      await service.operator(`/tenants/${client.tenantId}/retention`, { retention_hours: hours })
    expect((await set(169)).status).toBe(400)
    expect((await set(168)).status).toBe(200)
    const upload = await service.upload(surveyCsv(60), {}, { bearer: client.bearer })
    const { body } = await service.get(`/v1/datasets/${upload.body.dataset_id}`, { bearer: client.bearer })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(168 * HOUR_MS)
  })

  it('[Decisions, Datasets: After expires_at] a dataset is treated as deleted after expires_at, and its key is free', async () => {
    const made = await service.upload(surveyCsv(60), {}, { key: 'expiring' })
    const id: string = made.body.dataset_id
    service.clock.aheadMs += Date.parse(made.body.expires_at) - service.context.now() - 60_000
    expect((await service.get(`/v1/datasets/${id}`)).status).toBe(200)
    service.clock.aheadMs += 60_000
    const after = [
      await service.get(`/v1/datasets/${id}`),
      await service.get(`/v1/datasets/${id}/schema`),
      await service.generate(id, { row_count: 1 }),
      await service.call('DELETE', `/v1/datasets/${id}`),
    ]
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await list()).body.datasets).toEqual([])
    const again = await service.upload(surveyCsv(60), {}, { key: 'expiring' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(again.body.dataset_id).not.toBe(id)
  })
})
