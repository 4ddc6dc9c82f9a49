import type { ServiceContext } from '../context.ts'
import { removeDoomedBlobs } from '../store/doomed-blobs.ts'
import { endJobByOperator } from './end-jobs.ts'
import { type JobRow, readJob } from './job-records.ts'

/**
 * Cancels a job for the operator: a dataset in training goes, a generation has failed. A job that has ended stays as it
 * is. Returns the job as it is then; null when there is none.
 */
export async function cancelJob(context: ServiceContext, jobId: string): Promise<JobRow | null> {
  const { db, blobs, queue, now } = context
  const isEnded = await db.transaction(async (tx) => await endJobByOperator(tx, jobId, now()))
  if (isEnded) {
    queue.announce(jobId)
    await removeDoomedBlobs(db, blobs, now())
  }
  return await readJob(db, jobId)
}
