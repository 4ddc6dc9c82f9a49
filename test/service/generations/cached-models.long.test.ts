import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { decodeModel, decodeOrderOf, encodeOrderOf, modelChecksum } from '../../../src/engine/model/model-file.ts'
import { openWorkQueue } from '../../../src/service/queue/work-queue.ts'
import { type CachedModelKey, readCachedModel, recordCachedModel } from '../../../src/service/records/cached-models.ts'
import { markPending } from '../../../src/service/records/orphaned-blobs.ts'
import { startWork, type Work } from '../../../src/service/start-workers.ts'
import { type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'
import { removeBlobs } from '../sweep-away.ts'

let service: DataService
let work: Work
let datasetId: string

/** Workers that remember nothing, with a line to the queue of their own: as after a restart, or in another process. */
async function freshWorkers(): Promise<Work> {
  const onError = (error: unknown) => service.errors.push(error)
  const queue = await openWorkQueue(service.db, { onError })
  return await startWork({ ...service.context, queue }, { isAlone: false, onError })
}

beforeAll(async () => {
  service = await startDataService({ work: false })
  work = await freshWorkers()
  const parts = { seed_file: new Blob([surveyCsv(400)]), wait_seconds: '60' }
  datasetId = (await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })).body.dataset_id
  await work.stop()
})
afterAll(async () => {
  expect(service.errors).toEqual([])
  await service?.close()
})

beforeEach(async () => {
  await service.db.query('delete from orders')
  await removeBlobs(service.context)
  work = await freshWorkers()
})
afterEach(async () => await work.stop())

async function generate(conditions: object, seed = 1): Promise<string> {
  const { body } = await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: 200, seed, wait_seconds: 60, output_format: 'csv', conditions }),
  })
  expect(body).toMatchObject({ status: 'ready' })
  return (await service.ask(body.artifact_url)).body
}

const TILTED = { categorical: { region: { north: 0.7 } }, numeric: { age: { min: 20, max: 50 } } }
const COLUMNS = ['region', 'age']

interface Kept {
  readonly blob_key: string
  readonly columns_key: string
  readonly bytes: number
}

const kept = async (): Promise<readonly Kept[]> =>
  await service.db.query<Kept>(
    'select blob_key, columns_key, bytes from orders where dataset_id = $1 order by used_at, columns_key',
    [datasetId],
  )
const blobPath = (blob: string) => join(service.dataDir, 'blobs', blob)
const orderBlobs = async () => (await service.blobs()).filter((name) => name.startsWith('job_'))

it('caches one model for each set of conditioned columns, and none without conditions', async () => {
  await generate({})
  expect(await kept()).toEqual([])
  await generate(TILTED)
  const [order] = await kept()
  expect((await readFile(blobPath(order!.blob_key))).length).toBe(order!.bytes)
  await generate({ ...TILTED, categorical: { region: { south: 0.5 } } }, 7)
  expect(await kept()).toEqual([order])
  await generate({ categorical: { region: { south: 0.5 } } })
  expect(await kept()).toHaveLength(2)
})

it('generates the same rows from a cached model', async () => {
  const rows = await generate(TILTED)
  const [order] = await kept()
  await work.stop()
  work = await freshWorkers()
  expect(await generate(TILTED)).toBe(rows)
  expect(await kept()).toEqual([order])
})

it('uses the trees of a cached model, and does not train them again', async () => {
  const rows = await generate(TILTED)
  const path = blobPath((await kept())[0]!.blob_key)
  await work.stop()
  const [dataset] = await service.db.query<{ model_blob: string }>(
    'select model_blob from datasets where dataset_id = $1',
    [datasetId],
  )
  const file = await readFile(blobPath(dataset!.model_blob))
  const model = decodeModel(file)
  const conditioned = COLUMNS.map((name) => model.columns.findIndex((column) => column.name === name))
  const order = decodeOrderOf(model, modelChecksum(file), conditioned, await readFile(path))
  // Trees that training would not make: all members.
  const member = model.columns.findIndex(({ name }) => name === 'loyalty.member')
  const trees = order.trees.map((tree) => {
    if (tree.target !== member) return tree
    const { levels, missing } = model.columns[member] as { levels: readonly string[]; missing: number }
    return { ...tree, codes: tree.codes.slice().fill(levels.indexOf('yes') + missing) }
  })
  await writeFile(path, encodeOrderOf(model, modelChecksum(file), { ...order, trees }))
  work = await freshWorkers()
  const again = await generate(TILTED)
  expect(again).not.toBe(rows)
  expect(again).toContain('yes')
  expect(again).not.toContain(',no,')
})

it.each([
  { what: 'damaged', spoil: async (path: string) => await writeFile(path, (await readFile(path)).subarray(0, 500)) },
  { what: 'empty', spoil: async (path: string) => await writeFile(path, '') },
  { what: 'gone', spoil: async (path: string) => await rm(path) },
])('trains a cached model again that is $what, and replaces it', async ({ spoil }) => {
  const rows = await generate(TILTED)
  const [before] = await kept()
  await spoil(blobPath(before!.blob_key))
  await work.stop()
  work = await freshWorkers()
  expect(await generate(TILTED)).toBe(rows)
  const after = await kept()
  expect(after).toEqual([{ ...before, blob_key: expect.not.stringMatching(before!.blob_key) }])
  expect((await readFile(blobPath(after[0]!.blob_key))).length).toBe(before!.bytes)
  await removeBlobs(service.context)
  await expect(readFile(blobPath(before!.blob_key))).rejects.toThrow('ENOENT')
})

async function placeOf(columnsKey: string): Promise<CachedModelKey> {
  const [row] = await service.db.query<{ model_blob: string }>(
    'select model_blob from datasets where dataset_id = $1',
    [datasetId],
  )
  return { datasetId, modelBlob: row!.model_blob, columnsKey }
}

async function record(place: CachedModelKey, blob: string, bytes = 1000, nowMs = Date.now()): Promise<boolean> {
  await markPending(service.db, blob, nowMs)
  return await service.db.transaction(
    async (tx) => await recordCachedModel(tx, place, { blob, bytes, replaced: null }, nowMs),
  )
}

it('keeps the column order of the first writer', async () => {
  const place = await placeOf('a')
  expect(await record(place, 'orders/first')).toBe(true)
  expect(await record(place, 'orders/second')).toBe(false)
  expect(await readCachedModel(service.db, place, Date.now())).toBe('orders/first')
  const orphans = await service.db.query(`select blob_key from doomed_blobs where blob_key like 'orders/%'`)
  expect(orphans).toEqual([{ blob_key: 'orders/second' }])
})

it('caches no model for another trained model, or for a deleted dataset', async () => {
  const place = await placeOf('a')
  expect(await record({ ...place, modelBlob: 'models/another' }, 'orders/x1')).toBe(false)
  expect(await record({ ...place, datasetId: 'ds_gone' }, 'orders/x2')).toBe(false)
  expect(await kept()).toEqual([])
})

it.each([
  { what: '64 models', bytes: 1000, fit: 64 },
  { what: '128 MiB', bytes: 40 * 2 ** 20, fit: 3 },
  { what: 'one place, where a model exceeds the limit', bytes: 200 * 2 ** 20, fit: 1 },
])('caches as many models of a dataset as fit into $what: those used last', async ({ bytes, fit }) => {
  const startMs = Date.now()
  const atMinute = (minute: number) => startMs + minute * 60_000
  const place = await placeOf('')
  for (let i = 0; i < fit; i++)
    await record({ ...place, columnsKey: `key ${i}` }, `orders/${fit}.${i}`, bytes, atMinute(i))
  // The first is used again; then there is one more.
  await readCachedModel(service.db, { ...place, columnsKey: 'key 0' }, atMinute(fit + 2))
  await record({ ...place, columnsKey: 'more' }, `orders/${fit}.more`, bytes, atMinute(fit + 4))
  const keys = (await kept()).map(({ columns_key }) => columns_key)
  expect(keys).toHaveLength(fit)
  expect(keys.at(-1)).toBe('more')
  expect(keys.includes('key 0')).toBe(fit > 1)
  expect(keys).not.toContain('key 1')
})

it('removes cached models with their dataset', async () => {
  const others = await orderBlobs()
  await generate(TILTED)
  await generate({ categorical: { region: { north: 0.2 } } })
  expect(await orderBlobs()).toHaveLength(others.length + 2)
  expect((await service.ask(`/v1/datasets/${datasetId}`, { method: 'DELETE' })).status).toBe(204)
  expect(await kept()).toEqual([])
  await removeBlobs(service.context)
  expect((await orderBlobs()).sort()).toEqual(others.sort())
})
