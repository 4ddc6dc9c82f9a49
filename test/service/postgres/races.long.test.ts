import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../../../src/service/start-service.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { type Answer, ask, CLIENT, OPERATOR_TOKEN, postJson, SharedDatabase, TENANT } from './shared-database.ts'

/** Two processes that answer requests over one database, without workers. */
let shared: SharedDatabase
let apis: readonly [RunningService, RunningService]
let db: Database
let token: string

beforeAll(async () => {
  shared = await SharedDatabase.create()
  apis = await Promise.all([shared.start({ role: 'api' }), shared.start({ role: 'api' })])
  db = await shared.db()
  await shared.addTenant()
  token = await shared.token()
})
afterAll(async () => await shared.close())

/** The same moment, alternating between the two processes. */
async function atOnce(count: number, act: (baseUrl: string, i: number) => Promise<Answer>): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: count }, (_, i) => act((apis[i % 2] as RunningService).listenUrl, i)))
}

const statuses = (answers: readonly Answer[]) => answers.map((answer) => answer.status).sort()
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** A dataset that counts as trained. */
async function readyDataset(datasetId: string): Promise<string> {
  await db.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at,
       seed_bytes, seed_sha256, model_blob, schema)
     values ($1, $2, 'job_0', 'ready', true, 'req_0', now(), now() + interval '1 hour', 1, 'x', $3, '[]')`,
    [datasetId, TENANT, `models/${datasetId}`],
  )
  return datasetId
}

async function count(sql: string, parameters: readonly unknown[] = []): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*) as n from ${sql}`, parameters)
  return row?.n ?? -1
}

describe('simultaneous requests to two processes', () => {
  it('make one generation with one key', async () => {
    const datasetId = await readyDataset('ds_onekey')
    const answers = await atOnce(20, async (url) =>
      postJson(`${url}/v1/datasets/${datasetId}/generations`, token, { row_count: 10 }, { 'idempotency-key': 'one' }),
    )
    expect(statuses(answers)).toEqual(times(20, 202))
    expect(new Set(answers.map(({ body }) => `${body.generation_id} ${body.job_id}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await count('generations where dataset_id = $1', [datasetId])).toBe(1)
    expect(await count(`queue_entries where job_id = $1`, [answers[0]?.body.job_id])).toBe(1)
  })

  it('make one dataset with one key', async () => {
    const answers = await atOnce(20, async (url) =>
      ask(`${url}/v1/datasets`, token, {
        method: 'POST',
        headers: { 'idempotency-key': 'upload' },
        body: form({ seed_file: new Blob([surveyCsv(200)]) }),
      }),
    )
    const made = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status !== 202)
    expect(new Set(made.map(({ body }) => body.dataset_id)).size).toBe(1)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(refused.length === 0 ? [] : ['409 svc_idempotency_conflict']),
    )
    expect(await count(`jobs where kind = 'training'`)).toBe(1)
    expect(await readdir(join(shared.dataDir, 'blobs', 'seeds'))).toEqual([made[0]?.body.dataset_id])
    expect(await count('doomed_blobs')).toBe(0)
  })

  it('make one signup of an e-mail address, which gets one decision', async () => {
    const signup = { company_name: 'Same', contact_email: 'same@example.com' }
    const answers = await atOnce(20, async (url) => postJson(`${url}/v1/signup`, null, signup))
    expect(statuses(answers)).toEqual([...times(19, 200), 202])
    const ids = new Set(answers.map(({ body }) => body.request_id))
    expect(ids.size).toBe(1)
    const [requestId] = ids
    const decisions = await atOnce(10, async (url, i) =>
      postJson(`${url}/operator/v1/signups/${requestId}/${i % 3 === 0 ? 'decline' : 'approve'}`, OPERATOR_TOKEN, {}),
    )
    const states = new Set(decisions.filter(({ status }) => status === 200).map(({ body }) => body.status))
    expect(states.size).toBe(1)
    expect(await count('clients c join signups s using (client_id) where s.request_id = $1', [requestId])).toBe(
      states.has('approved') ? 1 : 0,
    )
    expect(await count('tenants where name = $1', ['Same'])).toBe(states.has('approved') ? 1 : 0)
  })

  it('claim a token once, and the returned secret works', async () => {
    const [first] = apis
    const { body } = await postJson(`${first.listenUrl}/v1/credential-rotations`, token, {})
    const answers = await atOnce(10, async (url) =>
      postJson(`${url}/v1/credential-claims`, null, { claim_token: body.credential_claim_token }),
    )
    expect(statuses(answers)).toEqual([200, ...times(9, 400)])
    const { client_id, client_secret, audience } = answers.find(({ status }) => status === 200)?.body ?? {}
    const grant = { client_id, client_secret, audience, grant_type: 'client_credentials' }
    expect(await postJson(`${apis[1].listenUrl}/oauth/token`, null, grant)).toMatchObject({ status: 200 })
  })

  it('rotate once with one key, and at most three times a day', async () => {
    await db.query('delete from credential_rotations')
    const repeats = await atOnce(10, async (url) =>
      postJson(`${url}/v1/credential-rotations`, token, {}, { 'idempotency-key': 'again' }),
    )
    expect(statuses(repeats)).toEqual(times(10, 200))
    expect(new Set(repeats.map(({ body }) => body.credential_claim_token)).size).toBe(1)
    const others = await atOnce(8, async (url, i) =>
      postJson(`${url}/v1/credential-rotations`, token, {}, { 'idempotency-key': `other-${i}` }),
    )
    expect(statuses(others)).toEqual([...times(2, 200), ...times(6, 429)])
    // Unclaimed older ones are void.
    expect(
      await count('claim_tokens where client_id = $1 and voided_at is null and claimed_at is null', [CLIENT]),
    ).toBe(1)
  })

  it('are granted no more rows than the subscription has', async () => {
    const datasetId = await readyDataset('ds_quota')
    await db.query(
      `update tenants set subscription_rows = 1000 + (
         select coalesce(sum(row_count), 0) from generations where tenant_id = $1 and status = 'processing')
       where tenant_id = $1`,
      [TENANT],
    )
    const answers = await atOnce(20, async (url) =>
      postJson(`${url}/v1/datasets/${datasetId}/generations`, token, { row_count: 100 }),
    )
    await db.query('update tenants set subscription_rows = null where tenant_id = $1', [TENANT])
    expect(statuses(answers)).toEqual([...times(10, 202), ...times(10, 402)])
  })

  it.each(Array.from({ length: 5 }, (_, round) => round))(
    'leave no generation of a deleted dataset behind (round %i)',
    async (round) => {
      const datasetId = await readyDataset(`ds_deleted${round}`)
      const orders = atOnce(12, async (url) =>
        postJson(`${url}/v1/datasets/${datasetId}/generations`, token, { row_count: 10 }),
      )
      const deletions = atOnce(4, async (url) => ask(`${url}/v1/datasets/${datasetId}`, token, { method: 'DELETE' }))
      expect(statuses(await deletions)).toEqual([204, ...times(3, 404)])
      for (const { status } of await orders) expect([202, 404]).toContain(status)
      const made = (await orders).filter(({ status }) => status === 202).length
      const of = `jobs j join generations g using (generation_id) where j.dataset_id = $1`
      expect(await count(`${of} and j.status = 'cancelled' and g.status = 'failed'`, [datasetId])).toBe(made)
      expect(await count(of, [datasetId])).toBe(made)
    },
  )
})
