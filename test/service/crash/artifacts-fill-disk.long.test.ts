import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutputFormat } from '../../../src/contract/generations.ts'
import { FILES_RESERVE_BYTES } from '../../../src/service/disk/disk-space.ts'
import { form } from '../data/data-service.ts'
import { makeClient, mint, request } from '../served-client.ts'
import { OPERATOR_TOKEN, type ServedProcess, serve } from '../served-process.ts'
import { mountSmallDisk } from './small-disk.ts'

const disk = mountSmallDisk(600)
afterAll(async () => await disk?.unmount())

/** Ten columns whose four levels have a thousand characters each: a row of 10 kB from a file that packs to almost nothing. */
function wideLevels(rows: number): string {
  const level = (column: number, n: number) => `${'ABCD'[n]}${column}`.padEnd(1000, 'x')
  const lines = [Array.from({ length: 10 }, (_, column) => `c${column}`).join(',')]
  for (let row = 0; row < rows; row++) {
    lines.push(Array.from({ length: 10 }, (_, column) => level(column, (row * (column + 3)) % 4)).join(','))
  }
  return `${lines.join('\n')}\n`
}

describe.skipIf(disk === null).each([
  { kept: 'the limits of a service whose operator set none', env: {}, code: 'svc_quota_exceeded' },
  {
    kept: 'the free space of the disk alone',
    env: { WHATIF_SERVE_TENANT_BYTES: 'none', WHATIF_SERVE_ARTIFACT_BYTES: 'none' },
    code: 'svc_unavailable',
  },
])('rows that would fill the disk, within $kept', ({ env, code }) => {
  let service: ServedProcess
  let bearer: string
  let datasetId: string
  const folder = join(disk?.folder ?? '', code)

  beforeAll(async () => {
    service = await serve(folder, { env: { ...env } })
    bearer = (await mint(service.baseUrl, await makeClient(service.baseUrl, 'wide@example.com'))) as string
    const body = form({ seed_file: new Blob([wideLevels(200)]), wait_seconds: '60' })
    const made = await call('POST', '/v1/datasets', body)
    expect(made.body).toMatchObject({ status: 'ready' })
    datasetId = made.body.dataset_id
  })
  afterAll(async () => {
    await service?.kill()
    await rm(folder, { recursive: true, force: true })
  })

  const call = async (method: string, path: string, body?: unknown, token = bearer) =>
    await request(service.baseUrl, method, path, { bearer: token, body })
  const generate = async (rows: number, format: OutputFormat) => {
    const order = { row_count: rows, output_format: format, wait_seconds: 60, seed: 1 }
    let reply = await call('POST', `/v1/datasets/${datasetId}/generations`, order)
    while (reply.body.status === 'processing') {
      await call('GET', `/v1/jobs/${reply.body.job_id}`)
      reply = await call('GET', `/v1/generations/${reply.body.generation_id}`)
    }
    return reply
  }
  const scratch = async () => await readdir(join(folder, 'blobs', 'scratch'))

  it('are refused with their size after the first generation, and leave nothing', async () => {
    let leastFree = Infinity
    const watching = setInterval(() => {
      leastFree = Math.min(leastFree, (disk as NonNullable<typeof disk>).freeBytes())
    }, 5)
    const before = disk?.freeBytes() ?? 0
    const reply = await generate(1_000_000, 'csv')
    clearInterval(watching)
    expect(reply.body).toMatchObject({
      status: 'failed',
      rows_generated: 0,
      error: { code },
    })
    expect(reply.body.error.detail).toMatch(/would take about \d\.\d GiB/)
    expect(leastFree).toBeGreaterThan(FILES_RESERVE_BYTES)
    // Before it begins, not when it is full.
    expect(before - leastFree).toBeLessThan(48 * 2 ** 20)
    expect(await scratch()).toEqual([])
    expect((await call('GET', '/healthz')).status).toBe(200)
    const tenants = await call('GET', '/operator/v1/tenants', undefined, OPERATOR_TOKEN)
    expect(tenants.body.tenants[0].rows_used).toBe(0)
  })

  it('are delivered where they fit', async () => {
    const reply = await generate(5_000, 'csv')
    expect(reply.body).toMatchObject({ status: 'ready', rows_generated: 5_000 })
    expect(reply.body.artifact.bytes).toBeGreaterThan(30 * 2 ** 20)
  })

  it.each<OutputFormat>(['parquet', 'arrow'])(
    'take little space as %s, where a level is written once',
    async (format) => {
      const reply = await generate(100_000, format)
      expect(reply.body).toMatchObject({ status: 'ready', rows_generated: 100_000 })
    },
  )
})
