import { Buffer } from 'node:buffer'
import type { SchemaColumn } from '../../contract/datasets.ts'
import type { GenerationRequest, OutputFormat } from '../../contract/generations.ts'
import type { GenerationQuote } from '../../contract/quotes.ts'
import type { ServiceContext } from '../context/context.ts'
import { datasetNotReady, noSuchDataset } from '../datasets/dataset-problems.ts'
import { storedSchemas } from '../datasets/stored-schemas.ts'
import { ProblemError } from '../http/problem-error.ts'
import { admitGeneration } from '../jobs/admission.ts'
import { readDataset } from '../records/dataset-records.ts'
import { readLeftToStore, readTenantLimits } from '../records/tenant-limits.ts'
import { readUsage } from '../records/usage.ts'
import { checkConditions } from './check-conditions.ts'

export interface QuoteRequest {
  readonly tenantId: string
  readonly datasetId: string
  readonly body: GenerationRequest
}

/**
 * What a generation would take at most, and whether the tenant's quota allows it. The request is checked as for a
 * generation; nothing is recorded.
 */
export async function quoteGeneration(
  context: ServiceContext,
  { tenantId, datasetId, body }: QuoteRequest,
): Promise<Omit<GenerationQuote, 'request_id'>> {
  const { db, settings, now } = context
  const dataset = await readDataset(db, tenantId, datasetId, now())
  if (dataset === null) throw noSuchDataset()
  if (dataset.status === 'processing') throw datasetNotReady(dataset)
  const schema = await storedSchemas(db).read(tenantId, datasetId)
  if (schema === null) throw noSuchDataset()
  const columns = await schema.columns()
  await checkConditions(body.conditions, columns, settings)
  const limits = await readTenantLimits(db, tenantId)
  const usage = await readUsage(db, tenantId)
  const { limits: storage, stored } = await readLeftToStore(db, tenantId, settings)
  const bytesLeft = stored === null ? null : Math.max(0, stored.leftBytes)
  const format = body.output_format ?? 'parquet'
  const bounds = [bytesAtMost(columns, body.row_count, format), storage.artifactBytes, bytesLeft]
  const refusal = await refusalOf(context, tenantId, body.row_count)
  return {
    output_format: format,
    rows_at_most: body.row_count,
    bytes_at_most: Math.min(...bounds.filter((bound) => bound !== null)),
    accepted: refusal === null,
    ...(refusal !== null && { refusal }),
    quota: {
      per_request_rows: limits.requestRowCap,
      rows_left:
        limits.subscriptionRows === null
          ? null
          : Math.max(0, limits.subscriptionRows - usage.rows_billed - usage.rows_reserved),
      bytes_left: bytesLeft,
      per_artifact_bytes: storage.artifactBytes,
    },
  }
}

/** By the same check that a generation meets, so that both say the same. */
async function refusalOf({ db, settings }: ServiceContext, tenantId: string, rowCount: number): Promise<string | null> {
  try {
    await db.transaction(async (tx) => await admitGeneration(tx, tenantId, rowCount, settings))
    return null
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'svc_quota_exceeded') return error.message
    throw error
  }
}

/** Longest text of a number or a date: `-1.2345678901234567e-300`, `2026-05-04T10:00:00.000Z`. */
const NUMBER_BYTES = 25
/** What a format adds once, and for each column: headers, footers, dictionaries, statistics. */
const FILE_BYTES = 64 * 1024
const COLUMN_BYTES = 4 * 1024
/** Columnar files repeat these for each group of so many rows, or more. */
const GROUP_ROWS = 10_000

/** As many bytes as an artifact could have if every cell held the longest value of its column. */
export function bytesAtMost(columns: readonly SchemaColumn[], rows: number, format: OutputFormat): number {
  let perRow = 1
  let perGroup = 0
  for (const column of columns) {
    const levels = column.type === 'categorical' ? column.levels.map(cellBytes) : []
    // A separator, or the bit of a missing value and the place in a dictionary.
    perRow += Math.max(NUMBER_BYTES, ...levels) + 8
    perGroup += cellBytes(column.name) + COLUMN_BYTES + levels.reduce((sum, bytes) => sum + bytes, 0)
  }
  const groups = format === 'csv' ? 1 : Math.ceil(rows / GROUP_ROWS)
  return FILE_BYTES + rows * perRow + groups * perGroup
}

/** In quotes that double those inside; a formula that is escaped has one character more. */
function cellBytes(text: string): number {
  return Buffer.byteLength(text) + (text.match(/"/g)?.length ?? 0) + 3
}
