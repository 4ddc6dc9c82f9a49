/**
 * Webhooks and the messages to them. A message is written by a trigger in the transaction that ends the job or the
 * generation, whatever version of the service runs there: none is lost between a commit and a call, and none tells of
 * what was rolled back. Its body is fixed from then on.
 */
export const WEBHOOKS_MIGRATION = `
create table webhooks (
  webhook_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  url text not null,
  description text,
  events text[] not null,
  -- The service signs with it, so it is encrypted under the sealing key and not hashed.
  secret_sealed text not null,
  -- Signs as well until then, after a rotation.
  earlier_sealed text,
  earlier_until timestamptz,
  created_at timestamptz not null,
  -- Whose messages were looked at least recently comes first.
  taken_at timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  check ((earlier_sealed is null) = (earlier_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);

create unique index webhooks_of_tenant on webhooks (tenant_id, url);

create table webhook_messages (
  message_id text primary key,
  webhook_id text not null references webhooks (webhook_id) on delete cascade,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- After this no attempt begins.
  give_up_at timestamptz not null,
  -- A process is sending it; one that has not ended it by then is gone.
  held_until timestamptz,
  last_at timestamptz,
  last_status integer,
  last_fault text
);

create index webhook_messages_due on webhook_messages (webhook_id, due_at) where status = 'pending';
create index webhook_messages_held on webhook_messages (webhook_id, held_until) where held_until is not null;
create index webhook_messages_newest on webhook_messages (webhook_id, created_at desc, message_id desc);
create index webhook_messages_newest_of_status
  on webhook_messages (webhook_id, status, created_at desc, message_id desc);
create index webhook_messages_overdue on webhook_messages (give_up_at) where status = 'pending';
create index webhook_messages_ended on webhook_messages (created_at) where status <> 'pending';

-- The end of retention that was announced.
alter table datasets add column announced_end timestamptz;

create function tell_webhooks(tenant text, event text, at timestamptz, data json) returns void
language plpgsql as $tell$
begin
  insert into webhook_messages (message_id, webhook_id, type, body, created_at, status, due_at, give_up_at)
  select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhook_id, event,
    json_build_object('type', event,
      'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_strip_nulls(data))::text,
    at, 'pending', at, at + interval '72 hours'
  from webhooks
  where tenant_id = tenant and event = any(events) and disabled_at is null;
  if found then perform pg_notify('whatif_webhooks', ''); end if;
end
$tell$;

create function tell_of_job() returns trigger language plpgsql as $tell$
begin
  perform tell_webhooks(new.tenant_id,
    case when new.status = 'completed' then 'job.completed' else 'job.failed' end,
    new.finished_at,
    json_build_object('job_id', new.job_id, 'kind', new.kind, 'status', new.status,
      'dataset_id', new.dataset_id, 'generation_id', new.generation_id, 'error_code', new.error_code));
  return null;
end
$tell$;

create trigger tell_of_ended_job after update of status on jobs for each row
  when (old.finished_at is null and new.finished_at is not null) execute function tell_of_job();

create function tell_of_generation() returns trigger language plpgsql as $tell$
begin
  -- The job that made it ends in the same transaction.
  perform tell_webhooks(new.tenant_id, 'generation.' || new.status, now(),
    json_build_object('generation_id', new.generation_id, 'status', new.status, 'dataset_id', new.dataset_id,
      'job_id', new.job_id, 'row_count', new.row_count, 'rows_generated', new.rows_generated));
  return null;
end
$tell$;

create trigger tell_of_made_generation after update of status on generations for each row
  when (old.status = 'processing' and new.status in ('ready', 'partial')) execute function tell_of_generation();
`
