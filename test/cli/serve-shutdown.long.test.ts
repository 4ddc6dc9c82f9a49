import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, surveyCsv } from '../service/data/data-service.ts'
import { makeProject, type Project, type Running } from './project-folder.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-shutdown-test'
/** A training that takes seconds, so that requests find it running. */
const LONG_CSV = longCsv()

function longCsv(): string {
  const [head, ...rows] = surveyCsv(20_000).trimEnd().split('\n')
  return `${head}\n${`${rows.join('\n')}\n`.repeat(5)}`
}

let project: Project
let serving: Running
let baseUrl = ''
let authorization = ''
let credentials: Record<string, string> = {}

beforeAll(async () => {
  project = await makeProject()
  await serve()
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const { request_id: id } = await json('/v1/signup', { company_name: 'A', contact_email: 'a@b.example' })
  await json(`/operator/v1/signups/${id}/approve`, {}, operator)
  const { credential_claim_token: claimToken } = await json(`/v1/signup/${id}`)
  credentials = await json('/v1/credential-claims', { claim_token: claimToken })
  await logIn()
})
afterAll(async () => {
  serving?.kill('SIGTERM')
  await serving?.finished
  await project?.remove()
})

/** Starts the service. It keeps its port across restarts, so that clients find it. */
async function serve(): Promise<void> {
  const port = baseUrl === '' ? '0' : new URL(baseUrl).port
  serving = project.start(['serve', '--data', 'server', '--port', port, '--threads', '1', '--json'], {
    env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  baseUrl = JSON.parse(await serving.firstLine()).base_url
}

async function logIn(): Promise<void> {
  const minted = await json('/oauth/token', { ...credentials, grant_type: 'client_credentials', audience: baseUrl })
  authorization = `Bearer ${minted.access_token}`
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
async function json(path: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
  const reply = await fetch(baseUrl + path, {
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  return await reply.json()
}

const upload = (csv: string, fields: Record<string, string> = {}) =>
  fetch(`${baseUrl}/v1/datasets`, {
    method: 'POST',
    headers: { authorization },
    body: form({ ...fields, seed_file: new Blob([csv]) }),
  })

/** Asks for the job until `isSo`; each answer is an event of the service, no time is assumed. */
async function jobUntil(jobId: string, isSo: (job: { status: string; dataset_id?: string }) => boolean) {
  for (;;) {
    const job = await json(`/v1/jobs/${jobId}`, undefined, { authorization })
    expect(job).toMatchObject({ job_id: jobId })
    if (isSo(job)) return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function terminate(): Promise<void> {
  serving.kill('SIGTERM')
  const { code, signal, stdout } = await serving.finished
  expect({ code, signal, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, signal: null, lines: 1 })
}

describe('whatif serve at SIGTERM', () => {
  it('returns a running training to the queue; after a restart it continues to its end', async () => {
    const { job_id: jobId, dataset_id: datasetId } = (await (await upload(LONG_CSV)).json()) as Record<string, string>
    await jobUntil(jobId as string, ({ status }) => status === 'running')
    await terminate()
    const { stderr } = await serving.finished
    expect(stderr).toMatch(/"outcome":"handed_back".*"msg":"job.ended"/)
    await serve()
    await logIn()
    const job = await jobUntil(jobId as string, ({ status }) => status === 'completed' || status === 'failed')
    expect(job).toMatchObject({ status: 'completed', dataset_id: datasetId })
    expect(await json(`/v1/datasets/${datasetId}`, undefined, { authorization })).toMatchObject({ status: 'ready' })
  })

  it('answers a waiting request with the current state, and keeps no connection', async () => {
    const { job_id: busyJob } = (await (await upload(LONG_CSV)).json()) as Record<string, string>
    // It waits behind the training in the queue of the only worker.
    const waiting = upload(surveyCsv(200), { wait_seconds: '60' })
    await metric('whatif_stock{what="datasets_processing"}', 2)
    await terminate()
    const reply = await waiting
    expect([reply.status, reply.headers.get('connection')]).toEqual([202, 'close'])
    const { job_id: jobId } = (await reply.json()) as Record<string, string>
    await serve()
    await logIn()
    for (const id of [busyJob, jobId]) {
      const job = await jobUntil(id as string, ({ status }) => status !== 'queued' && status !== 'running')
      expect(job).toMatchObject({ status: 'completed' })
    }
  })

  it('answers an upload that is under way with 503; after a restart its key is free and nothing of it is left', async () => {
    const half = beginUpload('key-of-the-half')
    await metric('whatif_stock{what="doomed_blobs"}', 1)
    const ended = terminate()
    expect(await half.answer).toMatchObject({ status: 503, body: { code: 'svc_unavailable', status: 503 } })
    half.leave()
    await ended
    await serve()
    await logIn()
    await metric('whatif_stock{what="doomed_blobs"}', 0)
    const again = await fetch(`${baseUrl}/v1/datasets`, {
      method: 'POST',
      headers: { authorization, 'idempotency-key': 'key-of-the-half' },
      body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(200)]) }),
    })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  it('ends at once at a second signal', async () => {
    const half = beginUpload('key-of-another')
    await metric('whatif_http_requests_in_flight', 2)
    serving.kill('SIGTERM')
    // Its peer keeps the connection open, for which the service allows some seconds.
    expect((await half.answer).status).toBe(503)
    serving.kill('SIGTERM')
    expect(await serving.finished).toMatchObject({ code: 143, signal: null })
    half.leave()
    await serve()
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
  })
})

/** Asks for the metrics until a series has a value: what the service is doing, seen from outside. */
async function metric(series: string, value: number): Promise<void> {
  for (;;) {
    const reply = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
    if ((await reply.text()).split('\n').includes(`${series} ${value}`)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** An upload whose end does not come. */
function beginUpload(key: string) {
  const upload = httpRequest(`${baseUrl}/v1/datasets`, {
    method: 'POST',
    headers: {
      authorization,
      'idempotency-key': key,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '1000000',
    },
  })
  const answer = new Promise<{ status: number | undefined; body: unknown }>((settle, fail) => {
    upload.on('error', fail)
    upload.on('response', async (reply) => {
      let text = ''
      for await (const chunk of reply.setEncoding('utf8')) text += chunk
      settle({ status: reply.statusCode, body: JSON.parse(text) })
    })
  })
  upload.write('--x\r\ncontent-disposition: form-data; name="seed_file"; filename="a.csv"\r\n\r\na,b\r\n1,2\r\n')
  return { answer, leave: () => void upload.destroy() }
}
