import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OutputFormat } from '../../../src/contract/generations.ts'
import { readUsage, storedBytes } from '../../../src/service/records/usage.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

const MIB = 2 ** 20

let service: DataService
let datasetId: string
beforeAll(async () => {
  service = await startDataService({ settings: { artifactBytes: MIB, tenantBytes: 4 * MIB } })
  datasetId = (await upload(300)).body.dataset_id
})
afterAll(async () => {
  await service?.close()
  expect(service.errors).toEqual([])
})
beforeEach(async () => await setLimits({ stored: null, artifact: null }))

const upload = async (rows: number, tenant = TENANT_A): Promise<Answer> =>
  await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(rows)]) }),
    tenant,
  })
const order = async (rows: number, format: OutputFormat, wait = 60): Promise<Answer> =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: rows, output_format: format, seed: 1, wait_seconds: wait }),
  })
const setLimits = async ({ stored, artifact }: { stored: number | null; artifact: number | null }) =>
  await service.db.query(
    'update tenants set stored_bytes_limit = $1::bigint, artifact_bytes_limit = $2::bigint where tenant_id = $3',
    [stored, artifact, TENANT_A],
  )
const usage = async () => await readUsage(service.db, TENANT_A)
const stored = async () => storedBytes(await usage())

describe('an artifact', () => {
  it.each<[OutputFormat, RegExp]>([
    ['csv', /^The artifact would take about \d+\.\d MiB; one artifact may have 1 MiB\./],
    ['arrow', /^The artifact would take about \d+\.\d MiB; one artifact may have 1 MiB\./],
    ['parquet', /^The artifact takes more than .*; one artifact may have 1 MiB\./],
  ])('above the size limit is refused as %s, is not billed and leaves no file', async (format, words) => {
    const before = { files: await service.blobs(), usage: await usage() }
    const reply = await order(400_000, format)
    expect(reply.body).toMatchObject({ status: 'failed', rows_generated: 0, error: { code: 'svc_quota_exceeded' } })
    expect(reply.body.error.detail).toMatch(words)
    expect(reply.body.error.detail).toMatch(/Ask for fewer rows, or for Parquet/)
    expect(await service.blobs()).toEqual(before.files)
    expect(await usage()).toEqual({ ...before.usage, generations: before.usage.generations + 1 })
  })

  it('of exactly the size limit is delivered', async () => {
    const reply = await order(10_000, 'csv')
    expect(reply.body).toMatchObject({ status: 'ready', rows_generated: 10_000 })
    await setLimits({ stored: null, artifact: reply.body.artifact.bytes })
    expect((await order(10_000, 'csv')).body).toMatchObject({ status: 'ready' })
    await setLimits({ stored: null, artifact: reply.body.artifact.bytes - 1 })
    expect((await order(10_000, 'csv')).body).toMatchObject({ error: { code: 'svc_quota_exceeded' } })
  })

  it('is limited by the remaining quota of its tenant only', async () => {
    await setLimits({ stored: (await stored()) + 100_000, artifact: null })
    const reply = await order(10_000, 'csv')
    expect(reply.body.error).toEqual({
      code: 'svc_quota_exceeded',
      detail: expect.stringMatching(
        /^The artifact would take about .* KiB; 97\.7 KiB are left of the .* that the tenant may store\./,
      ),
    })
    expect((await order(1_000, 'csv')).body).toMatchObject({ status: 'ready' })
    expect((await upload(300, TENANT_B)).body).toMatchObject({ status: 'ready' })
  })

  it('is not recorded if others used the remaining quota meanwhile', async () => {
    const release = service.hold()
    const { generation_id: id, job_id: jobId } = (await order(10_000, 'csv', 0)).body
    await expect.poll(async () => (await service.ask(`/v1/jobs/${jobId}`)).body.status).toBe('running')
    // Its worker has looked by now: it looks before it reads the model.
    await new Promise((looked) => setImmediate(looked))
    const before = await usage()
    await setLimits({ stored: (await stored()) + 1000, artifact: null })
    release()
    await service.ask(`/v1/jobs/${jobId}`, { headers: { prefer: 'wait=60' } })
    const { body } = await service.ask(`/v1/generations/${id}`)
    expect(body).toMatchObject({ status: 'failed', error: { code: 'svc_quota_exceeded' } })
    expect(await usage()).toEqual({ ...before, rows_reserved: 0 })
    expect((await service.blobs()).filter((name) => name.startsWith(id))).toEqual([])
  })
})

describe('a tenant whose storage quota is used up', () => {
  it('is refused uploads and generations, and continues after a deletion', async () => {
    const other = (await upload(300)).body.dataset_id
    await setLimits({ stored: await stored(), artifact: null })
    for (const reply of [await order(10, 'csv'), await upload(300)]) {
      expect(reply.body).toMatchObject({ status: 402, code: 'svc_quota_exceeded' })
      expect(reply.body.detail).toMatch(/^0 bytes are left of the .* that the tenant may store\. Delete datasets/)
    }
    expect((await service.ask(`/v1/datasets/${other}`, { method: 'DELETE' })).status).toBe(204)
    expect((await order(10, 'csv')).body).toMatchObject({ status: 'ready' })
  })

  it('keeps nothing of an upload that exceeds the remaining quota', async () => {
    const before = { files: await service.blobs(), usage: await usage() }
    await setLimits({ stored: (await stored()) + 1000, artifact: null })
    const reply = await upload(300)
    expect(reply.body).toMatchObject({ status: 402, code: 'svc_quota_exceeded' })
    expect(reply.body.detail).toMatch(/^The seed file takes more than 1,000 bytes; 1,000 bytes are left/)
    expect(await service.blobs()).toEqual(before.files)
    expect(await usage()).toEqual(before.usage)
  })
})
