/**
 * Sweeps only mark expired resources; a later sweep removes them after an hour. One row records up to when a process
 * has watched time pass, so that a database whose clock has jumped is not swept empty.
 */
export const SWEEPS_MIGRATION = `
-- When a sweep found it expired; it can be taken back until it is removed.
alter table datasets add column swept_at timestamptz;
alter table generations add column swept_at timestamptz;

create index datasets_unswept on datasets (expires_at) where swept_at is null;
create index datasets_swept on datasets (swept_at) where swept_at is not null;
create index datasets_swept_expiring on datasets (expires_at) where swept_at is not null;
drop index datasets_expiring;
create index generations_unswept on generations (expires_at) where swept_at is null;
create index generations_swept on generations (swept_at) where swept_at is not null;
create index generations_swept_expiring on generations (expires_at) where swept_at is not null;
drop index generations_expiring;

create table sweep_watch (
  only_row boolean primary key default true check (only_row),
  -- Up to here processes have seen time pass, or the operator has said that it has; null: nobody has looked yet.
  watched_until timestamptz,
  -- Since when sweeps remove nothing and wait for the operator; null: they go on.
  held_since timestamptz,
  held_due bigint,
  held_living bigint
);
insert into sweep_watch (only_row) values (true);
`
