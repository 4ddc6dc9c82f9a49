import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'

const COUNT = 40

let service: DataService
let datasetId: string

beforeAll(async () => {
  service = await startDataService()
  const parts = { seed_file: new Blob([surveyCsv(200)]), wait_seconds: '60' }
  datasetId = (await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })).body.dataset_id
})
afterAll(async () => await service?.close())

const generate = async (body: object, key: string) =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })

/** The record of a generation, also of one whose turn did not come within the wait. */
async function whenEnded({ status, body }: Answer) {
  if (status === 200) return body
  expect(status).toBe(202)
  const read = async () => (await service.ask(`/v1/generations/${body.generation_id}`)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  return await read()
}

it(`${COUNT} simultaneous generation requests all finish, each with rows, artifact and ledger entry of its own`, async () => {
  const answers = await Promise.all(
    Array.from({ length: COUNT }, async (_, i) => {
      const conditions = { categorical: { region: { north: i / COUNT } } }
      return await generate(
        { row_count: 100 + i, seed: i, wait_seconds: 60, output_format: 'csv', conditions },
        `k${i}`,
      )
    }),
  )
  for (const [i, answer] of answers.entries()) {
    const body = await whenEnded(answer)
    expect(body.status).toBe('ready')
    expect(body).toMatchObject({ row_count: 100 + i, rows_generated: 100 + i, seed: i })
    const { body: csv } = await service.ask(body.artifact_url)
    expect(csv.trimEnd().split('\r\n')).toHaveLength(101 + i)
    const north = Math.round(((100 + i) * i) / COUNT)
    expect(Math.abs(body.targets[0].count - north)).toBeLessThanOrEqual(1)
  }
  const ledger = await service.db.query<{ rows: number }>('select rows_generated as rows from ledger order by 1')
  expect(ledger.map(({ rows }) => rows)).toEqual(Array.from({ length: COUNT }, (_, i) => 100 + i))
  expect(service.errors).toEqual([])
})
