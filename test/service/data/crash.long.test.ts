import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'
import { SHORT_LIVED } from '../served-process.ts'
import { form, surveyCsv } from './data-service.ts'
import { BOUNDARY, rawForm } from './multipart.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-crash-test'
const CHILD = join(import.meta.dirname, 'serve-child.js')

let dataDir: string
let child: ChildProcess | null = null
let baseUrl = ''
let credentials: { client_id: string; client_secret: string }
let bearer = ''

async function start(): Promise<void> {
  const started = spawn(process.execPath, [SHORT_LIVED, CHILD, dataDir, OPERATOR_TOKEN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  for await (const line of createInterface({ input: started.stdout })) {
    baseUrl = line
    break
  }
  expect(baseUrl).not.toBe('')
}

async function kill(): Promise<void> {
  const victim = child as ChildProcess
  const gone = once(victim, 'exit')
  victim.kill('SIGKILL')
  await gone
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Body = any

async function call(path: string, init: RequestInit = {}, authorization = bearer): Promise<Body> {
  const headers = new Headers(init.headers)
  if (authorization !== '') headers.set('authorization', `Bearer ${authorization}`)
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
  return await response.json()
}

const postJson = async (path: string, body: unknown, authorization?: string): Promise<Body> =>
  await call(
    path,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    authorization,
  )

async function logIn(): Promise<void> {
  const audience = { audience: baseUrl, grant_type: 'client_credentials' }
  bearer = (await postJson('/oauth/token', { ...credentials, ...audience }, '')).access_token
}

async function ended(jobId: string): Promise<Body> {
  for (;;) {
    const job = await call(`/v1/jobs/${jobId}`)
    if (!['queued', 'running'].includes(job.status)) return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whatif-crash-'))
  await start()
  const { request_id: id } = await postJson('/v1/signup', { company_name: 'Crash', contact_email: 'crash@example.com' })
  await postJson(`/operator/v1/signups/${id}/approve`, {}, OPERATOR_TOKEN)
  const { credential_claim_token: token } = await call(`/v1/signup/${id}`)
  const { client_id, client_secret } = await postJson('/v1/credential-claims', { claim_token: token }, '')
  credentials = { client_id, client_secret }
  await logIn()
})
afterAll(async () => {
  if (child !== null && child.exitCode === null && child.signalCode === null) await kill()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a service killed by SIGKILL and started again', () => {
  it('finishes the interrupted training once', async () => {
    const upload = await call('/v1/datasets', {
      method: 'POST',
      headers: { 'idempotency-key': 'train' },
      body: form({ seed_file: new Blob([surveyCsv(10_000)]) }),
    })
    let job: Body
    do job = await call(`/v1/jobs/${upload.job_id}`)
    while (job.status === 'queued')
    expect(job.status).toBe('running')
    await kill()
    await start()
    await logIn()
    expect((await ended(upload.job_id)).status).toBe('completed')
    const dataset = await call(`/v1/datasets/${upload.dataset_id}`)
    expect(dataset).toMatchObject({ status: 'ready', cleaning_summary: { clean_rows: 10_000 } })
    const again = await call('/v1/datasets', {
      method: 'POST',
      headers: { 'idempotency-key': 'train' },
      body: form({ seed_file: new Blob([surveyCsv(10_000)]) }),
    })
    expect(again).toMatchObject({ dataset_id: upload.dataset_id, status: 'ready' })
  })

  it('finishes the interrupted generation, and bills it once', async () => {
    const [dataset] = (await call('/v1/datasets')).datasets
    const made = await postJson(`/v1/datasets/${dataset.dataset_id}/generations`, { row_count: 200_000, seed: 1 })
    await kill()
    await start()
    await logIn()
    expect((await ended(made.job_id)).status).toBe('completed')
    const record = await call(`/v1/generations/${made.generation_id}`)
    expect(record).toMatchObject({ status: 'ready', rows_generated: 200_000 })
  })

  it('discards the interrupted upload, and its key is free', async () => {
    const url = new URL(baseUrl)
    const upload = request({
      host: url.hostname,
      port: url.port,
      method: 'POST',
      path: '/v1/datasets',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'idempotency-key': 'half',
      },
    })
    const failed = once(upload, 'error')
    upload.write(rawForm([{ name: 'seed_file', filename: 'a.csv', value: surveyCsv(5000) }], '').subarray(0, 100_000))
    const scratch = join(dataDir, 'blobs', 'scratch')
    while ((await readdir(scratch)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await kill()
    await failed
    await start()
    await logIn()
    expect(await readdir(scratch)).toEqual([])
    const fresh = await call('/v1/datasets', {
      method: 'POST',
      headers: { 'idempotency-key': 'half' },
      body: form({ seed_file: new Blob([surveyCsv(60)]), wait_seconds: '60' }),
    })
    expect(fresh.status).toBe('ready')
    await kill()
    const db = await openEmbeddedDatabase(dataDir)
    const [sums] = await db.query(
      `select (select count(*) from datasets) as datasets, (select count(*) from ledger) as entries,
         (select count(*) from jobs where status <> 'completed') as unfinished`,
    )
    // The removals of a process that was killed are due later as well.
    const seeds = await db.query('select blob_key from doomed_blobs where due_at > now() and not removing')
    await db.close()
    expect(sums).toEqual({ datasets: 2, entries: 1, unfinished: 0 })
    expect(seeds).toEqual([])
  })
})
