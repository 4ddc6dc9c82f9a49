import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { timestampOf } from '../store/timestamps.ts'
import type { FinishedGeneration } from './generation-records.ts'
import { ENDED_JOBS_CHANNEL, type JobRow } from './job-records.ts'
import { orphanPendings } from './orphaned-blobs.ts'

/** What is decided about a generation before its parts are made. */
export interface GenerationPlan {
  /** All that its record will say, except about the artifact. */
  readonly findings: Omit<FinishedGeneration, 'artifact'>
  readonly layout: PlanLayout
  /** Columns of its rows. */
  readonly columnCount: number
}

/** What the plan's blob holds. */
export type PlanLayout = CountsLayout | RowsLayout

/** For all parts together the cells that have rows: their numbers, their codes one cell after the other, their counts; 4 bytes each. */
export interface CountsLayout {
  readonly cells: number
  /** Codes of a cell. */
  readonly codes: number
}

/** For each part in turn columns of the part's rows, one after the other. */
export interface RowsLayout {
  /** Number of columns of codes, 2 bytes per row. */
  readonly codes: number
  /** After the codes: columns of numbers, 8 bytes per row and then 1 that says whether there is a number. */
  readonly values: readonly { readonly column: number; readonly isFixed: boolean }[]
}

export interface StoredPlan extends GenerationPlan {
  readonly blobKey: string
}

/** Rows first_row up to, not including, end_row. */
export interface PartRow {
  readonly job_id: string
  readonly first_row: number
  readonly end_row: number
  readonly blob_key: string | null
  readonly bytes: number | null
}

/** Records a plan and a job for each of its parts, which share the job's deadline. Returns the jobs in the sequence of the rows. */
export async function insertPlan(
  tx: Queryable,
  whole: JobRow & { readonly generation_id: string },
  { blobKey, ...plan }: StoredPlan,
  parts: readonly { readonly firstRow: number; readonly endRow: number }[],
  nowMs: number,
): Promise<readonly PartRow[]> {
  await tx.query('insert into generation_plans (generation_id, plan, blob_key) values ($1, $2::json, $3)', [
    whole.generation_id,
    JSON.stringify(plan),
    blobKey,
  ])
  const rows = parts.map((part) => ({ jobId: newIdentifier('job'), ...part }))
  const jobIds = rows.map(({ jobId }) => jobId)
  await tx.query(
    `insert into jobs (job_id, tenant_id, kind, status, dataset_id, generation_id, created_at, deadline_at, trace_parent, part_of)
     select part, tenant_id, kind, 'queued', dataset_id, generation_id, $3::timestamptz, deadline_at, trace_parent, job_id
     from jobs, unnest($2::text[]) as part where job_id = $1`,
    [whole.job_id, jobIds, timestampOf(nowMs)],
  )
  return await tx.query<PartRow>(
    `insert into generation_parts (job_id, generation_id, first_row, end_row)
     select part.job_id, $1, part.first_row, part.end_row
     from unnest($2::text[], $3::bigint[], $4::bigint[]) as part (job_id, first_row, end_row)
     returning job_id, first_row, end_row, blob_key, bytes`,
    [whole.generation_id, jobIds, rows.map(({ firstRow }) => firstRow), rows.map(({ endRow }) => endRow)],
  )
}

/** Null: the generation is not made in parts, or no longer. */
export async function readPlan(db: Queryable, generationId: string): Promise<StoredPlan | null> {
  const [row] = await db.query<{ plan: GenerationPlan; blob_key: string }>(
    'select plan, blob_key from generation_plans where generation_id = $1',
    [generationId],
  )
  return row === undefined ? null : { ...row.plan, blobKey: row.blob_key }
}

/** Parts of a generation in the sequence of their rows. */
export async function readParts(db: Queryable, generationId: string): Promise<readonly PartRow[]> {
  return await db.query<PartRow>(
    `select job_id, first_row, end_row, blob_key, bytes from generation_parts where generation_id = $1 order by first_row`,
    [generationId],
  )
}

export async function recordPiece(
  tx: Queryable,
  jobId: string,
  piece: { readonly blobKey: string; readonly bytes: number },
): Promise<void> {
  await tx.query('update generation_parts set blob_key = $2, bytes = $3::bigint where job_id = $1', [
    jobId,
    piece.blobKey,
    piece.bytes,
  ])
}

/** Shows how far the parts of a job are. The caller holds the job's row. */
export async function noteParts(tx: Queryable, jobId: string, progress: number): Promise<void> {
  await tx.query(
    `update jobs set status = 'running', stage = 'sampling', progress = greatest(progress, $2) where job_id = $1`,
    [jobId, progress],
  )
}

/** Ends an attempt whose job goes on in its parts: the next one has the same number. The caller holds the job's row. */
export async function leaveToParts(tx: Queryable, jobId: string): Promise<void> {
  await tx.query('update jobs set attempts = attempts - 1 where job_id = $1', [jobId])
}

/** Gives the next attempt another number than the one that left its job to the parts. The caller holds the job's row. */
export async function countAttempt(tx: Queryable, jobId: string): Promise<void> {
  await tx.query('update jobs set attempts = attempts + 1 where job_id = $1', [jobId])
}

/**
 * Whether a large generation has to wait for another one of its tenant: one that has a plan, or one that began earlier and may get one.
 * One with a plan waits for none, and of two without one the earlier does not wait, so no two wait for each other.
 *
 * @param mostRows Generations of more rows are large.
 */
export async function hasToWait(db: Queryable, attempt: JobRow, mostRows: number): Promise<boolean> {
  // Its deadline is running, and would go on running while it waits.
  if (attempt.attempts > 1) return false
  const rows = await db.query(
    `select 1 from jobs j join generations g on g.generation_id = j.generation_id
     where j.tenant_id = $1 and j.kind = 'generation' and j.status = 'running' and j.part_of is null and j.job_id <> $2
       and (exists (select 1 from generation_plans p where p.generation_id = j.generation_id)
         or (g.row_count > $3::bigint and (j.deadline_at, j.job_id) < ($4::timestamptz, $2)))
     limit 1`,
    [attempt.tenant_id, attempt.job_id, mostRows, attempt.deadline_at],
  )
  return rows.length > 0
}

/** Entries at the front of a tenant's queue that are looked through: before a waiting one are those that are held or paused. */
const FRONT_ENTRIES = 50

/** The first job of a tenant that waits for another large generation; null: there is none, or somebody else is changing its entry. */
export async function firstWaiting(tx: Queryable, tenantId: string): Promise<string | null> {
  // A setback pauses an entry too, and that pause goes on.
  const [row] = await tx.query<{ job_id: string }>(
    `select e.job_id from queue_entries e
     where e.job_id in (
         select job_id from queue_entries where queue = 'generation' and tenant_id = $1
         order by queue, tenant_id, place limit ${FRONT_ENTRIES})
       and e.holder is null and e.available_at > now() and e.setbacks = 0
       and exists (select 1 from jobs j where j.job_id = e.job_id and j.status = 'queued' and j.part_of is null)
     order by e.place limit 1 for update of e skip locked`,
    [tenantId],
  )
  return row?.job_id ?? null
}

/**
 * Ends what is left of a generation in parts: its parts no longer run, and their pieces and the plan are orphans. Returns the tenant;
 * null: there was no plan. The caller holds the row of its job.
 */
export async function releaseParts(tx: Queryable, generationId: string, nowMs: number): Promise<string | null> {
  const blobs = await tx.query<{ blob_key: string }>(
    `select blob_key from generation_plans where generation_id = $1 and blob_key is not null
     union all select blob_key from generation_parts where generation_id = $1 and blob_key is not null`,
    [generationId],
  )
  await tx.query(
    `with ended as (
       update jobs set status = 'cancelled', finished_at = $2::timestamptz
       where status in ('queued', 'running')
         and job_id in (select job_id from generation_parts where generation_id = $1)
       returning job_id),
     left_queue as (delete from queue_entries where job_id in (select job_id from ended))
     select pg_notify('${ENDED_JOBS_CHANNEL}', job_id) from ended`,
    [generationId, timestampOf(nowMs)],
  )
  const [plan] = await tx.query<{ tenant_id: string }>(
    `delete from generation_plans p using generations g
     where p.generation_id = $1 and g.generation_id = p.generation_id returning g.tenant_id`,
    [generationId],
  )
  await orphanPendings(
    tx,
    blobs.map(({ blob_key: key }) => key),
    nowMs,
  )
  return plan?.tenant_id ?? null
}
