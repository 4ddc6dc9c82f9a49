import type { ServiceContext } from '../context.ts'
import { endJobsOfDataset } from '../jobs/end-jobs.ts'
import { lockDataset, readDataset, removeDataset } from '../records/dataset-records.ts'

/**
 * Removes a dataset: it is gone from the API, its unfinished jobs are cancelled, its idempotency key is free, its blobs
 * are given up. Generations that are finished stay until their own expiry. False when there is no such dataset.
 */
export async function deleteDataset(context: ServiceContext, tenantId: string, datasetId: string): Promise<boolean> {
  const db = context.db.forRemoval
  const isRemoved = await db.transaction(async (tx) => {
    // Whoever is about to begin something with the dataset comes before, and is cancelled, or after, and finds nothing.
    await lockDataset(tx, datasetId)
    const row = await readDataset(tx, tenantId, datasetId, context.now())
    if (row === null) return false
    await endJobsOfDataset(tx, datasetId, context.now())
    await removeDataset(tx, row, context.now())
    return true
  })
  if (isRemoved) context.remover?.soon()
  return isRemoved
}
