import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database, Queryable } from './database.ts'
import { timestampOf } from './timestamps.ts'

/** Longest time between entering a blob that is being stored and recording what it belongs to: 2 hours. */
const STORING_MS = 2 * 60 * 60_000

/** Most blobs removed in one sweep. */
const SWEEP_LIMIT = 500

/** Enters a blob that is about to be stored; it is removed after a while unless `keepBlob` is called. */
export async function doomUnlessKept(db: Queryable, key: string, nowMs: number): Promise<void> {
  await doom(db, key, nowMs + STORING_MS)
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

/** Gives a blob up, in the transaction that ends what it belonged to; call `tryToRemoveDoomedBlobs` after the commit. */
export async function doomNow(tx: Queryable, key: string, nowMs: number): Promise<void> {
  await doom(tx, key, nowMs)
}

/** Gives a blob up that was entered and perhaps not kept: one that was kept stays. */
export async function doomUnrecorded(db: Queryable, key: string, nowMs: number): Promise<void> {
  await db.query('update doomed_blobs set due_at = $2::timestamptz where blob_key = $1', [key, timestampOf(nowMs)])
}

/**
 * Removes what is due. First it is made known that nobody may keep it, then the bytes go, then the entries: a crash in
 * between only means doing it again. Of several processes at the same moment each takes what is left.
 */
export async function removeDoomedBlobs(db: Database, blobs: BlobStore, nowMs: number): Promise<void> {
  const due = await db.query<{ blob_key: string }>(
    `update doomed_blobs set removing = true where blob_key in (
       select blob_key from doomed_blobs where due_at <= $1::timestamptz
       order by due_at limit ${SWEEP_LIMIT} for update skip locked)
     returning blob_key`,
    [timestampOf(nowMs)],
  )
  if (due.length === 0) return
  const keys = due.map((row) => row.blob_key)
  for (const key of keys) await blobs.delete(key)
  await db.query('delete from doomed_blobs where blob_key = any($1::text[]) and removing', [keys])
}

/** The same for whoever has done his work already: what cannot be removed now, the sweeper will remove, or report. */
export async function tryToRemoveDoomedBlobs(db: Database, blobs: BlobStore, nowMs: number): Promise<void> {
  await removeDoomedBlobs(db, blobs, nowMs).catch(() => undefined)
}

async function doom(db: Queryable, key: string, dueMs: number): Promise<void> {
  await db.query(
    `insert into doomed_blobs (blob_key, due_at) values ($1, $2::timestamptz)
     on conflict (blob_key) do update set due_at = excluded.due_at`,
    [key, timestampOf(dueMs)],
  )
}
