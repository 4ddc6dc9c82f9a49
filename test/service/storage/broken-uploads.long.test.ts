import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, startDataService, TENANT_A } from '../data/data-service.ts'
import { openUpload, rawForm } from '../data/multipart.ts'
import { S3Server } from './s3-server.ts'

const MIB = 1 << 20
const FILE = Buffer.alloc(20 * MIB, 'a,b\n')
const BODY = rawForm([
  { name: 'display_name', value: 'Cut' },
  { name: 'seed_file', filename: 'a.csv', value: FILE },
])
const fileStart = BODY.indexOf(FILE.subarray(0, 64))

/** How much of the body is sent, and whether the file has begun by then. */
const POINTS: [string, number, boolean][] = [
  ['after a byte of the body', 1, false],
  ['in the head of a part', 30, false],
  ['after a byte of the file', fileStart + 1, true],
  // Two parts of a multipart upload into a bucket are on their way.
  ['after 18 MiB of the file', fileStart + 18 * MIB, true],
  ['after the file, in the last boundary', BODY.length - 5, true],
]

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => await storage.close())

describe.each(['files', 'a bucket'])('an upload into %s', (into) => {
  // There are no workers, so that a dataset that was recorded by mistake stays visible.
  let service: DataService
  beforeAll(async () => {
    service = await startDataService({
      work: false,
      ...(into === 'a bucket' && { settings: { objectStorage: storage.storage } }),
    })
  })
  afterAll(async () => await service.close())

  const count = async (table: string) => (await service.db.query(`select 1 from ${table}`)).length
  const traces = async () => ({
    datasets: await count('datasets'),
    jobs: await count('jobs'),
    keys: await count('idempotency_keys'),
    orphaned: await count('doomed_blobs'),
    files: (await service.blobs()).length,
    objects: (await storage.objects()).length,
    uploads: (await storage.uploads()).length,
  })
  const begun = async () => [(await service.blobs()).length, await count('doomed_blobs')]
  const NOTHING = { datasets: 0, jobs: 0, keys: 0, orphaned: 0, files: 0, objects: 0, uploads: 0 }

  describe.each(['abort', 'reset'] as const)('whose connection ends by %s', (how) => {
    it.each(POINTS)('%s leaves nothing: no row, key, blob, part or scratch file', async (_name, bytes, hasBegun) => {
      const upload = await openUpload(service, TENANT_A, { 'idempotency-key': 'cut' })
      await upload.write(BODY.subarray(0, bytes))
      await expect.poll(() => count('idempotency_keys')).toBe(1)
      if (hasBegun) await expect.poll(begun).toEqual([1, 1])
      if (into === 'a bucket' && bytes > 16 * MIB)
        await expect.poll(async () => (await storage.uploads()).length).toBe(1)
      upload[how]()
      await expect(upload.reply).rejects.toThrow()
      await expect.poll(traces).toEqual(NOTHING)
    })
  })
})
