import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'
import { S3Server } from './s3-server.ts'

/** As many orphaned blobs as once delayed the first request. */
const BACKLOG = 500

let server: S3Server
let service: DataService
beforeEach(async () => {
  server = await S3Server.start()
  service = await startDataService({ settings: { objectStorage: server.storage } })
})
afterEach(async () => {
  await service.close()
  await server.close()
})

it('a storage that does not answer removals delays no upload, generation, deletion or stop of the service', async () => {
  const isRemoval = (line: string) => line === 'GET ?uploads' || line === 'POST ' || line.startsWith('DELETE ')
  server.fault = ({ line }) => (isRemoval(line) ? 'no answer' : null)
  await service.db.query(
    `insert into doomed_blobs (blob_key, due_at) select 'artifacts/' || n, now() from generate_series(1, $1::integer) as n`,
    [BACKLOG],
  )
  service.context.remover?.soon()
  await expect.poll(() => server.lines.some(isRemoval)).toBe(true)
  const uploaded = await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(200)]) }),
  })
  expect(uploaded).toMatchObject({ status: 200, body: { status: 'ready' } })
  const { dataset_id: id } = uploaded.body
  const generated = await service.ask(`/v1/datasets/${id}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: 10, wait_seconds: 60 }),
  })
  expect(generated).toMatchObject({ status: 200, body: { status: 'ready' } })
  expect((await service.ask(`/v1/datasets/${id}`, { method: 'DELETE' })).status).toBe(204)
  await service.stopWork()
  // All of it is due again: nothing is forgotten.
  const left = await service.db.query<{ blob_key: string }>(
    `select blob_key from doomed_blobs where due_at <= now() + interval '1 second'`,
  )
  expect(left).toHaveLength(BACKLOG + 2)
  expect(service.errors).toEqual([])
})
