import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Usage } from '../../../src/contract/usage.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

const OPERATOR_TOKEN = 'operator-token-for-usage'

let service: DataService
const datasets: Record<string, string> = {}
beforeAll(async () => {
  const settings = { operatorToken: OPERATOR_TOKEN, tenantBytes: 2 ** 30, artifactBytes: 2 ** 20 }
  service = await startDataService({ settings })
  for (const tenant of [TENANT_A, TENANT_B]) {
    const body = form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(300)]) })
    datasets[tenant] = (await service.ask('/v1/datasets', { method: 'POST', body, tenant })).body.dataset_id
  }
})
afterAll(async () => {
  await service?.close()
  expect(service.errors).toEqual([])
})

const generate = async (rows: number, tenant: string, wait = 60): Promise<Answer> =>
  await service.ask(`/v1/datasets/${datasets[tenant]}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: rows, output_format: 'csv', seed: 1, wait_seconds: wait }),
    tenant,
  })
const usage = async (tenant: string) => Usage.parse((await service.ask('/v1/usage', { tenant })).body)
const operator = async (path: string, body?: unknown) => {
  const response = await fetch(`${service.baseUrl}/operator/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  return { status: response.status, body: (await response.json()) as any }
}

describe('the usage of a tenant', () => {
  it('has the billed rows, reserved rows and stored bytes of that tenant only, with their limits', async () => {
    const { body } = await generate(200, TENANT_A)
    const release = service.hold()
    const { job_id: jobId } = (await generate(50, TENANT_A, 0)).body
    const mine = await usage(TENANT_A)
    expect(mine).toMatchObject({
      rows: { billed: 200, reserved: 50, subscription: null, per_request: 1_000_000 },
      stored: { seed_bytes: 0, artifact_bytes: body.artifact.bytes, limit_bytes: 2 ** 30, per_artifact_bytes: 2 ** 20 },
      datasets: { ready: 1, processing: 0 },
      generations: 2,
      artifacts: 1,
      retention_hours: 24,
    })
    expect(mine.stored.model_bytes).toBeGreaterThan(1000)
    expect(mine.stored.bytes).toBe(mine.stored.model_bytes + mine.stored.artifact_bytes)
    expect(await usage(TENANT_B)).toMatchObject({ rows: { billed: 0, reserved: 0 }, generations: 0, artifacts: 0 })
    release()
    await service.ask(`/v1/jobs/${jobId}`, { headers: { prefer: 'wait=60' } })
    expect((await usage(TENANT_A)).rows).toMatchObject({ billed: 250, reserved: 0 })
  })

  it('shows the limits that the operator sets, in whole or in part, and otherwise those of the service', async () => {
    const path = `tenants/${TENANT_A}/quota`
    const set = await operator(path, { stored_bytes_limit: 5000, artifact_bytes_limit: 600 })
    const { stored } = await usage(TENANT_A)
    expect(set.body).toMatchObject({ bytes_stored: stored.bytes, stored_bytes_limit: 5000, artifact_bytes_limit: 600 })
    expect(stored).toMatchObject({ limit_bytes: 5000, per_artifact_bytes: 600 })
    await operator(path, { artifact_bytes_limit: null })
    expect((await usage(TENANT_A)).stored).toMatchObject({ limit_bytes: 5000, per_artifact_bytes: 2 ** 20 })
    await operator(path, { stored_bytes_limit: null, subscription_rows: 1000 })
    expect(await usage(TENANT_A)).toMatchObject({ rows: { subscription: 1000 }, stored: { limit_bytes: 2 ** 30 } })
  })

  it.each([{ stored_bytes_limit: -1 }, { stored_bytes_limit: 1.5 }, { artifact_bytes_limit: 0 }])(
    'has no limit of %j',
    async (body) => {
      expect((await operator(`tenants/${TENANT_A}/quota`, body)).body).toMatchObject({ code: 'svc_invalid_field' })
    },
  )
})

describe('artifacts in the operator’s list', () => {
  it('come largest first, of all tenants or of one, page by page even if some are removed meanwhile', async () => {
    for (const rows of [30, 400, 100]) await generate(rows, TENANT_B)
    const all = (await operator('artifacts?limit=100')).body
    const sizes = all.artifacts.map(({ bytes }: { bytes: number }) => bytes)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(new Set(all.artifacts.map(({ tenant_id: tenant }: { tenant_id: string }) => tenant)).size).toBe(2)
    const first = (await operator(`artifacts?tenant_id=${TENANT_B}&limit=1`)).body
    expect(first.artifacts).toMatchObject([{ tenant_id: TENANT_B, rows_generated: 400, output_format: 'csv' }])
    const [{ generation_id: largest, bytes }] = first.artifacts
    const before = await usage(TENANT_B)
    expect((await operator(`artifacts/${largest}/remove`, {})).body).toEqual(first.artifacts[0])
    const after = await usage(TENANT_B)
    expect(before.stored.bytes - after.stored.bytes).toBe(bytes)
    // Delivered rows stay billed.
    expect(after.rows).toEqual(before.rows)
    expect((await service.ask(`/v1/generations/${largest}`, { tenant: TENANT_B })).status).toBe(404)
    expect((await service.blobs()).filter((name) => name.startsWith(largest))).toEqual([])
    const rest = (await operator(`artifacts?tenant_id=${TENANT_B}&cursor=${first.next_cursor}`)).body
    expect(rest.artifacts.map(({ rows_generated: rows }: { rows_generated: number }) => rows)).toEqual([100, 30])
    expect(rest.next_cursor).toBeNull()
    expect((await operator(`artifacts/${largest}/remove`, {})).body).toMatchObject({ code: 'svc_not_found' })
  })

  it.each(['?limit=0', '?cursor=1', '?cursor=x.gen_1', '?tenant=x'])('%s is 400', async (query) => {
    expect((await operator(`artifacts${query}`)).body).toMatchObject({ code: 'svc_invalid_field' })
  })

  it('stay when their dataset is deleted, until their own retention ends', async () => {
    const before = await usage(TENANT_B)
    expect(before.artifacts).toBe(2)
    await service.ask(`/v1/datasets/${datasets[TENANT_B]}`, { method: 'DELETE', tenant: TENANT_B })
    const after = await usage(TENANT_B)
    expect(after).toMatchObject({ artifacts: 2, datasets: { ready: 0 }, stored: { model_bytes: 0 } })
    expect(after.stored.artifact_bytes).toBe(before.stored.artifact_bytes)
  })
})
