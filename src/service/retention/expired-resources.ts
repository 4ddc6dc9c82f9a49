import { MAX_RETENTION_HOURS } from '../../contract/limits.ts'
import type { RestoredCounts, SweepState } from '../../contract/sweeps.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'

const HOUR_MS = 60 * 60_000
const TABLES = ['datasets', 'generations'] as const
/** Resources that a sweep has marked, and those that none has: each half has an index. */
const HALVES = ['swept_at is not null', 'swept_at is null'] as const

/** Resources that have expired and are not yet removed. */
export async function countExpired(db: Queryable, nowMs: number): Promise<SweepState['restorable']> {
  return await perTable(async (table, half) => {
    const [row] = await db.query<{ count: number }>(
      `select count(*) as count from ${table} where ${half} and expires_at <= $1::timestamptz`,
      [timestampOf(nowMs)],
    )
    return row?.count ?? 0
  })
}

/**
 * Restores expired resources that are not yet removed, until `untilMs` but at most seven days from their creation: of
 * one tenant, or of all. Returns how many were restored.
 */
export async function restoreExpired(
  tx: Queryable,
  wanted: { readonly tenantId: string | null; readonly nowMs: number; readonly untilMs: number },
): Promise<RestoredCounts> {
  const end = `least($2::timestamptz, created_at + $3::double precision * interval '1 millisecond')`
  return await perTable(async (table, half) => {
    const rows = await tx.query(
      `update ${table} set swept_at = null, expires_at = ${end}
       where ${half} and expires_at <= $1::timestamptz and ${end} > $1::timestamptz
         and ($4::text is null or tenant_id = $4)
       returning 1`,
      [timestampOf(wanted.nowMs), timestampOf(wanted.untilMs), MAX_RETENTION_HOURS * HOUR_MS, wanted.tenantId],
    )
    return rows.length
  })
}

async function perTable(
  count: (table: (typeof TABLES)[number], half: (typeof HALVES)[number]) => Promise<number>,
): Promise<RestoredCounts> {
  const counts = { datasets: 0, generations: 0 }
  for (const table of TABLES) for (const half of HALVES) counts[table] += await count(table, half)
  return counts
}
