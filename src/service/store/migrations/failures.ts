/** The operator's overview shows the jobs that went wrong last; those that went well are many more. */
export const FAILURES_MIGRATION = `
create index jobs_gone_wrong on jobs (finished_at desc) where status in ('failed', 'expired', 'cancelled');
`
