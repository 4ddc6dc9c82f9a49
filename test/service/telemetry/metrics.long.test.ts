import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../../../src/service/start-service.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { ask, openTestStore, sendRaw, startTestService } from '../http/test-service.ts'

const OPERATOR = 'operator-token-of-the-metrics'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

let dataDir: string
let service: RunningService
let client: { client_id: string; client_secret: string }
let token: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'whatif-metrics-'))
  service = await startService({ dataDir, operatorToken: OPERATOR, threads: 1, version: '1.2.3' })
  const { request_id: id } = (await post('/v1/signup', { company_name: 'A', contact_email: 'canary@b.example' })).body
  await post(`/operator/v1/signups/${id}/approve`, {}, bearer(OPERATOR))
  const { credential_claim_token } = (await ask(`${service.baseUrl}/v1/signup/${id}`)).body
  client = (await post('/v1/credential-claims', { claim_token: credential_claim_token })).body
  token = (await post('/oauth/token', { ...client, audience: service.baseUrl, grant_type: 'client_credentials' })).body
    .access_token
})
afterAll(async () => {
  await service?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(service.baseUrl + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** Name with its labels → value. */
async function scrape(): Promise<{ readonly text: string; readonly value: (series: string) => number | undefined }> {
  const { text } = await ask(`${service.baseUrl}/metrics`, { headers: bearer(OPERATOR) })
  const values = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
  return { text, value: (series) => values.get(series) }
}

describe('GET /metrics', () => {
  it('is opened by the operator token alone', async () => {
    const read = async (headers: Record<string, string>) => await ask(`${service.baseUrl}/metrics`, { headers })
    expect((await read({})).status).toBe(401)
    expect((await read(bearer(token))).status).toBe(401)
    expect((await read(bearer('another-operator-token'))).status).toBe(401)
    const answer = await read(bearer(OPERATOR))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('counts requests by operation and route, jobs, rows and bytes, and holds no id, name or secret', async () => {
    const before = await scrape()
    const csv = surveyCsv(300)
    const upload = await ask(`${service.baseUrl}/v1/datasets`, {
      method: 'POST',
      headers: bearer(token),
      body: form({ wait_seconds: '60', display_name: 'canary name', seed_file: new Blob([csv]) }),
    })
    expect(upload.status).toBe(200)
    const { dataset_id: datasetId } = upload.body
    const order = { row_count: 120, wait_seconds: 60, seed: 1 }
    const made = await post(`/v1/datasets/${datasetId}/generations`, order, bearer(token))
    expect(made.body.status).toBe('ready')
    for (const path of ['/v1/jobs/job_canary', '/canary/nowhere']) {
      await ask(`${service.baseUrl}${path}`, { headers: bearer(token) })
    }
    const port = Number(new URL(service.baseUrl).port)
    await sendRaw(port, 'CANARY / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    let after = before
    const grown = (series: string) => (after.value(series) ?? 0) - (before.value(series) ?? 0)
    const ended = (kind: string) => grown(`whatif_job_duration_seconds_count{kind="${kind}",outcome="completed"}`)
    // A worker counts a job after it has reported its end.
    await expect
      .poll(async () => {
        after = await scrape()
        return [ended('training'), ended('generation')]
      })
      .toEqual([1, 1])
    const requests = (labels: string) => grown(`whatif_http_request_duration_seconds_count{${labels}}`)
    expect(requests('operation="createDataset",method="POST",route="/v1/datasets",status="2xx"')).toBe(1)
    expect(requests('operation="getJob",method="GET",route="/v1/jobs/:job_id",status="4xx"')).toBe(1)
    expect(requests('operation="none",method="GET",route="none",status="4xx"')).toBe(1)
    expect(grown('whatif_upload_bytes_total')).toBe(csv.length)
    expect(grown('whatif_rows_billed_total')).toBe(120)
    for (const kind of ['training', 'generation']) {
      expect(grown(`whatif_job_attempts_total{kind="${kind}"}`)).toBe(1)
      expect(grown(`whatif_job_wait_seconds_count{kind="${kind}"}`)).toBe(1)
      expect(after.value(`whatif_jobs_running{kind="${kind}"}`)).toBe(0)
      expect(after.value(`whatif_queue_jobs{kind="${kind}",status="queued"}`)).toBe(0)
      expect(after.value(`whatif_queue_oldest_age_seconds{kind="${kind}"}`)).toBe(0)
    }
    expect(after.value('whatif_stock{what="datasets_ready"}')).toBe(1)
    expect(after.value('whatif_stock{what="generations"}')).toBe(1)
    expect(after.value('whatif_stock{what="artifact_bytes"}')).toBeGreaterThan(0)
    // The scrape itself.
    expect(after.value('whatif_http_requests_in_flight')).toBe(1)
    expect(after.value('whatif_build_info{version="1.2.3",role="all"}')).toBe(1)
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']) {
      expect([name, after.value(name)]).toEqual([name, expect.any(Number)])
    }
    expect(after.text).not.toMatch(/canary|(ds|job|gen|cli|ten|req)_[A-Za-z0-9]{22}/i)
    expect(after.text).not.toContain(client.client_secret)
  })

  it.each([
    ['metrics are off', { metrics: false }],
    ['there is no operator token', { operatorToken: null }],
  ])('does not exist when %s', async (_name, settings) => {
    const store = await openTestStore()
    const other = await startTestService(store, { settings })
    try {
      const answer = await other.get('/metrics', bearer('operator-token-for-tests'))
      expect(answer).toMatchObject({ status: 404, body: { code: 'svc_not_found' } })
    } finally {
      await other.close()
      await store.close()
    }
  })
})

describe('the metrics of each service', () => {
  it('are its own: two in one process do not add up', async () => {
    const store = await openTestStore()
    const [one, two] = [await startTestService(store), await startTestService(store)]
    try {
      await one.get('/healthz')
      const of = async (from: typeof one) => (await from.get('/metrics', bearer('operator-token-for-tests'))).text
      expect(await of(one)).toContain('operation="getHealth"')
      expect(await of(two)).not.toContain('operation="getHealth"')
    } finally {
      await one.close()
      await two.close()
      await store.close()
    }
  })
})
