import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'
import { BOUNDARY, openUpload, rawForm } from './multipart.ts'

const CSV = surveyCsv(60)
const HOUR_MS = 60 * 60_000

// Without workers: the first request stays in its first state.
let service: DataService
beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => {
  await service.close()
})

interface Post {
  readonly csv?: string
  readonly parts?: Record<string, string>
  readonly key?: string | null
  readonly tenant?: string
}

let lastKey = 0
const newKey = () => `key-${++lastKey}`

const post = async ({ csv = CSV, parts = {}, key = null, tenant = TENANT_A }: Post) =>
  await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ ...parts, seed_file: new Blob([csv]) }),
    headers: key === null ? {} : { 'idempotency-key': key },
    tenant,
  })

const datasets = async () => (await service.db.query('select dataset_id from datasets')).length

describe('an idempotency key of an upload', () => {
  it.each<[string, Post, Post]>([
    ['the same request', {}, {}],
    ['another wait', { parts: { wait_seconds: '0' } }, { parts: { wait_seconds: '1' } }],
    ['another spelling of auto_clean', { parts: { auto_clean: 'yes' } }, { parts: { auto_clean: '1' } }],
    ['the default left out', { parts: { auto_clean: 'true' } }, {}],
    ['an empty display name for none', { parts: { display_name: '' } }, {}],
  ])('answers %s with the dataset of the first request', async (_name, first, second) => {
    const key = newKey()
    const made = await post({ ...first, key })
    const again = await post({ ...second, key })
    expect([made.status, again.status]).toEqual([202, 202])
    expect(made.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ ...made.body, request_id: again.headers.get('x-request-id') })
  })

  it.each<[string, Post]>([
    ['another file', { csv: `${CSV}R1,north,yes,1,2.0,30,2020-01-01\n` }],
    ['another display name', { parts: { display_name: 'other' } }],
    ['other cleaning', { parts: { auto_clean: 'false' } }],
  ])('refuses %s', async (_name, other) => {
    const key = newKey()
    await post({ key })
    const before = await datasets()
    const reply = await post({ ...other, key })
    expect(reply.status).toBe(409)
    expect(reply.body.code).toBe('svc_idempotency_conflict')
    expect(reply.headers.get('retry-after')).toBeNull()
    expect(await datasets()).toBe(before)
  })

  it('applies to one tenant only', async () => {
    const key = newKey()
    const mine = await post({ key })
    const theirs = await post({ key, tenant: TENANT_B })
    expect(theirs.status).toBe(202)
    expect(theirs.body.dataset_id).not.toBe(mine.body.dataset_id)
  })

  it.each([
    [
      'before the file',
      [
        { name: 'idempotency_key', value: 'form-1' },
        { name: 'seed_file', value: CSV },
      ],
    ],
    [
      'after the file',
      [
        { name: 'seed_file', value: CSV },
        { name: 'idempotency_key', value: 'form-2' },
      ],
    ],
  ])('may come in the form, %s', async (_name, parts) => {
    const send = async () =>
      await service.ask('/v1/datasets', {
        method: 'POST',
        body: new Uint8Array(rawForm(parts)),
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      })
    const made = await send()
    const again = await send()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.dataset_id).toBe(made.body.dataset_id)
    // The file of the second request is removed soon afterwards.
    await expect.poll(() => service.db.query('select * from doomed_blobs')).toEqual([])
    const blobs = await service.blobs()
    expect(blobs.filter((name) => name === made.body.dataset_id)).toHaveLength(1)
  })

  it('in the header has precedence over another one in the form', async () => {
    const key = newKey()
    const made = await post({ key, parts: { idempotency_key: 'ignored' } })
    const again = await post({ key })
    expect(again.body.dataset_id).toBe(made.body.dataset_id)
    const fresh = await post({ parts: { idempotency_key: 'ignored' } })
    expect(fresh.headers.get('idempotent-replayed')).toBeNull()
  })

  it.each(['', 'with space', 'x'.repeat(129), 'ä', 'a,b'])('is refused when it is "%s"', async (key) => {
    const encoded = Buffer.from(key).toString('latin1')
    const reply = await post({ key: encoded })
    expect(reply.status).toBe(400)
    expect(reply.body.errors[0].field).toBe('Idempotency-Key')
  })

  it('is in flight while its first request is being received, and answers afterwards', async () => {
    const key = newKey()
    const open = await openUpload(service, TENANT_A, { 'idempotency-key': key })
    const body = rawForm([{ name: 'seed_file', filename: 'a.csv', value: CSV }])
    await open.write(body.subarray(0, 300))
    await expect.poll(() => held(key)).toBe(true)
    const during = await post({ key })
    expect(during.status).toBe(409)
    expect(during.body.code).toBe('svc_idempotency_conflict')
    expect(during.headers.get('retry-after')).toBe('1')
    open.end(body.subarray(300))
    const made = await open.reply
    expect(made.status).toBe(202)
    const after = await post({ key })
    expect(after.body.dataset_id).toBe(made.body.dataset_id)
  })

  it('makes one dataset of 20 simultaneous requests', async () => {
    const key = newKey()
    const before = await datasets()
    const replies = await Promise.all(Array.from({ length: 20 }, () => post({ key })))
    expect(await datasets()).toBe(before + 1)
    const ids = new Set(replies.filter(({ status }) => status === 202).map(({ body }) => body.dataset_id))
    expect(ids.size).toBe(1)
    for (const reply of replies) {
      expect([202, 409]).toContain(reply.status)
      if (reply.status === 409) expect(reply.headers.get('retry-after')).toBe('1')
    }
  })

  it('is free again after a request that was refused', async () => {
    const key = newKey()
    const refused = await post({ key, parts: { wait_seconds: '99' } })
    expect(refused.status).toBe(400)
    const made = await post({ key })
    expect(made.status).toBe(202)
    expect(made.headers.get('idempotent-replayed')).toBeNull()
  })

  it('is free again after a file that is not a table', async () => {
    const key = newKey()
    expect((await post({ key, csv: '%PDF-1.7 ...' })).body.code).toBe('svc_unreadable_file')
    expect((await post({ key })).status).toBe(202)
  })

  it('is free again after an aborted upload', async () => {
    const key = newKey()
    const open = await openUpload(service, TENANT_A, { 'idempotency-key': key })
    await open.write(rawForm([{ name: 'seed_file', filename: 'a.csv', value: CSV }]).subarray(0, 300))
    await expect.poll(() => held(key)).toBe(true)
    open.abort()
    await expect.poll(() => held(key)).toBe(false)
    expect((await post({ key })).status).toBe(202)
  })

  it('of an upload whose process died is free when its lease has passed', async () => {
    const key = newKey()
    await service.db.query(
      `insert into idempotency_keys (tenant_id, operation, key, holder, lease_until)
       values ($1, 'createDataset', $2, 'gone', $3::timestamptz)`,
      [TENANT_A, key, new Date(service.context.now() + 30_000).toISOString()],
    )
    expect((await post({ key })).status).toBe(409)
    service.clock.aheadMs += 60_000
    expect((await post({ key })).status).toBe(202)
  })

  it('is released by deleting its dataset', async () => {
    const key = newKey()
    const made = await post({ key })
    expect((await service.ask(`/v1/datasets/${made.body.dataset_id}`, { method: 'DELETE' })).status).toBe(204)
    const fresh = await post({ key, csv: surveyCsv(70) })
    expect(fresh.status).toBe(202)
    expect(fresh.body.dataset_id).not.toBe(made.body.dataset_id)
  })

  it('is released when its dataset has expired, before any sweep', async () => {
    const key = newKey()
    const made = await post({ key })
    service.clock.aheadMs += 25 * HOUR_MS
    const fresh = await post({ key })
    expect(fresh.status).toBe(202)
    expect(fresh.headers.get('idempotent-replayed')).toBeNull()
    expect(fresh.body.dataset_id).not.toBe(made.body.dataset_id)
  })
})

async function held(key: string): Promise<boolean> {
  return (await service.db.query('select key from idempotency_keys where key = $1', [key])).length > 0
}
