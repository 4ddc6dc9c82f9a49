import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_HTTP_LIMITS } from '../../../src/service/http/http-limits.ts'
import { type DataService, startDataService, TENANT_A, TENANT_B } from './data-service.ts'

const LIMIT = DEFAULT_HTTP_LIMITS.largeAnswers
const schemaWith = (levels: number) => [
  { name: 'c', type: 'categorical', levels: Array.from({ length: levels }, (_, i) => `${i} é`.padEnd(1000, '.')) },
]
/** Some 4 MB, as large as a schema may be. */
const LARGE = schemaWith(4000)
/** More than the system keeps in transit: a buffer of a socket grows to 4 MB. */
const LARGER = schemaWith(16_000)
const DATASET = { [TENANT_A]: 'ds_largeA', [TENANT_B]: 'ds_largeB' }

let service: DataService
const sockets: Socket[] = []

beforeAll(async () => {
  service = await startDataService({ work: false })
  for (const [tenantId, datasetId] of Object.entries(DATASET)) await insertReady(tenantId, datasetId)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await service?.close()
})

async function insertReady(tenantId: string, datasetId: string, schema = LARGE): Promise<void> {
  await service.db.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, seed_bytes, seed_sha256,
       created_at, expires_at, model_blob, schema, cleaning_summary, training_summary)
     values ($1, $2, 'job_x', 'ready', true, 'req_x', 1, 'x', now(), now() + interval '1 day', 'models/x', $3::json, $4::json, $5::json)`,
    [
      datasetId,
      tenantId,
      JSON.stringify(schema),
      JSON.stringify({ input_rows: 1, notes: ['n'.repeat(100_000)] }),
      JSON.stringify({ duration_ms: 5 }),
    ],
  )
}

/** Asks for a schema and reads no more than the head of the answer. */
async function askAndNeverRead(tenantId: keyof typeof DATASET): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  const token = await service.token(tenantId)
  socket.write(
    `GET /v1/datasets/${DATASET[tenantId]}/schema HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await once(socket, 'readable')
  expect(socket.read(12).toString()).toBe('HTTP/1.1 200')
  return socket
}

const schemaOf = (tenant: keyof typeof DATASET) => service.ask(`/v1/datasets/${DATASET[tenant]}/schema`, { tenant })

describe('a schema of 4 MB', () => {
  it('is sent completely, as it was stored', async () => {
    const answer = await schemaOf(TENANT_A)
    expect(answer.body).toEqual({
      dataset_id: 'ds_largeA',
      schema: LARGE,
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('has the same headers for HEAD, and no body', async () => {
    const headers = { authorization: `Bearer ${await service.token(TENANT_A)}` }
    const head = await fetch(`${service.baseUrl}/v1/datasets/ds_largeA/schema`, { method: 'HEAD', headers })
    const whole = await schemaOf(TENANT_A)
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
  })

  it('is not revealed by an error: a misspelt level is answered with 64 KiB at most', async () => {
    const body = JSON.stringify({ row_count: 1, conditions: { categorical: { c: { '1 é.': 0.5 } } } })
    const answer = await service.ask('/v1/datasets/ds_largeA/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.body.code).toBe('svc_unknown_condition_column')
    expect(JSON.stringify(answer.body).length).toBeLessThan(64 * 1024)
    expect(answer.body.schema_hint.levels.length).toBeGreaterThan(10)
  })

  it('is sent to one tenant a limited number of times at once, and another tenant gets its own meanwhile', async () => {
    const readers = await Promise.all(Array.from({ length: LIMIT }, () => askAndNeverRead(TENANT_A)))
    const refused = await schemaOf(TENANT_A)
    expect(refused.body).toMatchObject({ status: 429, code: 'svc_rate_limited' })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await schemaOf(TENANT_B)).status).toBe(200)
    // One that is read to its end, or given up, makes room.
    readers[0]?.destroy()
    await expect.poll(async () => (await schemaOf(TENANT_A)).status).toBe(200)
    for (const reader of readers) reader.destroy()
  })
})

describe('a dataset record', () => {
  it('has the summaries as they were stored', async () => {
    const answer = await service.ask('/v1/datasets/ds_largeA')
    expect(answer.body).toMatchObject({
      dataset_id: 'ds_largeA',
      status: 'ready',
      display_name: null,
      cleaning_summary: { input_rows: 1, notes: ['n'.repeat(100_000)] },
      training_summary: { duration_ms: 5 },
    })
  })
})

it('a large answer that is not read in time is cut off and no longer counted', async () => {
  const hasty = await startDataService({ work: false, limits: { largeAnswers: 1, largeAnswerMs: 50 } })
  const before = service
  service = hasty
  try {
    await insertReady(TENANT_A, DATASET[TENANT_A], LARGER)
    const socket = await askAndNeverRead(TENANT_A)
    await expect.poll(async () => (await schemaOf(TENANT_A)).status).toBe(200)
    // Bytes in transit arrive; the rest never does.
    socket.resume()
    await once(socket, 'close')
    expect(socket.bytesRead).toBeLessThan(JSON.stringify(LARGER).length)
  } finally {
    service = before
    await hasty.close()
  }
})
