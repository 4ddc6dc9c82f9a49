/** The operator lists signups of one status: the few that wait, or were declined, among all that were approved. */
export const SIGNUP_LISTS_MIGRATION = `
create index signups_newest_of_status on signups (status, created_at desc, request_id desc);
`
