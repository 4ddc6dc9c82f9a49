import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../src/service/datasets/model-identity.ts'
import { type DataService, form, startDataService, surveyCsv } from './data-service.ts'

const HOUR_MS = 3_600_000

let service: DataService
beforeAll(async () => {
  service = await startDataService({ settings: { retentionHours: 36 } })
})
afterAll(() => service.close())

const train = async (rows: number, fields: Record<string, string> = {}) => {
  const body = form({ wait_seconds: '60', ...fields, seed_file: new Blob([surveyCsv(rows)]) })
  return (await service.ask('/v1/datasets', { method: 'POST', body })).body
}
const generate = async (dataset: string) => {
  const { body } = await service.ask(`/v1/datasets/${dataset}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: 50, seed: 7, output_format: 'csv', wait_seconds: 60 }),
  })
  return body
}

describe('the model_id of a trained dataset', () => {
  it('is in its record and in those of its generations, with the version of the engine', async () => {
    const dataset = await train(300)
    const { model_id, engine_version } = dataset.training_summary
    expect(model_id).toMatch(/^[0-9a-f]{64}$/)
    expect(engine_version).toBe(ENGINE_VERSION)
    expect(await generate(dataset.dataset_id)).toMatchObject({ status: 'ready', model_id, engine_version })
    const { body } = await service.ask(`/v1/datasets/${dataset.dataset_id}`)
    expect(body.training_summary).toMatchObject({ model_id, engine_version })
  })

  it('is the same for another training of the same seed file, which gives the same rows', async () => {
    const [one, other] = [await train(300), await train(300, { display_name: 'another name' })]
    expect(other.dataset_id).not.toBe(one.dataset_id)
    expect(other.training_summary.model_id).toBe(one.training_summary.model_id)
    const [a, b] = [await generate(one.dataset_id), await generate(other.dataset_id)]
    expect(a.generation_id).not.toBe(b.generation_id)
    expect([a.model_id, a.artifact.sha256]).toEqual([b.model_id, b.artifact.sha256])
  })

  it('differs for another seed file', async () => {
    const [one, other] = [await train(300), await train(301)]
    expect(other.training_summary.model_id).not.toBe(one.training_summary.model_id)
  })
})

it('a retention of the whole service overrides the retention of the tenant, which is 24 hours', async () => {
  const begun = service.context.now()
  const dataset = await train(200)
  const generation = await generate(dataset.dataset_id)
  for (const { expires_at } of [dataset, generation]) {
    const keptMs = Date.parse(expires_at) - begun
    expect(Math.floor(keptMs / HOUR_MS)).toBe(36)
  }
})
