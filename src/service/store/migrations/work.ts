/**
 * Tables of datasets, generations and their jobs. Times are timestamptz; `json` (not `jsonb`) preserves the sequence of
 * keys. Nothing here refers to `datasets` by foreign key, because generations and jobs outlive their dataset.
 */
export const WORK_MIGRATION = `
create table jobs (
  job_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  kind text not null check (kind in ('training', 'generation')),
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'expired', 'cancelled')),
  dataset_id text not null,
  generation_id text,
  stage text,
  progress real not null default 0 check (progress between 0 and 1),
  error_code text,
  error_detail text,
  -- Times it was begun: more than one after a crash.
  attempts integer not null default 0,
  created_at timestamptz not null,
  deadline_at timestamptz not null,
  finished_at timestamptz,
  check ((error_code is null) = (error_detail is null)),
  check ((kind = 'generation') = (generation_id is not null)),
  check ((finished_at is not null) = (status in ('completed', 'failed', 'expired', 'cancelled')))
);

create index jobs_unfinished on jobs (deadline_at) where status in ('queued', 'running');
create index jobs_unfinished_of_dataset on jobs (dataset_id) where status in ('queued', 'running');

create table datasets (
  dataset_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  job_id text not null,
  -- A dataset whose training fails is removed; its job says why.
  status text not null check (status in ('processing', 'ready')),
  display_name text,
  auto_clean boolean not null,
  request_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  seed_bytes bigint not null,
  seed_sha256 text not null,
  -- Removed once training has ended: the model stands for it from then on.
  seed_blob text,
  model_blob text,
  schema json,
  cleaning_summary json,
  training_summary json,
  check ((status = 'ready') = (model_blob is not null and schema is not null)),
  check (status = 'ready' or seed_blob is not null)
);

create index datasets_newest on datasets (tenant_id, created_at desc, dataset_id desc);
create index datasets_expiring on datasets (expires_at);

create table generations (
  generation_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  dataset_id text not null,
  job_id text not null,
  status text not null check (status in ('processing', 'ready', 'partial', 'failed')),
  request_id text not null,
  row_count bigint not null check (row_count >= 1),
  seed bigint not null,
  output_format text not null,
  conditions json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rows_generated bigint,
  targets json,
  shortfall json,
  evidence json,
  error_code text,
  error_detail text,
  artifact_blob text,
  artifact_bytes bigint,
  artifact_sha256 text,
  check ((status in ('ready', 'partial')) = (artifact_blob is not null)),
  check ((status = 'failed') = (error_code is not null))
);

create index generations_expiring on generations (expires_at);
create index generations_in_progress on generations (tenant_id) where status = 'processing';

-- One row per POST that made something or is being received. Kept as long as what it made.
create table idempotency_keys (
  tenant_id text not null,
  operation text not null,
  key text not null,
  -- Null while the first request is still being received.
  resource_id text,
  fingerprint text,
  -- Who receives it; a holder whose lease has passed is gone.
  holder text not null,
  lease_until timestamptz not null,
  primary key (tenant_id, operation, key),
  check ((resource_id is null) = (fingerprint is null))
);

create index idempotency_keys_of_resource on idempotency_keys (resource_id);

-- What is billed: rows generated, one entry per generation, never changed.
create table ledger (
  generation_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  dataset_id text not null,
  rows_generated bigint not null check (rows_generated >= 0),
  created_at timestamptz not null
);

create index ledger_of_tenant on ledger (tenant_id, created_at);

-- Blobs to be removed when due: those of ended resources at once, those being stored after a while. An upload enters
-- its blob here before the first byte and takes it out in the transaction that records the dataset, so that no crash
-- leaves a blob that nobody knows.
create table doomed_blobs (
  blob_key text primary key,
  due_at timestamptz not null
);

create index doomed_blobs_due on doomed_blobs (due_at);
`
