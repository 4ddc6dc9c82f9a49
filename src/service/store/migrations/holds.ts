/** While a backup is made, blobs stay (`blob-hold.ts`). */
export const HOLDS_MIGRATION = `
create table blob_hold (
  -- One row at most.
  is_only boolean primary key default true check (is_only),
  until_at timestamptz not null
);
`
