import type { Database, Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/** Up to when processes have watched time pass, and whether sweeps wait for the operator. */
export interface SweepWatch {
  /** Null: nobody has looked yet. */
  readonly watchedUntilMs: number | null
  readonly held: HeldSweep | null
}

/** Why sweeps remove nothing. */
export interface HeldSweep {
  /** RFC 3339. */
  readonly since: string
  /** Datasets and generations that have expired, by the clock, in a time that nobody watched. */
  readonly due: number
  /** Datasets and generations that have not expired. */
  readonly living: number
}

/** Reads the one row; `lock` keeps other processes from it until the transaction ends. */
export async function readSweepWatch(db: Queryable, options: { readonly lock?: boolean } = {}): Promise<SweepWatch> {
  const [row] = await db.query<{
    watched_until: string | null
    held_since: string | null
    held_due: number | null
    held_living: number | null
  }>(
    `select ${utcText('watched_until')} as watched_until, ${utcText('held_since')} as held_since, held_due, held_living
     from sweep_watch where only_row ${options.lock === true ? 'for update' : ''}`,
  )
  if (row === undefined) throw new Error('The row of sweep_watch is gone.')
  const { watched_until: watchedUntil, held_since: since } = row
  return {
    watchedUntilMs: watchedUntil === null ? null : Date.parse(watchedUntil),
    held: since === null ? null : { since, due: row.held_due ?? 0, living: row.held_living ?? 0 },
  }
}

/** Time has been watched up to a moment, or the operator says so: sweeps go on. */
export async function noteWatched(tx: Queryable, untilMs: number): Promise<void> {
  await tx.query(
    `update sweep_watch set watched_until = $1::timestamptz, held_since = null, held_due = null, held_living = null
     where only_row`,
    [timestampOf(untilMs)],
  )
}

/** Sweeps wait for the operator from `sinceMs` on, or from when they first did. */
export async function noteHeld(tx: Queryable, held: Omit<HeldSweep, 'since'>, sinceMs: number): Promise<void> {
  await tx.query(
    `update sweep_watch set held_since = coalesce(held_since, $1::timestamptz), held_due = $2::bigint,
       held_living = $3::bigint
     where only_row`,
    [timestampOf(sinceMs), held.due, held.living],
  )
}

/** The operator says that the clock is right: sweeps go on. What was held; null: nothing was. */
export async function resumeSweeps(db: Database, nowMs: number): Promise<HeldSweep | null> {
  return await db.transaction(async (tx) => {
    const { held } = await readSweepWatch(tx, { lock: true })
    if (held !== null) await noteWatched(tx, nowMs)
    return held
  })
}
