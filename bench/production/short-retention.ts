import type pg from 'pg'

/** Datasets, generations and ended jobs are made to expire so long after their creation. */
const LIVES = { datasets: '4 minutes', generations: '2 minutes', jobs: '3 minutes' }

/**
 * Short retention. The service's shortest is an hour, its grace period another, and jobs are kept for eight days. So records are made
 * older, and the sweeps work as usual.
 */
export async function ageRecords(db: pg.Pool): Promise<void> {
  for (const table of ['datasets', 'generations'] as const) {
    await db.query(
      `update ${table} set expires_at = created_at + $1::interval
       where swept_at is null and expires_at > created_at + $1::interval`,
      [LIVES[table]],
    )
    // The hour in which the operator can take it back.
    await db.query(
      `update ${table} set swept_at = swept_at - interval '2 hours' where swept_at > now() - interval '1 hour'`,
    )
  }
  await db.query(
    `update jobs set finished_at = finished_at - interval '9 days'
     where finished_at between now() - interval '8 days' and now() - $1::interval`,
    [LIVES.jobs],
  )
}

/** Everything is long past its retention: the next sweep removes it. */
export async function expireAll(db: pg.Pool): Promise<void> {
  for (const table of ['datasets', 'generations']) {
    await db.query(`update ${table} set expires_at = now() - interval '3 hours', swept_at = now() - interval '2 hours'`)
  }
}
