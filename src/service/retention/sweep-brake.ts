import type { Database, Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/** A shorter time without a process is a restart and not a gap. What it removes early was about to expire. */
const GAP_MS = 5 * 60_000
/**
 * Up to this many resources are removed without confirmation. The second bound is for the comparison with the hour
 * before.
 */
const FEW = 20
const FEW_BY_RATE = 200
/**
 * Larger parts of the unexpired resources need confirmation, and so do larger multiples of what expired in the hour
 * before.
 */
const LARGE_PART = 1 / 10
const LARGE_MULTIPLE = 10
const HOUR_MS = 60 * 60_000

/** The parts of the service's clock that the decision needs. */
export interface WatchedTime {
  readonly nowMs: number
  /** The time since which this process has checked the clock, by a clock that cannot be set. */
  readonly watchedSinceMs: number
}

/**
 * Decides whether a sweep may remove what has expired. The clock alone is no proof, because it may be wrong. So processes
 * note until when they have checked the clock, by a clock that cannot be set. Whatever expires in watched time may go, however
 * much it is: 300 datasets of one minute expire in one minute. Between the last note and the start of this process lies a
 * gap: either the service was off, or the database's clock has jumped. What expired in the gap goes if it is little: at
 * most 20 resources or a tenth of what lives, and at most ten times what expired in the hour before the gap (or 200).
 * Otherwise the sweep is held until the operator confirms the clock.
 *
 * Resolves to the reason why it is held, or to null. If the clock went back, the last note lies in the future; it is
 * replaced.
 */
export async function holdSweep(
  db: Database,
  time: WatchedTime,
): Promise<{ due: number; living: number; unwatchedMs: number } | null> {
  return await db.transaction(async (tx) => {
    const gap = await findGap(tx, time)
    const counts = gap === null ? null : await count(tx, gap)
    if (gap === null || counts === null || !isTooMuch(counts)) {
      await noteWatched(tx, time.nowMs)
      return null
    }
    const { due, living } = counts
    await noteHeld(tx, { due, living }, time.nowMs)
    return { due, living, unwatchedMs: gap.toMs - gap.fromMs }
  })
}

/** Records that time was watched, for a process that does not sweep. It never closes a gap. */
export async function noteTime(db: Database, time: WatchedTime): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await findGap(tx, time)) === null) await noteWatched(tx, time.nowMs)
  })
}

interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

/** The unwatched time before this process started watching; null: there is none. */
async function findGap(tx: Queryable, { nowMs, watchedSinceMs }: WatchedTime): Promise<Gap | null> {
  const { watchedUntilMs } = await readSweepWatch(tx, { lock: true })
  // Time in the future was not watched.
  const toMs = Math.min(nowMs, watchedSinceMs)
  return watchedUntilMs === null || toMs - watchedUntilMs <= GAP_MS ? null : { fromMs: watchedUntilMs, toMs }
}

interface Counts {
  readonly due: number
  readonly living: number
  /** Removed in the hour before the gap. */
  readonly before: number
}

function isTooMuch({ due, living, before }: Counts): boolean {
  return due > Math.max(FEW, living * LARGE_PART) || due > Math.max(FEW_BY_RATE, before * LARGE_MULTIPLE)
}

async function count(tx: Queryable, gap: Gap): Promise<Counts> {
  const of = (table: string): string => `
    (select count(*) from ${table} where swept_at is null and expires_at > $1::timestamptz
       and expires_at <= $2::timestamptz) as ${table}_due,
    (select count(*) from ${table} where swept_at is null and expires_at > $2::timestamptz) as ${table}_living,
    (select count(*) from ${table} where swept_at > $3::timestamptz) as ${table}_before`
  const [row] = await tx.query<Record<string, number>>(`select ${of('datasets')}, ${of('generations')}`, [
    timestampOf(gap.fromMs),
    timestampOf(gap.toMs),
    timestampOf(gap.fromMs - HOUR_MS),
  ])
  const sum = (what: string): number => (row?.[`datasets_${what}`] ?? 0) + (row?.[`generations_${what}`] ?? 0)
  return { due: sum('due'), living: sum('living'), before: sum('before') }
}

/** Up to when processes have watched time pass, and whether sweeps wait for the operator. */
export interface SweepWatch {
  /** Null: no process has watched yet. */
  readonly watchedUntilMs: number | null
  readonly held: HeldSweep | null
}

/** Why sweeps remove nothing. */
export interface HeldSweep {
  /** RFC 3339. */
  readonly since: string
  /** Datasets and generations that have expired, by the clock, in unwatched time. */
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

/** Records that time has been watched up to a moment, or that the operator confirms it: sweeps continue. */
export async function noteWatched(tx: Queryable, untilMs: number): Promise<void> {
  await tx.query(
    `update sweep_watch set watched_until = $1::timestamptz, held_since = null, held_due = null, held_living = null
     where only_row`,
    [timestampOf(untilMs)],
  )
}

/** Holds sweeps for the operator from `sinceMs` on, or from when they were first held. */
export async function noteHeld(tx: Queryable, held: Omit<HeldSweep, 'since'>, sinceMs: number): Promise<void> {
  await tx.query(
    `update sweep_watch set held_since = coalesce(held_since, $1::timestamptz), held_due = $2::bigint,
       held_living = $3::bigint
     where only_row`,
    [timestampOf(sinceMs), held.due, held.living],
  )
}

/** The operator confirms the clock: sweeps continue. Returns what was held; null: nothing was. */
export async function resumeSweeps(db: Database, nowMs: number): Promise<HeldSweep | null> {
  return await db.transaction(async (tx) => {
    const { held } = await readSweepWatch(tx, { lock: true })
    if (held !== null) await noteWatched(tx, nowMs)
    return held
  })
}
