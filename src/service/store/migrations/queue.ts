/**
 * The work queue, in our own tables instead of pg-boss's: an entry per unfinished job, and the tenants' turns. Jobs
 * that are unfinished at the upgrade continue. A job's deadline begins with its work, so a waiting job has none.
 */
export const QUEUE_MIGRATION = `
drop schema if exists pgboss cascade;

alter table jobs alter column deadline_at drop not null;
update jobs set deadline_at = null where status = 'queued';

create table queue_entries (
  job_id text primary key,
  queue text not null check (queue in ('training', 'generation')),
  tenant_id text not null,
  -- Short enough for the worker that is kept free for such jobs.
  is_small boolean not null,
  -- A tenant's jobs are handed out in this order.
  place bigint generated always as identity,
  -- Who works on it; null: it waits.
  holder uuid,
  -- When it may be handed out, to others than its holder: the end of the holder's lease, or of a pause. Null: at once.
  available_at timestamptz,
  -- Times it was handed out: tells a holder from one before.
  handed_out integer not null default 0,
  -- Times its work broke off for a reason that is not in the job, the death of its holder included.
  setbacks integer not null default 0,
  -- What broke off its work the last time, for the operator.
  trouble text
);

create index queue_entries_in_order on queue_entries (queue, tenant_id, place);
create index queue_entries_small on queue_entries (queue, tenant_id, place) where is_small;
create index queue_entries_held on queue_entries (queue, tenant_id) where holder is not null;
create unique index queue_entries_placed on queue_entries (place);
create index queue_entries_in_trouble on queue_entries (place) where setbacks > 0;

create sequence queue_turn_numbers;

-- A row per tenant that ever queued a job: whose last turn was longest ago comes first among equals.
create table queue_turns (
  queue text not null,
  tenant_id text not null,
  turn bigint not null default 0,
  primary key (queue, tenant_id)
);

insert into queue_entries (job_id, queue, tenant_id, is_small)
  select job_id, kind, tenant_id, false from jobs where status in ('queued', 'running') order by created_at, job_id;
insert into queue_turns (queue, tenant_id) select distinct queue, tenant_id from queue_entries;
`
