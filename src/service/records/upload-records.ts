import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { orphanPendings } from './orphaned-blobs.ts'

export interface UploadRow {
  readonly upload_id: string
  readonly tenant_id: string
  readonly sha256: string
  readonly bytes: number
  readonly part_bytes: number
  /** RFC 3339. */
  readonly expires_at: string
  /** Null: the upload is open. */
  readonly dataset_id: string | null
}

const COLUMNS = `upload_id, tenant_id, sha256, bytes, part_bytes, ${utcText('expires_at')} as expires_at, dataset_id`

/** Null for an unknown upload, that of another tenant, and an expired one alike. */
export async function readUpload(
  db: Queryable,
  tenantId: string,
  uploadId: string,
  nowMs: number,
): Promise<UploadRow | null> {
  const [row] = await db.query<UploadRow>(
    `select ${COLUMNS} from uploads where upload_id = $1 and tenant_id = $2 and expires_at > $3::timestamptz`,
    [uploadId, tenantId, timestampOf(nowMs)],
  )
  return row ?? null
}

/** The open uploads of a tenant, newest first, expired ones included. */
export async function openUploads(db: Queryable, tenantId: string): Promise<readonly UploadRow[]> {
  return await db.query<UploadRow>(
    `select ${COLUMNS} from uploads where tenant_id = $1 and dataset_id is null order by created_at desc`,
    [tenantId],
  )
}

export async function insertUpload(
  db: Queryable,
  upload: Omit<UploadRow, 'expires_at' | 'dataset_id'> & { readonly nowMs: number; readonly expiresMs: number },
): Promise<UploadRow> {
  const { upload_id, tenant_id, sha256, bytes, part_bytes, nowMs, expiresMs } = upload
  const [row] = await db.query<UploadRow>(
    `insert into uploads (upload_id, tenant_id, sha256, bytes, part_bytes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz) returning ${COLUMNS}`,
    [upload_id, tenant_id, sha256, bytes, part_bytes, timestampOf(nowMs), timestampOf(expiresMs)],
  )
  return row as UploadRow
}

/** The blobs of its parts by number, ascending. */
export async function readParts(db: Queryable, uploadId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ number: number; blob_key: string }>(
    'select number, blob_key from upload_parts where upload_id = $1 order by number',
    [uploadId],
  )
  return new Map(rows.map(({ number, blob_key }) => [number, blob_key]))
}

/** Records a part in place of one that was there, whose blob is orphaned. False: the upload is no longer open. */
export async function recordPart(
  tx: Queryable,
  { uploadId, number, blob, nowMs }: { uploadId: string; number: number; blob: string; nowMs: number },
): Promise<boolean> {
  const open = await tx.query(
    'select 1 from uploads where upload_id = $1 and dataset_id is null and expires_at > $2::timestamptz for update',
    [uploadId, timestampOf(nowMs)],
  )
  if (open.length === 0) return false
  const before = await tx.query<{ blob_key: string }>(
    'delete from upload_parts where upload_id = $1 and number = $2 returning blob_key',
    [uploadId, number],
  )
  await tx.query('insert into upload_parts (upload_id, number, blob_key) values ($1, $2, $3)', [uploadId, number, blob])
  await orphanPendings(
    tx,
    before.map(({ blob_key }) => blob_key),
    nowMs,
  )
  return true
}

/** Ends an upload that became a dataset: its parts are orphaned. False: it is no longer open. */
export async function useUpload(tx: Queryable, uploadId: string, datasetId: string, nowMs: number): Promise<boolean> {
  const used = await tx.query(
    'update uploads set dataset_id = $2 where upload_id = $1 and dataset_id is null returning 1',
    [uploadId, datasetId],
  )
  if (used.length === 0) return false
  await orphanParts(tx, [uploadId], nowMs)
  return true
}

/** Removes uploads; their parts are orphaned. */
export async function removeUploads(tx: Queryable, uploadIds: readonly string[], nowMs: number): Promise<void> {
  if (uploadIds.length === 0) return
  await orphanParts(tx, uploadIds, nowMs)
  await tx.query('delete from uploads where upload_id = any($1::text[])', [uploadIds])
}

/** Removes expired uploads, up to `limit`. Returns how many. */
export async function removeExpiredUploads(tx: Queryable, nowMs: number, limit: number): Promise<number> {
  const rows = await tx.query<{ upload_id: string }>(
    `select upload_id from uploads where expires_at <= $1::timestamptz
     order by expires_at limit $2::integer for update skip locked`,
    [timestampOf(nowMs), limit],
  )
  await removeUploads(
    tx,
    rows.map(({ upload_id }) => upload_id),
    nowMs,
  )
  return rows.length
}

async function orphanParts(tx: Queryable, uploadIds: readonly string[], nowMs: number): Promise<void> {
  const parts = await tx.query<{ blob_key: string }>(
    'delete from upload_parts where upload_id = any($1::text[]) returning blob_key',
    [uploadIds],
  )
  await orphanPendings(
    tx,
    parts.map(({ blob_key }) => blob_key),
    nowMs,
  )
}
