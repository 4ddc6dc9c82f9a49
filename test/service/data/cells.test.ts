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

const COLUMNS = ['region', 'loyalty.member']
const cells = [{ columns: COLUMNS, shares: [{ levels: ['north', 'yes'], share: 0.3 }] }]

describe('the service of one person takes cells', () => {
  it('in a generation, whose rows have them to the row', async () => {
    const record = Generation.parse((await generate({ cells, numeric: { age: { min: 20, max: 70 } } })).body)
    expect([record.status, record.rows_generated, record.evidence?.margin_deviation]).toEqual(['ready', 400, 0])
    const reply = await fetch(`${owner.baseUrl}${record.artifact_url}`, {
      headers: { authorization: `Bearer ${await owner.token(TENANT_A)}` },
    })
    const rows: Record<string, string>[] = parse(Buffer.from(await reply.arrayBuffer()), { columns: true })
    expect(rows.filter((row) => row.region === 'north' && row['loyalty.member'] === 'yes')).toHaveLength(120)
  })

  it('in estimates', async () => {
    const asked = { scenario: { cells }, outcomes: [{ column: 'region' }], rows: 400 }
    const estimates = Estimates.parse((await post(owner, `/v1/datasets/${ownDataset}/estimates`, asked)).body)
    expect(estimates.feasible_rows).toBe(400)
    expect(estimates.outcomes[0]!.levels!.find(({ level }) => level === 'north')!.scenario).toBeGreaterThan(0.3)
  })

  const table = (columns: string[], ...shares: [string[], number][]) => [
    { columns, shares: shares.map(([levels, share]) => ({ levels, share })) },
  ]

  it.each([
    ['a column that is not there', table(['regio', 'loyalty.member'], [['north', 'yes'], 0.1]), 'did you mean region?'],
    ['a level that is not there', table(COLUMNS, [['nort', 'yes'], 0.1]), '"north"'],
    ['a numeric column', table(['region', 'age'], [['north', '30'], 0.1]), 'a numeric column'],
    ['one column', table(['region'], [['north'], 0.1]), 'conditions.cells.0.columns'],
    ['a column twice', table(['region', 'region'], [['north', 'north'], 0.1]), 'names a column twice'],
    ['a cell twice', table(COLUMNS, [['north', 'yes'], 0.1], [['north', 'yes'], 0.2]), 'is there twice'],
    ['three levels', table(COLUMNS, [['north', 'yes', 'no'], 0.1]), 'must have a level of each of the 2 columns'],
    ['too much', table(COLUMNS, [['north', 'yes'], 0.7], [['north', 'no'], 0.6]), 'sum to 1.3'],
  ])('but not %s', async (_name, wrong, says) => {
    const { status, body } = await generate({ cells: wrong })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(says)
  })
})

describe('a service that protects its seeds takes no cells', () => {
  it.each([
    ['generations', { row_count: 10, conditions: { cells } }],
    ['estimates', { scenario: { cells }, outcomes: [{ column: 'region' }] }],
  ])('in %s', async (operation, asked) => {
    const { status, body } = await post(shared, `/v1/datasets/${sharedDataset}/${operation}`, asked)
    expect([status, body.code]).toEqual([400, 'svc_cells_not_offered'])
  })
})
