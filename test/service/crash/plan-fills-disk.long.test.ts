import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILES_RESERVE_BYTES } from '../../../src/service/disk/disk-space.ts'
import { type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'
import { mountSmallDisk } from './small-disk.ts'

const MIB = 1 << 20
/** Where a mean is stated, the plan takes 2 bytes per row and conditioned column and 9 for the values: 34 MiB. */
const ROWS = 2_400_000
const CONDITIONS = {
  categorical: { region: { north: 0.4, south: 0.3 }, 'loyalty.member': { yes: 0.5 } },
  means: { age: 45 },
}

const disk = mountSmallDisk(600)
let service: DataService | undefined
let watching: NodeJS.Timeout | undefined
beforeAll(async () => {
  if (disk === null) return
  service = await startDataService({ settings: { disclosure: 'exact', dataDir: join(disk.folder, 'data') } })
})
afterAll(async () => {
  clearInterval(watching)
  await service?.close()
  await disk?.unmount()
})

it.skipIf(disk === null)('a plan that would fill the disk is refused before it is written', async () => {
  const { folder, freeBytes, fillUp } = disk as NonNullable<typeof disk>
  const { ask, db } = service as DataService
  await db.query('update tenants set request_row_cap = $1', [ROWS])
  const seed = form({ seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' })
  const { dataset_id: datasetId } = (await ask('/v1/datasets', { method: 'POST', body: seed })).body
  await fillUp(FILES_RESERVE_BYTES + 24 * MIB)
  let leastFree = Infinity
  watching = setInterval(() => {
    leastFree = Math.min(leastFree, freeBytes())
  }, 5)
  const order = { row_count: ROWS, output_format: 'parquet', seed: 1, conditions: CONDITIONS }
  const made = await ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  const read = async () => (await ask(`/v1/generations/${made.body.generation_id}`)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'svc_unavailable' } })
  expect((await read()).error.detail).toMatch(
    /^The artifact needs 34\.\d MiB meanwhile, more than the service has room for/,
  )
  expect(leastFree).toBeGreaterThan(FILES_RESERVE_BYTES)
  expect(await readdir(join(folder, 'data', 'blobs', 'scratch'))).toEqual([])
})
