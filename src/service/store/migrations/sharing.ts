/**
 * What a database needs that several processes share: removing a blob excludes keeping it, and every statement that is
 * run often, or by every process now and then, finds its rows by an index.
 */
export const SHARING_MIGRATION = `
-- Once true, the bytes may be gone: nobody may keep the blob any more.
alter table doomed_blobs add column removing boolean not null default false;

-- For the quota, which sums up within a transaction that others wait for.
create index ledger_rows_of_tenant on ledger (tenant_id) include (rows_generated);
drop index ledger_of_tenant;

create index jobs_ended on jobs (finished_at) where finished_at is not null;
create index idempotency_keys_held on idempotency_keys (lease_until) where resource_id is null;
create index tenants_newest on tenants (created_at desc, tenant_id desc);
`
