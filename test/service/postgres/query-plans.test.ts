import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClaimGround } from '../../../src/service/access/claim-tokens.ts'
import { listActions } from '../../../src/service/access/operator-actions.ts'
import { listSignups, readSignup } from '../../../src/service/access/signups.ts'
import { listTenants } from '../../../src/service/access/tenants.ts'
import { TokenRevocations } from '../../../src/service/access/token-revocations.ts'
import type { ServiceContext } from '../../../src/service/context.ts'
import { listDatasets, readDataset } from '../../../src/service/datasets/dataset-records.ts'
import { readGeneration } from '../../../src/service/generations/generation-records.ts'
import { reserveRows } from '../../../src/service/generations/quota.ts'
import { listArtifacts } from '../../../src/service/generations/stored-artifacts.ts'
import { readStock } from '../../../src/service/metrics/stock.ts'
import {
  countWaiting,
  insertEntry,
  removeEntry,
  renewEntries,
  returnEntry,
  takeEntry,
} from '../../../src/service/queue/queue-entries.ts'
import type { Database, Queryable } from '../../../src/service/store/database.ts'
import { forgetBlobs, giveBackBlobs, takeDueBlobs } from '../../../src/service/store/doomed-blobs.ts'
import { countExpired, restoreExpired } from '../../../src/service/store/expired-resources.ts'
import { holdKey, readKey, releaseKeysOf } from '../../../src/service/store/idempotency-keys.ts'
import { readUsage } from '../../../src/service/store/usage.ts'
import { endJobsOfDataset, endOverdueJobs } from '../../../src/service/work/end-jobs.ts'
import { beginJob, endJob, lastFailures, noteProgress, readJob } from '../../../src/service/work/job-records.ts'
import { sweep } from '../../../src/service/work/retention-sweeper.ts'
import { holdSweep } from '../../../src/service/work/sweep-brake.ts'
import { listUnfinishedJobs } from '../../../src/service/work/unfinished-jobs.ts'
import { openTestDatabase } from '../test-database.ts'

/** Rows of each table: enough that reading all of them for one would be felt, and planned otherwise. */
const ROWS = 30_000
const TENANTS = 30

let db: Database
/** Statements sent since it was emptied. */
const sent: { sql: string; parameters: readonly unknown[] }[] = []

/** Takes down what is sent on the way. */
function recording<Inner extends Queryable>(inner: Inner): Inner {
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'query') {
        return async (sql: string, parameters: readonly unknown[] = []) => {
          sent.push({ sql, parameters })
          return await target.query(sql, parameters)
        }
      }
      if (name === 'transaction') {
        return async (work: (tx: Queryable) => Promise<unknown>) =>
          await (target as unknown as Database).transaction(async (tx) => await work(recording(tx)))
      }
      if (name === 'forRemoval') return recording(target)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

beforeAll(async () => {
  db = await openTestDatabase('unused')
  const n = `generate_series(1, ${ROWS}) as n`
  await db.exec(`
    insert into tenants (tenant_id, name, subscription_rows, created_at)
      select 'ten_' || n, 'T', 1000000000, now() - n * interval '1 minute' from generate_series(1, ${TENANTS}) as n;
    insert into clients (client_id, tenant_id, token_epoch, created_at)
      select 'cli_' || n, 'ten_' || 1 + n % ${TENANTS}, case when n % 1000 = 0 then 1 else 0 end, now() from ${n};
    insert into signups (request_id, company_name, contact_email, status, client_id, created_at, decided_at)
      select 'req_' || n, 'C', n || '@example.com', 'approved', 'cli_' || n, now() - n * interval '1 second', now() from ${n};
    insert into claim_tokens (token_hash, client_id, sealed, created_at, expires_at)
      select 'hash_' || n, 'cli_' || n, null, now(), now() + interval '7 days' from ${n};
    insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_' || n, 'ten_' || 1 + n % ${TENANTS}, 'job_' || n, 'ready', true, 'req', now() - n * interval '1 second',
        now() + interval '1 day', 1, 'x', 'models/' || n, '[]' from ${n};
    insert into jobs (job_id, tenant_id, kind, status, dataset_id, generation_id, created_at, deadline_at, finished_at)
      select 'job_' || n, 'ten_' || 1 + n % ${TENANTS}, 'generation', case when n % 1000 = 0 then 'queued' else 'completed' end,
        'ds_' || n, 'gen_' || n, now(), now() + interval '1 hour', case when n % 1000 = 0 then null else now() end from ${n};
    insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_bytes, artifact_blob)
      select 'gen_' || n, 'ten_' || 1 + n % ${TENANTS}, 'ds_' || n, 'job_' || n,
        case when n % 1000 = 0 then 'processing' else 'ready' end, 'req', 10, 1, 'csv', '{}', now(), now() + interval '1 day',
        10, n, case when n % 1000 = 0 then null else 'artifacts/' || n end from ${n};
    insert into ledger (generation_id, tenant_id, dataset_id, rows_generated, created_at)
      select 'gen_' || n, 'ten_' || 1 + n % ${TENANTS}, 'ds_' || n, 10, now() from ${n};
    insert into idempotency_keys (tenant_id, operation, key, resource_id, fingerprint, holder, lease_until)
      select 'ten_' || 1 + n % ${TENANTS}, 'createGeneration', 'key_' || n, 'gen_' || n, 'f', 'h', now() from ${n};
    insert into queue_entries (job_id, queue, tenant_id, is_small, holder, available_at, setbacks)
      select 'job_' || n, 'generation', 'ten_' || 1 + n % ${TENANTS}, n % 100 = 0,
        case when n <= 20 then gen_random_uuid() end, case when n <= 20 then now() + interval '1 minute' end,
        case when n % 1000 = 0 then 1 else 0 end from ${n};
    insert into queue_turns (queue, tenant_id, turn) select 'generation', 'ten_' || n, n from ${n};
    insert into doomed_blobs (blob_key, due_at) select 'seeds/' || n, now() + interval '1 hour' from ${n};
    insert into operator_actions (action_id, at, operation, request_id, address, status)
      select 'act_' || n, now() - n * interval '1 second', 'approveSignup', 'req_' || n, '127.0.0.1', 200 from ${n};
    insert into usage_changes (tenant_id, rows_billed) select 'ten_' || 1 + n % ${TENANTS}, 1 from ${n};
  `)
  await db.exec('vacuum analyze')
})
afterAll(async () => await db?.close())

const nowMs = Date.now()
const HELD = { jobId: 'job_1', holder: randomUUID(), handedOut: 1 }
const TAKER = { queue: 'generation', holder: HELD.holder, leaseMs: 1000, tenantJobs: 5, isReserve: false } as const
const scope = { tenantId: 'ten_2', operation: 'createGeneration', key: 'key_1' } as const

it.each<[string, (on: Database) => Promise<unknown>]>([
  ['a dataset', async (on) => await readDataset(on, 'ten_2', 'ds_1', nowMs)],
  ['a page of datasets', async (on) => await listDatasets(on, 'ten_2', { after: null, limit: 20, nowMs })],
  [
    'a later page of datasets',
    async (on) => {
      const after = { createdAt: new Date(nowMs - 3_600_000).toISOString(), datasetId: 'ds_3600' }
      return await listDatasets(on, 'ten_2', { after, limit: 20, nowMs })
    },
  ],
  ['a generation', async (on) => await readGeneration(on, 'ten_2', 'gen_1', nowMs)],
  [
    'what is left of a subscription',
    async (on) => await on.transaction(async (tx) => await reserveRows(tx, 'ten_2', 1)),
  ],
  ['what a tenant has', async (on) => await readUsage(on, 'ten_2')],
  ['the largest artifacts', async (on) => await listArtifacts(on, { tenantId: null, after: null, limit: 20 })],
  [
    'a later page of the artifacts of a tenant',
    async (on) => {
      const after = { bytes: 500, generationId: 'gen_1' }
      return await listArtifacts(on, { tenantId: 'ten_2', after, limit: 20 })
    },
  ],
  ['a job', async (on) => await readJob(on, 'job_1')],
  ['a job that begins', async (on) => await beginJob(on, 'job_1000', { nowMs, deadlineMs: 1 })],
  ['a job that goes on', async (on) => await noteProgress(on, { job_id: 'job_1000', attempts: 1 }, null)],
  ['a job that ends', async (on) => await endJob(on, 'job_1', { status: 'failed', error: null, nowMs })],
  [
    'a job that is queued',
    async (on) => await insertEntry(on, { ...TAKER, jobId: 'new', tenantId: 'ten_2', isSmall: true }),
  ],
  ['the jobs that a tenant has waiting', async (on) => await countWaiting(on, 'ten_2', 1000)],
  ['the job whose turn it is', async (on) => await takeEntry(on, TAKER)],
  ['the small job whose turn it is', async (on) => await takeEntry(on, { ...TAKER, isReserve: true })],
  ['leases that are renewed', async (on) => await renewEntries(on, [HELD], TAKER)],
  [
    'a job that is given back',
    async (on) => await returnEntry(on, HELD, { pauseMs: 1, trouble: 'why', isSetback: true, isNotSmall: true }),
  ],
  ['a job that is taken off the queue', async (on) => await removeEntry(on, HELD)],
  ['jobs that have not ended', async (on) => await listUnfinishedJobs(on, { isInTrouble: false, after: 5, limit: 20 })],
  ['jobs whose work broke off', async (on) => await listUnfinishedJobs(on, { isInTrouble: true, after: 0, limit: 20 })],
  ['the jobs that went wrong last', async (on) => await lastFailures(on, 20)],
  ['a page of what the operator did', async (on) => await listActions(on, { after: null, limit: 50 })],
  ['a later page of what the operator did', async (on) => await listActions(on, { after: 'act_900', limit: 50 })],
  ['jobs past their deadline', async (on) => await endOverdueJobs(on, nowMs)],
  ['jobs of a dataset', async (on) => await endJobsOfDataset(on, 'ds_1', nowMs)],
  ['an idempotency key', async (on) => await readKey(on, scope, nowMs)],
  [
    'an idempotency key that is taken',
    async (on) => await holdKey(on, scope, { holder: 'h', leaseUntilMs: 1, nowMs: 0 }),
  ],
  ['keys of a resource', async (on) => await releaseKeysOf(on, 'gen_unknown')],
  ['blobs that are given up', async (on) => await takeDueBlobs(on, 1000, nowMs)],
  ['blobs that are removed', async (on) => await forgetBlobs(on, ['seeds/1'])],
  ['blobs that could not be removed', async (on) => await giveBackBlobs(on, ['seeds/1'], nowMs)],
  ['revocations', async (on) => await new TokenRevocations(on).refresh()],
  ['a signup', async (on) => await readSignup({ db: on, now: Date.now } as ClaimGround, 'req_1')],
  [
    'a page of signups',
    async (on) => await listSignups({ db: on } as ClaimGround, { status: null, after: null, limit: 20 }),
  ],
  ['a page of tenants', async (on) => await listTenants(on, { after: 'ten_1', limit: 5 })],
  ['time that was watched', async (on) => await holdSweep(on, { nowMs, watchedSinceMs: nowMs })],
  ['what has expired', async (on) => await countExpired(on, nowMs)],
  [
    'what has expired and is taken back',
    async (on) => await restoreExpired(on, { tenantId: null, nowMs, untilMs: nowMs + 1 }),
  ],
  ['what the sweeper removes', async (on) => await sweep({ db: on, now: Date.now } as ServiceContext)],
])('%s is found by an index among tens of thousands', async (_name, act) => {
  for (const plan of await plansOf(act)) {
    // The tenants are few, and two tables have one row: those are read through.
    expect(plan).not.toMatch(/Seq Scan on (?!tenants|tenant_usage|sweep_watch|blob_hold)/)
  }
})

it('what the operator measures reads no table through that grows with time', async () => {
  for (const plan of await plansOf(async (on) => await readStock(on, nowMs))) {
    // What waits for a moment, to be removed or added up, is read through too.
    expect(plan).not.toMatch(/Seq Scan on (?!tenants|tenant_usage|usage_changes|doomed_blobs)/)
  }
})

/** Every statement that is sent on the way, with its plan. */
async function plansOf(act: (on: Database) => Promise<unknown>): Promise<string[]> {
  sent.length = 0
  await act(recording(db))
  expect(sent.length).toBeGreaterThan(0)
  const plans: string[] = []
  for (const { sql, parameters } of sent.slice()) {
    const plan = await db.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, parameters)
    plans.push(`${sql}\n${plan.map((row) => row['QUERY PLAN']).join('\n')}`)
  }
  return plans
}
