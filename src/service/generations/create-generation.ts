import { createHash, randomInt } from 'node:crypto'
import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'
import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import type { GenerationRequest } from '../../contract/generations.ts'
import type { ServiceContext } from '../context/context.ts'
import { datasetNotReady, noSuchDataset } from '../datasets/dataset-problems.ts'
import { stillInFlight, usedOtherwise } from '../datasets/held-upload-key.ts'
import { type StoredSchema, storedSchemas } from '../datasets/stored-schemas.ts'
import { admitGeneration, requireRoomInQueue } from '../jobs/admission.ts'
import { awaitEnd } from '../jobs/await-job.ts'
import { generationWorkMs } from '../jobs/expected-work.ts'
import { type DatasetRow, readDataset, shareDataset } from '../records/dataset-records.ts'
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

export interface GenerationSubmission {
  readonly tenantId: string
  readonly datasetId: string
  readonly requestId: string
  readonly traceParent: string | null
  readonly idempotencyKey: string | null
  readonly body: GenerationRequest
  /** Ends the wait: the client has disconnected, or the service is closing. */
  readonly signal: AbortSignal
}

export interface GenerationOutcome {
  readonly generation: GenerationRow
  readonly isReplay: boolean
}

/**
 * Records a generation and its job in one transaction, and waits for the requested time. Checks run in this sequence:
 * idempotency, dataset, conditions, quota. Nothing is created unless all of them pass.
 */
export async function createGeneration(
  context: ServiceContext,
  submission: GenerationSubmission,
): Promise<GenerationOutcome> {
  const { generation, isReplay } = await submit(context, submission)
  if (generation.status !== 'processing') return { generation, isReplay }
  const { generation_id: generationId, job_id: jobId } = generation
  const waitMs = (submission.body.wait_seconds ?? 0) * 1000
  const current = await awaitEnd(context, jobId, waitMs, submission.signal, {
    read: async () => await readGeneration(context.db, submission.tenantId, generationId, context.now()),
    isEnded: ({ status }) => status !== 'processing',
  })
  return { generation: current ?? generation, isReplay }
}

async function submit(context: ServiceContext, submission: GenerationSubmission): Promise<GenerationOutcome> {
  const { tenantId, idempotencyKey, body } = submission
  if (idempotencyKey === null) return { generation: await record(context, submission, null), isReplay: false }
  const scope: KeyScope = { tenantId, operation: 'createGeneration', key: idempotencyKey }
  const fingerprint = fingerprintOf(submission.datasetId, body)
  for (;;) {
    const earlier = await earlierOutcome(context, scope, fingerprint)
    if (earlier !== null) return { generation: earlier, isReplay: true }
    try {
      return { generation: await record(context, submission, { scope, fingerprint }), isReplay: false }
    } catch (error) {
      // Another request with this key was recorded at the same time, so its result is returned.
      if (!hasCode(error, KEY_TAKEN)) throw error
    }
  }
}

/** Rolls back a request whose key another request has used meanwhile. */
const KEY_TAKEN = 'key_taken'

async function earlierOutcome(
  context: ServiceContext,
  scope: KeyScope,
  fingerprint: string,
): Promise<GenerationRow | null> {
  const state = await readKey(context.db, scope, context.now())
  if (state.kind === 'in_flight') throw stillInFlight()
  if (state.kind === 'free') return null
  const generation = await readGeneration(context.db, scope.tenantId, state.resourceId, context.now())
  if (generation === null) {
    // It has expired and waits for the sweeper: the key counts as new.
    await releaseKeysOf(context.db, state.resourceId)
    return null
  }
  if (state.fingerprint !== fingerprint) throw usedOtherwise()
  return generation
}

async function record(
  context: ServiceContext,
  submission: GenerationSubmission,
  key: { readonly scope: KeyScope; readonly fingerprint: string } | null,
): Promise<GenerationRow> {
  const { tenantId, datasetId, requestId, traceParent, body } = submission
  const generationId = newIdentifier('gen')
  const jobId = newIdentifier('job')
  const schemas = storedSchemas(context.db)
  // Outside the transaction that others wait for: a schema may be large, and conditions are often refused.
  const known = await schemas.read(tenantId, datasetId)
  const checked = known === null ? null : await checkKnown(context, submission, known)
  /** For a dataset that has become ready since. */
  const schemaIn = async (tx: Queryable): Promise<StoredSchema> => {
    const schema = await schemas.readIn(tx, tenantId, datasetId)
    if (schema === null) throw noSuchDataset()
    return schema
  }
  const generation = await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    requireReady(await shareDataset(tx, tenantId, datasetId, nowMs))
    const { conditions, columnCount } = checked ?? (await checkAgainst(context, await schemaIn(tx), body))
    const limits = await admitGeneration(tx, tenantId, body.row_count, context.settings)
    await requireRoomInQueue(tx, tenantId, context.settings)
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
    if (key !== null) {
      const use = { resourceId: generationId, fingerprint: key.fingerprint, nowMs }
      if (!(await useFreeKey(tx, key.scope, use)))
        throw new WhatifError(KEY_TAKEN, 'The idempotency key was used meanwhile.')
    }
    return row
  })
  return generation
}

interface CheckedSubmission {
  readonly conditions: CheckedConditions
  readonly columnCount: number
}

/** Checks against a cached schema. Faults are reported only if the dataset still exists. */
async function checkKnown(
  context: ServiceContext,
  { tenantId, datasetId, body }: GenerationSubmission,
  schema: StoredSchema,
): Promise<CheckedSubmission> {
  const { db, now } = context
  try {
    return await checkAgainst(context, schema, body)
  } catch (fault) {
    requireReady(await readDataset(db, tenantId, datasetId, now()))
    throw fault
  }
}

async function checkAgainst(
  { settings }: ServiceContext,
  schema: StoredSchema,
  body: GenerationRequest,
): Promise<CheckedSubmission> {
  const columns = await schema.columns()
  return { conditions: await checkConditions(body.conditions, columns, settings), columnCount: columns.length }
}

function requireReady(dataset: DatasetRow | null): void {
  if (dataset === null) throw noSuchDataset()
  if (dataset.status === 'processing') throw datasetNotReady(dataset)
}

/** The dataset and the body without its wait; the sequence of keys and the spelling of numbers do not count. */
function fingerprintOf(datasetId: string, body: GenerationRequest): string {
  const { wait_seconds: _wait, ...rest } = body
  return createHash('sha256')
    .update(`${datasetId}\n${canonicalFigures(rest as CanonicalValue)}`)
    .digest('hex')
}
