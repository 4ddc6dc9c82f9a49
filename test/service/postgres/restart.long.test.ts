import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../../../src/service/start-service.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { createDatabase, findPostgres, PostgresCluster } from '../postgres-cluster.ts'
import { type Answer, ask, NEVER_POLLS, postJson, SharedDatabase } from './shared-database.ts'

const found = findPostgres()

// A server of its own: the server of the test run must not stop.
describe.skipIf('missing' in found)('a service whose database server restarts', () => {
  let cluster: PostgresCluster
  let shared: SharedDatabase
  let api: RunningService
  let token: string

  beforeAll(async () => {
    cluster = await PostgresCluster.start((found as { binaries: string }).binaries)
    shared = await SharedDatabase.create((await createDatabase(cluster.url(), 'restarted')).url)
    api = await shared.start({ role: 'api' }, NEVER_POLLS)
    await shared.start({ role: 'worker' }, { ...NEVER_POLLS, leaseMs: 3_600_000 })
    await shared.addTenant()
    token = await shared.token()
  })
  afterAll(async () => {
    await shared?.close()
    await cluster?.remove()
  })

  const health = async () => (await ask(`${api.listenUrl}/healthz`, null)).status
  const upload = async (rows: number, parts: Record<string, string> = {}): Promise<Answer> =>
    await ask(`${api.listenUrl}/v1/datasets`, token, {
      method: 'POST',
      body: form({ seed_file: new Blob([surveyCsv(rows)]), ...parts }),
    })

  async function comeBack(): Promise<void> {
    await cluster.start()
    while ((await health()) !== 200) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  it('answers 503 meanwhile, and afterwards works as before, with notifications', async () => {
    expect(await health()).toBe(200)
    await cluster.stop()
    await expect.poll(health).toBe(503)
    const refused = [
      await ask(`${api.listenUrl}/v1/datasets`, token),
      await ask(`${api.listenUrl}/v1/jobs/job_unknown`, token),
      await upload(100),
      await postJson(`${api.listenUrl}/v1/signup`, null, { company_name: 'A', contact_email: 'a@example.com' }),
      await postJson(`${api.listenUrl}/oauth/token`, null, {
        client_id: 'cli_shared',
        client_secret: 'x',
        audience: 'http://service.test',
        grant_type: 'client_credentials',
      }),
    ]
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
      expect(JSON.stringify(answer.body)).not.toMatch(/postgres|socket|ECONN|ENOENT/i)
    }
    await comeBack()
    expect(await ask(`${api.listenUrl}/v1/datasets`, token)).toMatchObject({ status: 200, body: { datasets: [] } })
    expect(await upload(200, { wait_seconds: '60' })).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('continues its current job, and records it once', async () => {
    const { body } = await upload(60_000)
    const job = async () => (await ask(`${api.listenUrl}/v1/jobs/${body.job_id}`, token)).body
    const stopped = shared.withoutEnd(body.dataset_id, async () => {
      while ((await job()).status !== 'running') await new Promise(setImmediate)
      await cluster.stop()
    })
    await expect(stopped).rejects.toMatchObject({ code: 'database_unavailable' })
    await comeBack()
    while (['queued', 'running'].includes((await job()).status)) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await job()).toMatchObject({ status: 'completed', dataset_id: body.dataset_id })
  })

  it('aborts the current transaction, and releases its connection', async () => {
    const db = await shared.db()
    const broken = db.transaction(async (tx) => {
      await tx.query(`insert into service_keys (name, sealed) values ('half', 'x')`)
      await cluster.stop()
      await tx.query('select 1')
    })
    await expect(broken).rejects.toMatchObject({ code: 'database_unavailable' })
    await comeBack()
    expect(await db.query(`select 1 from service_keys where name = 'half'`)).toEqual([])
  })
})
