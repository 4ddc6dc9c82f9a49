import type { ServiceContext } from '../context.ts'
import { type JobRow, readJob } from '../records/job-records.ts'
import { endJobByOperator } from './end-jobs.ts'

/**
 * Cancels a job for the operator: a dataset in training goes, a generation has failed. A job that has ended stays as it
 * is. Returns the job as it is then; null when there is none.
 */
export async function cancelJob({ db, remover, now }: ServiceContext, jobId: string): Promise<JobRow | null> {
  await endJobByOperator(db, jobId, now())
  remover?.soon()
  return await readJob(db, jobId)
}
