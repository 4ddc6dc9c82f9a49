import type { Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'
import { keepBlob, orphanBlob } from './orphaned-blobs.ts'

/**
 * Most cached models per dataset, by number and by size in bytes; the least recently used ones are removed. A cached
 * model has the trees of one column order that a scenario needed. Its table is called `orders` in released migrations.
 * Renaming it would break processes of the previous version, which continue while a new one is rolled out.
 */
const MAX_CACHED = 64
const MAX_BYTES = 128 * 2 ** 20

/** Resolution of the time of last use, so that a frequently repeated scenario writes nothing. */
const USE_MS = 60_000

/** The key of a cached model: its dataset's model and the columns that come first in it. */
export interface CachedModelKey {
  readonly datasetId: string
  readonly modelBlob: string
  readonly columnsKey: string
}

/** Finds the blob of a cached model and counts a use; null if there is none. */
export async function readCachedModel(
  db: Queryable,
  { datasetId, columnsKey }: CachedModelKey,
  nowMs: number,
): Promise<string | null> {
  const [row] = await db.query<{ blob_key: string; is_old: boolean }>(
    `select blob_key, used_at < $3::timestamptz as is_old from orders where dataset_id = $1 and columns_key = $2`,
    [datasetId, columnsKey, timestampOf(nowMs - USE_MS)],
  )
  if (row === undefined) return null
  if (row.is_old) {
    await db.query('update orders set used_at = $3::timestamptz where dataset_id = $1 and columns_key = $2', [
      datasetId,
      columnsKey,
      timestampOf(nowMs),
    ])
  }
  return row.blob_key
}

/**
 * Records a cached model whose blob is stored, unless the dataset was deleted or another process was first. `replaced`
 * is the unreadable blob, if there was one. Returns whether it was recorded.
 */
export async function recordCachedModel(
  tx: Queryable,
  { datasetId, modelBlob, columnsKey }: CachedModelKey,
  cached: { readonly blob: string; readonly bytes: number; readonly replaced: string | null },
  nowMs: number,
): Promise<boolean> {
  // Key share: the dataset cannot be removed before this transaction ends, and others may cache models of it.
  const rows = await tx.query(
    `with dataset as (select dataset_id, tenant_id from datasets where dataset_id = $1 and model_blob = $2 for key share)
     insert into orders (dataset_id, tenant_id, columns_key, blob_key, bytes, used_at)
       select dataset_id, tenant_id, $3, $4, $5::bigint, $6::timestamptz from dataset
     on conflict (dataset_id, columns_key) do update
       set blob_key = excluded.blob_key, bytes = excluded.bytes, used_at = excluded.used_at
       where orders.blob_key = $7
     returning blob_key`,
    [datasetId, modelBlob, columnsKey, cached.blob, cached.bytes, timestampOf(nowMs), cached.replaced],
  )
  if (rows.length === 0) return false
  await keepBlob(tx, cached.blob)
  if (cached.replaced !== null) await orphanBlob(tx, cached.replaced, nowMs)
  await dropLeastUsed(tx, datasetId, nowMs)
  return true
}

/** Removes all cached models of a dataset that is being deleted. */
export async function removeCachedModels(tx: Queryable, datasetId: string, nowMs: number): Promise<void> {
  const rows = await tx.query<{ blob_key: string }>('delete from orders where dataset_id = $1 returning blob_key', [
    datasetId,
  ])
  for (const { blob_key } of rows) await orphanBlob(tx, blob_key, nowMs)
}

async function dropLeastUsed(tx: Queryable, datasetId: string, nowMs: number): Promise<void> {
  const rows = await tx.query<{ blob_key: string }>(
    `delete from orders where dataset_id = $1 and columns_key in (
       select columns_key from (
         select columns_key, row_number() over newest as place, sum(bytes) over newest as total
         from orders where dataset_id = $1 window newest as (order by used_at desc, columns_key)
       ) as ranked where place > $2 or (place > 1 and total > $3))
     returning blob_key`,
    [datasetId, MAX_CACHED, MAX_BYTES],
  )
  for (const { blob_key } of rows) await orphanBlob(tx, blob_key, nowMs)
}
