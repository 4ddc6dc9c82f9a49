import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServiceClient } from '../../../src/client/create-service-client.ts'
import { hashSecret } from '../../../src/service/access/secret-hash.ts'
import { startService } from '../../../src/service/start-service.ts'
import { type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'
import { S3Server } from './s3-server.ts'

let server: S3Server
let service: DataService
beforeAll(async () => {
  server = await S3Server.start()
  service = await startDataService({ settings: { objectStorage: server.storage } })
})
afterEach(() => {
  server.fault = () => null
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const upload = async (headers: Record<string, string> = {}) =>
  await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ seed_file: new Blob([surveyCsv(300)]), wait_seconds: '60' }),
    headers,
  })
const generate = async (datasetId: string, format: string) =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: 200, seed: 7, output_format: format, wait_seconds: 60 }),
  })

/** Waits until no blob is being stored: seeds are stored in the background while a client waits for their training. */
async function allPutAway(): Promise<void> {
  await expect.poll(async () => await service.db.query('select blob_key from doomed_blobs')).toEqual([])
}

describe('a service with object storage', () => {
  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['parquet', 'application/vnd.apache.parquet'],
    ['arrow', 'application/vnd.apache.arrow.file'],
  ])(
    'answers with an absolute address of the %s artifact, for 15 minutes and without a token',
    async (format, type) => {
      const dataset = await upload()
      expect(dataset).toMatchObject({ status: 200, body: { status: 'ready' } })
      const made = await generate(dataset.body.dataset_id, format)
      expect(made).toMatchObject({ status: 200, body: { status: 'ready', rows_generated: 200 } })
      const { generation_id: id, artifact } = made.body
      const { body: record } = await service.ask(`/v1/generations/${id}`)
      expect(record.artifact_url).toBe(made.body.artifact_url)
      for (const { artifact_url: address } of [made.body, record]) {
        const url = new URL(address)
        expect(url.origin).toBe(server.storage.endpoint)
        expect(url.pathname).toBe(`/whatif-test/studies/artifacts/${id}.1`)
        // Handed out for a minute, it is good for 15 when that has passed.
        expect(url.searchParams.get('X-Amz-Expires')).toBe('960')
        const reply = await fetch(url)
        expect(reply.status).toBe(200)
        expect(reply.headers.get('content-type')).toBe(type)
        expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${id}.${format}"`)
        const bytes = Buffer.from(await reply.arrayBuffer())
        expect(bytes.length).toBe(artifact.bytes)
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(artifact.sha256)
      }
    },
  )

  it('refuses an address whose time has passed', async () => {
    const dataset = await upload()
    const url = new URL((await generate(dataset.body.dataset_id, 'csv')).body.artifact_url)
    // s3rver checks no signature, so that the time can be moved.
    url.searchParams.set('X-Amz-Date', '20200101T000000Z')
    expect((await fetch(url)).status).toBe(403)
  })

  it('stores models and artifacts in the bucket, and removes them with their records', async () => {
    await allPutAway()
    for (const key of await server.objects()) await server.remove(key)
    const copies = await service.blobs()
    const { body: dataset } = await upload()
    const { body: made } = await generate(dataset.dataset_id, 'csv')
    await allPutAway()
    expect((await server.objects()).sort()).toEqual([
      `studies/artifacts/${made.generation_id}.1`,
      `studies/models/${dataset.dataset_id}.1`,
    ])
    await service.ask(`/v1/datasets/${dataset.dataset_id}`, { method: 'DELETE' })
    await allPutAway()
    expect(await server.objects()).toEqual([`studies/artifacts/${made.generation_id}.1`])
    expect(await service.blobs()).toEqual(copies)
  })

  it('is used by our client, which sends its token to the service alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whatif-artifact-'))
    const secret = 'client-secret-of-the-test'
    await service.db.query(
      `insert into clients (client_id, tenant_id, secret_hash, created_at) values ('cli_artifact', 'ten_A', $1, now())`,
      [await hashSecret(secret)],
    )
    const { baseUrl } = service
    const client = createServiceClient({ baseUrl, authUrl: baseUrl, clientId: 'cli_artifact', clientSecret: secret })
    try {
      const { body: dataset } = await upload()
      const { body: made } = await generate(dataset.dataset_id, 'csv')
      const { value: record } = await client.getGeneration(made.generation_id)
      await allPutAway()
      server.authorizations.length = 0
      const path = join(folder, 'artifact.csv')
      const value = await client.downloadArtifact({ url: record.artifact_url as string, path })
      expect(value).toMatchObject(made.artifact as object)
      expect(String(await readFile(path)).split('\r\n')).toHaveLength(202)
      expect(server.authorizations).toEqual([''])
    } finally {
      await client.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('a service whose storage cannot be used', () => {
  it('does not start, says why, and releases the data folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'whatif-start-'))
    try {
      const objectStorage = { ...server.storage, bucket: 'not-there' }
      const failure = await startService({ dataDir, objectStorage }).catch((error: Error) => error)
      expect((failure as Error).message).toMatch(
        /^The bucket not-there at 127\.0\.0\.1:\d+ cannot be used: .* 404 \(NoSuchBucket\) .* Create the bucket/,
      )
      const running = await startService({ dataDir, objectStorage: server.storage, operatorToken: null })
      expect((await fetch(`${running.baseUrl}/healthz`)).status).toBe(200)
      await running.close()
      // Scratch files go with the process.
      expect(await readdir(join(dataDir, 'scratch'))).toEqual([])
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('a service whose storage becomes unavailable', () => {
  it('answers 503 and keeps nothing of an upload, and continues when storage is available again', async () => {
    const { body: dataset } = await upload()
    const { body: made } = await generate(dataset.dataset_id, 'csv')
    await server.stop()
    try {
      expect(await service.ask('/healthz')).toMatchObject({ status: 503, body: { status: 'unavailable' } })
      const refused = await upload({ 'idempotency-key': 'while-down' })
      expect(refused).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(JSON.stringify(refused.body)).not.toMatch(/ECONNREFUSED|studies|127\.0\.0\.1:(?!.*errors)/)
      expect(await service.db.query(`select key from idempotency_keys where key = 'while-down'`)).toEqual([])
      // Requests that need no storage still work: records, and addresses of artifacts.
      expect((await service.ask(`/v1/generations/${made.generation_id}`)).status).toBe(200)
      // A deletion counts from its record on; the sweeper removes the blobs.
      expect((await service.ask(`/v1/datasets/${dataset.dataset_id}`, { method: 'DELETE' })).status).toBe(204)
    } finally {
      await server.startAgain()
    }
    expect((await service.ask('/healthz')).status).toBe(200)
    expect(await upload({ 'idempotency-key': 'while-down' })).toMatchObject({ status: 200, body: { status: 'ready' } })
    // The sweeper may have run meanwhile. Then it has reported the fault.
    for (const error of service.errors) expect(error).toMatchObject({ name: 'StorageError' })
  })

  it('finishes an interrupted job when storage is available again', async () => {
    const { body: dataset } = await upload()
    let tries = 0
    server.fault = ({ line }) => {
      if (line.startsWith('PUT studies/artifacts/')) tries++
      return tries > 0 ? { status: 503, code: 'SlowDown' } : null
    }
    const made = await service.ask(`/v1/datasets/${dataset.dataset_id}/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ row_count: 200, seed: 7 }),
    })
    expect(made).toMatchObject({ status: 202, body: { status: 'processing' } })
    // Every try of the upload has failed, and the storage was looked after once.
    const checks = () => server.lines.filter((line) => line === 'HEAD ').length
    const before = checks()
    while (tries < 4 || checks() === before) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await service.ask('/healthz')).status).toBe(503)
    server.fault = () => null
    let job: { status: string } | null = null
    do job = (await service.ask(`/v1/jobs/${made.body.job_id}`)).body as { status: string }
    while (['queued', 'running'].includes(job.status))
    expect(job.status).toBe('completed')
    const [row] = await service.db.query('select attempts from jobs where job_id = $1', [made.body.job_id])
    expect(row).toEqual({ attempts: 1 })
  })
})
