import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv } from './data-service.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService({ settings: { standby: true } })
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

/** Fails by the time limit of the test. */
async function until(isSo: (files: readonly string[]) => boolean): Promise<void> {
  while (!isSo(await service.blobs())) await new Promise((done) => setTimeout(done, 5))
}
const counts = async () => {
  const [row] = await service.db.query<{ datasets: number; jobs: number; doomed: number; entries: number }>(
    `select (select count(*)::int from datasets) as datasets, (select count(*)::int from jobs) as jobs,
       (select count(*)::int from doomed_blobs) as doomed, (select count(*)::int from queue_entries) as entries`,
  )
  return row
}

it('the process that stands by practises, and leaves neither rows nor files', async () => {
  await until((files) => files.includes('practice.csv'))
  await until((files) => files.length === 0)
  expect(await counts()).toEqual({ datasets: 0, jobs: 0, doomed: 0, entries: 0 })
})

it('an upload is trained as ever, and nothing is there but what belongs to it', async () => {
  const body = form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(100)]) })
  const reply = await service.ask('/v1/datasets', { method: 'POST', body })
  expect(reply.body).toMatchObject({ status: 'ready', training_summary: { training_rows: 100 } })
  // The model alone: the seed goes when it is there.
  await until((files) => files.length === 1)
  expect(await counts()).toMatchObject({ datasets: 1, jobs: 1 })
})

it('beside a large training another process practises for small ones', async () => {
  const body = form({ wait_seconds: '0', seed_file: new Blob([surveyCsv(300_000)]) })
  expect((await service.ask('/v1/datasets', { method: 'POST', body })).status).toBe(202)
  await until((files) => files.includes('practice.csv'))
})
