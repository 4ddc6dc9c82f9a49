import { PENDING_SIGNUP_DAYS, WEBHOOK_KEPT_DAYS } from '../../contract/limits.ts'
import { declineUndecided } from '../access/signups.ts'
import type { ServiceContext } from '../context/context.ts'
import { endJobsOfDataset, endOverdueJobs } from '../jobs/end-jobs.ts'
import { removeDataset } from '../records/dataset-records.ts'
import { removeGeneration } from '../records/generation-records.ts'
import { removeExpiredUploads } from '../records/upload-records.ts'
import { announceExpiring, giveUpMessages, removeMessages } from '../records/webhook-messages.ts'
import { timestampOf } from '../store/timestamps.ts'
import { holdSweep } from './sweep-brake.ts'

/** Most resources removed in one transaction, because statements of an embedded database block the thread. */
const BATCH = 100
/** How long ended jobs stay, and keys that no upload renews any more. */
const KEEP_MS = 8 * 24 * 60 * 60_000
/** Expired resources stay this long after a sweep has marked them, so that the operator can restore them. */
const GRACE_MS = 60 * 60_000

const HELD =
  'Much has expired while no process was running: the service was off, or the clock of the database has jumped. Nothing is removed until the operator confirms that the clock is right: whatif operator resume-sweeps, or without an operator token whatif storage resume-sweeps.'

/**
 * Removes resources that are past their retention or that nothing refers to any more. The API hides expired datasets
 * and generations from the moment they expire. A sweep marks them, and cancels unfinished jobs of such datasets. A
 * sweep an hour later removes them, orphans their blobs and frees their keys. It also ends overdue jobs, removes old
 * ended ones, the questions of past days and uploads that nobody went on with, declines requests for access that nobody decided, and announces datasets
 * that expire soon. Several processes may
 * sweep at the same time: each skips rows that another has locked.
 *
 * A sweep does nothing while the machine's clock is wrong, or when implausibly much has expired (`sweep-brake.ts`). The
 * signal ends a sweep between two transactions.
 */
export async function sweep(context: ServiceContext, signal?: AbortSignal): Promise<void> {
  const startedMs = performance.now()
  if (!(await maySweep(context))) return
  await endOverdueJobs(context.db, context.now())
  await takeBackUnexpired(context)
  const datasets = await inBatches(() => markDatasets(context), signal)
  const generations = await inBatches(() => markGenerations(context), signal)
  await inBatches(() => removeDatasets(context), signal)
  await inBatches(() => removeGenerations(context), signal)
  context.remover?.soon()
  const beforeMs = context.now() - KEEP_MS
  await inBatches(() => removeEndedJobs(context, beforeMs), signal)
  await inBatches(() => removeHeldKeys(context, beforeMs), signal)
  await inBatches(() => removeQuestions(context), signal)
  await inBatches(
    () => context.db.transaction(async (tx) => await removeExpiredUploads(tx, context.now(), BATCH)),
    signal,
  )
  await inBatches(() => announceExpiring(context.db, context.now(), BATCH), signal)
  await inBatches(() => giveUpMessages(context.db, context.now(), BATCH), signal)
  const endedBeforeMs = context.now() - WEBHOOK_KEPT_DAYS * 24 * 60 * 60_000
  await inBatches(() => removeMessages(context.db, endedBeforeMs, BATCH), signal)
  const madeBeforeMs = context.now() - PENDING_SIGNUP_DAYS * 24 * 60 * 60_000
  await inBatches(() => declineUndecided(context, { madeBeforeMs, limit: BATCH }), signal)
  const durationMs = Math.round(performance.now() - startedMs)
  context.events?.emit({ type: 'sweep.ended', removed: { datasets, generations }, durationMs })
}

async function maySweep({ clock, db, events, now }: ServiceContext): Promise<boolean> {
  if (clock === undefined) return true
  if (!clock.maySweep) return false
  const held = await holdSweep(db, { nowMs: now(), watchedSinceMs: clock.watchedSinceMs })
  if (held !== null) events?.emit({ type: 'sweep.held', ...held, message: HELD })
  return held === null
}

/** Sweeps until a batch is not full. Returns how many resources there were. */
async function inBatches(sweepBatch: () => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  while (signal?.aborted !== true) {
    const count = await sweepBatch()
    total += count
    if (count < BATCH) break
  }
  return total
}

/**
 * Unmarks resources that no longer count as expired: the clock was set back after a sweep, or the operator extended the
 * retention.
 */
async function takeBackUnexpired({ db, now }: ServiceContext): Promise<void> {
  for (const table of ['datasets', 'generations']) {
    await db.query(`update ${table} set swept_at = null where swept_at is not null and expires_at > $1::timestamptz`, [
      timestampOf(now()),
    ])
  }
}

async function markDatasets(context: ServiceContext): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    const rows = await tx.query<{ dataset_id: string }>(
      `update datasets set swept_at = $1::timestamptz where dataset_id in (
         select dataset_id from datasets where expires_at <= $1::timestamptz and swept_at is null
         order by expires_at limit ${BATCH} for update skip locked)
       returning dataset_id`,
      [timestampOf(nowMs)],
    )
    for (const row of rows) await endJobsOfDataset(tx, row.dataset_id, nowMs)
    return rows.length
  })
}

async function markGenerations({ db, now }: ServiceContext): Promise<number> {
  const rows = await db.query(
    `update generations set swept_at = $1::timestamptz where generation_id in (
       select generation_id from generations
       where expires_at <= $1::timestamptz and swept_at is null and status <> 'processing'
       order by expires_at limit ${BATCH} for update skip locked)
     returning generation_id`,
    [timestampOf(now())],
  )
  return rows.length
}

async function removeDatasets(context: ServiceContext): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    const rows = await tx.query<{ dataset_id: string; seed_blob: string | null; model_blob: string | null }>(
      `select dataset_id, seed_blob, model_blob from datasets where swept_at <= $1::timestamptz
       order by swept_at limit ${BATCH} for update skip locked`,
      [timestampOf(nowMs - GRACE_MS)],
    )
    for (const row of rows) await removeDataset(tx, row, nowMs)
    return rows.length
  })
}

async function removeGenerations(context: ServiceContext): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    const rows = await tx.query<{ generation_id: string; artifact_blob: string | null }>(
      `select generation_id, artifact_blob from generations where swept_at <= $1::timestamptz
       order by swept_at limit ${BATCH} for update skip locked`,
      [timestampOf(nowMs - GRACE_MS)],
    )
    for (const row of rows) await removeGeneration(tx, row, nowMs)
    return rows.length
  })
}

/** Works in batches: after a long time without a sweep there are more records than one statement can remove in its time. */
async function removeEndedJobs({ db }: ServiceContext, beforeMs: number): Promise<number> {
  const rows = await db.query(
    `delete from jobs where job_id in (
       select job_id from jobs where finished_at < $1::timestamptz
       order by finished_at limit ${BATCH} for update skip locked)
     returning 1`,
    [timestampOf(beforeMs)],
  )
  return rows.length
}

async function removeHeldKeys({ db }: ServiceContext, beforeMs: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_keys where (tenant_id, operation, key) in (
       select tenant_id, operation, key from idempotency_keys
       where resource_id is null and lease_until < $1::timestamptz
       order by lease_until limit ${BATCH} for update skip locked)
     returning 1`,
    [timestampOf(beforeMs)],
  )
  return rows.length
}

/** Each day has a count of its own. A day more, because clocks differ. */
async function removeQuestions({ db, now }: ServiceContext): Promise<number> {
  const before = new Date(now() - 24 * 60 * 60_000).toISOString().slice(0, 10)
  await db.query('delete from question_counts where day < $1::date', [before])
  const rows = await db.query(
    `delete from asked_questions where (dataset_id, client_id, day, question) in (
       select dataset_id, client_id, day, question from asked_questions
       where day < $1::date limit ${BATCH} for update skip locked)
     returning 1`,
    [before],
  )
  return rows.length
}
