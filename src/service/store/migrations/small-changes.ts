/** Migrations of at most a page, in the order in which they are applied. */

/**
 * Rotations of client secrets. Each one's claim token is also in `claim_tokens`, as a hash only: the signup status
 * shows the sealed copies there to anybody who knows the request id, and a rotation's token is for the client only.
 */
export const ROTATION_MIGRATION = `
-- A newer rotation voids what was not claimed.
alter table claim_tokens add column voided_at timestamptz;

create table credential_rotations (
  token_hash text primary key references claim_tokens (token_hash),
  client_id text not null references clients (client_id),
  -- Means something for this client only: another client of the tenant must not be given its token.
  idempotency_key text,
  -- For repeats with the same key; kept after the claim, when it opens nothing any more.
  sealed text not null,
  created_at timestamptz not null
);

create unique index credential_rotations_key on credential_rotations (client_id, idempotency_key)
  where idempotency_key is not null;
create index credential_rotations_newest on credential_rotations (client_id, created_at desc);
`

/**
 * Revocation of bearer tokens. A token has its client's epoch at the moment of minting. Raising the epoch refuses
 * exactly the earlier tokens. Times in whole seconds could not show which came first.
 */
export const REVOCATION_MIGRATION = `
alter table clients add column token_epoch integer not null default 0;
alter table clients add column tokens_revoked_at timestamptz;

create index clients_revoked on clients (client_id) where token_epoch > 0;
`

/**
 * Support for several processes on a database: removing a blob excludes recording it, and frequent statements, or those
 * that every process runs from time to time, find their rows by an index.
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

/** Cached models, which the engine trained for scenarios, with the model of their dataset. */
export const ORDERS_MIGRATION = `
create table orders (
  dataset_id text not null,
  -- Digest of the names of the conditioned columns.
  columns_key text not null,
  blob_key text not null,
  bytes bigint not null,
  used_at timestamptz not null,
  primary key (dataset_id, columns_key)
);
`

/** The model of a generation. Null in records of earlier versions. */
export const MODELS_MIGRATION = `
alter table generations add column model_id text;
alter table generations add column engine_version text;
`

/** The trace of the request that created a job (`traceparent` of W3C Trace Context): null without tracing. */
export const TRACES_MIGRATION = `
alter table jobs add column trace_parent text;
`

/**
 * The operator's actions, including failed ones: an action is recorded before it is carried out, its outcome after.
 * Otherwise entries never change.
 */
export const AUDIT_MIGRATION = `
create table operator_actions (
  action_id text primary key,
  at timestamptz not null,
  operation text not null,
  -- What it was about: a request, tenant, client or job by its id.
  subject text,
  -- The body of the request; none of the operator's requests holds a secret.
  parameters json,
  request_id text not null,
  address text not null,
  -- HTTP status; null: the process ended before it had answered.
  status integer
);

create index operator_actions_newest on operator_actions (at desc, action_id desc);
`

/** The operator's overview shows the latest failed jobs among many successful ones. */
export const FAILURES_MIGRATION = `
create index jobs_gone_wrong on jobs (finished_at desc) where status in ('failed', 'expired', 'cancelled');
`

/**
 * Whether the first claim came from the address that requested access. That address is stored as a keyed hash until the
 * decision or the claim makes it useless.
 */
export const FIRST_CLAIMS_MIGRATION = `
alter table signups add column address_hash text;
alter table signups add column claimed_at timestamptz;
alter table signups add column claimed_elsewhere boolean;

create index signups_of_client on signups (client_id) where client_id is not null;
`

/** The data that all processes on a database must agree on, in one row. */
export const INSTALLATION_MIGRATION = `
create table installation (
  is_only boolean primary key default true check (is_only),
  -- Random; the storage of blobs holds it too.
  storage_id text not null,
  storage_kind text not null check (storage_kind in ('folder', 'bucket')),
  -- For messages alone: a bucket may have several addresses.
  storage_place text not null,
  newest_version text not null
);
`

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

/** While a backup is made, blobs stay (`records/orphaned-blobs.ts`). */
export const HOLDS_MIGRATION = `
create table blob_hold (
  -- One row at most.
  is_only boolean primary key default true check (is_only),
  until_at timestamptz not null
);
`

/**
 * Schemas are stored uncompressed: compressing one of 4 MiB takes an embedded database 50 ms, while nobody else is
 * served.
 */
export const SCHEMAS_MIGRATION = `
alter table datasets alter column schema set storage external;
`

/** The operator lists signups of one status: the few that wait or were declined, among all approved ones. */
export const SIGNUP_LISTS_MIGRATION = `
create index signups_newest_of_status on signups (status, created_at desc, request_id desc);
`

/**
 * A large schema is stored in pieces: as one value of 4 MiB it takes an embedded database 60 ms to write and 25 ms to
 * read, while nobody else is served. Existing values stay as they are and expire. Values are compressed again, because
 * all are small now.
 */
export const SCHEMA_PIECES_MIGRATION = `
create table schema_pieces (
  dataset_id text not null references datasets (dataset_id) on delete cascade,
  -- Of the training: one that is late must not write over what another has recorded.
  attempt integer not null,
  piece integer not null,
  is_last boolean not null,
  json text not null,
  primary key (dataset_id, attempt, piece)
);

alter table datasets alter column schema set storage extended;
-- The attempt whose pieces are the schema; null where it is stored whole.
alter table datasets add column schema_attempt integer;
alter table datasets drop constraint datasets_check;
alter table datasets add constraint datasets_ready_whole check (
  (status = 'ready') = (model_blob is not null and (schema is not null or schema_attempt is not null))
);
`

/** The column of the seed file that holds its case weights; null where all rows count alike. */
export const WEIGHTS_MIGRATION = `
alter table datasets add column weight_column text;
`

/** How the rows of the seed file were drawn, as JSON that the upload sent; null where it did not say. */
export const DESIGNS_MIGRATION = `
alter table datasets add column design text;
`

/** What each client has asked about a dataset on a day: a limit on it is a limit on what the answers show together. */
export const QUESTIONS_MIGRATION = `
create table asked_questions (
  dataset_id text not null references datasets (dataset_id) on delete cascade,
  client_id text not null,
  day date not null,
  -- Digest of the groups that the question is about.
  question bytea not null,
  primary key (dataset_id, client_id, day, question)
);
create index asked_questions_of_day on asked_questions (day);

create table question_counts (
  dataset_id text not null references datasets (dataset_id) on delete cascade,
  client_id text not null,
  day date not null,
  questions integer not null,
  primary key (dataset_id, client_id, day)
);
create index question_counts_of_day on question_counts (day);
`

/**
 * Turns count work. The defaults are for jobs that processes of the previous version queue meanwhile; those still
 * choose by `turn`.
 */
export const WORK_TURNS_MIGRATION = `
-- How long the job should keep a worker, in milliseconds.
alter table queue_entries add column work_ms integer not null default 1000;
-- Work that was done for the tenant, in milliseconds: the least comes first.
alter table queue_turns add column worked_ms bigint not null default 0;
`
