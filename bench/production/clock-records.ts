import type { Team } from './team.ts'

/** Of all tenants, as many as one worker once removed in six seconds, and as many jobs as once expired. */
const DATASETS = 257
const JOBS = 126
const BLOBS = 20
const TENANT = 'ten_clocks'

/** The records that time removes, and their number. */
export interface Living {
  readonly datasets: number
  readonly generations: number
  readonly running: number
  readonly waiting: number
  readonly blobs: number
  readonly keys: number
  /** Seconds from now up to when processes say that they have watched time pass. */
  readonly watchedAhead: number
}

/** Datasets and generations that expire over the next day, running jobs with deadlines and blobs due within the hour. */
export async function fillWithTime(team: Team): Promise<void> {
  await team.db.query(`insert into tenants (tenant_id, name, created_at) values ('${TENANT}', '${TENANT}', now())`)
  const soon = (n: string, minutes: number): string =>
    `now() + interval '20 minutes' + ${n} * interval '${minutes} minutes'`
  await team.db.query(`
    insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_t' || n, '${TENANT}', 'job_t' || n, 'ready', true, 'req', now(), ${soon('n', 5)}, 1, 'x', 'models/t' || n, '[]'
      from generate_series(1, ${DATASETS}) as n`)
  await team.db.query(`
    insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_blob)
      select 'gen_t' || n, '${TENANT}', 'ds_t' || n, 'job_t' || n, 'ready', 'req', 10, 1, 'csv', '{}', now(), ${soon('n', 5)},
        10, 'artifacts/t' || n
      from generate_series(1, ${DATASETS}) as n`)
  await team.db.query(`
    insert into jobs (job_id, tenant_id, kind, status, dataset_id, attempts, created_at, deadline_at)
      select 'job_t' || n, '${TENANT}', 'training', 'running', 'ds_t' || n, 1, now(), ${soon('n', 0.5)}
      from generate_series(1, ${JOBS}) as n`)
  await team.db.query(`
    insert into doomed_blobs (blob_key, due_at) select 'seeds/t' || n, ${soon('n', 1)} from generate_series(1, ${BLOBS}) as n`)
}

export async function countLiving(team: Team): Promise<Living> {
  return await team.row<Living & Record<string, number>>(`
    select
      (select count(*)::integer from datasets where tenant_id = '${TENANT}' and swept_at is null) as datasets,
      (select count(*)::integer from generations where swept_at is null) as generations,
      (select count(*)::integer from jobs where tenant_id = '${TENANT}' and status = 'running') as running,
      (select count(*)::integer from jobs where tenant_id <> '${TENANT}' and status = 'queued') as waiting,
      (select count(*)::integer from doomed_blobs where blob_key like 'seeds/t%' and not removing) as blobs,
      (select count(*)::integer from idempotency_keys) as keys,
      (select coalesce(extract(epoch from watched_until - now()), 0)::double precision from sweep_watch) as "watchedAhead"`)
}

/** How much of it is gone: removed things, and jobs that have ended; a watch that is ahead of the time is harm to come. */
export function sameLiving(before: Living, now: Living): { readonly removed: number; readonly expired: number } {
  const lost = (what: keyof Living): number => Math.max(0, before[what] - now[what])
  const isAhead = now.watchedAhead > 60
  return {
    removed: lost('datasets') + lost('generations') + lost('blobs') + lost('keys') + (isAhead ? 1 : 0),
    expired: lost('running') + lost('waiting'),
  }
}
