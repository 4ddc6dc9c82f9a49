import type { Database } from '../../src/service/store/database.ts'

/** How many rows a database is filled with. */
export interface Amounts {
  readonly tenants: number
  readonly datasets: number
  readonly generations: number
  /** Orphaned blobs that wait for the sweep. */
  readonly orphaned: number
  /** Jobs that pause, as after an outage; two for each tenant. */
  readonly paused: number
}

/** A dataset and a generation that the service made itself: all others are copies with ids and times of their own. */
export interface Originals {
  readonly tenantId: string
  readonly datasetId: string
  readonly generationId: string
}

/** One of so many datasets, and of their generations, is of the tenant of the originals. */
const SHARE_OF_ONE = 5
/** Retention, and the hour in which what has expired can be taken back. */
const HOURS_KEPT = 25
/** Generations made by one statement: its triggers keep what it inserts until its end. */
const BATCH = 100_000

/** SQL of a random-looking id as the service makes them. */
const id = (prefix: string, n: string): string => `'${prefix}_' || left(md5('${prefix}' || (${n})), 22)`

/** SQL of a time that lies the n-th part of `of` back in the hours that are kept. */
const spread = (n: string, of: number): string => `now() - (${n}) * interval '${HOURS_KEPT} hours' / ${of}`

/**
 * Fills a migrated database with a day of a service: every dataset with its job and key, every generation with its job, ledger
 * row and key, running totals by the triggers, and pending removals. The oldest 4 % have expired and wait for the sweep.
 */
export async function fillDatabase(db: Database, amounts: Amounts, originals: Originals): Promise<void> {
  const { tenants, datasets, generations } = amounts
  const others = `generate_series(1, ${tenants - 1}) as n`
  const tenantOf = (n: string): string =>
    `case when (${n}) % ${SHARE_OF_ONE} = 0 then '${originals.tenantId}' else ${id('ten', `1 + (${n}) % ${tenants - 1}`)} end`
  const original = {
    tenants: `select * from tenants where tenant_id = '${originals.tenantId}'`,
    clients: `select * from clients where tenant_id = '${originals.tenantId}' limit 1`,
    datasets: `select * from datasets where dataset_id = '${originals.datasetId}'`,
    generations: `select * from generations where generation_id = '${originals.generationId}'`,
    trainings: `select * from jobs where dataset_id = '${originals.datasetId}' and kind = 'training'`,
    jobs: `select * from jobs where generation_id = '${originals.generationId}'`,
    ledger: `select * from ledger where generation_id = '${originals.generationId}'`,
  }
  const copy = async (table: string, from: string, rows: string, values: Readonly<Record<string, string>>) => {
    const columns = await columnsOf(db, table)
    const selected = columns.map((column) => values[column] ?? `original.${column}`)
    await db.exec(`insert into ${table} (${columns.join(', ')})
      select ${selected.join(', ')} from (${from}) as original, ${rows}`)
  }

  await copy('tenants', original.tenants, others, {
    tenant_id: id('ten', 'n'),
    created_at: `now() - n * interval '1 hour'`,
  })
  await copy('clients', original.clients, others, { client_id: id('cli', 'n'), tenant_id: id('ten', 'n') })
  await db.exec(`insert into signups (request_id, company_name, contact_email, status, client_id, created_at, decided_at)
    select ${id('req', 'n')}, 'Company ' || n, 'contact-' || n || '@example.com', 'approved', ${id('cli', 'n')},
      now() - n * interval '1 hour', now() - n * interval '1 hour' from ${others}`)

  const times = (n: string, of: number) => ({
    created_at: spread(n, of),
    expires_at: `${spread(n, of)} + interval '24 hours'`,
    swept_at: `case when ${spread(n, of)} < now() - interval '24 hours' then ${spread(n, of)} + interval '24 hours' end`,
  })
  const ended = (n: string, of: number) => ({
    created_at: spread(n, of),
    finished_at: `${spread(n, of)} + interval '1 second'`,
  })
  const all = `generate_series(1, ${datasets}) as n`
  const ofDataset = { dataset_id: id('ds', 'n'), tenant_id: tenantOf('n') }
  await copy('datasets', original.datasets, all, {
    ...ofDataset,
    ...times('n', datasets),
    job_id: id('job', `'t' || n`),
    model_blob: `'models/' || ${id('ds', 'n')}`,
    display_name: `'Survey ' || n`,
  })
  await copy('jobs', original.trainings, all, { ...ofDataset, ...ended('n', datasets), job_id: id('job', `'t' || n`) })
  await insertKeys(db, 'createDataset', 'ds', all, tenantOf('n'))

  for (let first = 1; first <= generations; first += BATCH) {
    const some = `generate_series(${first}, ${Math.min(generations, first + BATCH - 1)}) as n`
    // The datasets of a tenant come in the same rhythm as its generations.
    const dataset = `1 + (n - 1) % ${datasets}`
    const owned = { dataset_id: id('ds', dataset), tenant_id: tenantOf(dataset), generation_id: id('gen', 'n') }
    await copy('generations', original.generations, some, {
      ...owned,
      ...times('n', generations),
      job_id: id('job', 'n'),
      artifact_blob: `'artifacts/' || ${id('gen', 'n')}`,
      artifact_bytes: '20000 + n % 30000',
    })
    await copy('jobs', original.jobs, some, { ...owned, ...ended('n', generations), job_id: id('job', 'n') })
    await copy('ledger', original.ledger, some, { ...owned, created_at: spread('n', generations) })
    await insertKeys(db, 'createGeneration', 'gen', some, tenantOf(dataset))
  }
  await fillWaiting(db, amounts, { copy, jobs: original.jobs })
  // Nobody watched the time during the filling, so the next process would delay its sweeps.
  await db.exec(`update sweep_watch set watched_until = now(), held_since = null`)
  await db.exec('vacuum analyze')
}

type Copy = (table: string, from: string, rows: string, values: Readonly<Record<string, string>>) => Promise<void>

async function fillWaiting(db: Database, { orphaned, paused }: Amounts, { copy, jobs }: { copy: Copy; jobs: string }) {
  await db.exec(`insert into doomed_blobs (blob_key, due_at)
    select 'artifacts/' || ${id('gen', `'old' || n`)}, now() + interval '2 hours' from generate_series(1, ${orphaned}) as n`)
  const waiting = `generate_series(1, ${paused}) as n`
  const tenant = id('ten', 'n / 2 + 1')
  await copy('jobs', jobs, waiting, {
    job_id: id('job', `'p' || n`),
    generation_id: id('gen', `'p' || n`),
    tenant_id: tenant,
    status: `'queued'`,
    finished_at: 'null',
    deadline_at: 'null',
  })
  await db.exec(`insert into queue_turns (queue, tenant_id)
    select distinct 'generation', ${tenant} from ${waiting} on conflict do nothing`)
  await db.exec(`insert into queue_entries (job_id, queue, tenant_id, is_small, available_at, setbacks)
    select ${id('job', `'p' || n`)}, 'generation', ${tenant}, true, now() + interval '1 day', 3 from ${waiting}`)
}

async function insertKeys(
  db: Database,
  operation: string,
  prefix: string,
  rows: string,
  tenant: string,
): Promise<void> {
  await db.exec(`insert into idempotency_keys (tenant_id, operation, key, resource_id, fingerprint, holder, lease_until)
    select ${tenant}, '${operation}', md5('key' || n), ${id(prefix, 'n')}, md5('print' || n) || md5('f' || n),
      ${id(prefix, 'n')}, now() from ${rows}`)
}

async function columnsOf(db: Database, table: string): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(
    `select column_name::text as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_identity = 'NO' order by ordinal_position`,
    [table],
  )
  return rows.map((row) => row.name)
}
