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
