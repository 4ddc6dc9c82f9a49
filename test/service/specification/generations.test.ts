import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNEVEN_SCENARIO, unevenCsv } from './seeds.ts'
import { startWholeService, surveyCsv, type WholeService } from './whole-service.ts'

let service: WholeService
let survey: string
let uneven: string
beforeAll(async () => {
  service = await startWholeService()
  survey = await service.train(surveyCsv(400))
  uneven = await service.train(unevenCsv())
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const refusal = async (body: unknown, status = 400) => {
  const reply = await service.generate(survey, body)
  expect(reply.status).toBe(status)
  return reply.body
}
const IMPOSSIBLE = { numeric: { age: { min: 500, max: 600 } } }

describe('Generation request', () => {
  it.each([[undefined], [0], [-1], [1.5], ['10'], [null], [[10]], [2 ** 53]])(
    '[Generation request: row_count] [Decisions, Generations: row_count] %j is not a number of rows',
    async (rowCount) => {
      const { code, errors } = await refusal({ row_count: rowCount })
      expect([code, errors[0].field]).toEqual(['svc_invalid_field', 'row_count'])
    },
  )

  it('[Generation request: output_format] is parquet, csv or arrow', async () => {
    for (const format of ['parquet', 'csv', 'arrow']) {
      const made = await service.generate(survey, { row_count: 3, output_format: format, wait_seconds: 60 })
      expect(made.body).toMatchObject({ status: 'ready', output_format: format })
    }
    for (const format of ['json', 'CSV', '', null]) {
      expect((await refusal({ row_count: 3, output_format: format })).errors[0].field).toBe('output_format')
    }
  })

  it.each([[1.5], ['1'], [2 ** 53], [null]])('[Generation request: seed] %j is not a seed', async (seed) => {
    expect((await refusal({ row_count: 1, seed })).errors[0].field).toBe('seed')
  })

  it.each([[-1], [61], [0.5], ['0'], [null]])(
    '[Generation request: wait_seconds] [Decisions, Generations: wait_seconds] %j is not a wait of 0 to 60 seconds',
    async (wait) => {
      expect((await refusal({ row_count: 1, wait_seconds: wait })).errors[0].field).toBe('wait_seconds')
    },
  )

  it('[Generation request: conditions.categorical] maps columns to levels to shares: 0.70 is 70 % of the rows', async () => {
    const conditions = { categorical: { region: { north: 0.7 }, satisfaction: { 5: 0.2 } } }
    const { body } = await service.generate(survey, { row_count: 200, wait_seconds: 60, conditions })
    expect(body.targets).toEqual([
      { column: 'region', level: 'north', target: 0.7, achieved: 0.7, count: 140 },
      { column: 'satisfaction', level: '5', target: 0.2, achieved: 0.2, count: 40 },
    ])
  })

  it.each<[string, unknown]>([
    ['a list', [['region', 'north', 0.7]]],
    ['levels as a list', { region: ['north'] }],
    ['a share as text', { region: { north: '0.7' } }],
    ['a share as percent', { region: { north: 70 } }],
    ['no share', { region: { north: null } }],
    ['text', 'region=north'],
  ])('[Generation request: conditions.categorical] is not %s', async (_name, categorical) => {
    const { code, errors } = await refusal({ row_count: 1, conditions: { categorical } })
    expect([code, errors[0].field]).toEqual(['svc_invalid_field', expect.stringMatching(/^conditions\.categorical/)])
  })

  it.each<[string, unknown, string]>([
    ['without max', { min: 1 }, 'conditions.numeric.age.max'],
    ['without min', { max: 1 }, 'conditions.numeric.age.min'],
    ['without both', {}, 'conditions.numeric.age.min'],
    ['with null', { min: null, max: 1 }, 'conditions.numeric.age.min'],
    ['with a third field', { min: 1, max: 2, step: 1 }, 'conditions.numeric.age.step'],
    ['as a list', [1, 2], 'conditions.numeric.age'],
  ])('[Generation request: conditions.numeric] a range needs min and max: %s is refused', async (_name, age, field) => {
    const { code, errors } = await refusal({ row_count: 1, conditions: { numeric: { age } } })
    expect([code, errors[0].field]).toEqual(['svc_invalid_field', field])
  })

  it('[Generation request] [POST /v1/datasets/{dataset_id}/generations 4] [Errors: 400 svc_unknown_condition_column] unknown columns and levels are refused with a schema hint', async () => {
    const column = await refusal({ row_count: 1, conditions: { categorical: { regoin: { north: 1 } } } })
    expect(column).toMatchObject({
      code: 'svc_unknown_condition_column',
      type: `${service.baseUrl}/errors/svc_unknown_condition_column`,
      schema_hint: { columns: expect.arrayContaining(['region', 'age']) },
    })
    const level = await refusal({ row_count: 1, conditions: { categorical: { region: { nroth: 1 } } } })
    expect(level).toMatchObject({
      code: 'svc_unknown_condition_column',
      schema_hint: { column: 'region', levels: expect.arrayContaining(['north', 'west']) },
    })
    const range = await refusal({ row_count: 1, conditions: { numeric: { ages: { min: 1, max: 2 } } } })
    expect(range).toMatchObject({ code: 'svc_unknown_condition_column', schema_hint: { columns: expect.any(Array) } })
  })
})

describe('POST /v1/datasets/{dataset_id}/generations', () => {
  it('[POST /v1/datasets/{dataset_id}/generations 1] [Limits: Idempotency key format] accepts an Idempotency-Key of the same format as an upload', async () => {
    for (const key of ['x'.repeat(129), 'a b', 'a,b', '']) {
      const reply = await service.generate(survey, { row_count: 1 }, { key })
      expect(reply.body).toMatchObject({ status: 400, errors: [{ field: 'Idempotency-Key' }] })
    }
    const key = 'A.z_0:9-'.padEnd(128, 'k')
    expect((await service.generate(survey, { row_count: 1 }, { key })).status).toBe(202)
  })

  it('[POST /v1/datasets/{dataset_id}/generations 1] [Endpoints] accepts JSON only', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      const reply = await service.generate(survey, { row_count: 1 }, { headers: { 'content-type': type } })
      expect(reply.body).toMatchObject({ status: 415, code: 'svc_unsupported_content_type' })
    }
    const vendor = await service.generate(
      survey,
      { row_count: 1 },
      {
        headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
      },
    )
    expect(vendor.status).toBe(202)
  })

  it('[POST /v1/datasets/{dataset_id}/generations 1] is marked as costing the customer something', async () => {
    const { paths } = (await service.get('/openapi.json', { tenant: null })).body
    expect(paths['/v1/datasets/{dataset_id}/generations'].post['x-openai-isConsequential']).toBe(true)
  })

  it('[POST /v1/datasets/{dataset_id}/generations 2] [States and transitions 9] [Generation: job_id] answers 202 with processing and a job; the completed job has the generation_id', async () => {
    const reply = await service.generate(survey, { row_count: 50 })
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({
      generation_id: expect.any(String),
      status: 'processing',
      job_id: expect.any(String),
    })
    expect(reply.body).not.toHaveProperty('artifact_url')
    const job = await service.ended(reply.body.job_id)
    expect(job.body).toMatchObject({ status: 'completed', generation_id: reply.body.generation_id })
  })

  it('[POST /v1/datasets/{dataset_id}/generations 3] [States and transitions 10] [Generation: status] has a generation that is ready then, with an artifact_url', async () => {
    const { body } = await service.generate(survey, { row_count: 50 })
    await service.ended(body.job_id)
    const ready = await service.get(`/v1/generations/${body.generation_id}`)
    expect(ready.body).toMatchObject({ status: 'ready', rows_generated: 50, artifact_url: expect.any(String) })
    expect((await service.get(ready.body.artifact_url)).status).toBe(200)
  })

  it('[States and transitions 11] [Generation: rows_generated] may have a partial generation, with rows_generated below row_count and its own artifact_url', async () => {
    const body = { row_count: 10_000, wait_seconds: 60, conditions: UNEVEN_SCENARIO }
    const partial = await service.generate(uneven, body)
    expect(partial.body).toMatchObject({ status: 'partial', row_count: 10_000, artifact_url: expect.any(String) })
    expect(partial.body.rows_generated).toBeGreaterThan(0)
    expect(partial.body.rows_generated).toBeLessThan(10_000)
    expect((await service.get(partial.body.artifact_url)).status).toBe(200)
  })

  it('[States and transitions 12] may have a failed generation, without an artifact', async () => {
    const failed = await service.generate(survey, { row_count: 10, wait_seconds: 60, conditions: IMPOSSIBLE })
    expect(failed.status).toBe(200)
    expect(failed.body).toMatchObject({ status: 'failed', error: { code: 'svc_infeasible_scenario' } })
    expect(failed.body).not.toHaveProperty('artifact_url')
    expect((await service.get(`/v1/generations/${failed.body.generation_id}`)).body.status).toBe('failed')
  })

  it('[POST /v1/datasets/{dataset_id}/generations 5] [Errors: 402] [Limits: Quota] rows beyond the request cap or the subscription are 402', async () => {
    const client = await service.newClient()
    const { bearer, tenantId } = client
    const id = await service.train(surveyCsv(60), {}, { bearer })
    const ask = async (rowCount: number) =>
      await service.generate(id, { row_count: rowCount, wait_seconds: 60 }, { bearer })
    await service.operator(`/tenants/${tenantId}/quota`, { request_row_cap: 100, subscription_rows: 150 })
    const overCap = await ask(101)
    expect(overCap.body).toMatchObject({ status: 402, title: 'Payment Required', code: 'svc_quota_exceeded' })
    expect((await ask(100)).status).toBe(200)
    expect((await ask(51)).body).toMatchObject({ status: 402, code: 'svc_quota_exceeded' })
    expect((await ask(50)).status).toBe(200)
    expect((await ask(1)).status).toBe(402)
  })
})

describe('GET /v1/generations/{generation_id}', () => {
  it('[GET /v1/generations/{generation_id} 1] [Generation: generation_id] [Generation: artifact_url] returns the record', async () => {
    const made = await service.generate(survey, { row_count: 20, seed: 5, wait_seconds: 60 })
    const reply = await service.get(`/v1/generations/${made.body.generation_id}`)
    expect(reply.body).toMatchObject({
      generation_id: made.body.generation_id,
      status: 'ready',
      rows_generated: 20,
      artifact_url: expect.stringMatching(/^\/v1\//),
    })
    expect(Number.isInteger(reply.body.rows_generated)).toBe(true)
  })

  it('[GET /v1/generations/{generation_id} 1] is 404 for an unknown one', async () => {
    expect((await service.get('/v1/generations/gen_unknown')).body).toMatchObject({ status: 404 })
  })
})
