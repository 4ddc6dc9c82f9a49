import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TalkingChild, watchMemory } from '../../../bench/talking-child.js'
import { MAX_SEED_FILE_BYTES } from '../../../src/contract/limits.ts'
import { hashSecret } from '../../../src/service/access/secret-hash.ts'
import { openDatabase } from '../../../src/service/store/open-database.ts'
import { S3Server } from './s3-server.ts'

const MIB = 1 << 20
/** Specification of the service: transfers grow neither side by more over idle. */
const MAX_GROWTH_BYTES = 100e6
const ARTIFACT_BYTES = 200 * MIB
const CREDENTIALS = { clientId: 'cli_large', clientSecret: 'client-secret-of-the-test' }
/** Only /proc reports the memory of other processes. */
const isMemoryTold = existsSync('/proc/self/status')

let folder: string
let template: string
let storage: S3Server
const children: TalkingChild[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-large-'))
  template = join(folder, 'service')
  await prepareDataFolder(template)
  storage = await S3Server.start()
})
const endChildren = async () => await Promise.all(children.splice(0).map(async (child) => await child.kill()))
afterEach(endChildren)
afterAll(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

/** A tenant with a client, and a finished generation whose artifact has 200 MiB. */
async function prepareDataFolder(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'blobs', 'artifacts'), { recursive: true, mode: 0o700 })
  await writeSparseFile(join(dataDir, 'blobs', 'artifacts', 'gen_large.1'), ARTIFACT_BYTES)
  const db = await openDatabase({ dataDir, databaseUrl: null, lockTimeoutMs: 10_000 }, () => undefined)
  await db.query(`insert into tenants (tenant_id, name, created_at) values ('ten_large', 'Large', now())`)
  await db.query(
    `insert into clients (client_id, tenant_id, secret_hash, created_at) values ($1, 'ten_large', $2, now())`,
    [CREDENTIALS.clientId, await hashSecret(CREDENTIALS.clientSecret)],
  )
  await db.query(
    `insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed,
       output_format, conditions, created_at, expires_at, rows_generated, artifact_blob, artifact_bytes, artifact_sha256)
     values ('gen_large', 'ten_large', 'ds_large', 'job_large', 'ready', 'req_large', 1, 1, 'csv',
       '{"shares": [], "ranges": []}', now(), now() + interval '1 day', 1, 'artifacts/gen_large.1', $1, $2)`,
    [ARTIFACT_BYTES, await sha256Of(join(dataDir, 'blobs', 'artifacts', 'gen_large.1'))],
  )
  await db.close()
}

/** Begins and ends like Parquet, with nothing between: taken at the door, refused by the first look of its training. */
async function writeSparseFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'wx')
  await file.truncate(bytes)
  await file.write('PAR1', 0)
  await file.write('PAR1', bytes - 4)
  await file.close()
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: MIB })) hash.update(chunk)
  return hash.digest('hex')
}

async function start(settings: Record<string, unknown> = {}) {
  const server = new TalkingChild('service-program.js')
  const client = new TalkingChild('client-program.js')
  children.push(server, client)
  const addresses = await server.ask({
    ...{ dataDir: template, operatorToken: null, threads: 1 },
    // One database, whose files lie in a folder for some of the tests and in a bucket for others.
    storage: 'new',
    ...settings,
  })
  await client.step('connect', { ...addresses, ...CREDENTIALS })
  return { server, client, baseUrl: addresses.baseUrl as string }
}

/** How many files of more than 1 MiB are under a folder. The id of the storage is smaller, and stays. */
async function largeFilesUnder(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)))
  const sizes = await Promise.allSettled(files)
  return sizes.filter((size) => size.status === 'fulfilled' && size.value.size > MIB).length
}

/**
 * Expects that nobody grows by the limit. What one measurement shows beyond it may be memory that nobody has collected
 * yet; what a transfer needs, a second one in new processes shows too.
 */
async function expectBounded(measure: () => Promise<readonly (number | null)[]>): Promise<void> {
  const isBounded = (growth: number | null) => growth !== null && growth < MAX_GROWTH_BYTES
  const first = await measure()
  if (first.every(isBounded)) return
  await endChildren()
  const second = await measure()
  const smaller = first.map((growth, i) => Math.min(growth ?? Infinity, second[i] ?? Infinity))
  for (const growth of smaller) expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
}

async function mintToken(baseUrl: string): Promise<string> {
  const body = { client_id: CREDENTIALS.clientId, client_secret: CREDENTIALS.clientSecret, audience: baseUrl }
  const reply = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, grant_type: 'client_credentials' }),
  })
  return ((await reply.json()) as { access_token: string }).access_token
}

describe.skipIf(!isMemoryTold)('memory of service and client, in processes of their own', () => {
  let path: string
  beforeEach(() => {
    path = join(folder, `file-${crypto.randomUUID()}`)
  })
  afterEach(async () => await rm(path, { force: true }))

  it.each([
    ['files', MAX_SEED_FILE_BYTES, 'blobs'],
    // The bucket is served from this process and keeps three copies for a while: 200 MiB show growth as well.
    ['a bucket', 200 * MIB, 'scratch'],
  ])('grows by less than 100 MB over idle during an upload into %s of %i bytes', async (into, bytes, kept) => {
    await writeSparseFile(path, bytes)
    await expectBounded(async () => {
      const { server, client } = await start({ objectStorage: into === 'a bucket' ? storage.storage : null })
      await client.step('prepareUpload', { path, idempotencyKey: crypto.randomUUID() })
      const upload = await watchMemory([client, server], async () => await client.step('upload'))
      expect(upload.value.value).toMatchObject({ status: 'processing', job_id: expect.any(String) })
      // The training refuses it, and with that the dataset is gone, with all that it had on disk.
      const job = client.step('awaitJob', { jobId: upload.value.value.job_id })
      await expect(job).rejects.toThrow('ended as failed')
      return upload.growth
    })
    const seeds = into === 'files' ? join(template, kept, 'seeds') : join(template, kept)
    while ((await largeFilesUnder(seeds)) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    // The object goes after its local copy.
    // The remaining object identifies the storage.
    const left = async () => (await storage.objects()).filter((key) => !key.endsWith('installation/storage'))
    await expect.poll(left).toEqual([])
    expect(await storage.uploads()).toEqual([])
  })

  it('grows by less than 100 MB over idle while a file is refused that is larger by one byte', async () => {
    await writeSparseFile(path, MAX_SEED_FILE_BYTES + 1)
    await expectBounded(async () => {
      const { server, client, baseUrl } = await start()
      // Our client does not even send it.
      await client.step('prepareUpload', { path })
      await expect(client.step('upload')).rejects.toThrow('was not sent: the seed file has 524288001 bytes')
      const token = await mintToken(baseUrl)
      const refused = await watchMemory([server], async () => await send(baseUrl, token, path))
      expect(refused.value).toMatchObject({ status: 413, body: { code: 'svc_file_too_large' } })
      return refused.growth
    })
    // All that is left is the artifact that was there before.
    while ((await largeFilesUnder(join(template, 'blobs'))) > 1) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  it('grows by less than 100 MB over idle during a download of 200 MiB', async () => {
    await expectBounded(async () => {
      const { server, client } = await start()
      const { url } = await client.step('artifactUrl', { generationId: 'gen_large' })
      const download = await watchMemory([client, server], async () => await client.step('download', { url, path }))
      expect(download.value.value).toMatchObject({ bytes: ARTIFACT_BYTES, sha256: await sha256Of(path) })
      return download.growth
    })
  })
})

interface Refusal {
  readonly status: number
  readonly body: unknown
}

/** Sends a file as a seed without looking at its size, as any HTTP client would. */
async function send(baseUrl: string, token: string, path: string): Promise<Refusal> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(`${baseUrl}/v1/datasets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    })
    outgoing.once('error', reject)
    outgoing.once('response', async (response) => {
      const pieces = await response.toArray()
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) })
    })
    outgoing.write('--x\r\nContent-Disposition: form-data; name="seed_file"; filename="a.parquet"\r\n\r\n')
    const file = createReadStream(path, { highWaterMark: MIB })
    file.pipe(outgoing, { end: false })
    file.once('end', () => outgoing.end('\r\n--x--\r\n'))
  })
}
