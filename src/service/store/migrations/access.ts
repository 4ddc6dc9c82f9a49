/**
 * Tables of access: requests, clients and the keys of the service. Secrets are stored only as hashes or sealed
 * (`keys/sealing.ts`); e-mail addresses are stored trimmed and in lower case.
 */
export const ACCESS_MIGRATION = `
create table tenants (
  tenant_id text primary key,
  name text not null,
  request_row_cap bigint not null default 1000000,
  -- Rows of the active subscription not yet used up are computed from the ledger; null means no limit.
  subscription_rows bigint,
  retention_hours integer not null default 24 check (retention_hours between 1 and 168),
  created_at timestamptz not null
);

create table clients (
  client_id text primary key,
  tenant_id text not null references tenants (tenant_id),
  -- scrypt; null until the first claim.
  secret_hash text,
  created_at timestamptz not null
);

create index clients_of_tenant on clients (tenant_id);

create table signups (
  request_id text primary key,
  company_name text not null,
  contact_email text not null,
  status text not null check (status in ('pending', 'approved', 'declined')),
  client_id text references clients (client_id),
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((status = 'approved') = (client_id is not null))
);

-- One pending or approved request per contact e-mail, whatever the number of processes.
create unique index signups_open_email on signups (contact_email) where status in ('pending', 'approved');
create index signups_newest on signups (created_at desc, request_id desc);

create table claim_tokens (
  token_hash text primary key,
  client_id text not null references clients (client_id),
  -- For the status route, while unclaimed; wiped by the claim.
  sealed text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_at timestamptz
);

create index claim_tokens_of_client on claim_tokens (client_id);

create table service_keys (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null default now()
);
`
