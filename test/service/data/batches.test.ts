import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GenerationBatch, MAX_BATCH_GENERATIONS } from '../../../src/contract/generation-batches.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_B } from './data-service.ts'

let service: DataService
let path: string
let count = 0
let prefix: string

beforeAll(async () => {
  service = await startDataService()
  const body = form({ seed_file: new Blob([surveyCsv(400)]), wait_seconds: '60' })
  const { dataset_id: id } = (await service.ask('/v1/datasets', { method: 'POST', body })).body
  path = `/v1/datasets/${id}/generations`
})
afterAll(async () => await service?.close())
beforeEach(() => {
  prefix = `test-${++count}`
})

const post = async (to: string, body: object, { tenant, key }: { tenant?: string; key?: string } = {}) =>
  await service.ask(to, {
    method: 'POST',
    ...(tenant !== undefined && { tenant }),
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body: JSON.stringify(body),
  })
const entry = (name: string, request: object) => ({ idempotency_key: `${prefix}:${name}`, request })
const batch = async (generations: readonly object[], tenant?: string) =>
  await post(`${path}/batch`, { generations }, tenant === undefined ? {} : { tenant })
const ids = (answer: { body: GenerationBatch }) => answer.body.entries.map((one) => one.generation?.generation_id)
const rowsReserved = async () => {
  const { rows } = (await service.ask('/v1/usage')).body
  return rows.billed + rows.reserved
}

describe('a batch of generations', () => {
  it('is answered with an entry for each, in its sequence, and each is made', async () => {
    const answer = await batch([1, 2, 3].map((n) => entry(`${n}`, { row_count: n * 10, seed: n })))
    expect([answer.status, GenerationBatch.parse(answer.body)]).toEqual([200, answer.body])
    expect(answer.body.entries.map((one: { idempotency_key: string }) => one.idempotency_key)).toEqual([
      `${prefix}:1`,
      `${prefix}:2`,
      `${prefix}:3`,
    ])
    for (const [i, { generation }] of answer.body.entries.entries()) {
      await service.ask(`/v1/jobs/${generation.job_id}`, { headers: { prefer: 'wait=60' } })
      const made = (await service.ask(`/v1/generations/${generation.generation_id}`)).body
      expect(made).toMatchObject({ status: 'ready', rows_generated: (i + 1) * 10, seed: i + 1 })
    }
  })

  it('gives the bytes that single requests give', async () => {
    const request = { row_count: 50, seed: 9, conditions: { categorical: { region: { north: 0.5 } } } }
    const [{ generation }] = (await batch([entry('one', request)])).body.entries
    await service.ask(`/v1/jobs/${generation.job_id}`, { headers: { prefer: 'wait=60' } })
    const inBatch = (await service.ask(`/v1/generations/${generation.generation_id}`)).body
    const alone = (await post(path, { ...request, wait_seconds: 60 })).body
    expect(inBatch.artifact).toEqual(alone.artifact)
  })

  it('creates nothing twice: the same batch, another cut of it, and single requests get the first generations', async () => {
    const all = [1, 2, 3].map((n) => entry(`${n}`, { row_count: 10, seed: n }))
    const first = ids(await batch(all))
    const before = await rowsReserved()
    const again = await batch(all)
    expect(ids(again)).toEqual(first)
    expect(again.body.entries.every((one: { replayed: boolean }) => one.replayed)).toBe(true)
    expect(ids(await batch([all[2]!, all[0]!]))).toEqual([first[2], first[0]])
    const single = await post(path, { row_count: 10, seed: 2 }, { key: `${prefix}:2` })
    expect([single.body.generation_id, single.headers.get('idempotent-replayed')]).toEqual([first[1], 'true'])
    expect(await rowsReserved()).toBe(before)
  })

  it('creates one generation per key when batches and single requests race for it', async () => {
    const all = Array.from({ length: 8 }, (_, n) => entry(`${n}`, { row_count: 10, seed: n }))
    const before = await rowsReserved()
    const answers = await Promise.all([batch(all), batch([...all].reverse()), batch(all.slice(3))])
    const singles = await Promise.all(
      all.map(async (one) => await post(path, one.request, { key: one.idempotency_key })),
    )
    const first = ids(answers[0]!)
    expect(ids(answers[1]!).reverse()).toEqual(first)
    expect(ids(answers[2]!)).toEqual(first.slice(3))
    expect(singles.map(({ body }) => body.generation_id)).toEqual(first)
    expect(await rowsReserved()).toBe(before + 80)
  })

  it('refuses one entry and takes the others', async () => {
    await post(path, { row_count: 10, seed: 1 }, { key: `${prefix}:used` })
    const { body } = await batch([
      entry('good', { row_count: 10 }),
      entry('misspelt', { row_count: 10, conditions: { categorical: { regoin: { north: 0.5 } } } }),
      entry('many', { row_count: 100_000_000 }),
      entry('used', { row_count: 10, seed: 2 }),
      entry('last', { row_count: 10 }),
    ])
    const codes = body.entries.map(
      (one: GenerationBatch['entries'][number]) => one.problem?.code ?? one.generation?.status,
    )
    expect(codes).toEqual([
      'processing',
      'svc_unknown_condition_column',
      'svc_quota_exceeded',
      'svc_idempotency_conflict',
      'processing',
    ])
    expect(body.entries[1].problem).toMatchObject({ status: 400, request_id: body.request_id })
  })

  it('takes the rows of the subscription in its sequence, and none beyond them', async () => {
    const { billed, reserved } = (await service.ask('/v1/usage')).body.rows
    const left = billed + (reserved ?? 0) + 25
    await service.db.query('update tenants set subscription_rows = $1 where tenant_id = $2', [left, 'ten_A'])
    try {
      const { body } = await batch([10, 10, 10, 5].map((row_count, n) => entry(`${n}`, { row_count })))
      expect(body.entries.map((one: GenerationBatch['entries'][number]) => one.problem?.code ?? 'taken')).toEqual([
        'taken',
        'taken',
        'svc_quota_exceeded',
        'taken',
      ])
    } finally {
      await service.db.query(`update tenants set subscription_rows = null where tenant_id = 'ten_A'`)
    }
  })

  it.each([
    ['no entry', [], 'generations'],
    ['the same key twice', [1, 2].map(() => entry('same', { row_count: 1 })), 'generations'],
    [
      'a key that none can be',
      [{ idempotency_key: 'a b', request: { row_count: 1 } }],
      'generations.0.idempotency_key',
    ],
    ['an unknown field', [entry('one', { rows: 1 })], 'generations.0.request.rows'],
    [
      'too many entries',
      Array.from({ length: MAX_BATCH_GENERATIONS + 1 }, (_, n) => ({
        idempotency_key: `${n}`,
        request: { row_count: 1 },
      })),
      'generations',
    ],
  ])('with %s is refused whole', async (_, generations, field) => {
    const before = await rowsReserved()
    const { status, body } = await batch(generations)
    expect([status, body.code]).toEqual([400, 'svc_invalid_field'])
    expect(body.errors.map((one: { field: string }) => one.field)).toContain(field)
    expect(await rowsReserved()).toBe(before)
  })

  it('of another tenant’s dataset finds none', async () => {
    expect((await batch([entry('one', { row_count: 1 })], TENANT_B)).status).toBe(404)
  })
})
