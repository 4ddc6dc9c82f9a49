import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASE_RESERVE_BYTES, FILES_RESERVE_BYTES } from '../../../src/service/disk/disk-space.ts'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { type ClientSecret, makeClient, mint, request } from '../served-client.ts'
import { OPERATOR_TOKEN, type ServedProcess, serve } from '../served-process.ts'
import { mountSmallDisk } from './small-disk.ts'

const MIB = 1 << 20
const disk = mountSmallDisk(240)
const fillUp = async (leaveBytes: number): Promise<void> => await disk?.fillUp(leaveBytes)
const makeRoom = async (): Promise<void> => await disk?.makeRoom()
afterAll(async () => await disk?.unmount())

describe.skipIf(disk === null)('an embedded database on a full disk', () => {
  it('refuses writes instead of hanging, still reads, and continues when there is space', async () => {
    const folder = join(disk?.folder ?? '', 'alone')
    let db = await openEmbeddedDatabase(folder)
    await db.exec('create table counted (n integer)')
    await db.query('insert into counted values (0)')
    await fillUp(0)
    // More than the rest of the segment of its log: without a check of the disk it would begin a new one, and hang.
    let written = 0
    for (let n = 1; n <= 20; n++) {
      const writing = db.transaction(async (tx) => {
        await tx.query("select pg_logical_emit_message(true, 'x', repeat('x', 1000000))")
        await tx.query('update counted set n = $1', [n])
      })
      await writing.then(
        () => {
          written = n
        },
        (error) => expect(error).toMatchObject({ code: 'ENOSPC' }),
      )
    }
    expect(await db.query('select n from counted')).toEqual([{ n: written }])
    await db.close()
    await expect(openEmbeddedDatabase(folder)).rejects.toMatchObject({ code: 'ENOSPC' })
    await makeRoom()
    db = await openEmbeddedDatabase(folder)
    expect(await db.query('update counted set n = n + 100 returning n')).toEqual([{ n: written + 100 }])
    await db.close()
    await rm(folder, { recursive: true })
  })

  it('keeps a reserve of more than three log segments, and refuses files earlier', () => {
    expect(DATABASE_RESERVE_BYTES).toBeGreaterThanOrEqual(3 * 16 * MIB)
    expect(FILES_RESERVE_BYTES).toBeGreaterThan(DATABASE_RESERVE_BYTES)
  })
})

describe.skipIf(disk === null)('a service on a full disk', () => {
  let service: ServedProcess
  let client: ClientSecret
  let bearer: string
  const folder = join(disk?.folder ?? '', 'data')
  const start = async () => await serve(folder)

  beforeAll(async () => {
    service = await start()
    client = await makeClient(service.baseUrl, 'full@example.com')
    bearer = (await mint(service.baseUrl, client)) as string
  })
  afterAll(async () => await service?.kill())

  const call = async (method: string, path: string, body?: unknown, key?: string) =>
    await request(service.baseUrl, method, path, { bearer, body, ...(key !== undefined && { key }) })
  const upload = async (key: string, rows: number) =>
    await call('POST', '/v1/datasets', form({ seed_file: new Blob([surveyCsv(rows)]), wait_seconds: '60' }), key)
  const files = async () =>
    (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))

  const reserve = async () =>
    await stat(join(folder, 'deletion-reserve')).then(
      ({ size }) => size,
      () => 0,
    )

  it('refuses uploads and generations with 503, keeps no partial files, and still reads', async () => {
    const ready = await upload('before', 200)
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } })
    // The seed goes soon after.
    await expect.poll(async () => (await files()).filter((file) => file.includes('seeds'))).toEqual([])
    const before = await files()
    await fillUp(0)
    const refused = [
      await upload('full', 60),
      await upload('full', 60),
      await call('POST', `/v1/datasets/${ready.body.dataset_id}/generations`, { row_count: 100 }, 'full'),
      await call('POST', '/v1/credential-rotations', {}, 'full'),
    ]
    for (const reply of refused) {
      expect(reply.body).toMatchObject({
        status: 503,
        code: 'svc_unavailable',
        detail: 'The service has no room to store anything at the moment.',
        request_id: reply.headers.get('x-request-id'),
      })
      expect(reply.headers.get('retry-after')).toBe('60')
    }
    // Its result is cached for a second.
    await expect.poll(async () => (await call('GET', '/healthz')).status).toBe(503)
    expect((await call('GET', '/v1/datasets')).body.datasets).toHaveLength(1)
    // Fewer when the seed file of the first one was still to be given up.
    expect((await files()).filter((path) => !before.includes(path))).toEqual([])
  })

  it('accepts the same requests when there is room again', async () => {
    await makeRoom()
    await expect.poll(async () => (await call('GET', '/healthz')).status).toBe(200)
    const made = await upload('full', 60)
    expect(made).toMatchObject({ status: 200, body: { status: 'ready' } })
    const generation = await call('POST', `/v1/datasets/${made.body.dataset_id}/generations`, {
      row_count: 100,
      wait_seconds: 60,
    })
    expect(generation.body).toMatchObject({ status: 'ready', rows_generated: 100 })
  })

  it('ends an upload that would fill the disk, and removes the received part', async () => {
    await fillUp(FILES_RESERVE_BYTES + 4 * MIB)
    const before = await files()
    const tooMuch = Buffer.alloc(40 * MIB, 'a,b\n1,2\n')
    const reply = await call('POST', '/v1/datasets', form({ seed_file: new Blob([tooMuch]) }), 'much')
    expect(reply).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
    expect((await files()).filter((path) => !before.includes(path))).toEqual([])
    // The database has its reserve: small work continues.
    expect((await call('POST', '/v1/credential-rotations', {}, 'some')).status).toBe(200)
    await makeRoom()
  })

  it('starts without a free byte on the disk, from its deletion reserve', async () => {
    await expect.poll(reserve).toBe(40 * MIB)
    await fillUp(0)
    await service.kill()
    service = await start()
    expect(await reserve()).toBe(0)
    bearer = (await mint(service.baseUrl, client)) as string
    expect((await call('GET', '/v1/datasets')).body.datasets).toHaveLength(2)
    expect((await call('GET', '/healthz')).status).toBe(503)
    expect((await upload('full-again', 60)).status).toBe(503)
    // It also works: expired and deleted resources are removed.
    const [last] = (await call('GET', '/v1/datasets')).body.datasets.slice(-1)
    expect((await call('DELETE', `/v1/datasets/${last.dataset_id}`)).status).toBe(204)
  })

  it('does not start when that reserve is used up as well, says why, and loses nothing', async () => {
    await fillUp(0)
    await service.kill()
    await expect(start()).rejects.toThrow(/has 0 MiB free.*Free up space there/s)
    await makeRoom()
    service = await start()
    bearer = (await mint(service.baseUrl, client)) as string
    expect((await call('GET', '/v1/datasets')).body.datasets).toHaveLength(1)
    expect((await upload('room-again', 60)).status).toBe(200)
  })

  it('deletes stored data without a free byte on the disk, and continues by itself', async () => {
    const [first, second] = (await call('GET', '/v1/datasets')).body.datasets
    const order = { row_count: 1000, output_format: 'csv', wait_seconds: 60 }
    const { body } = await call('POST', `/v1/datasets/${first.dataset_id}/generations`, order)
    await expect.poll(reserve).toBe(40 * MIB)
    await fillUp(0)
    await expect.poll(async () => (await call('GET', '/healthz')).status).toBe(503)
    expect((await call('DELETE', `/v1/datasets/${second.dataset_id}`)).status).toBe(204)
    const remove = `/operator/v1/artifacts/${body.generation_id}/remove`
    const removed = await request(service.baseUrl, 'POST', remove, { bearer: OPERATOR_TOKEN, body: {} })
    expect(removed).toMatchObject({ status: 200, body: { generation_id: body.generation_id } })
    const artifacts = async () => (await files()).filter((path) => path.includes(body.generation_id))
    await expect.poll(artifacts).toEqual([])
    expect((await call('GET', '/v1/datasets')).body.datasets).toHaveLength(1)
    // The released reserve is for deletions only.
    expect(await reserve()).toBe(0)
    expect((await call('POST', '/v1/credential-rotations', {}, 'still-full')).status).toBe(503)
    await makeRoom()
    await expect.poll(async () => (await call('GET', '/healthz')).status).toBe(200)
    const again = `/v1/datasets/${first.dataset_id}/generations`
    expect((await call('POST', again, order)).body).toMatchObject({ status: 'ready' })
    await expect.poll(reserve).toBe(40 * MIB)
  })
})
