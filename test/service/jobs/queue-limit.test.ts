import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'

let service: DataService
let datasetId: string
beforeAll(async () => {
  service = await startDataService({ settings: { tenantQueue: 3 } })
  const ready = await upload('ready', TENANT_A, '60')
  datasetId = ready.body.dataset_id
  await service.stopWork()
})
afterAll(async () => await service?.close())

const upload = async (key: string, tenant = TENANT_A, wait = '0') =>
  await service.ask('/v1/datasets', {
    method: 'POST',
    tenant,
    headers: { 'idempotency-key': key },
    body: form({ wait_seconds: wait, seed_file: new Blob([surveyCsv(60)]) }),
  })
const generate = async (key: string) =>
  await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ row_count: 10 }),
  })
const waiting = async () =>
  (await service.db.query(`select job_id from jobs where status = 'queued' and tenant_id = $1`, [TENANT_A])).length

describe('a tenant with as many waiting jobs as it may have', () => {
  beforeAll(async () => {
    expect((await upload('first')).status).toBe(202)
    for (const key of ['second', 'third']) expect((await generate(key)).status).toBe(202)
  })

  it('is refused another one of either kind with Retry-After, and nothing of the request is kept', async () => {
    for (const answer of [await upload('fourth'), await generate('fourth')]) {
      expect(answer).toMatchObject({
        status: 429,
        body: {
          code: 'svc_rate_limited',
          detail:
            '3 jobs of your company are already waiting, which is the limit. Repeat this request when some of them have ended.',
        },
      })
      expect(answer.headers.get('retry-after')).toBe('10')
    }
    expect(await waiting()).toBe(3)
    expect((await service.blobs()).filter((name) => /^ds_[A-Za-z0-9]+$/.test(name))).toHaveLength(1)
  })

  it('is answered when it repeats an accepted request', async () => {
    for (const answer of [await upload('first'), await generate('third')]) {
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
    }
  })

  it('is refused the entries of a batch that have no place, each by itself', async () => {
    await service.db.query('update queue_entries set is_part = true where tenant_id = $1', [TENANT_A])
    const generations = ['one', 'two', 'three', 'four', 'five'].map((key) => ({
      idempotency_key: `batch-${key}`,
      request: { row_count: 10 },
    }))
    const { body } = await service.ask(`/v1/datasets/${datasetId}/generations/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ generations }),
    })
    const told = body.entries.map((entry: { problem?: { code: string } }) => entry.problem?.code ?? 'recorded')
    // The parts of large jobs take no place: nobody asked for them.
    expect(told).toEqual(['recorded', 'recorded', 'recorded', 'svc_rate_limited', 'svc_rate_limited'])
    await service.db.query(
      `delete from queue_entries where job_id in (
         select job_id from queue_entries where tenant_id = $1 order by place desc limit 3)`,
      [TENANT_A],
    )
    await service.db.query('update queue_entries set is_part = false where tenant_id = $1', [TENANT_A])
  })

  it('does not delay another tenant', async () => {
    expect((await upload('theirs', TENANT_B)).status).toBe(202)
  })

  it('may repeat a refused request under the same key once a job has ended', async () => {
    await service.db.query(
      `update queue_entries set holder = gen_random_uuid() where tenant_id = $1 and place =
      (select min(place) from queue_entries where tenant_id = $1)`,
      [TENANT_A],
    )
    expect((await generate('fourth')).status).toBe(202)
    expect((await upload('fourth')).status).toBe(429)
  })
})
