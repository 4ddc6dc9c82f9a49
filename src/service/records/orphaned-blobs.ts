import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/**
 * Longest time between entering a blob that is being stored and recording what it belongs to: 2 hours. The entries are
 * in the table `doomed_blobs`: released migrations, the metric `whatif_stock` and the processes of an older version
 * during a rolling deployment use that name.
 */
const STORING_MS = 2 * 60 * 60_000

/** Time for removing taken blobs; afterwards they are due for others again. */
const TAKEN_MS = 2 * 60_000

/** Enters a blob that is about to be stored. It becomes an orphan after this time unless `keepBlob` is called. */
export async function markPending(db: Queryable, key: string, nowMs: number): Promise<void> {
  await enter(db, key, nowMs + STORING_MS)
}

/** The same for a blob that becomes an orphan at a time of its own, and is not recorded before that. */
export async function markPendingUntil(db: Queryable, key: string, dueMs: number): Promise<void> {
  await enter(db, key, dueMs)
}

/**
 * Deletes a blob's entry, in the transaction that records what it belongs to.
 *
 * @throws Error if it was not recorded in time and its bytes may be removed: nothing may be recorded then.
 */
export async function keepBlob(tx: Queryable, key: string): Promise<void> {
  const rows = await tx.query('delete from doomed_blobs where blob_key = $1 and not removing returning blob_key', [key])
  if (rows.length === 0) throw new Error(`The blob ${key} was not recorded in time and has become an orphan.`)
}

/**
 * Makes a blob an orphan, in the transaction that removes what it belonged to. The blob remover of some process removes
 * it.
 */
export async function orphanBlob(tx: Queryable, key: string, nowMs: number): Promise<void> {
  await enter(tx, key, nowMs)
}

/** Makes an entered blob an orphan now; a recorded one stays. */
export async function orphanPending(db: Queryable, key: string, nowMs: number): Promise<void> {
  await orphanPendings(db, [key], nowMs)
}

/** The same for many. */
export async function orphanPendings(db: Queryable, keys: readonly string[], nowMs: number): Promise<void> {
  if (keys.length === 0) return
  await db.query('update doomed_blobs set due_at = $2::timestamptz where blob_key = any($1::text[]) and not removing', [
    keys,
    timestampOf(nowMs),
  ])
}

/**
 * Takes up to `limit` due orphans for this process alone, for two minutes. From then on they can no longer be recorded.
 * If `forgetOrphans` does not record their removal, they are due again. While a backup holds blobs, none is taken.
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

/** Releases orphans that were taken but not removed: they are due from `dueMs` on. */
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
 * While blobs are held, none is removed. A backup first copies the records of one moment and then the blobs, so every
 * blob that those records name must still exist. Uses the database's clock, which all processes share.
 */
export const BLOBS_ARE_HELD = 'exists (select 1 from blob_hold where until_at > now())'

/** Holds all blobs for this time, in seconds, from now on; a longer existing hold stays. Returns its end (RFC 3339). */
export async function holdBlobs(db: Queryable, seconds: number): Promise<string> {
  const [row] = await db.query<{ until_at: string }>(
    `insert into blob_hold (until_at) values (now() + make_interval(secs => $1::double precision))
     on conflict (is_only) do update set until_at = greatest(blob_hold.until_at, excluded.until_at)
     returning ${utcText('until_at')} as until_at`,
    [seconds],
  )
  return (row as { until_at: string }).until_at
}

/** Ends the hold; false if there was none. */
export async function releaseBlobs(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ was_held: boolean }>('delete from blob_hold returning until_at > now() as was_held')
  return rows.some((row) => row.was_held)
}
