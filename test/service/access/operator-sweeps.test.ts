import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { listDatasets } from '../../../src/service/records/dataset-records.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'
import { GRACE_MS } from '../sweep-away.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 0, 1)

let store: TestStore
let service: TestService
/** Since when the process has watched time pass. */
let watchedSinceMs: number

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
  for (const tenant of ['ten_1', 'ten_2']) {
    await store.db.query('insert into tenants (tenant_id, name, created_at) values ($1, $1, now())', [tenant])
  }
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})
beforeEach(async () => {
  await store.db.exec(
    'delete from datasets; delete from generations; update sweep_watch set watched_until = null, held_since = null',
  )
  service.clock.nowMs = START_MS
  watchedSinceMs = START_MS
})

const sweepNow = async () => {
  const clock = { now: service.context.now, wrongByMs: null, mayWork: true, maySweep: true, watchedSinceMs }
  await sweep({ ...service.context, clock } as ServiceContext)
}
const bearer = { authorization: `Bearer ${OPERATOR_TOKEN}` }
const state = async () => (await service.get('/operator/v1/sweeps', bearer)).body
const act = async (what: 'resume' | 'restore', body?: unknown) =>
  await service.post(`/operator/v1/sweeps/${what}`, body, bearer)
const shown = async (tenant: string) =>
  await listDatasets(store.db, tenant, { after: null, limit: 100, nowMs: service.clock.nowMs })

/** Datasets of a tenant with a generation each, made `keptMs` before they expire. */
async function add(tenant: string, count: number, expiresMs: number, keptMs = DAY_MS): Promise<void> {
  const times = [new Date(expiresMs - keptMs).toISOString(), new Date(expiresMs).toISOString()]
  await store.db.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_' || $1 || n, $1, 'job', 'ready', true, 'req', $3::timestamptz, $4::timestamptz, 1, 'x', 'models/' || n, '[]'
      from generate_series(1, $2::integer) as n`,
    [tenant, count, ...times],
  )
  await store.db.query(
    `insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_blob)
      select 'gen_' || $1 || n, $1, 'ds_' || $1 || n, 'job', 'ready', 'req', 10, 1, 'csv', '{}', $3::timestamptz, $4::timestamptz, 10,
        'artifacts/' || n from generate_series(1, $2::integer) as n`,
    [tenant, count, ...times],
  )
}

describe('held sweeps', () => {
  beforeEach(async () => {
    await add('ten_1', 20, START_MS + HOUR_MS)
    await add('ten_2', 5, START_MS + 5 * DAY_MS)
    await sweepNow()
    service.clock.nowMs += DAY_MS
    watchedSinceMs = service.clock.nowMs
    await sweepNow()
  })

  it('are reported to the operator', async () => {
    expect(await state()).toEqual({
      held: { since: new Date(START_MS + DAY_MS).toISOString(), due: 40, living: 10 },
      restorable: { datasets: 20, generations: 20 },
    })
  })

  it('resume on the operator’s request', async () => {
    expect((await act('resume')).body).toMatchObject({ held: null })
    await sweepNow()
    expect(await state()).toEqual({ held: null, restorable: { datasets: 20, generations: 20 } })
    service.clock.nowMs += GRACE_MS
    await sweepNow()
    expect(await state()).toEqual({ held: null, restorable: { datasets: 0, generations: 0 } })
  })

  it('leave expired records restorable', async () => {
    expect((await act('restore')).body).toEqual({ datasets: 20, generations: 20 })
    expect(await shown('ten_1')).toHaveLength(20)
  })
})

describe('what a sweep removed', () => {
  it('is hidden, and is shown again for a day when it is restored within the hour', async () => {
    await add('ten_1', 3, START_MS + 1000)
    await sweepNow()
    service.clock.nowMs += 60_000
    await sweepNow()
    expect(await shown('ten_1')).toEqual([])
    service.clock.nowMs += GRACE_MS - 1
    await sweepNow()
    expect(await state()).toMatchObject({ restorable: { datasets: 3, generations: 3 } })
    expect((await act('restore')).body).toEqual({ datasets: 3, generations: 3 })
    const until = new Date(service.clock.nowMs + DAY_MS).toISOString()
    expect((await shown('ten_1')).map((row) => row.expires_at)).toEqual([until, until, until])
    service.clock.nowMs += 2 * HOUR_MS
    await sweepNow()
    expect(await shown('ten_1')).toHaveLength(3)
  })

  it('is restored for one tenant, for as long as the operator says', async () => {
    await add('ten_1', 2, START_MS - 1)
    await add('ten_2', 3, START_MS - 1)
    await sweepNow()
    expect((await act('restore', { tenant_id: 'ten_2', hours: 2 })).body).toEqual({ datasets: 3, generations: 3 })
    expect(await shown('ten_1')).toEqual([])
    expect((await shown('ten_2'))[0]?.expires_at).toBe(new Date(START_MS + 2 * HOUR_MS).toISOString())
  })

  it('stays at most seven days from its creation', async () => {
    await add('ten_1', 1, START_MS - 1, 7 * DAY_MS - HOUR_MS)
    await add('ten_2', 1, START_MS - 1, 7 * DAY_MS)
    await sweepNow()
    expect((await act('restore')).body).toEqual({ datasets: 1, generations: 1 })
    expect((await shown('ten_1'))[0]?.expires_at).toBe(new Date(START_MS + HOUR_MS - 1).toISOString())
  })

  it.each([{ hours: 0 }, { hours: 169 }, { hours: 1.5 }, { tenant_id: '' }, { until: 'tomorrow' }])(
    'is not restored by %j',
    async (body) => {
      expect(await act('restore', body)).toMatchObject({ status: 400, body: { code: 'svc_invalid_field' } })
    },
  )
})
