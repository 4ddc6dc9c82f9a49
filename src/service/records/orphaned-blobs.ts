import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/**
 * Longest time between entering a blob that is being stored and recording what it belongs to: 2 hours. Entries lie in the table
 * `doomed_blobs`; released migrations and the metric `whatif_stock` have that name.
 */
const STORING_MS = 2 * 60 * 60_000

/** Whoever takes blobs to remove them has so long; then they are due for others again. */
const TAKEN_MS = 2 * 60_000

/** Enters a blob that is about to be stored. It becomes an orphan after a while unless `keepBlob` is called. */
export async function markPending(db: Queryable, key: string, nowMs: number): Promise<void> {
  await enter(db, key, nowMs + STORING_MS)
}

/**
 * Takes a blob out, in the transaction that records what it belongs to.
 *
 * @throws Error when it was not recorded in time and its bytes may be gone: nothing may be recorded then.
 */
export async function keepBlob(tx: Queryable, key: string): Promise<void> {
  const rows = await tx.query('delete from doomed_blobs where blob_key = $1 and not removing returning blob_key', [key])
  if (rows.length === 0) throw new Error(`The blob ${key} was not recorded in time and has been given up.`)
}

/** Makes a blob an orphan, in the transaction that ends what it belonged to. The blob remover of some process removes it. */
export async function orphanBlob(tx: Queryable, key: string, nowMs: number): Promise<void> {
  await enter(tx, key, nowMs)
}

/** Makes an entered blob an orphan now; one that was kept stays. */
export async function orphanPending(db: Queryable, key: string, nowMs: number): Promise<void> {
  await db.query('update doomed_blobs set due_at = $2::timestamptz where blob_key = $1 and not removing', [
    key,
    timestampOf(nowMs),
  ])
}

/**
 * Takes up to `limit` orphans that are due, for this process alone and for two minutes: from then on nobody may keep them,
 * and if their removal is not recorded by `forgetOrphans`, they are due again. While a backup holds blobs, none is taken.
 */
export async function takeOrphans(db: Queryable, limit: number, nowMs: number): Promise<readonly string[]> {
  const due = await db.query<{ blob_key: string }>(
    `update doomed_blobs set removing = true, due_at = $2::timestamptz where blob_key in (
       select blob_key from doomed_blobs where due_at <= $1::timestamptz and not ${BLOBS_ARE_HELD}
       order by due_at limit $3::integer for update skip locked)
     returning blob_key`,
    [timestampOf(nowMs), timestampOf(nowMs + TAKEN_MS), limit],
  )
  return due.map((row) => row.blob_key)
}

/** Records that blobs are removed. */
export async function forgetOrphans(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query('delete from doomed_blobs where blob_key = any($1::text[]) and removing', [keys])
}

/** Returns orphans that were taken and not removed: they are due from `dueMs` on. */
export async function returnOrphans(db: Queryable, keys: readonly string[], dueMs: number): Promise<void> {
  await db.query('update doomed_blobs set due_at = $2::timestamptz where blob_key = any($1::text[]) and removing', [
    keys,
    timestampOf(dueMs),
  ])
}

async function enter(db: Queryable, key: string, dueMs: number): Promise<void> {
  await db.query(
    `insert into doomed_blobs (blob_key, due_at) values ($1, $2::timestamptz)
     on conflict (blob_key) do update set due_at = excluded.due_at`,
    [key, timestampOf(dueMs)],
  )
}

/**
 * While blobs are held, none is removed: a backup takes the records of one moment first and copies blobs after, and
 * whatever those records name must still be there. By the database's clock, which all processes share.
 */
export const BLOBS_ARE_HELD = 'exists (select 1 from blob_hold where until_at > now())'

/** Holds all blobs for so long, in seconds, from now on; a hold that lasts longer stays. Returns its end (RFC 3339). */
export async function holdBlobs(db: Queryable, seconds: number): Promise<string> {
  const [row] = await db.query<{ until_at: string }>(
    `insert into blob_hold (until_at) values (now() + make_interval(secs => $1::double precision))
     on conflict (is_only) do update set until_at = greatest(blob_hold.until_at, excluded.until_at)
     returning ${utcText('until_at')} as until_at`,
    [seconds],
  )
  return (row as { until_at: string }).until_at
}

/** Ends the hold; false when there was none. */
export async function releaseBlobs(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ was_held: boolean }>('delete from blob_hold returning until_at > now() as was_held')
  return rows.some((row) => row.was_held)
}
