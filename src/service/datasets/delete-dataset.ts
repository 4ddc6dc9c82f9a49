import type { ServiceContext } from '../context.ts'
import { tryToRemoveDoomedBlobs } from '../store/doomed-blobs.ts'
import { endJobsOfDataset } from '../work/end-jobs.ts'
import { readDataset, removeDataset } from './dataset-records.ts'

/**
 * Removes a dataset: it is gone from the API, its unfinished jobs are cancelled, its idempotency key is free, its blobs
 * are removed. Generations that are finished stay until their own expiry. False when there is no such dataset.
 */
export async function deleteDataset(context: ServiceContext, tenantId: string, datasetId: string): Promise<boolean> {
  const cancelled = await context.db.transaction(async (tx) => {
    const row = await readDataset(tx, tenantId, datasetId, context.now())
    if (row === null) return null
    const jobs = await endJobsOfDataset(tx, datasetId, context.now())
    await removeDataset(tx, row, context.now())
    return jobs
  })
  if (cancelled === null) return false
  for (const jobId of cancelled) context.queue.announce(jobId)
  await tryToRemoveDoomedBlobs(context.db, context.blobs, context.now())
  return true
}
