import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { QueueTiming } from '../../../src/service/queue/work-queue.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { BOUNDARY, rawForm } from '../data/multipart.ts'
import { type Answer, ask, NEVER_POLLS, postJson, SharedDatabase } from './shared-database.ts'

let shared: SharedDatabase
beforeEach(async () => {
  shared = await SharedDatabase.create()
})
afterEach(async () => await shared.close())

const upload = async (url: string, token: string, rows: number, parts: Record<string, string> = {}): Promise<Answer> =>
  await ask(`${url}/v1/datasets`, token, {
    method: 'POST',
    body: form({ seed_file: new Blob([surveyCsv(rows)]), ...parts }),
  })

async function untilRunning(url: string, token: string, jobId: string): Promise<void> {
  for (;;) {
    const { body } = await ask(`${url}/v1/jobs/${jobId}`, token)
    if (body.status === 'running') return
    expect(body.status).toBe('queued')
  }
}

async function ended(url: string, token: string, jobId: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await ask(`${url}/v1/jobs/${jobId}`, token)
    if (!['queued', 'running'].includes(body.status)) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('processes that share a database', () => {
  it('start together on an empty one, create its tables once, and agree on the keys', async () => {
    const services = await Promise.all(
      (['all', 'api', 'worker', 'api'] as const).map(async (role) => await shared.start({ role })),
    )
    const db = await shared.db()
    const made = await db.query<{ name: string }>('select name from schema_migrations order by name')
    expect(made.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(await db.query('select name from service_keys')).toHaveLength(5)
    const keys = await Promise.all(
      services
        .filter((_service, i) => i !== 2)
        .map(async ({ listenUrl }) => (await ask(`${listenUrl}/.well-known/jwks.json`, null)).body.keys[0].kid),
    )
    expect(new Set(keys).size).toBe(1)
  })

  it('need only two connections each', async () => {
    const [service] = await Promise.all([
      shared.start({ databasePool: 2, workers: 2 }),
      shared.start({ databasePool: 2 }),
    ])
    await shared.addTenant()
    const token = await shared.token()
    const made = await Promise.all(
      Array.from({ length: 8 }, async () => await upload(service.listenUrl, token, 60, { wait_seconds: '60' })),
    )
    expect(made.map(({ body }) => body.status)).toEqual(Array.from({ length: 8 }, () => 'ready'))
    const datasetId = made[0]?.body.dataset_id
    const rows = await Promise.all(
      Array.from({ length: 20 }, async (_unused, seed) => {
        const order = { row_count: 50, seed, wait_seconds: 60 }
        return (await postJson(`${service.listenUrl}/v1/datasets/${datasetId}/generations`, token, order)).body.status
      }),
    )
    expect(new Set(rows)).toEqual(new Set(['ready']))
  })

  it('divide the work: one takes the upload, another the generation, a third does both, and nobody polls', async () => {
    const one = await shared.start({ role: 'api' }, NEVER_POLLS)
    const other = await shared.start({ role: 'api' }, NEVER_POLLS)
    await shared.start({ role: 'worker' }, NEVER_POLLS)
    await shared.addTenant()
    const token = await shared.token()
    const dataset = await upload(one.listenUrl, token, 500, { wait_seconds: '60' })
    expect(dataset).toMatchObject({ status: 200, body: { status: 'ready' } })
    const order = { row_count: 100, output_format: 'csv', wait_seconds: 60 }
    const path = `/v1/datasets/${dataset.body.dataset_id}/generations`
    const generation = await postJson(`${other.listenUrl}${path}`, token, order)
    expect(generation).toMatchObject({ status: 200, body: { status: 'ready', rows_generated: 100 } })
    const artifact = await ask(`${one.listenUrl}${generation.body.artifact_url}`, token)
    expect(artifact.body.trim().split(/\r?\n/)).toHaveLength(101)
  })

  it('notify a waiting request of a job that another process cancelled', async () => {
    const one = await shared.start({ role: 'api' }, NEVER_POLLS)
    const other = await shared.start({ role: 'api' }, NEVER_POLLS)
    await shared.addTenant()
    const token = await shared.token()
    const waiting = upload(one.listenUrl, token, 100, { wait_seconds: '60' })
    const db = await shared.db()
    let id: string | undefined
    while (id === undefined) id = (await db.query<{ id: string }>('select dataset_id as id from datasets'))[0]?.id
    expect(await ask(`${other.listenUrl}/v1/datasets/${id}`, token, { method: 'DELETE' })).toMatchObject({
      status: 204,
    })
    expect(await waiting).toMatchObject({ status: 404 })
  })

  it('finish the job of a worker that is stopped, without waiting for its lease', async () => {
    const api = await shared.start({ role: 'api' }, NEVER_POLLS)
    await shared.addTenant()
    const token = await shared.token()
    const { body } = await upload(api.listenUrl, token, 60_000)
    const worker = await shared.withoutEnd(body.dataset_id, async () => {
      const first = await shared.start({ role: 'worker' }, NEVER_POLLS)
      await untilRunning(api.listenUrl, token, body.job_id)
      await shared.start({ role: 'worker' }, NEVER_POLLS)
      return first
    })
    await worker.close()
    expect(await ended(api.listenUrl, token, body.job_id)).toMatchObject({ status: 'completed' })
    // It was returned to the queue, as if it had not started.
    expect(await (await shared.db()).query('select attempts from jobs')).toEqual([{ attempts: 1 }])
  })
})

describe('a process that is killed', () => {
  const SHORT_LEASE: QueueTiming = { leaseMs: 2000 }

  it('while it trains leaves its job to another worker', async () => {
    const api = await shared.start({ role: 'api' }, SHORT_LEASE)
    await shared.addTenant()
    const token = await shared.token()
    const { body } = await upload(api.listenUrl, token, 60_000)
    await shared.withoutEnd(body.dataset_id, async () => {
      const victim = await shared.spawn({ role: 'worker' }, SHORT_LEASE)
      await untilRunning(api.listenUrl, token, body.job_id)
      await victim.kill()
    })
    await shared.start({ role: 'worker' }, SHORT_LEASE)
    expect(await ended(api.listenUrl, token, body.job_id)).toMatchObject({ status: 'completed' })
    expect(await ask(`${api.listenUrl}/v1/datasets/${body.dataset_id}`, token)).toMatchObject({
      body: { status: 'ready', cleaning_summary: { clean_rows: 60_000 } },
    })
    expect(await (await shared.db()).query('select attempts from jobs')).toEqual([{ attempts: 2 }])
  })

  it('while it receives an upload holds the key no longer than its lease, and the bytes until their removal is due', async () => {
    const victim = await shared.spawn({ role: 'api' })
    const api = await shared.start({ role: 'api' })
    await shared.addTenant()
    const token = await shared.token()
    const { hostname, port } = new URL(victim.url)
    const broken = request({
      host: hostname,
      port,
      method: 'POST',
      path: '/v1/datasets',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'idempotency-key': 'half',
      },
    })
    const failed = once(broken, 'error')
    broken.write(rawForm([{ name: 'seed_file', filename: 'a.csv', value: surveyCsv(5000) }], '').subarray(0, 100_000))
    const scratch = join(shared.dataDir, 'blobs', 'scratch')
    while ((await readdir(scratch)).length === 0) await new Promise(setImmediate)
    await victim.kill()
    await failed
    const db = await shared.db()
    // Its lease, of some seconds, is to last for as long as this machine takes.
    const leases = `select lease_until <= now() + interval '6 seconds' as "isShort" from idempotency_keys`
    expect(await db.query(leases)).toEqual([{ isShort: true }])
    await db.query(`update idempotency_keys set lease_until = lease_until + interval '1 hour'`)
    const again = async () =>
      await ask(`${api.listenUrl}/v1/datasets`, token, {
        method: 'POST',
        headers: { 'idempotency-key': 'half' },
        body: form({ seed_file: new Blob([surveyCsv(60)]) }),
      })
    expect(await again()).toMatchObject({ status: 409, body: { code: 'svc_idempotency_conflict' } })
    expect(await db.query('select due_at > now() as later from doomed_blobs')).toEqual([{ later: true }])
    // Another process that starts takes nothing from those that live: it cannot know who is dead.
    await shared.start({ role: 'all' })
    expect(await again()).toMatchObject({ status: 409 })
    expect(await readdir(scratch)).toHaveLength(1)
    // Some seconds later.
    await db.query(`update idempotency_keys set lease_until = lease_until - interval '1 hour 6 seconds'`)
    expect(await again()).toMatchObject({ status: 202 })
  })
})

describe('the role of a process', () => {
  it('worker answers about its health and nothing else', async () => {
    const worker = await shared.start({ role: 'worker' })
    for (const path of ['/healthz', '/readyz', '/livez']) {
      expect(await ask(`${worker.listenUrl}${path}`, null)).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
    await shared.addTenant()
    const token = await shared.token()
    for (const path of ['/', '/openapi.json', '/v1/datasets', '/.well-known/jwks.json', '/operator/v1/signups']) {
      expect([path, (await ask(`${worker.listenUrl}${path}`, token)).status]).toEqual([
        path,
        path.startsWith('/operator') ? 401 : 404,
      ])
    }
  })

  it('api works on no jobs', async () => {
    const api = await shared.start({ role: 'api' })
    await shared.addTenant()
    const token = await shared.token()
    const { body } = await upload(api.listenUrl, token, 100, { wait_seconds: '1' })
    expect(body.status).toBe('processing')
    expect(await (await shared.db()).query('select status from jobs')).toEqual([{ status: 'queued' }])
  })
})
