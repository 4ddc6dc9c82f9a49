/**
 * Who claimed first: whether from the address that had asked for access. That address is kept as a keyed hash, until the
 * decision or the claim makes it useless.
 */
export const FIRST_CLAIMS_MIGRATION = `
alter table signups add column address_hash text;
alter table signups add column claimed_at timestamptz;
alter table signups add column claimed_elsewhere boolean;

create index signups_of_client on signups (client_id) where client_id is not null;
`
