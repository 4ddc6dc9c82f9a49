import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClaimGround } from '../../../src/service/access/claim-tokens.ts'
import { listActions } from '../../../src/service/access/operator-actions.ts'
import { listSignups, readSignup } from '../../../src/service/access/signups.ts'
import { changeTenant, listTenants } from '../../../src/service/access/tenants.ts'
import { TokenRevocations } from '../../../src/service/access/token-revocations.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { QuestionBudget } from '../../../src/service/estimates/question-budget.ts'
import { listArtifacts, removeArtifact } from '../../../src/service/generations/stored-artifacts.ts'
import { admitGeneration } from '../../../src/service/jobs/admission.ts'
import { endJobByOperator, endJobsOfDataset, endOverdueJobs } from '../../../src/service/jobs/end-jobs.ts'
import {
  correctWork,
  countWaiting,
  freeUnheard,
  insertEntry,
  removeEntry,
  renewEntries,
  returnEntry,
  takeEntry,
} from '../../../src/service/queue/queue-entries.ts'
import { listDatasets, readDataset } from '../../../src/service/records/dataset-records.ts'
import { readGeneration } from '../../../src/service/records/generation-records.ts'
import { holdKey, readKey, releaseKeysOf } from '../../../src/service/records/idempotency-keys.ts'
import {
  beginJob,
  endJob,
  lastFailures,
  listUnfinishedJobs,
  noteProgress,
  readJob,
} from '../../../src/service/records/job-records.ts'
import { forgetOrphans, returnOrphans, takeOrphans } from '../../../src/service/records/orphaned-blobs.ts'
import { foldUsage, readUsage } from '../../../src/service/records/usage.ts'
import { countExpired, restoreExpired } from '../../../src/service/retention/expired-resources.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { holdSweep, noteHeld } from '../../../src/service/retention/sweep-brake.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { readStock } from '../../../src/service/telemetry/stock.ts'
import { openTestDatabase } from '../test-database.ts'
import { testSettings } from '../test-settings.ts'
import { insertManyRows } from './many-rows.ts'
import { wayOfParts } from './part-ways.ts'
import { type PlannedStatement, plansOf } from './recorded-statements.ts'
import { wayOfUpload } from './upload-ways.ts'
import { wayOfWebhook } from './webhook-ways.ts'
import {
  breakOff,
  contextOf,
  noteAction,
  putOff,
  sweepExpired,
  wayOfClient,
  wayOfDataset,
  wayOfGeneration,
} from './whole-ways.ts'
import { writtenStatements } from './written-statements.ts'

let db: Database
/** Every statement that was sent and explained. */
const planned: PlannedStatement[] = []

beforeAll(async () => {
  db = await openTestDatabase()
  await insertManyRows(db)
})
afterAll(async () => await db?.close())

const nowMs = Date.now()
const HELD = { jobId: 'job_1', holder: randomUUID(), handedOut: 1 }
const TAKER = { queue: 'generation', holder: HELD.holder, leaseMs: 1000, tenantJobs: 5, smallExcept: null } as const
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
    async (on) =>
      await on.transaction(
        async (tx) => await admitGeneration(tx, 'ten_2', 1, { tenantBytes: 1e9, artifactBytes: null }),
      ),
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
    async (on) => await insertEntry(on, { ...TAKER, jobId: 'new', tenantId: 'ten_2', workMs: 100 }),
  ],
  ['the jobs that a tenant has waiting', async (on) => await countWaiting(on, 'ten_2', 1000)],
  ['the job whose turn it is', async (on) => await takeEntry(on, TAKER)],
  ['the small job whose turn it is', async (on) => await takeEntry(on, { ...TAKER, smallExcept: ['ten_1'] })],
  ['the work of a tenant', async (on) => await correctWork(on, { ...TAKER, tenantId: 'ten_2' }, -5)],
  ['leases that are renewed', async (on) => await renewEntries(on, [HELD], TAKER)],
  [
    'a job that is given back',
    async (on) => await returnEntry(on, HELD, { pauseMs: 1, trouble: 'why', isSetback: true, leastWorkMs: 2_000 }),
  ],
  [
    'jobs whose handing out was never answered',
    async (on) => await freeUnheard(on, { queue: 'generation', holder: HELD.holder, known: ['job_1'] }),
  ],
  ['a job that is taken off the queue', async (on) => await removeEntry(on, HELD)],
  ['jobs that have not ended', async (on) => await listUnfinishedJobs(on, { isInTrouble: false, after: 5, limit: 20 })],
  ['jobs whose work broke off', async (on) => await listUnfinishedJobs(on, { isInTrouble: true, after: 0, limit: 20 })],
  ['the latest failed jobs', async (on) => await lastFailures(on, 20)],
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
  ['blobs that are given up', async (on) => await takeOrphans(on, 1000, nowMs)],
  ['blobs that are removed', async (on) => await forgetOrphans(on, ['seeds/1'])],
  ['blobs that could not be removed', async (on) => await returnOrphans(on, ['seeds/1'], nowMs)],
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
  [
    'a question that is counted',
    async (on) => {
      const context = { db: on, now: () => nowMs, settings: testSettings({ dataDir: '.', clientQuestions: 100 }) }
      const scenarios = [{ shares: [], ranges: [{ column: 'age', min: 30, max: 40 }] }]
      await new QuestionBudget(context).count({ datasetId: 'ds_1', clientId: 'cli_1', scenarios })
    },
  ],
  ['what the sweeper removes', async (on) => await sweep({ db: on, now: Date.now } as ServiceContext)],
  [
    'a page of the signups of one status',
    async (on) => await listSignups({ db: on } as ClaimGround, { status: 'declined', after: 'req_9', limit: 20 }),
  ],
  ['the way of a client to its second secret', wayOfClient],
  ['the way of a dataset', wayOfDataset],
  ['the way of a generation', wayOfGeneration],
  ['the way of a webhook', wayOfWebhook],
  ['the way of a seed file in parts', wayOfUpload],
  ['the way of a generation in parts', wayOfParts],
  ['a job that is put off, and one that is given back', putOff],
  ['a job that the operator cancels', async (on) => await endJobByOperator(on, 'job_2000', nowMs)],
  ['limits that the operator sets', async (on) => await changeTenant(on, 'ten_2', { requestRowCap: 1 })],
  ['tokens that the operator revokes', async (on) => await new TokenRevocations(on).revoke('cli_2', nowMs)],
  ['what the operator does', noteAction],
  ['an artifact that the operator removes', async (on) => await removeArtifact(contextOf(on), 'gen_77')],
  ['an upload that is aborted', breakOff],
  ['what has expired and is removed', sweepExpired],
  ['running totals that are added up', async (on) => await foldUsage(on)],
  ['a sweep that is held', async (on) => await noteHeld(on, { due: 1, living: 1 }, nowMs)],
])('%s: an index finds the rows among tens of thousands', async (_name, act) => {
  for (const { sql, plan, unwantedRows } of await planAll(act)) {
    expect(unwantedRows, plan).toBeLessThan(100)
    // The tenants are few, and tables of one row are read through, as is what changed since the last adding up.
    expect(plan, sql).not.toMatch(/Seq Scan on (?!tenants|tenant_usage|sweep_watch|blob_hold|usage_changes)/)
  }
})

it('the operator’s measurements scan no table that grows with time', async () => {
  for (const { sql, plan } of await planAll(async (on) => await readStock(on, nowMs))) {
    // Changes of usage wait only a moment to be added up, so they may be scanned. Of orphaned blobs a bounded part is read.
    expect(plan, sql).not.toMatch(/Seq Scan on (?!tenants|tenant_usage|usage_changes|doomed_blobs)/)
  }
})

it('these tests cover every statement that requests, the queue and sweeps send', () => {
  // When a process starts, or a command of the operator runs; or about the connection alone.
  const others =
    /^(blobs|clock|store.(installation|migrat\w*|pglite-database|postgres-\w+)|storage-check|keys.service-keys|start-workers|jobs.outages|routes.health)\b/
  const unseen = writtenStatements().filter(
    ({ file, isSent }) => !others.test(file) && !planned.some(({ sql }) => isSent(sql)),
  )
  // An insert for the token of a provider elsewhere, what an embedded database alone does when it starts, and what the commands
  // around a backup do.
  expect(unseen.map(({ file, text }) => `${file}: ${text}`)).toEqual([
    expect.stringMatching(/^access.foreign-tokens.ts: insert into clients/),
    expect.stringMatching(/^queue.queue-entries.ts: update queue_entries set setbacks/),
    expect.stringMatching(/^records.orphaned-blobs.ts: insert into blob_hold/),
    expect.stringMatching(/^records.orphaned-blobs.ts: delete from blob_hold/),
  ])
})

async function planAll(act: (on: Database) => Promise<unknown>): Promise<readonly PlannedStatement[]> {
  const plans = await plansOf(db, act)
  expect(plans.length).toBeGreaterThan(0)
  planned.push(...plans)
  return plans
}
