import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import type { ServiceContext } from '../context/context.ts'
import { noSuchDataset } from '../datasets/dataset-problems.ts'
import { storedSchemas } from '../datasets/stored-schemas.ts'
import { awaitEnd } from '../jobs/await-job.ts'
import { shareDataset } from '../records/dataset-records.ts'
import { type GenerationRow, readGeneration } from '../records/generation-records.ts'
import type { Queryable } from '../store/database.ts'
import {
  type CheckedOrder,
  checkAhead,
  checkOrder,
  earlierGeneration,
  type GenerationOrder,
  recordGeneration,
  requireReady,
} from './record-generation.ts'

export interface GenerationSubmission extends GenerationOrder {
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

async function submit(context: ServiceContext, order: GenerationOrder): Promise<GenerationOutcome> {
  for (;;) {
    const earlier = await earlierGeneration(context, order)
    if (earlier !== null) return { generation: earlier, isReplay: true }
    try {
      return { generation: await record(context, order), isReplay: false }
    } catch (error) {
      // Another request with this key was recorded at the same time, so its result is returned.
      if (!hasCode(error, KEY_TAKEN)) throw error
    }
  }
}

/** Rolls back a request whose key another request has used meanwhile. */
const KEY_TAKEN = 'key_taken'

async function record(context: ServiceContext, order: GenerationOrder): Promise<GenerationRow> {
  const { tenantId, datasetId } = order
  const checked = await checkAhead(context, order)
  /** For a dataset that has become ready since. */
  const checkIn = async (tx: Queryable): Promise<CheckedOrder> => {
    const schema = await storedSchemas(context.db).readIn(tx, tenantId, datasetId)
    if (schema === null) throw noSuchDataset()
    return await checkOrder(context, order, schema)
  }
  return await context.db.transaction(async (tx) => {
    requireReady(await shareDataset(tx, tenantId, datasetId, context.now()))
    const complete = checked ?? (await checkIn(tx))
    const row = await recordGeneration(tx, context, complete)
    if (row === null) throw new WhatifError(KEY_TAKEN, 'The idempotency key was used meanwhile.')
    return row
  })
}
