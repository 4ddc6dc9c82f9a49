import type { ServiceContext } from '../context.ts'
import { removeDataset } from '../datasets/dataset-records.ts'
import { removeGeneration } from '../generations/generation-records.ts'
import { timestampOf } from '../store/timestamps.ts'
import { endJobsOfDataset, endOverdueJobs } from './end-jobs.ts'

/** Most resources removed in one transaction: statements of an embedded database hold the thread. */
const BATCH = 100
/** Ended jobs, and keys whose receiver is long gone, are kept this long. */
const KEEP_MS = 8 * 24 * 60 * 60_000

/**
 * Removes what is past its retention and what nothing refers to any more: expired datasets (their unfinished jobs are
 * cancelled) and generations with their keys, overdue jobs, old ended jobs; their blobs are given up. The API shows none
 * of these any more from the moment they expire; the sweeper only frees their room. Several processes may sweep at the
 * same time: each leaves to the other what that one is at. Nothing happens while the machine's clock is wrong.
 * The signal ends a sweep between two transactions.
 */
export async function sweep(context: ServiceContext, signal?: AbortSignal): Promise<void> {
  if (context.clock?.maySweep === false) return
  const startedMs = performance.now()
  await endOverdueJobs(context.db, context.now())
  const datasets = await inBatches(() => sweepDatasets(context), signal)
  const generations = await inBatches(() => sweepGenerations(context), signal)
  const before = timestampOf(context.now() - KEEP_MS)
  await context.db.query('delete from jobs where finished_at < $1::timestamptz', [before])
  await context.db.query('delete from idempotency_keys where resource_id is null and lease_until < $1::timestamptz', [
    before,
  ])
  context.remover?.soon()
  const durationMs = Math.round(performance.now() - startedMs)
  context.events?.emit({ type: 'sweep.ended', removed: { datasets, generations }, durationMs })
}

/** Sweeps until a batch is not full any more; returns how many there were in all. */
async function inBatches(sweepBatch: () => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  while (signal?.aborted !== true) {
    const count = await sweepBatch()
    total += count
    if (count < BATCH) break
  }
  return total
}

async function sweepDatasets(context: ServiceContext): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    const rows = await tx.query<{ dataset_id: string; seed_blob: string | null; model_blob: string | null }>(
      `select dataset_id, seed_blob, model_blob from datasets where expires_at <= $1::timestamptz
       order by expires_at limit ${BATCH} for update skip locked`,
      [timestampOf(nowMs)],
    )
    for (const row of rows) {
      await endJobsOfDataset(tx, row.dataset_id, nowMs)
      await removeDataset(tx, row, nowMs)
    }
    return rows.length
  })
}

async function sweepGenerations(context: ServiceContext): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    const rows = await tx.query<{ generation_id: string; artifact_blob: string | null }>(
      `select generation_id, artifact_blob from generations
       where expires_at <= $1::timestamptz and status <> 'processing'
       order by expires_at limit ${BATCH} for update skip locked`,
      [timestampOf(nowMs)],
    )
    for (const row of rows) await removeGeneration(tx, row, nowMs)
    return rows.length
  })
}
