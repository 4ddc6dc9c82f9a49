import type {
  Evidence,
  Generation,
  GenerationStatus,
  OutputFormat,
  Shortfall,
  TargetResult,
} from '../../contract/generations.ts'
import type { WorkError } from '../../contract/problem.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { releaseKeysOf } from './idempotency-keys.ts'
import { orphanBlob } from './orphaned-blobs.ts'

/** Conditions that fit the cleaned schema, in the schema's sequence; ranges of dates in milliseconds since 1970. */
export interface CheckedConditions {
  readonly shares: readonly {
    readonly column: string
    readonly levels: readonly (readonly [string, number])[]
    /** Level, least and greatest share. Absent: none. */
    readonly bounds?: readonly (readonly [string, number, number])[]
  }[]
  /** Absent: none. */
  readonly cells?: readonly CheckedCells[]
  readonly ranges: readonly { readonly column: string; readonly min: number; readonly max: number }[]
  /** Null: no bound, because JSON has no infinities. Absent: no means. */
  readonly means?: readonly { readonly column: string; readonly min: number | null; readonly max: number | null }[]
}

export interface CheckedCells {
  readonly columns: readonly string[]
  readonly cells: readonly { readonly levels: readonly string[]; readonly share: number }[]
}

export interface GenerationRow {
  readonly generation_id: string
  readonly tenant_id: string
  readonly dataset_id: string
  readonly job_id: string
  readonly status: GenerationStatus
  readonly row_count: number
  readonly seed: number
  readonly output_format: OutputFormat
  readonly conditions: CheckedConditions
  readonly created_at: string
  readonly expires_at: string
  readonly rows_generated: number | null
  readonly targets: TargetResult[] | null
  readonly shortfall: Shortfall | null
  readonly evidence: Evidence | null
  readonly error_code: string | null
  readonly error_detail: string | null
  readonly artifact_blob: string | null
  readonly artifact_bytes: number | null
  readonly artifact_sha256: string | null
  /** Null while it is in progress, if it failed, and in records of versions that did not store it. */
  readonly model_id: string | null
  readonly engine_version: string | null
}

const COLUMNS = `generation_id, tenant_id, dataset_id, job_id, status, row_count, seed, output_format, conditions,
  ${utcText('created_at')} as created_at, ${utcText('expires_at')} as expires_at, rows_generated, targets, shortfall,
  evidence, error_code, error_detail, artifact_blob, artifact_bytes, artifact_sha256, model_id, engine_version`

export interface NewGeneration {
  readonly generationId: string
  readonly tenantId: string
  readonly datasetId: string
  readonly jobId: string
  readonly requestId: string
  readonly rowCount: number
  readonly seed: number
  readonly outputFormat: OutputFormat
  readonly conditions: CheckedConditions
  readonly nowMs: number
  readonly expiresMs: number
}

export async function insertGeneration(tx: Queryable, generation: NewGeneration): Promise<GenerationRow> {
  const [row] = await tx.query<GenerationRow>(
    `insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed,
       output_format, conditions, created_at, expires_at)
     values ($1, $2, $3, $4, 'processing', $5, $6, $7, $8, $9::json, $10::timestamptz, $11::timestamptz)
     returning ${COLUMNS}`,
    [
      generation.generationId,
      generation.tenantId,
      generation.datasetId,
      generation.jobId,
      generation.requestId,
      generation.rowCount,
      generation.seed,
      generation.outputFormat,
      JSON.stringify(generation.conditions),
      timestampOf(generation.nowMs),
      timestampOf(generation.expiresMs),
    ],
  )
  return row as GenerationRow
}

/** A tenant's generation; null if it is unknown, belongs to another tenant, or its retention has ended. */
export async function readGeneration(
  db: Queryable,
  tenantId: string,
  generationId: string,
  nowMs: number,
): Promise<GenerationRow | null> {
  const row = (await readGenerations(db, [generationId], nowMs)).get(generationId)
  return row?.tenant_id === tenantId ? row : null
}

/** Unexpired generations of any tenant, by id: check `tenant_id` before showing one. */
export async function readGenerations(
  db: Queryable,
  generationIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, GenerationRow>> {
  const rows = await db.query<GenerationRow>(
    `select ${COLUMNS} from generations
     where generation_id = any($1::text[]) and expires_at > $2::timestamptz`,
    [generationIds, timestampOf(nowMs)],
  )
  return new Map(rows.map((row) => [row.generation_id, row]))
}

/** A generation with the model of its dataset; null while that is in training, and when it is gone. */
export interface GenerationWork extends GenerationRow {
  readonly model_blob: string | null
}

/** A generation of any tenant and age, for its job. */
export async function readGenerationOfJob(db: Queryable, generationId: string): Promise<GenerationWork | null> {
  const [row] = await db.query<GenerationWork>(
    `select ${COLUMNS}, (select model_blob from datasets d where d.dataset_id = generations.dataset_id) as model_blob
     from generations where generation_id = $1`,
    [generationId],
  )
  return row ?? null
}

export interface FinishedGeneration {
  readonly rowsGenerated: number
  readonly targets: readonly TargetResult[]
  readonly shortfall: Shortfall | null
  readonly evidence: Evidence
  readonly artifact: { readonly blob: string; readonly bytes: number; readonly sha256: string }
  readonly modelId: string
  readonly engineVersion: string
}

/** Records the artifact and enters its rows into the ledger. False if the generation no longer exists or has ended. */
export async function markFinished(
  tx: Queryable,
  row: Pick<GenerationRow, 'generation_id' | 'tenant_id' | 'dataset_id' | 'row_count'>,
  finished: FinishedGeneration,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update generations set status = $2, rows_generated = $3, targets = $4::json, shortfall = $5::json,
       evidence = $6::json, artifact_blob = $7, artifact_bytes = $8, artifact_sha256 = $9, model_id = $10, engine_version = $11
     where generation_id = $1 and status = 'processing' returning generation_id`,
    [
      row.generation_id,
      finished.rowsGenerated < row.row_count ? 'partial' : 'ready',
      finished.rowsGenerated,
      JSON.stringify(finished.targets),
      finished.shortfall === null ? null : JSON.stringify(finished.shortfall),
      JSON.stringify(finished.evidence),
      finished.artifact.blob,
      finished.artifact.bytes,
      finished.artifact.sha256,
      finished.modelId,
      finished.engineVersion,
    ],
  )
  if (rows.length === 0) return false
  await tx.query(
    `insert into ledger (generation_id, tenant_id, dataset_id, rows_generated, created_at)
     values ($1, $2, $3, $4, $5::timestamptz)`,
    [row.generation_id, row.tenant_id, row.dataset_id, finished.rowsGenerated, timestampOf(nowMs)],
  )
  return true
}

export interface GenerationFailure {
  readonly error: WorkError
  readonly shortfall?: Shortfall | null
  readonly evidence?: Evidence | null
}

/** Records a failure. Nothing enters the ledger. */
export async function markFailed(tx: Queryable, generationId: string, failure: GenerationFailure): Promise<void> {
  await tx.query(
    `update generations set status = 'failed', rows_generated = 0, error_code = $2, error_detail = $3,
       shortfall = $4::json, evidence = $5::json
     where generation_id = $1 and status = 'processing'`,
    [
      generationId,
      failure.error.code,
      failure.error.detail,
      failure.shortfall == null ? null : JSON.stringify(failure.shortfall),
      failure.evidence == null ? null : JSON.stringify(failure.evidence),
    ],
  )
}

/**
 * Removes a generation: its artifact becomes an orphan, and its idempotency key becomes free. The ledger keeps its
 * entry.
 */
export async function removeGeneration(
  tx: Queryable,
  row: Pick<GenerationRow, 'generation_id' | 'artifact_blob'>,
  nowMs: number,
): Promise<void> {
  await tx.query('delete from generations where generation_id = $1', [row.generation_id])
  if (row.artifact_blob !== null) await orphanBlob(tx, row.artifact_blob, nowMs)
  await releaseKeysOf(tx, row.generation_id)
}

/** GET /v1/generations/{generation_id}, and the reply of createGeneration. */
export function generationRecord(row: GenerationRow, requestId: string, artifactUrl: string | null): Generation {
  return {
    generation_id: row.generation_id,
    status: row.status,
    job_id: row.job_id,
    dataset_id: row.dataset_id,
    row_count: row.row_count,
    seed: row.seed,
    output_format: row.output_format,
    created_at: row.created_at,
    expires_at: row.expires_at,
    ...(artifactUrl !== null && { artifact_url: artifactUrl }),
    ...(row.rows_generated !== null && { rows_generated: row.rows_generated }),
    ...(row.targets !== null && { targets: row.targets }),
    ...(row.shortfall !== null && { shortfall: row.shortfall }),
    ...(row.evidence !== null && { evidence: row.evidence }),
    ...(row.error_code !== null && { error: { code: row.error_code, detail: row.error_detail ?? '' } }),
    ...(row.artifact_bytes !== null &&
      row.artifact_sha256 !== null && { artifact: { bytes: row.artifact_bytes, sha256: row.artifact_sha256 } }),
    ...(row.model_id !== null && { model_id: row.model_id }),
    ...(row.engine_version !== null && { engine_version: row.engine_version }),
    request_id: requestId,
  }
}
