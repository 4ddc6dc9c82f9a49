import type { BlobStore } from './blobs/blob-store.ts'
import { endJobsOfDataset } from './jobs/end-jobs.ts'
import { lockDataset, readDatasetOfJob, removeDataset } from './records/dataset-records.ts'
import { removeGeneration } from './records/generation-records.ts'
import type { Database } from './store/database.ts'
import { MARKER_KEY } from './store/installation.ts'
import { timestampOf } from './store/timestamps.ts'

/**
 * A stray blob is removed an hour after it became an orphan, so that an operator who named the wrong database can still
 * undo it.
 */
const GRACE_MS = 60 * 60_000
/** Keys in one statement. */
const BATCH = 1000

/** A record and the blob that it names. */
export interface BlobUse {
  readonly kind: 'dataset' | 'generation' | 'order'
  readonly id: string
  readonly blobKey: string
}

/** Differences between records and blobs of a service. */
export interface StorageDifference {
  /** Blobs in the storage. */
  readonly blobs: number
  /** Blobs that no record names and that are not already being removed. */
  readonly strays: readonly { readonly key: string; readonly bytes: number }[]
  /** Records whose blob is missing, so that they cannot be used although they show as ready. */
  readonly missing: readonly BlobUse[]
}

/** References to blobs. Seeds are referenced until their training has ended. */
const USES = `
  select 'dataset' as kind, dataset_id as id, seed_blob as blob_key from datasets where seed_blob is not null
  union all select 'dataset', dataset_id, model_blob from datasets where model_blob is not null
  union all select 'generation', generation_id, artifact_blob from generations where artifact_blob is not null
  union all select 'order', dataset_id, blob_key from orders`

/**
 * Compares records and blobs, for example after a restoration. The service may be running: blobs are listed first, and
 * each is entered in the database before it is stored, so a listed blob that is in no table is certainly a stray.
 * Memory grows with the number of blobs, some 200 bytes each.
 */
export async function compareStorage(db: Database, blobs: BlobStore): Promise<StorageDifference> {
  const listed = new Map<string, number>()
  for await (const page of blobs.list()) for (const { key, bytes } of page) listed.set(key, bytes)
  // The storage's marker belongs to no record, and does not show whose the other blobs are.
  listed.delete(MARKER_KEY)
  // Read at one moment, because a blob may move from the orphans to a record.
  const known = await db.query<{ kind: BlobUse['kind'] | 'orphan'; id: string; blob_key: string }>(
    `${USES} union all select 'orphan', '', blob_key from doomed_blobs`,
  )
  const keys = new Set(known.map((row) => row.blob_key))
  const strays = [...listed].filter(([key]) => !keys.has(key)).map(([key, bytes]) => ({ key, bytes }))
  const missing: BlobUse[] = []
  for (const { kind, id, blob_key: blobKey } of known) {
    if (kind === 'orphan' || listed.has(blobKey)) continue
    // The blob may have been stored since the listing.
    if ((await blobs.size(blobKey)) === null) missing.push({ kind, id, blobKey })
  }
  return { blobs: listed.size, strays, missing }
}

/**
 * Makes records and blobs agree. Strays become orphans and are removed in an hour. Records without their blob are
 * removed as if they had been deleted. The ledger keeps what was billed. `nowMs`: by the database's clock.
 */
export async function repairStorage(
  db: Database,
  { strays, missing }: StorageDifference,
  nowMs: number,
): Promise<void> {
  for (let start = 0; start < strays.length; start += BATCH) {
    const keys = strays.slice(start, start + BATCH).map(({ key }) => key)
    await db.query(
      `insert into doomed_blobs (blob_key, due_at) select key, $2::timestamptz from unnest($1::text[]) as key
       on conflict (blob_key) do nothing`,
      [keys, timestampOf(nowMs + GRACE_MS)],
    )
  }
  for (const use of missing) {
    await db.transaction(async (tx) => {
      if (use.kind === 'dataset') await lockDataset(tx, use.id)
      const uses = await tx.query(`select 1 from (${USES}) as uses where kind = $1 and id = $2 and blob_key = $3`, [
        use.kind,
        use.id,
        use.blobKey,
      ])
      // Its training has ended, or it was deleted, meanwhile.
      if (uses.length === 0) return
      if (use.kind === 'order') await tx.query('delete from orders where blob_key = $1', [use.blobKey])
      else if (use.kind === 'generation') {
        await removeGeneration(tx, { generation_id: use.id, artifact_blob: use.blobKey }, nowMs)
      } else {
        await endJobsOfDataset(tx, use.id, nowMs)
        const row = await readDatasetOfJob(tx, use.id)
        if (row !== null) await removeDataset(tx, row, nowMs)
      }
    })
  }
}
