import { JOB_KINDS, type JobKind } from '../records/job-records.ts'
import { readTotalUsage } from '../records/usage.ts'
import type { Queryable } from '../store/database.ts'
import { utcText } from '../store/timestamps.ts'

export interface QueueDepth {
  readonly kind: JobKind
  readonly queued: number
  readonly running: number
  /** 0 when none waits. */
  readonly oldestQueuedMs: number
}

/** Names and totals as the metric `whatif_stock` labels them. */
export type Stock = Readonly<Record<(typeof STOCK)[number], number>>

const STOCK = [
  'tenants',
  'signups_pending',
  'datasets_processing',
  'datasets_ready',
  'generations',
  'doomed_blobs',
  'seed_bytes',
  'model_bytes',
  'order_bytes',
  'artifact_bytes',
] as const

/**
 * Counts stop here: during a hold or a flood of requests there may be a million, which must not be counted at every
 * scrape.
 */
const MOST_COUNTED = 10_000

/** SQL: the number of rows, up to the limit above. */
const countSome = (from: string): string =>
  `(select count(*)::integer from (select 1 from ${from} limit ${MOST_COUNTED}) as counted)`

/** Current contents of the database: depth of the queues, and totals of all resources. */
export async function readStock(
  db: Queryable,
  nowMs: number,
): Promise<{ readonly queues: readonly QueueDepth[]; readonly stock: Stock }> {
  const depths = await db.query<{ kind: JobKind; status: string; count: number; oldest: string }>(
    `select kind, status, count(*)::integer as count, ${utcText('min(created_at)')} as oldest
     from jobs where status in ('queued', 'running') group by kind, status`,
  )
  const [counts] = await db.query<Pick<Stock, 'tenants' | 'signups_pending' | 'doomed_blobs'>>(
    `select
       (select count(*)::integer from tenants) as tenants,
       ${countSome("signups where status = 'pending'")} as signups_pending,
       ${countSome('doomed_blobs')} as doomed_blobs`,
  )
  // The tables of datasets and generations grow with time; these totals do not.
  const stock: Partial<Stock> = { ...counts, ...(await readTotalUsage(db)) }
  const queues = JOB_KINDS.map((kind) => {
    const of = (status: string) => depths.find((depth) => depth.kind === kind && depth.status === status)
    const queued = of('queued')
    return {
      kind,
      queued: queued?.count ?? 0,
      running: of('running')?.count ?? 0,
      oldestQueuedMs: queued === undefined ? 0 : Math.max(0, nowMs - Date.parse(queued.oldest)),
    }
  })
  return { queues, stock: Object.fromEntries(STOCK.map((what) => [what, stock[what] ?? 0])) as Stock }
}
