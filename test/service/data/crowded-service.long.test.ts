import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

/** Above what counts as small. */
const LARGE_SEED_ROWS = 30_000
const LARGE_GENERATION_ROWS = 100_000

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => await service?.close())

const upload = async (tenant: string, rows: number, wait = '0'): Promise<Answer> =>
  await service.ask('/v1/datasets', {
    method: 'POST',
    tenant,
    body: form({ wait_seconds: wait, seed_file: new Blob([surveyCsv(rows)]) }),
  })
const generate = async (tenant: string, datasetId: string, rows: number, wait = 0): Promise<Answer> =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    tenant,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: rows, wait_seconds: wait, output_format: 'csv' }),
  })
const statusesOf = async (tenant: string, jobs: readonly Answer[]): Promise<string[]> =>
  await Promise.all(
    jobs.map(async ({ body }) => (await service.ask(`/v1/jobs/${body.job_id}`, { tenant })).body.status as string),
  )
async function untilRunning(tenant: string, job: Answer): Promise<void> {
  while ((await statusesOf(tenant, [job]))[0] !== 'running') await new Promise(setImmediate)
}
async function untilAllDone(tenant: string, jobs: readonly Answer[]): Promise<void> {
  while ((await statusesOf(tenant, jobs)).some((status) => status !== 'completed')) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a tenant with few jobs', () => {
  it('has its training done while another tenant’s runs and more of those wait', async () => {
    const release = service.holdNext()
    const theirs = [await upload(TENANT_A, LARGE_SEED_ROWS)]
    await untilRunning(TENANT_A, theirs[0] as Answer)
    theirs.push(await upload(TENANT_A, LARGE_SEED_ROWS))
    expect(await upload(TENANT_B, 500, '60')).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(await statusesOf(TENANT_A, theirs)).toEqual(['running', 'queued'])
    release()
    await untilAllDone(TENANT_A, theirs)
  })

  it('has its rows generated while another tenant’s are and more of those wait', async () => {
    const ofA = (await upload(TENANT_A, 500, '60')).body.dataset_id
    const ofB = (await upload(TENANT_B, 500, '60')).body.dataset_id
    const release = service.holdNext()
    const theirs = [await generate(TENANT_A, ofA, LARGE_GENERATION_ROWS)]
    await untilRunning(TENANT_A, theirs[0] as Answer)
    for (let i = 0; i < 2; i++) theirs.push(await generate(TENANT_A, ofA, LARGE_GENERATION_ROWS))
    expect(await generate(TENANT_B, ofB, 100, 60)).toMatchObject({ status: 200, body: { rows_generated: 100 } })
    expect(await statusesOf(TENANT_A, theirs)).toEqual(['running', 'queued', 'queued'])
    release()
    await untilAllDone(TENANT_A, theirs)
  })

  it('gets the same rows from the worker for small jobs as from any other', async () => {
    const ofB = (await upload(TENANT_B, 500, '60')).body.dataset_id
    const bytesOf = async (answer: Answer) => (await service.ask(answer.body.artifact_url, { tenant: TENANT_B })).body
    const order = async () =>
      await service.ask(`/v1/datasets/${ofB}/generations`, {
        method: 'POST',
        tenant: TENANT_B,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ row_count: 1000, seed: 7, wait_seconds: 60, output_format: 'csv' }),
      })
    const usual = await bytesOf(await order())
    const ofA = (await upload(TENANT_A, 500, '60')).body.dataset_id
    const release = service.holdNext()
    await untilRunning(TENANT_A, await generate(TENANT_A, ofA, LARGE_GENERATION_ROWS))
    expect(await bytesOf(await order())).toBe(usual)
    release()
  })
})
