import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, TENANT_A } from './data-service.ts'

let service: DataService
let datasetId: string

const LEVELS = ['__proto__', 'constructor', 'hasOwnProperty']
const CSV = `__proto__,valueOf,__defineGetter__\n${Array.from({ length: 960 }, (_, i) => `${LEVELS[i % 3]},${['x', 'y'][i % 2]},${20 + (i % 41)}`).join('\n')}\n`

beforeAll(async () => {
  service = await startDataService()
  const parts = { wait_seconds: '60', auto_clean: 'false', seed_file: new Blob([CSV]) }
  const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
  expect(body.status).toBe('ready')
  datasetId = body.dataset_id
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

const post = (path: string, body: string) =>
  service.ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
/** As JSON, because a literal `__proto__` in code is no key. */
const CONDITIONS =
  '{"categorical":{"__proto__":{"__proto__":0.75,"constructor":0.25},"valueOf":{"y":1}},"numeric":{"__defineGetter__":{"min":30,"max":50}}}'

describe('columns and levels that are named like what every object has', () => {
  it('are in the schema under their names', async () => {
    const { body } = await service.ask(`/v1/datasets/${datasetId}/schema`)
    expect(body.schema.map(({ name }: { name: string }) => name)).toEqual(['__proto__', 'valueOf', '__defineGetter__'])
  })

  it('are conditioned like any others', async () => {
    const request = `{"row_count":40,"seed":1,"output_format":"csv","wait_seconds":60,"conditions":${CONDITIONS}}`
    const { body } = await post(`/v1/datasets/${datasetId}/generations`, request)
    expect(body).toMatchObject({ status: 'ready', rows_generated: 40 })
    const { body: record } = await service.ask(`/v1/generations/${body.generation_id}`)
    const headers = { authorization: `Bearer ${await service.token(TENANT_A)}` }
    const artifact = await fetch(`${service.baseUrl}${record.artifact_url}`, { headers })
    const rows = (await artifact.text()).trim().split('\n').slice(1)
    expect(rows.filter((row) => row.startsWith('__proto__,y,'))).toHaveLength(30)
    expect(rows.filter((row) => row.startsWith('constructor,y,'))).toHaveLength(10)
  })

  it('have their names in faults', async () => {
    const conditions = '{"categorical":{"__proto__":{"__proto__":"x"}},"numeric":{"__proto__":{"min":1,"max":2}}}'
    const shape = await post(`/v1/datasets/${datasetId}/generations`, `{"row_count":40,"conditions":${conditions}}`)
    expect(shape.body.errors[0].field).toBe('conditions.categorical.__proto__.__proto__')
    const unknown = conditions.replace('"x"', '0.5')
    const { body } = await post(`/v1/datasets/${datasetId}/generations`, `{"row_count":40,"conditions":${unknown}}`)
    expect(body.errors).toEqual([
      { field: 'conditions.numeric.__proto__', message: expect.stringContaining('is a categorical column') },
    ])
  })
})
