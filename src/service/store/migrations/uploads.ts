/** Seed files that are sent in parts. The entries of their blobs in `doomed_blobs` end what nobody goes on with. */
export const UPLOADS_MIGRATION = `
create table uploads (
  upload_id text primary key,
  tenant_id text not null references tenants (tenant_id) on delete cascade,
  -- Of the whole file.
  sha256 text not null,
  bytes bigint not null,
  part_bytes integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whose seed file it became; null: it is open.
  dataset_id text
);
create unique index open_upload_of_file on uploads (tenant_id, sha256, bytes) where dataset_id is null;
create index uploads_expiry on uploads (expires_at);

create table upload_parts (
  upload_id text not null references uploads (upload_id) on delete cascade,
  number integer not null,
  blob_key text not null,
  primary key (upload_id, number)
);
`
