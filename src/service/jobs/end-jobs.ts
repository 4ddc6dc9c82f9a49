import type { JobStatus } from '../../contract/jobs.ts'
import type { WorkError } from '../../contract/problem.ts'
import type { ServiceContext } from '../context/context.ts'
import { lockDataset, readDatasetOfJob, removeDataset } from '../records/dataset-records.ts'
import { type GenerationFailure, markFailed } from '../records/generation-records.ts'
import { endJob, type JobKind, type JobRow, readJob } from '../records/job-records.ts'
import type { Database, Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'
import { endParts } from './end-parts.ts'

interface Unfinished {
  readonly job_id: string
  readonly kind: JobKind
  readonly dataset_id: string
  readonly generation_id: string | null
  readonly part_of: string | null
}

const UNFINISHED = `select job_id, kind, dataset_id, generation_id, part_of from jobs where status in ('queued', 'running')`

/** Cancels the unfinished jobs of a dataset that is being deleted. The caller holds its row, so that no job begins. */
export async function endJobsOfDataset(tx: Queryable, datasetId: string, nowMs: number): Promise<void> {
  const jobs = await tx.query<Unfinished>(`${UNFINISHED} and dataset_id = $1 and part_of is null`, [datasetId])
  const error = { code: 'svc_not_found', detail: 'The dataset was deleted before the work was finished.' }
  for (const job of jobs) await end(tx, job, 'cancelled', error, nowMs)
}

/** Cancels a job for the operator; does nothing if it has ended. */
export async function endJobByOperator(db: Database, jobId: string, nowMs: number): Promise<void> {
  const [job] = await db.query<Unfinished>(`${UNFINISHED} and job_id = $1`, [jobId])
  const error = { code: 'svc_forbidden', detail: 'The operator cancelled the work.' }
  if (job !== undefined) await endAlone(db, job, 'cancelled', error, nowMs)
}

/**
 * Ends jobs that are past their deadline. Each has its own transaction, because other processes may end the same jobs.
 */
export async function endOverdueJobs(db: Database, nowMs: number): Promise<void> {
  const jobs = await db.query<Unfinished>(`${UNFINISHED} and deadline_at <= $1::timestamptz`, [timestampOf(nowMs)])
  const error = { code: 'svc_unavailable', detail: 'The work was not finished by its deadline.' }
  for (const job of jobs) await endAlone(db, job, 'expired', error, nowMs)
}

/**
 * Cleans up after a job that ended without success: removes a dataset in training, fails a generation. The caller holds
 * the dataset's row.
 */
export async function settleUnsuccessful(
  tx: Queryable,
  job: Pick<Unfinished, 'kind' | 'dataset_id' | 'generation_id'>,
  failure: GenerationFailure,
  nowMs: number,
): Promise<void> {
  if (job.generation_id !== null) {
    await markFailed(tx, job.generation_id, failure)
    await endParts(tx, job.generation_id, nowMs)
    return
  }
  const dataset = await readDatasetOfJob(tx, job.dataset_id)
  if (dataset?.status === 'processing') await removeDataset(tx, dataset, nowMs)
}

/** In its own transaction, under the lock of the job's dataset. */
async function endAlone(db: Database, job: Unfinished, ...how: EndArguments): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataset(tx, job.dataset_id)
    await end(tx, job, ...how)
  })
}

type EndArguments = [status: Extract<JobStatus, 'cancelled' | 'expired'>, error: WorkError, nowMs: number]

async function end(tx: Queryable, job: Unfinished, ...[status, error, nowMs]: EndArguments): Promise<void> {
  // A part ends with its job. The job's status says enough. A generation has no such status and needs the text.
  if (await endJob(tx, job.part_of ?? job.job_id, { status, error: null, nowMs }))
    await settleUnsuccessful(tx, job, { error }, nowMs)
}

/**
 * Cancels a job for the operator: a dataset in training is removed, a generation fails. A job that has ended does not
 * change. Returns the job afterwards; null if there is none.
 */
export async function cancelJob({ db, remover, now }: ServiceContext, jobId: string): Promise<JobRow | null> {
  await endJobByOperator(db, jobId, now())
  remover?.soon()
  return await readJob(db, jobId)
}
