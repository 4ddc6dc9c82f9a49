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
    ...{ row_count: 401, seed: 3, output_format: 'csv', wait_seconds: 60, conditions },
  })

const FEASIBLE = {
  bounds: { 'loyalty.member': { yes: { min: 0.7 } } },
  numeric: { age: { min: 20, max: 70 } },
  means: { age: 50 },
}

describe('the service of one person takes bounds of shares', () => {
  it('in a generation, whose rows keep them to the row', async () => {
    const record = Generation.parse((await generate(FEASIBLE)).body)
    expect([record.status, record.rows_generated, record.evidence?.margin_deviation]).toEqual(['ready', 401, 0])
    const reply = await fetch(`${owner.baseUrl}${record.artifact_url}`, {
      headers: { authorization: `Bearer ${await owner.token(TENANT_A)}` },
    })
    const rows: Record<string, string>[] = parse(Buffer.from(await reply.arrayBuffer()), { columns: true })
    expect(rows.filter((row) => row['loyalty.member'] === 'yes')).toHaveLength(281)
  })

  it('in estimates, where a bound that binds is met without an error, and one that holds changes nothing', async () => {
    const ask = async (scenario: object) =>
      Estimates.parse(
        (
          await post(owner, `/v1/datasets/${ownDataset}/estimates`, {
            scenario,
            outcomes: [{ column: 'loyalty.member' }, { column: 'age' }],
            rows: 400,
          })
        ).body,
      )
    const bound = await ask({ bounds: { 'loyalty.member': { yes: { min: 0.7 } } } })
    const stated = await ask({ categorical: { 'loyalty.member': { yes: 0.7 } } })
    expect(bound.outcomes[0]!.levels!.find(({ level }) => level === 'yes')!.scenario).toBeCloseTo(0.7, 9)
    const [one, other] = [bound, stated].map(({ outcomes }) => outcomes[1]!.mean!)
    expect(one!.difference).toBeCloseTo(other!.difference, 8)
    expect(one!.standard_error).toBeCloseTo(other!.standard_error!, 8)
    const loose = await ask({ bounds: { 'loyalty.member': { yes: { min: 0.01 } } } })
    expect(loose.outcomes[1]!.mean!.difference).toBeCloseTo(0, 12)
  })

  it.each([
    ['a column of numbers', { age: { '30': { min: 0.5 } } }, 'svc_invalid_field', 'is a numeric column'],
    ['a column that is not there', { loyalty: { yes: { min: 0.5 } } }, 'svc_unknown_condition_column', 'schema'],
    ['a level that is not there', { 'loyalty.member': { yse: { min: 0.5 } } }, 'svc_unknown_condition_column', '"yes"'],
    [
      'ends in the wrong sequence',
      { 'loyalty.member': { yes: { min: 0.5, max: 0.4 } } },
      'svc_invalid_field',
      'min above',
    ],
    ['no end', { 'loyalty.member': { yes: {} } }, 'svc_invalid_field', 'must have min or max'],
    [
      'least shares of more than 1',
      { 'loyalty.member': { yes: { min: 0.7 }, no: { min: 0.6 } } },
      'svc_invalid_field',
      'sum to 1.3',
    ],
  ])('but not %s', async (_name, bounds, code, says) => {
    const { status, body } = await generate({ bounds })
    expect([status, body.code]).toEqual([400, code])
    expect(JSON.stringify(body)).toContain(says)
  })

  it('nor a share and a bound of one level', async () => {
    const { status, body } = await generate({
      categorical: { 'loyalty.member': { yes: 0.5 } },
      bounds: { 'loyalty.member': { yes: { min: 0.4 } } },
    })
    expect([status, body.code]).toEqual([400, 'svc_invalid_field'])
  })
})

describe('a service that protects its seeds takes no bounds of shares', () => {
  const bounds = { 'loyalty.member': { yes: { min: 0.5 } } }

  it.each([
    ['generations', { row_count: 10, conditions: { bounds } }],
    ['estimates', { scenario: { bounds }, outcomes: [{ column: 'region' }] }],
  ])('in %s', async (operation, asked) => {
    const { status, body } = await post(shared, `/v1/datasets/${sharedDataset}/${operation}`, asked)
    expect([status, body.code]).toEqual([400, 'svc_bounds_not_offered'])
  })
})
