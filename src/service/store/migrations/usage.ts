/**
 * Running totals of each tenant's usage, so that nobody sums up a table that grows with time.
 *
 * A total in a single row would make everybody wait for that row: a deletion of a dataset would hold it while it waits
 * for jobs that others are ending, who in turn wait for the row. So triggers append changes to `usage_changes` in the
 * transaction that changes the resource itself, whatever version of the service runs there. From time to time they are
 * added to `tenant_usage`. A tenant's usage is its row there plus its pending changes, read by one statement.
 */

/** All counted quantities, by their column in both tables. */
const COUNTED = [
  'rows_billed',
  'rows_reserved',
  'seed_bytes',
  'model_bytes',
  'order_bytes',
  'artifact_bytes',
  'datasets_ready',
  'datasets_processing',
  'generations',
  'artifacts',
] as const

type Contribution = Readonly<Partial<Record<(typeof COUNTED)[number], string>>>

/** What one row of a table adds to its tenant's totals, as SQL. */
const CONTRIBUTIONS: Readonly<Record<string, Contribution>> = {
  ledger: { rows_billed: 'rows_generated' },
  generations: {
    rows_reserved: "case when status = 'processing' then row_count else 0 end",
    artifact_bytes: 'case when artifact_blob is null then 0 else coalesce(artifact_bytes, 0) end',
    generations: '1',
    artifacts: 'case when artifact_blob is null then 0 else 1 end',
  },
  datasets: {
    seed_bytes: 'case when seed_blob is null then 0 else seed_bytes end',
    model_bytes: 'coalesce(model_bytes, 0)',
    datasets_ready: "case when status = 'ready' then 1 else 0 end",
    datasets_processing: "case when status = 'processing' then 1 else 0 end",
  },
  orders: { order_bytes: 'bytes' },
}

const columns = COUNTED.map((name) => `${name} bigint not null default 0`).join(',\n  ')

/** Changes of one statement, a row per tenant; rows without a change are omitted. */
function append(contribution: Contribution, from: string): string {
  const names = Object.keys(contribution)
  const sums = names.map((name) => `sum(${name})`)
  return `insert into usage_changes (tenant_id, ${names.join(', ')})
      select tenant_id, ${sums.join(', ')} from (${from}) as changed
      where tenant_id is not null group by tenant_id
      having ${sums.map((sum) => `${sum} <> 0`).join(' or ')}`
}

function parts(contribution: Contribution, sign: '' | '-', table: string): string {
  const values = Object.entries(contribution).map(([name, sql]) => `${sign}(${sql})::bigint as ${name}`)
  return `select tenant_id, ${values.join(', ')} from ${table}`
}

function triggersOf(table: string, contribution: Contribution): string {
  const added = parts(contribution, '', 'added')
  const removed = parts(contribution, '-', 'removed')
  const trigger = (event: string, tables: string) =>
    `create trigger count_${table}_${event} after ${event} on ${table}
  referencing ${tables} for each statement execute function count_${table}();`
  return `
create function count_${table}() returns trigger language plpgsql as $count$
begin
  if tg_op = 'INSERT' then
    ${append(contribution, added)};
  elsif tg_op = 'DELETE' then
    ${append(contribution, removed)};
  else
    ${append(contribution, `${added} union all ${removed}`)};
  end if;
  return null;
end
$count$;
${trigger('insert', 'new table as added')}
${trigger('update', 'old table as removed new table as added')}
${trigger('delete', 'old table as removed')}
`
}

/**
 * Totals of existing rows. After the triggers, because from then on nobody writes to the tables until this has been
 * committed.
 */
const fill = Object.entries(CONTRIBUTIONS)
  .map(([table, contribution]) => `${append(contribution, parts(contribution, '', table))};`)
  .join('\n')

export const USAGE_MIGRATION = `
create table tenant_usage (
  tenant_id text primary key,
  ${columns}
);

create table usage_changes (
  change_id bigint generated always as identity primary key,
  tenant_id text not null,
  ${columns}
);

create index usage_changes_of_tenant on usage_changes (tenant_id);

-- The size of what is stored. Null in records of versions that did not tell.
alter table datasets add column model_bytes bigint;

-- An order outlives its dataset's row by a statement, and still has an owner.
alter table orders add column tenant_id text;
update orders set tenant_id = (select tenant_id from datasets where datasets.dataset_id = orders.dataset_id);

-- What the operator allows of stored bytes, in all and of one artifact. Null: what the service's settings say.
alter table tenants add column stored_bytes_limit bigint;
alter table tenants add column artifact_bytes_limit bigint;
${Object.entries(CONTRIBUTIONS)
  .map(([table, contribution]) => triggersOf(table, contribution))
  .join('')}
${fill}

-- For the operator, the largest first.
create index artifacts_largest on generations (artifact_bytes desc, generation_id desc) where artifact_blob is not null;
create index artifacts_largest_of_tenant on generations (tenant_id, artifact_bytes desc, generation_id desc)
  where artifact_blob is not null;

-- For /metrics.
create index signups_pending on signups (request_id) where status = 'pending';
`
