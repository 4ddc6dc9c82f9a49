/** What the operator did, or tried to: written before it is carried out, its outcome after. Never changed otherwise. */
export const AUDIT_MIGRATION = `
create table operator_actions (
  action_id text primary key,
  at timestamptz not null,
  operation text not null,
  -- What it was about: a request, tenant, client or job by its id.
  subject text,
  -- The body of the request; none of the operator's requests holds a secret.
  parameters json,
  request_id text not null,
  address text not null,
  -- HTTP status; null: the process ended before it had answered.
  status integer
);

create index operator_actions_newest on operator_actions (at desc, action_id desc);
`
