import type { JobStatus } from '../../contract/jobs.ts'
import type { WorkError } from '../../contract/problem.ts'
import { readDatasetOfJob, removeDataset } from '../datasets/dataset-records.ts'
import { type GenerationFailure, markFailed } from '../generations/generation-records.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'
import { endJob, type JobEnd, type JobKind } from './job-records.ts'

interface Unfinished {
  readonly job_id: string
  readonly kind: JobKind
  readonly dataset_id: string
  readonly generation_id: string | null
}

const UNFINISHED = `select job_id, kind, dataset_id, generation_id from jobs where status in ('queued', 'running')`

/** Cancels what is being done with a dataset that goes. Returns the jobs to announce after the commit. */
export async function endJobsOfDataset(tx: Queryable, datasetId: string, nowMs: number): Promise<string[]> {
  const jobs = await tx.query<Unfinished>(`${UNFINISHED} and dataset_id = $1`, [datasetId])
  const error = { code: 'svc_not_found', detail: 'The dataset was deleted before the work was finished.' }
  return await endAll(tx, jobs, 'cancelled', error, nowMs)
}

/** Cancels a job for the operator. True when it had not ended yet: announce it after the commit. */
export async function endJobByOperator(tx: Queryable, jobId: string, nowMs: number): Promise<boolean> {
  const jobs = await tx.query<Unfinished>(`${UNFINISHED} and job_id = $1`, [jobId])
  const error = { code: 'svc_forbidden', detail: 'The operator cancelled the work.' }
  return (await endAll(tx, jobs, 'cancelled', error, nowMs)).length > 0
}

/** Ends jobs that are past their deadline. Returns the jobs to announce after the commit. */
export async function endOverdueJobs(tx: Queryable, nowMs: number): Promise<string[]> {
  const jobs = await tx.query<Unfinished>(`${UNFINISHED} and deadline_at <= $1::timestamptz`, [timestampOf(nowMs)])
  const error = { code: 'svc_unavailable', detail: 'The work was not finished by its deadline.' }
  return await endAll(tx, jobs, 'expired', error, nowMs)
}

/** What follows from a job that ended without success: a dataset in training goes, a generation has failed. */
export async function settleUnsuccessful(
  tx: Queryable,
  job: Pick<Unfinished, 'kind' | 'dataset_id' | 'generation_id'>,
  failure: GenerationFailure,
  nowMs: number,
): Promise<void> {
  if (job.generation_id !== null) {
    await markFailed(tx, job.generation_id, failure)
    return
  }
  const dataset = await readDatasetOfJob(tx, job.dataset_id)
  if (dataset?.status === 'processing') await removeDataset(tx, dataset, nowMs)
}

async function endAll(
  tx: Queryable,
  jobs: readonly Unfinished[],
  status: Extract<JobStatus, 'cancelled' | 'expired'>,
  error: WorkError,
  nowMs: number,
): Promise<string[]> {
  // The job itself carries no error: its status says it. A generation has no such status and needs the words.
  const end: JobEnd = { status, error: null, nowMs }
  const ended: string[] = []
  for (const job of jobs) {
    if (!(await endJob(tx, job.job_id, end))) continue
    await settleUnsuccessful(tx, job, { error }, nowMs)
    ended.push(job.job_id)
  }
  return ended
}
