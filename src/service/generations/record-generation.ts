import { createHash, randomInt } from 'node:crypto'
import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'
import type { GenerationRequest } from '../../contract/generations.ts'
import type { ServiceContext } from '../context/context.ts'
import { datasetNotReady, noSuchDataset } from '../datasets/dataset-problems.ts'
import { stillInFlight, usedOtherwise } from '../datasets/held-upload-key.ts'
import { type StoredSchema, storedSchemas } from '../datasets/stored-schemas.ts'
import { admitGeneration, QueueRoom } from '../jobs/admission.ts'
import { generationWorkMs } from '../jobs/expected-work.ts'
import { type DatasetRow, readDataset } from '../records/dataset-records.ts'
import {
  type CheckedConditions,
  type GenerationRow,
  insertGeneration,
  readGeneration,
} from '../records/generation-records.ts'
import { type KeyScope, readKey, releaseKeysOf, useFreeKey } from '../records/idempotency-keys.ts'
import { insertJob } from '../records/job-records.ts'
import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { checkConditions } from './check-conditions.ts'

const HOUR_MS = 60 * 60_000
/** Number of seeds that can be drawn if none is given: 2^48, all safe integers. */
const SEED_LIMIT = 2 ** 48 - 1

/** A generation that a client asked for, alone or in a batch. */
export interface GenerationOrder {
  readonly tenantId: string
  readonly datasetId: string
  readonly requestId: string
  readonly traceParent: string | null
  readonly idempotencyKey: string | null
  readonly body: GenerationRequest
}

/** An order whose conditions fit the cleaned schema. */
export interface CheckedOrder extends GenerationOrder {
  readonly conditions: CheckedConditions
  readonly columnCount: number
}

/**
 * What an earlier request with the order's key created; null if there was none.
 *
 * @throws ProblemError `svc_idempotency_conflict`
 */
export async function earlierGeneration(
  context: ServiceContext,
  order: GenerationOrder,
): Promise<GenerationRow | null> {
  if (order.idempotencyKey === null) return null
  const scope = scopeOf(order, order.idempotencyKey)
  const state = await readKey(context.db, scope, context.now())
  if (state.kind === 'in_flight') throw stillInFlight()
  if (state.kind === 'free') return null
  const generation = await readGeneration(context.db, scope.tenantId, state.resourceId, context.now())
  if (generation === null) {
    // It has expired and waits for the sweeper: the key counts as new.
    await releaseKeysOf(context.db, state.resourceId)
    return null
  }
  if (state.fingerprint !== fingerprintOf(order)) throw usedOtherwise()
  return generation
}

/** @throws ProblemError for conditions that do not fit the schema */
export async function checkOrder(
  { settings }: Pick<ServiceContext, 'settings'>,
  order: GenerationOrder,
  schema: StoredSchema,
): Promise<CheckedOrder> {
  const columns = await schema.columns()
  const conditions = await checkConditions(order.body.conditions, columns, settings)
  return { ...order, conditions, columnCount: columns.length }
}

/**
 * Checks an order outside the transaction that others wait for: a schema may be large, and conditions are often refused.
 * Faults are reported only if the dataset still exists. Null: the dataset has no schema yet.
 */
export async function checkAhead(context: ServiceContext, order: GenerationOrder): Promise<CheckedOrder | null> {
  const { db, now } = context
  const schema = await storedSchemas(db).read(order.tenantId, order.datasetId)
  if (schema === null) return null
  try {
    return await checkOrder(context, order, schema)
  } catch (fault) {
    requireReady(await readDataset(db, order.tenantId, order.datasetId, now()))
    throw fault
  }
}

/**
 * Records a generation and its job in a transaction that has found the dataset ready. Null: its key was used meanwhile, and
 * nothing was recorded.
 *
 * @param room of the transaction, where it records several generations of the tenant.
 * @throws ProblemError `svc_quota_exceeded`, `svc_rate_limited`; nothing was recorded then
 */
export async function recordGeneration(
  tx: Queryable,
  context: ServiceContext,
  order: CheckedOrder,
  room = new QueueRoom(order.tenantId, context.settings),
): Promise<GenerationRow | null> {
  const { tenantId, datasetId, requestId, traceParent, idempotencyKey, body, conditions, columnCount } = order
  const nowMs = context.now()
  const limits = await admitGeneration(tx, tenantId, body.row_count, context.settings)
  // After admission, which locks the tenant: two requests cannot both take the last place.
  await room.take(tx)
  const generationId = newIdentifier('gen')
  const jobId = newIdentifier('job')
  if (idempotencyKey !== null) {
    const use = { resourceId: generationId, fingerprint: fingerprintOf(order), nowMs }
    if (!(await useFreeKey(tx, scopeOf(order, idempotencyKey), use))) return null
  }
  const retentionHours = context.settings.retentionHours ?? limits.retentionHours
  const row = await insertGeneration(tx, {
    generationId,
    tenantId,
    datasetId,
    jobId,
    requestId,
    rowCount: body.row_count,
    seed: body.seed ?? randomInt(SEED_LIMIT),
    outputFormat: body.output_format ?? 'parquet',
    conditions,
    nowMs,
    expiresMs: nowMs + retentionHours * HOUR_MS,
  })
  await insertJob(tx, { jobId, tenantId, kind: 'generation', datasetId, generationId, nowMs, traceParent })
  const workMs = generationWorkMs(body.row_count, columnCount)
  await context.queue.enqueue(tx, { queue: 'generation', jobId, tenantId, workMs })
  return row
}

/** @throws ProblemError Unless the dataset is there and trained. */
export function requireReady(dataset: DatasetRow | null): void {
  if (dataset === null) throw noSuchDataset()
  if (dataset.status === 'processing') throw datasetNotReady(dataset)
}

const scopeOf = ({ tenantId }: GenerationOrder, key: string): KeyScope => ({
  tenantId,
  operation: 'createGeneration',
  key,
})

/** The dataset and the body without its wait; the sequence of keys and the spelling of numbers do not count. */
function fingerprintOf({ datasetId, body }: GenerationOrder): string {
  const { wait_seconds: _wait, ...rest } = body
  return createHash('sha256')
    .update(`${datasetId}\n${canonicalFigures(rest as CanonicalValue)}`)
    .digest('hex')
}
