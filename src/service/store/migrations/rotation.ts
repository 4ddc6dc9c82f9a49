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
