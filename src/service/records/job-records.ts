import type { Job, JobStatus } from '../../contract/jobs.ts'
import type { OperatorJob } from '../../contract/operator.ts'
import type { WorkError } from '../../contract/problem.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

/**
 * Which status may follow which. `running` may follow itself: a job whose process died restarts. Terminal
 * statuses have no successors.
 *
 *   queued ──► running ──► completed | failed
 *      └───────────┴─────► expired | cancelled | failed
 */
export const JOB_MOVES: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['running', 'failed', 'expired', 'cancelled'],
  running: ['queued', 'running', 'completed', 'failed', 'expired', 'cancelled'],
  completed: [],
  failed: [],
  expired: [],
  cancelled: [],
}

/** Each kind has a queue of its own. */
export const JOB_KINDS = ['training', 'generation'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/**
 * Channel that announces the end of jobs in any process: `pg_notify` with the job's id, in the transaction that ends
 * it.
 */
export const ENDED_JOBS_CHANNEL = 'whatif_ended_jobs'

export interface JobRow {
  readonly job_id: string
  readonly tenant_id: string
  readonly kind: JobKind
  readonly status: JobStatus
  readonly dataset_id: string
  readonly generation_id: string | null
  readonly stage: string | null
  readonly progress: number
  readonly error_code: string | null
  readonly error_detail: string | null
  readonly attempts: number
  readonly created_at: string
  /** Null until its work begins. */
  readonly deadline_at: string | null
  /** `traceparent` of the request that created it; null without tracing. */
  readonly trace_parent: string | null
  /** The job that it is a part of; null: a client asked for it. */
  readonly part_of: string | null
}

const COLUMNS = `job_id, tenant_id, kind, status, dataset_id, generation_id, stage, progress, error_code, error_detail,
  attempts, ${utcText('created_at')} as created_at, ${utcText('deadline_at')} as deadline_at,
  trace_parent, part_of`

export interface NewJob {
  readonly jobId: string
  readonly tenantId: string
  readonly kind: JobKind
  readonly datasetId: string
  readonly generationId: string | null
  readonly nowMs: number
  readonly traceParent: string | null
}

export async function insertJob(tx: Queryable, job: NewJob): Promise<void> {
  await tx.query(
    `insert into jobs (job_id, tenant_id, kind, status, dataset_id, generation_id, created_at, trace_parent)
     values ($1, $2, $3, 'queued', $4, $5, $6::timestamptz, $7)`,
    [job.jobId, job.tenantId, job.kind, job.datasetId, job.generationId, timestampOf(job.nowMs), job.traceParent],
  )
}

/** Reads a job of any tenant; null if there is none. */
export async function readJob(db: Queryable, jobId: string): Promise<JobRow | null> {
  return (await readJobs(db, [jobId])).get(jobId) ?? null
}

/** Jobs of any tenant, by id. */
export async function readJobs(db: Queryable, jobIds: readonly string[]): Promise<ReadonlyMap<string, JobRow>> {
  const rows = await db.query<JobRow>(`select ${COLUMNS} from jobs where job_id = any($1::text[])`, [jobIds])
  return new Map(rows.map((row) => [row.job_id, row]))
}

/** An unsuccessful job, without the text of its error, which may quote the tenant's columns. */
export interface FailureRow {
  readonly job_id: string
  readonly tenant_id: string
  readonly kind: JobKind
  readonly status: 'failed' | 'expired' | 'cancelled'
  readonly error_code: string | null
  readonly finished_at: string
}

/** The latest unsuccessful jobs of all tenants. */
export async function lastFailures(db: Queryable, limit: number): Promise<readonly FailureRow[]> {
  return await db.query<FailureRow>(
    `select job_id, tenant_id, kind, status, error_code, ${utcText('finished_at')} as finished_at
     from jobs where status in ('failed', 'expired', 'cancelled') and part_of is null order by jobs.finished_at desc limit $1`,
    [limit],
  )
}

/** SQL: the row is of a job that has parts, and not of one of them. */
const IS_IN_PARTS =
  '(part_of is null and exists (select 1 from generation_plans p where p.generation_id = jobs.generation_id))'

/**
 * Starts or restarts a job; null if it has ended or its time is up. The attempt fences off older ones. The first
 * attempt sets the deadline, so restarts after a crash count towards it and earlier waiting does not. A job whose work is in parts
 * keeps its stage and progress, which are those of the parts.
 */
export async function beginJob(
  db: Queryable,
  jobId: string,
  time: { readonly nowMs: number; readonly deadlineMs: number },
): Promise<JobRow | null> {
  const [row] = await db.query<JobRow>(
    `update jobs set status = 'running', attempts = attempts + 1,
       stage = case when ${IS_IN_PARTS} then stage end, progress = case when ${IS_IN_PARTS} then progress else 0 end,
       deadline_at = coalesce(deadline_at, $3::timestamptz)
     where job_id = $1 and ${mayBecome('running')} and (deadline_at is null or deadline_at > $2::timestamptz)
     returning ${COLUMNS}`,
    [jobId, timestampOf(time.nowMs), timestampOf(time.nowMs + time.deadlineMs)],
  )
  return row ?? null
}

/** Records an attempt's progress; with null it only checks. False: the attempt is no longer valid, so stop working. */
export async function noteProgress(
  db: Queryable,
  attempt: Pick<JobRow, 'job_id' | 'attempts'>,
  at: { readonly stage: string; readonly progress: number } | null,
): Promise<boolean> {
  const rows = await db.query(
    `update jobs set stage = coalesce($3, stage), progress = greatest(progress, $4)
     where job_id = $1 and attempts = $2 and status = 'running' returning job_id`,
    [attempt.job_id, attempt.attempts, at?.stage ?? null, Math.min(1, Math.max(0, at?.progress ?? 0))],
  )
  return rows.length > 0
}

/**
 * Returns a started job as if it had not begun, because an orderly shutdown is no reason to fail it. Call it when the
 * attempt has stopped working: the next attempt gets the same number.
 */
export async function returnJob(db: Queryable, attempt: Pick<JobRow, 'job_id' | 'attempts'>): Promise<void> {
  await db.query(
    `update jobs set status = 'queued', attempts = attempts - 1,
       deadline_at = case when attempts = 1 then null else deadline_at end
     where job_id = $1 and attempts = $2 and status = 'running'`,
    [attempt.job_id, attempt.attempts],
  )
}

/** Locks a job's row until the transaction ends. Whoever also changes its parts does so afterwards. Null: it has ended. */
export async function lockUnfinishedJob(tx: Queryable, jobId: string): Promise<JobRow | null> {
  const [row] = await tx.query<JobRow>(
    `select ${COLUMNS} from jobs where job_id = $1 and status in ('queued', 'running') for update`,
    [jobId],
  )
  return row ?? null
}

/** Shows a postponed job as waiting; its attempt counts. */
export async function postponeJob(db: Queryable, jobId: string): Promise<void> {
  await db.query(`update jobs set status = 'queued' where job_id = $1 and status = 'running'`, [jobId])
}

/**
 * Ends the attempt; the commit notifies waiting callers. False: this attempt is no longer valid, and nothing else may
 * be recorded.
 */
export async function endAttempt(
  tx: Queryable,
  attempt: Pick<JobRow, 'job_id' | 'attempts'>,
  end: JobEnd,
): Promise<boolean> {
  return await finish(tx, `job_id = $1 and attempts = $6 and status = 'running'`, attempt.job_id, end, [
    attempt.attempts,
  ])
}

/** Ends a job from outside: its deadline has passed, its dataset was deleted. False if it had already ended. */
export async function endJob(tx: Queryable, jobId: string, end: JobEnd): Promise<boolean> {
  return await finish(tx, `job_id = $1 and ${mayBecome(end.status)}`, jobId, end, [])
}

export interface JobEnd {
  readonly status: 'completed' | 'failed' | 'expired' | 'cancelled'
  readonly error: WorkError | null
  readonly nowMs: number
}

async function finish(
  tx: Queryable,
  where: string,
  jobId: string,
  end: JobEnd,
  more: readonly unknown[],
): Promise<boolean> {
  // Its queue entry is deleted too.
  const rows = await tx.query(
    `with ended as (
       update jobs set status = $2, error_code = $3, error_detail = $4, finished_at = $5::timestamptz,
         progress = case when $2 = 'completed' then 1 else progress end
       where ${where} returning job_id),
     left_queue as (delete from queue_entries where job_id = $1 and exists (select 1 from ended))
     select pg_notify('${ENDED_JOBS_CHANNEL}', job_id) from ended`,
    [jobId, end.status, end.error?.code ?? null, end.error?.detail ?? null, timestampOf(end.nowMs), ...more],
  )
  return rows.length > 0
}

/** SQL: the row's status is one that `status` may follow. */
function mayBecome(status: JobStatus): string {
  const from = Object.entries(JOB_MOVES).filter(([, successors]) => successors.includes(status))
  return `status in (${from.map(([name]) => `'${name}'`).join(', ')})`
}

export function isTerminal(status: JobStatus): boolean {
  return JOB_MOVES[status].length === 0
}

/** A job as GET /v1/jobs/{job_id} shows it. */
export function jobRecord(row: JobRow): Job {
  const isDone = row.status === 'completed'
  return {
    job_id: row.job_id,
    status: row.status,
    kind: row.kind,
    ...(isDone && row.kind === 'training' && { dataset_id: row.dataset_id }),
    ...(isDone && row.generation_id !== null && { generation_id: row.generation_id }),
    ...(!isTerminal(row.status) && { progress: row.progress }),
    ...(!isTerminal(row.status) && row.stage !== null && { stage: row.stage }),
    ...(row.error_code !== null && { error: { code: row.error_code, detail: row.error_detail ?? '' } }),
    created_at: row.created_at,
  }
}

interface SelectedRow {
  readonly place: number
  readonly job_id: string
  readonly tenant_id: string
  readonly kind: OperatorJob['kind']
  readonly status: OperatorJob['status']
  readonly attempts: number
  readonly setbacks: number
  readonly trouble: string | null
  readonly paused_until: string | null
  readonly created_at: string
  readonly deadline_at: string | null
}

/**
 * A page of the unfinished jobs of all tenants, oldest first, after the position `after`; `isInTrouble`: only those
 * whose work was interrupted.
 */
export async function listUnfinishedJobs(
  db: Queryable,
  page: { readonly isInTrouble: boolean; readonly after: number; readonly limit: number },
): Promise<{ readonly jobs: readonly OperatorJob[]; readonly next: number | null }> {
  const rows = await db.query<SelectedRow>(
    `select e.place, j.job_id, j.tenant_id, j.kind, j.status, j.attempts, e.setbacks, e.trouble,
       case when e.holder is null and e.available_at > now() then ${utcText('e.available_at')} end as paused_until,
       ${utcText('j.created_at')} as created_at, ${utcText('j.deadline_at')} as deadline_at
     from queue_entries e join jobs j on j.job_id = e.job_id
     where e.place > $1::bigint ${page.isInTrouble ? 'and e.setbacks > 0' : ''}
     order by e.place limit $2`,
    [page.after, page.limit + 1],
  )
  const shown = rows.slice(0, page.limit)
  return { jobs: shown.map(recordOf), next: rows.length > page.limit ? (shown.at(-1)?.place ?? null) : null }
}

function recordOf({ place: _place, trouble, paused_until, deadline_at, ...row }: SelectedRow): OperatorJob {
  return {
    ...row,
    ...(trouble !== null && { trouble }),
    ...(paused_until !== null && { paused_until }),
    ...(deadline_at !== null && { deadline_at }),
  }
}
