/**
 * Large generations in parts: each part is a job with an entry of its own in the queue, so that deadlines, lost workers and turns are
 * those of any job. The entries of plans and pieces in `doomed_blobs` end what nobody goes on with.
 */
export const PARTS_MIGRATION = `
-- The job that it is a part of; null: a job that a client asked for.
alter table jobs add column part_of text;
-- The same of its entry: jobs that clients asked for are counted at each order.
alter table queue_entries add column is_part boolean not null default false;
-- What a large generation of the same tenant waits for.
create index generations_running on jobs (tenant_id) where kind = 'generation' and status = 'running' and part_of is null;

create table generation_plans (
  generation_id text primary key references generations (generation_id) on delete cascade,
  -- What the record will say, and how the rows are laid out: see records/generation-parts.ts.
  plan json not null,
  -- What the scenario decides about every row; null without conditions.
  blob_key text
);

create table generation_parts (
  job_id text primary key,
  generation_id text not null references generation_plans (generation_id) on delete cascade,
  first_row bigint not null,
  end_row bigint not null,
  -- The finished piece; null: it is not made yet.
  blob_key text,
  bytes bigint
);
create index parts_of_generation on generation_parts (generation_id, first_row);

-- Clients hear of the jobs that they asked for.
drop trigger tell_of_ended_job on jobs;
create trigger tell_of_ended_job after update of status on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.part_of is null)
  execute function tell_of_job();
`
