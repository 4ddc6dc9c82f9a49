import type { CleaningSummary, Dataset, DatasetReceipt, TrainingSummary } from '../../contract/datasets.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { removeCachedModels } from './cached-models.ts'
import { releaseKeysOf } from './idempotency-keys.ts'
import { orphanBlob } from './orphaned-blobs.ts'
import type { SchemaPlace } from './schema-records.ts'

/** A dataset in a list. */
export interface DatasetHead {
  readonly dataset_id: string
  readonly status: 'processing' | 'ready'
  readonly display_name: string | null
  readonly created_at: string
  readonly expires_at: string
}

export interface DatasetRow extends DatasetHead {
  readonly tenant_id: string
  readonly job_id: string
  readonly auto_clean: boolean
  readonly weight_column: string | null
  /** JSON of a survey design. */
  readonly design: string | null
  readonly seed_blob: string | null
  readonly model_blob: string | null
}

/** The summaries of a ready dataset, as stored text: nothing here parses it. */
export interface DatasetSummaries {
  readonly cleaning_summary: string | null
  readonly training_summary: string | null
}

const HEAD_COLUMNS = `dataset_id, status, display_name, ${utcText('created_at')} as created_at,
  ${utcText('expires_at')} as expires_at`
const COLUMNS = `${HEAD_COLUMNS}, tenant_id, job_id, auto_clean, weight_column, design, seed_blob, model_blob`

export interface NewDataset {
  readonly datasetId: string
  readonly tenantId: string
  readonly jobId: string
  readonly displayName: string | null
  readonly autoClean: boolean
  readonly weightColumn: string | null
  readonly design: string | null
  readonly requestId: string
  readonly seedBlob: string
  readonly seedBytes: number
  readonly seedSha256: string
  readonly nowMs: number
  readonly expiresMs: number
}

export async function insertDataset(tx: Queryable, dataset: NewDataset): Promise<void> {
  await tx.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, display_name, auto_clean, request_id, seed_blob,
       seed_bytes, seed_sha256, created_at, expires_at, weight_column, design)
     values ($1, $2, $3, 'processing', $4, $5, $6, $7, $8, $9, $10::timestamptz, $11::timestamptz, $12, $13)`,
    [
      dataset.datasetId,
      dataset.tenantId,
      dataset.jobId,
      dataset.displayName,
      dataset.autoClean,
      dataset.requestId,
      dataset.seedBlob,
      dataset.seedBytes,
      dataset.seedSha256,
      timestampOf(dataset.nowMs),
      timestampOf(dataset.expiresMs),
      dataset.weightColumn,
      dataset.design,
    ],
  )
}

/** A tenant's dataset; null if it is unknown, belongs to another tenant, or its retention has ended. */
export async function readDataset(
  db: Queryable,
  tenantId: string,
  datasetId: string,
  nowMs: number,
): Promise<DatasetRow | null> {
  const row = (await readDatasets(db, [datasetId], nowMs)).get(datasetId)
  return row?.tenant_id === tenantId ? row : null
}

/**
 * As `readDataset`, and protects the dataset from removal until the transaction ends; several transactions can do so at
 * once.
 */
export async function shareDataset(
  tx: Queryable,
  tenantId: string,
  datasetId: string,
  nowMs: number,
): Promise<DatasetRow | null> {
  const [row] = await tx.query<DatasetRow>(
    `select ${COLUMNS} from datasets
     where dataset_id = $1 and tenant_id = $2 and expires_at > $3::timestamptz for key share`,
    [datasetId, tenantId, timestampOf(nowMs)],
  )
  return row ?? null
}

/** Unexpired datasets of any tenant, by id: check `tenant_id` before showing one. */
export async function readDatasets(
  db: Queryable,
  datasetIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, DatasetRow>> {
  const rows = await db.query<DatasetRow>(
    `select ${COLUMNS} from datasets where dataset_id = any($1::text[]) and expires_at > $2::timestamptz`,
    [datasetIds, timestampOf(nowMs)],
  )
  return new Map(rows.map((row) => [row.dataset_id, row]))
}

/** A dataset of any tenant and age, for its job. */
export async function readDatasetOfJob(db: Queryable, datasetId: string): Promise<DatasetRow | null> {
  const [row] = await db.query<DatasetRow>(`select ${COLUMNS} from datasets where dataset_id = $1`, [datasetId])
  return row ?? null
}

/** Locks a dataset, if it exists, against change and removal until the transaction ends. */
export async function lockDataset(tx: Queryable, datasetId: string): Promise<void> {
  await tx.query('select 1 from datasets where dataset_id = $1 for update', [datasetId])
}

/** Summaries by dataset. They are not in `DatasetRow` because a wide dataset's summaries are large. */
export async function readSummaries(
  db: Queryable,
  datasetIds: readonly string[],
): Promise<ReadonlyMap<string, DatasetSummaries>> {
  const rows = await db.query<DatasetSummaries & { dataset_id: string }>(
    `select dataset_id, cleaning_summary::text as cleaning_summary, training_summary::text as training_summary
     from datasets where dataset_id = any($1::text[])`,
    [datasetIds],
  )
  return new Map(rows.map((row) => [row.dataset_id, row]))
}

/** Start of a list page: after this dataset, newest first. */
export interface ListPosition {
  readonly createdAt: string
  readonly datasetId: string
}

/** Ready datasets of a tenant, newest first: `limit` of them, and one more if there are more. */
export async function listDatasets(
  db: Queryable,
  tenantId: string,
  page: { readonly after: ListPosition | null; readonly limit: number; readonly nowMs: number },
): Promise<readonly DatasetHead[]> {
  const after = page.after
  return await db.query<DatasetHead>(
    `select ${HEAD_COLUMNS} from datasets
     where tenant_id = $1 and status = 'ready' and expires_at > $2::timestamptz
       ${after === null ? '' : 'and (created_at, dataset_id) < ($4::timestamptz, $5)'}
     order by datasets.created_at desc, dataset_id desc limit $3`,
    [tenantId, timestampOf(page.nowMs), page.limit + 1, ...(after === null ? [] : [after.createdAt, after.datasetId])],
  )
}

/** The result of training a dataset. */
export interface TrainedDataset {
  readonly modelBlob: string
  readonly modelBytes: number
  readonly schema: SchemaPlace
  readonly cleaningSummary: CleaningSummary
  readonly trainingSummary: TrainingSummary
}

/** Makes a dataset ready and orphans its seed file, which the model replaces. False if the dataset no longer exists. */
export async function markReady(
  tx: Queryable,
  row: Pick<DatasetRow, 'dataset_id' | 'seed_blob'>,
  trained: TrainedDataset,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update datasets set status = 'ready', model_blob = $2, schema = $3::json, cleaning_summary = $4::json,
       training_summary = $5::json, model_bytes = $6, schema_attempt = $7, seed_blob = null
     where dataset_id = $1 and status = 'processing' returning dataset_id`,
    [
      row.dataset_id,
      trained.modelBlob,
      trained.schema.json,
      JSON.stringify(trained.cleaningSummary),
      JSON.stringify(trained.trainingSummary),
      trained.modelBytes,
      trained.schema.attempt,
    ],
  )
  if (rows.length === 0) return false
  if (row.seed_blob !== null) await orphanBlob(tx, row.seed_blob, nowMs)
  return true
}

/** Removes a dataset: its blobs become orphans, and its idempotency key becomes free. */
export async function removeDataset(
  tx: Queryable,
  row: Pick<DatasetRow, 'dataset_id' | 'seed_blob' | 'model_blob'>,
  nowMs: number,
): Promise<void> {
  await tx.query('delete from datasets where dataset_id = $1', [row.dataset_id])
  for (const blob of [row.seed_blob, row.model_blob]) if (blob !== null) await orphanBlob(tx, blob, nowMs)
  await removeCachedModels(tx, row.dataset_id, nowMs)
  await releaseKeysOf(tx, row.dataset_id)
}

/** GET /v1/datasets/{dataset_id}, as JSON. */
export function datasetRecord(row: DatasetRow, summaries: DatasetSummaries | null, requestId: string): string {
  const head: Dataset = {
    dataset_id: row.dataset_id,
    status: row.status,
    display_name: row.display_name,
    request_id: requestId,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }
  return withSummaries(head, summaries)
}

/** Reply of POST /v1/datasets, as JSON. */
export function datasetReceipt(row: DatasetRow, summaries: DatasetSummaries | null, requestId: string): string {
  const { dataset_id, status, expires_at } = row
  if (status === 'ready') return withSummaries({ dataset_id, status, request_id: requestId, expires_at }, summaries)
  const receipt: DatasetReceipt = { dataset_id, status, request_id: requestId, job_id: row.job_id }
  return JSON.stringify(receipt)
}

function withSummaries(head: DatasetReceipt, summaries: DatasetSummaries | null): string {
  const { cleaning_summary = null, training_summary = null } = summaries ?? {}
  const cleaning = cleaning_summary === null ? '' : `,"cleaning_summary":${cleaning_summary}`
  const training = training_summary === null ? '' : `,"training_summary":${training_summary}`
  return `${JSON.stringify(head).slice(0, -1)}${cleaning}${training}}`
}
