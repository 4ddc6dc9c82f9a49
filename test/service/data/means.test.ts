import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Estimates } from '../../../src/contract/estimates.ts'
import { Generation } from '../../../src/contract/generations.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_A } from './data-service.ts'

let owner: DataService
let ownDataset: string
let shared: DataService
let sharedDataset: string

beforeAll(async () => {
  const upload = async (service: DataService): Promise<string> => {
    const parts = { wait_seconds: '60', seed_file: new Blob([surveyCsv(800)]) }
    return (await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })).body.dataset_id
  }
  owner = await startDataService({ settings: { disclosure: 'exact' } })
  shared = await startDataService()
  ownDataset = await upload(owner)
  sharedDataset = await upload(shared)
})
afterAll(async () => {
  for (const service of [owner, shared]) {
    await service.close()
    expect(service.errors).toEqual([])
  }
})

const post = async (service: DataService, path: string, body: object) =>
  await service.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const generate = async (conditions: object) =>
  await post(owner, `/v1/datasets/${ownDataset}/generations`, {
    ...{ row_count: 400, seed: 3, output_format: 'csv', wait_seconds: 60, conditions },
  })

const FEASIBLE = {
  categorical: { 'loyalty.member': { yes: 0.7 } },
  numeric: { age: { min: 20, max: 70 } },
  means: { age: 50, 'monthly.spend': { min: 60 } },
}

describe('the service of one person takes means', () => {
  it('in a generation, whose rows have them together with shares and ranges', async () => {
    const { status, body } = await generate(FEASIBLE)
    const record = Generation.parse(body)
    expect([status, record.status, record.rows_generated]).toEqual([200, 'ready', 400])
    const reply = await fetch(`${owner.baseUrl}${record.artifact_url}`, {
      headers: { authorization: `Bearer ${await owner.token(TENANT_A)}` },
    })
    const rows: Record<string, string>[] = parse(Buffer.from(await reply.arrayBuffer()), { columns: true })
    const ages = rows.map(({ age }) => Number(age))
    expect(ages.reduce((sum, age) => sum + age, 0) / 400).toBe(50)
    expect([Math.min(...ages) >= 20, Math.max(...ages) <= 70]).toEqual([true, true])
    const spent = rows.flatMap((row) => (row['monthly.spend'] === '' ? [] : [Number(row['monthly.spend'])]))
    expect(spent.reduce((sum, spend) => sum + spend, 0) / spent.length).toBeGreaterThanOrEqual(60 - 1e-9)
    expect(rows.filter((row) => row['loyalty.member'] === 'yes')).toHaveLength(280)
  })

  it('in estimates, where the scenario has the mean without an error', async () => {
    const { body } = await post(owner, `/v1/datasets/${ownDataset}/estimates`, {
      scenario: FEASIBLE,
      outcomes: [{ column: 'age' }, { column: 'region' }],
      rows: 400,
    })
    const estimates = Estimates.parse(body)
    expect(estimates.feasible_rows).toBe(400)
    expect(estimates.outcomes[0]?.mean?.scenario).toBeCloseTo(50, 8)
    expect(estimates.outcomes[1]?.levels?.length).toBeGreaterThan(1)
  })

  it('and refuses those that cannot be, with what binds and the nearest one', async () => {
    const { body } = await generate({ means: { age: 200 } })
    const { status, shortfall, error } = Generation.parse(body)
    expect([status, error?.code]).toEqual(['failed', 'svc_infeasible_scenario'])
    const nearest = shortfall!.binding[0]!.nearest!
    expect(shortfall!.binding).toEqual([{ column: 'age', target: 200, nearest }])
    expect(error?.detail).toContain(`The nearest possible mean is about ${nearest}.`)
    expect(Generation.parse((await generate({ means: { age: nearest } })).body).status).toBe('ready')
  })

  it.each([
    ['a column of levels', { region: 3 }, 'svc_invalid_field', 'is a categorical column'],
    ['a column that is not there', { agee: 3 }, 'svc_unknown_condition_column', 'did you mean age?'],
    ['ends in the wrong sequence', { age: { min: 50, max: 40 } }, 'svc_invalid_field', 'has a min above its max'],
    ['no end', { age: {} }, 'svc_invalid_field', 'must have min or max'],
    ['a word', { age: 'old' }, 'svc_invalid_field', 'conditions.means.age'],
  ])('but not %s', async (_name, means, code, says) => {
    const { status, body } = await generate({ means })
    expect([status, body.code]).toEqual([400, code])
    expect(JSON.stringify(body)).toContain(says)
  })
})

describe('a service that protects its seeds takes no means', () => {
  it.each([
    ['generations', { row_count: 10, conditions: { means: { age: 50 } } }],
    ['estimates', { scenario: { means: { age: 50 } }, outcomes: [{ column: 'region' }] }],
    ['estimates', { scenario: {}, baseline: { means: { age: 50 } }, outcomes: [{ column: 'region' }] }],
  ])('in %s', async (operation, asked) => {
    const { status, body } = await post(shared, `/v1/datasets/${sharedDataset}/${operation}`, asked)
    expect([status, body.code]).toEqual([400, 'svc_means_not_offered'])
  })

  it('and says so in its OpenAPI document', async () => {
    const conditions = async (service: DataService) =>
      (await service.ask('/openapi.json')).body.components.schemas.Conditions.properties
    expect(Object.keys(await conditions(owner))).toEqual(['categorical', 'numeric', 'means', 'bounds', 'cells'])
    expect(Object.keys(await conditions(shared))).toEqual(['categorical', 'numeric'])
  })
})
