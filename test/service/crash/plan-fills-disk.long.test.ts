import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILES_RESERVE_BYTES } from '../../../src/service/disk/disk-space.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { makeClient, mint, request } from '../served-client.ts'
import { OPERATOR_TOKEN, type ServedProcess, serve } from '../served-process.ts'
import { mountSmallDisk } from './small-disk.ts'

const MIB = 1 << 20
/** Their plan takes 2 bytes per row and conditioned column: 34 MiB. */
const ROWS = 6_000_000
const CONDITIONS = {
  categorical: { region: { north: 0.4, south: 0.3 }, 'loyalty.member': { yes: 0.5 } },
  numeric: { age: { min: 20, max: 60 } },
}

const disk = mountSmallDisk(600)
let service: ServedProcess
let watching: NodeJS.Timeout | undefined
beforeAll(async () => {
  if (disk !== null) service = await serve(join(disk.folder, 'data'))
})
afterAll(async () => {
  clearInterval(watching)
  await service?.kill()
  await disk?.unmount()
})

it.skipIf(disk === null)('a plan that would fill the disk is refused before it is written', async () => {
  const { folder, freeBytes, fillUp } = disk as NonNullable<typeof disk>
  const bearer = (await mint(service.baseUrl, await makeClient(service.baseUrl, 'large@example.com'))) as string
  const call = async (method: string, path: string, body?: unknown, token = bearer) =>
    await request(service.baseUrl, method, path, { bearer: token, body })
  const [tenant] = (await call('GET', '/operator/v1/tenants', undefined, OPERATOR_TOKEN)).body.tenants
  const quota = `/operator/v1/tenants/${tenant.tenant_id}/quota`
  expect((await call('POST', quota, { request_row_cap: ROWS }, OPERATOR_TOKEN)).status).toBe(200)
  const seed = form({ seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' })
  const { dataset_id: datasetId } = (await call('POST', '/v1/datasets', seed)).body
  await fillUp(FILES_RESERVE_BYTES + 24 * MIB)
  let leastFree = Infinity
  watching = setInterval(() => {
    leastFree = Math.min(leastFree, freeBytes())
  }, 5)
  const order = { row_count: ROWS, output_format: 'parquet', seed: 1, conditions: CONDITIONS }
  const made = await call('POST', `/v1/datasets/${datasetId}/generations`, order)
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  const read = async () => (await call('GET', `/v1/generations/${made.body.generation_id}`)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'svc_unavailable' } })
  expect((await read()).error.detail).toMatch(
    /^The artifact needs 34\.\d MiB meanwhile, more than the service has room for/,
  )
  expect(leastFree).toBeGreaterThan(FILES_RESERVE_BYTES)
  expect(await readdir(join(folder, 'data', 'blobs', 'scratch'))).toEqual([])
})
