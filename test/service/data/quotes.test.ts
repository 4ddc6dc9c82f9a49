import { afterAll, beforeAll, expect, it } from 'vitest'
import { GenerationQuote } from '../../../src/contract/quotes.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_B } from './data-service.ts'

let service: DataService
let path: string

beforeAll(async () => {
  service = await startDataService()
  const body = form({ seed_file: new Blob([surveyCsv(400)]), wait_seconds: '60' })
  const { dataset_id: id } = (await service.ask('/v1/datasets', { method: 'POST', body })).body
  path = `/v1/datasets/${id}/generations`
})
afterAll(async () => await service?.close())

const post = async (to: string, body: object, tenant?: string) =>
  await service.ask(to, {
    method: 'POST',
    ...(tenant !== undefined && { tenant }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const quote = async (body: object, tenant?: string) => await post(`${path}/quote`, body, tenant)

it.each(['csv', 'parquet', 'arrow'])('no %s artifact has more bytes than its quote', async (output_format) => {
  for (const row_count of [1, 2500]) {
    const { body } = await quote({ row_count, output_format })
    expect(GenerationQuote.parse(body)).toEqual(body)
    expect(body).toMatchObject({ output_format, rows_at_most: row_count, accepted: true })
    const made = (await post(path, { row_count, output_format, seed: 1, wait_seconds: 60 })).body
    expect(made.artifact.bytes).toBeLessThanOrEqual(body.bytes_at_most)
  }
})

it('records nothing, reserves nothing and bills nothing', async () => {
  const usage = async () => ({ ...(await service.ask('/v1/usage')).body, request_id: '' })
  const before = await usage()
  await quote({ row_count: 500_000 })
  expect(await usage()).toEqual(before)
})

it('says what is left of the quota, and refuses what a generation would be refused for', async () => {
  const { billed } = (await service.ask('/v1/usage')).body.rows
  await service.db.query('update tenants set subscription_rows = $1 where tenant_id = $2', [billed + 10, 'ten_A'])
  try {
    expect((await quote({ row_count: 10 })).body).toMatchObject({ accepted: true, quota: { rows_left: 10 } })
    const { body } = await quote({ row_count: 11 })
    const refused = await post(path, { row_count: 11 })
    expect([refused.status, body.accepted, body.refusal]).toEqual([402, false, refused.body.detail])
  } finally {
    await service.db.query(`update tenants set subscription_rows = null where tenant_id = 'ten_A'`)
  }
})

it('checks the request as a generation does', async () => {
  const conditions = { categorical: { regoin: { north: 0.5 } } }
  expect((await quote({ row_count: 10, conditions })).body.code).toBe('svc_unknown_condition_column')
  expect((await quote({ rows: 10 })).body.code).toBe('svc_invalid_field')
  expect((await quote({ row_count: 10 }, TENANT_B)).status).toBe(404)
})
