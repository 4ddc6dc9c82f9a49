/**
 * Revocation of bearer tokens. A token carries the epoch of its client at the moment of minting; raising the epoch
 * refuses all tokens before, to the exact one, where times of whole seconds could not tell what came first.
 */
export const REVOCATION_MIGRATION = `
alter table clients add column token_epoch integer not null default 0;
alter table clients add column tokens_revoked_at timestamptz;

create index clients_revoked on clients (client_id) where token_epoch > 0;
`
