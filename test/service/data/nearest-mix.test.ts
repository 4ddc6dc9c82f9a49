import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conditions } from '../../../src/contract/conditions.ts'
import { Estimates } from '../../../src/contract/estimates.ts'
import { Generation } from '../../../src/contract/generations.ts'
import { withNearestMix } from '../../../src/contract/stated-mix.ts'
import { type DataService, form, startDataService } from './data-service.ts'

/** Nobody in the north has the plan plus. */
const CSV = [
  'plan,region,age',
  ...Array.from({ length: 600 }, (_, i) => {
    const plan = i % 3 === 0 ? 'plus' : i % 3 === 1 ? 'basic' : 'trial'
    const region = plan === 'plus' ? 'south' : i % 2 === 0 ? 'north' : 'south'
    return `${plan},${region},${20 + ((i * 7) % 50)}`
  }),
].join('\n')

const STATED: Conditions = {
  categorical: { plan: { plus: 0.5 }, region: { north: 0.8 } },
  numeric: { age: { min: 25, max: 60 } },
}

describe.each([
  ['of one person', 'exact'],
  ['for others', 'protected'],
] as const)('the service %s', (_, disclosure) => {
  let service: DataService
  let dataset: string

  beforeAll(async () => {
    service = await startDataService({ settings: { disclosure } })
    const parts = { wait_seconds: '60', seed_file: new Blob([CSV]) }
    dataset = (await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })).body.dataset_id
  })
  afterAll(async () => {
    await service.close()
    expect(service.errors).toEqual([])
  })

  const post = async (path: string, body: object) =>
    (
      await service.ask(`/v1/datasets/${dataset}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).body
  const generate = async (conditions: Conditions) =>
    Generation.parse(await post('generations', { row_count: 1000, seed: 1, wait_seconds: 60, conditions }))
  const foresee = async (scenario: Conditions) =>
    Estimates.parse(await post('estimates', { scenario, outcomes: [{ column: 'region' }], rows: 1000 }))

  it('proposes the nearest mix with estimates and with what failed, and the mix has all rows', async () => {
    const { feasible_rows: feasible, shortfall } = await foresee(STATED)
    expect(feasible).toBe(0)
    const mix = shortfall!.nearest_mix!
    expect(mix).toEqual({
      conditions: { categorical: { plan: { plus: 0.35 }, region: { north: 0.65 } } },
      moved_share: 0.3,
    })
    const failed = await generate(STATED)
    expect([failed.status, failed.error?.code]).toEqual(['failed', 'svc_infeasible_scenario'])
    expect(failed.shortfall).toEqual(shortfall)
    const ready = await generate(withNearestMix(STATED, mix))
    expect([ready.status, ready.rows_generated]).toEqual(['ready', 1000])
  })

  it('proposes nothing where the ranges alone have no rows', async () => {
    const { shortfall } = await foresee({ ...STATED, numeric: { age: { min: 300, max: 400 } } })
    expect(shortfall?.detail).toContain('age from 300 to 400')
    expect(shortfall).not.toHaveProperty('nearest_mix')
  })

  it.skipIf(disclosure === 'protected')('writes bounds, cells and means as a request has them', async () => {
    const all: Conditions = {
      bounds: { plan: { plus: { min: 0.6 } } },
      cells: [{ columns: ['plan', 'region'], shares: [{ levels: ['basic', 'north'], share: 0.5 }] }],
      means: { age: { min: 90 } },
    }
    const mix = (await foresee(all)).shortfall!.nearest_mix!
    expect(mix.conditions).toMatchObject({ means: { age: { min: expect.any(Number) } } })
    expect(mix.moved_share).toBeCloseTo(0.1, 3)
    const ready = await generate(withNearestMix(all, mix))
    expect([ready.status, ready.rows_generated]).toEqual(['ready', 1000])
  })
})
