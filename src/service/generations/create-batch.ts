import type { GenerationBatchRequest } from '../../contract/generation-batches.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { QueueRoom } from '../jobs/admission.ts'
import { readDataset, shareDataset } from '../records/dataset-records.ts'
import type { Queryable } from '../store/database.ts'
import type { GenerationOutcome } from './create-generation.ts'
import {
  type CheckedOrder,
  checkAhead,
  earlierGeneration,
  type GenerationOrder,
  recordGeneration,
  requireReady,
} from './record-generation.ts'

export interface BatchSubmission extends Omit<GenerationOrder, 'idempotencyKey' | 'body'> {
  readonly generations: GenerationBatchRequest['generations']
}

/** What became of an entry: its generation, or why there is none. */
export type EntryOutcome = GenerationOutcome | ProblemError

/** Entries that one transaction records. It holds the tenant's row, so that others of the tenant wait meanwhile. */
const IN_ONE_TRANSACTION = 50

/**
 * Records the generations of a batch in few transactions. Each entry is treated as a request of its own (`createGeneration`):
 * a refusal concerns that entry alone.
 *
 * @throws ProblemError `svc_dataset_not_ready`, `svc_not_found`: no entry can be recorded
 */
export async function createGenerations(context: ServiceContext, batch: BatchSubmission): Promise<EntryOutcome[]> {
  const { db, now } = context
  const { generations, ...common } = batch
  requireReady(await readDataset(db, common.tenantId, common.datasetId, now()))
  const outcomes = new Map<number, EntryOutcome>()
  let open = generations.map((one, index) => ({
    index,
    order: { ...common, idempotencyKey: one.idempotency_key, body: one.request },
  }))
  // An entry is open again if another request used its key meanwhile: then that one's result is found.
  while (open.length > 0) {
    const checked: { index: number; order: CheckedOrder }[] = []
    for (const { index, order } of open) {
      const found = await outcomeOf(async () => await foundOrChecked(context, order))
      if ('conditions' in found) checked.push({ index, order: found })
      else outcomes.set(index, found)
    }
    for (let start = 0; start < checked.length; start += IN_ONE_TRANSACTION) {
      const part = checked.slice(start, start + IN_ONE_TRANSACTION)
      await db.transaction(async (tx) => {
        requireReady(await shareDataset(tx, common.tenantId, common.datasetId, now()))
        const room = new QueueRoom(common.tenantId, context.settings)
        for (const { index, order } of part) await recordEntry(tx, index, order, room)
      })
    }
    open = open.filter(({ index }) => !outcomes.has(index))
  }
  return generations.map((_, index) => outcomes.get(index)!)

  /** A refusal comes before the first write of an entry, so that the transaction goes on. */
  async function recordEntry(tx: Queryable, index: number, order: CheckedOrder, room: QueueRoom): Promise<void> {
    const recorded = await outcomeOf(async () => await recordGeneration(tx, context, order, room))
    if (recorded instanceof ProblemError) outcomes.set(index, recorded)
    else if (recorded !== null) outcomes.set(index, { generation: recorded, isReplay: false })
  }
}

async function foundOrChecked(
  context: ServiceContext,
  order: GenerationOrder,
): Promise<GenerationOutcome | CheckedOrder> {
  const generation = await earlierGeneration(context, order)
  if (generation !== null) return { generation, isReplay: true }
  const checked = await checkAhead(context, order)
  if (checked === null) throw new Error('A ready dataset has no schema.')
  return checked
}

/** Refusals as values; what the service itself fails with is thrown. */
async function outcomeOf<T>(work: () => Promise<T>): Promise<T | ProblemError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500) return error
    throw error
  }
}
