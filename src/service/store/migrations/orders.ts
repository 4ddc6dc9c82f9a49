/** Orders that scenarios made the engine train, kept beside the model of their dataset. */
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
