/** What all processes on a database must have in common, in one row. */
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
