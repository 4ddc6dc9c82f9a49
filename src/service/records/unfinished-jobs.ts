import type { OperatorJob } from '../../contract/operator.ts'
import type { Queryable } from '../store/database.ts'
import { utcText } from '../store/timestamps.ts'

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
 * A page of the jobs that have not ended, of all tenants and in the order in which they came, after the place `after`;
 * `isInTrouble`: only those whose work broke off.
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
