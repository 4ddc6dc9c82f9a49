import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceContext } from '../../src/service/context/context.ts'
import { takeEntry } from '../../src/service/queue/queue-entries.ts'
import { sweep } from '../../src/service/retention/retention-sweeper.ts'
import type { Database } from '../../src/service/store/database.ts'
import { openPostgresDatabase } from '../../src/service/store/postgres-database.ts'
import type { ServiceEvent } from '../../src/service/telemetry/service-events.ts'
import { findPostgres, PostgresCluster } from '../../test/service/postgres-cluster.ts'
import { type ClientSecret, makeClient, mint, request } from '../../test/service/served-client.ts'
import { OPERATOR_TOKEN, type ServedProcess, serve } from '../../test/service/served-process.ts'
import { type Asked, timeRequests } from './latencies.ts'
import type { Report } from './report.ts'
import { fillDatabase, type Originals } from './scale-rows.ts'

const AMOUNTS = { tenants: 1_000, datasets: 100_000, generations: 1_000_000, orphaned: 100_000, paused: 1_000 }

/** PostgreSQL's defaults, except for the disk: a write is durable when it is answered. */
const SERVER_SETTINGS = ['fsync=on', 'synchronous_commit=on', 'max_wal_size=4GB', 'autovacuum=on']

/** Requests of each kind, one after another. */
const REQUESTS = 300

const ms = (value: number): string => `${value.toFixed(1)} ms`
const count = (value: number): string => value.toLocaleString('en')

/** Requests to a service with a day of work of many tenants. */
export async function scaleSection(report: Report): Promise<void> {
  const postgres = findPostgres()
  if ('missing' in postgres) return report.say(`Skipped: ${postgres.missing}.`)
  const folder = await mkdtemp(join(tmpdir(), 'whatif-scale-'))
  const cluster = await PostgresCluster.start(postgres.binaries, SERVER_SETTINGS)
  let service: ServedProcess | null = null
  let db: Database | null = null
  const start = async () =>
    await serve(join(folder, 'data'), {
      env: { DATABASE_URL: cluster.url(), WHATIF_SERVE_RATE_LIMITS: 'off' },
    })
  try {
    service = await start()
    const { client, originals } = await makeOriginals(service.baseUrl)
    await service.stop()
    service = null

    db = await openPostgresDatabase(cluster.url(), { statementTimeoutMs: 60 * 60_000 })
    const [{ tenant_id: tenantId } = { tenant_id: '' }] = await db.query<{ tenant_id: string }>(
      'select tenant_id from datasets',
    )
    const begun = performance.now()
    await fillDatabase(db, AMOUNTS, { ...originals, tenantId })
    const seconds = (performance.now() - begun) / 1000
    const [size] = await db.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    report.say(
      `${count(AMOUNTS.datasets)} datasets and ${count(AMOUNTS.generations)} generations of ${count(AMOUNTS.tenants)} tenants, one of which has a fifth; ${count(AMOUNTS.orphaned)} blobs and ${count(AMOUNTS.paused)} jobs that wait. Filled in ${seconds.toFixed(0)} s: ${((size?.bytes ?? 0) / 1e9).toFixed(1)} GB, with PostgreSQL's own settings (128 MB of shared buffers).`,
    )
    await reportSizes(report, db)

    service = await start()
    const bearer = (await mint(service.baseUrl, client)) as string
    await reportRequests(report, { url: service.baseUrl, bearer, db, originals: { ...originals, tenantId } })
    await service.stop()
    service = null
    await reportSweep(report, db)
    await reportTaking(report, db)
  } finally {
    await service?.kill()
    await db?.close()
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

const SCENARIO = { row_count: 1000, output_format: 'csv', conditions: { categorical: { region: { north: 0.4 } } } }

/** A dataset of 500 rows and a generation of a scenario, made by the service itself. */
async function makeOriginals(url: string): Promise<{ client: ClientSecret; originals: Omit<Originals, 'tenantId'> }> {
  const client = await makeClient(url, 'scale@example.com')
  const bearer = (await mint(url, client)) as string
  const upload = new FormData()
  upload.append('seed_file', new Blob([seedFile(500)]), 'survey.csv')
  upload.append('wait_seconds', '60')
  const { body: dataset } = await request(url, 'POST', '/v1/datasets', { bearer, body: upload, key: 'original' })
  const { body: generation } = await request(url, 'POST', `/v1/datasets/${dataset.dataset_id}/generations`, {
    bearer,
    body: { ...SCENARIO, wait_seconds: 60 },
    key: 'original',
  })
  if (generation.status !== 'ready') throw new Error(`No generation was made: ${JSON.stringify(generation)}`)
  return { client, originals: { datasetId: dataset.dataset_id, generationId: generation.generation_id } }
}

/** Answers of so many people to 20 questions, in a fixed sequence. */
function seedFile(rows: number): string {
  const questions = Array.from({ length: 18 }, (_, i) => `question_${i + 1}`)
  const lines = [['region', 'spend', ...questions].join(',')]
  for (let row = 0; row < rows; row++) {
    const region = ['north', 'south', 'east', 'west'][(row * 7) % 4]
    const answers = questions.map((_, i) => 1 + ((row * (i + 3) + ((row * row) % 11)) % 5))
    lines.push([region, 5 + ((row * 37) % 1999) / 10, ...answers].join(','))
  }
  return `${lines.join('\n')}\n`
}

/** Bytes of a row with its indexes, by table. */
async function reportSizes(report: Report, db: Database): Promise<void> {
  const per: readonly (readonly [table: string, rows: number, what: string])[] = [
    ['datasets', AMOUNTS.datasets, 'dataset'],
    ['generations', AMOUNTS.generations, 'generation'],
    ['jobs', AMOUNTS.datasets + AMOUNTS.generations, 'job, kept 8 days'],
    ['idempotency_keys', AMOUNTS.datasets + AMOUNTS.generations, 'key, kept as long as its resource'],
    ['ledger', AMOUNTS.generations, 'ledger row, kept for ever'],
    ['doomed_blobs', AMOUNTS.orphaned, 'blob that waits to be removed'],
  ]
  const rows = await db.query<{ name: string; bytes: number }>(
    `select name, pg_total_relation_size(name::regclass) as bytes from unnest($1::text[]) as name`,
    [per.map(([table]) => table)],
  )
  const bytesOf = (table: string, of: number) => Math.round((rows.find(({ name }) => name === table)?.bytes ?? 0) / of)
  report.table(
    ['', 'bytes, with indexes'],
    per.map(([table, of, what]) => [what, count(bytesOf(table, of))]),
  )
}

interface Place {
  readonly url: string
  readonly bearer: string
  readonly db: Database
  readonly originals: Originals
}

async function reportRequests(report: Report, { url, bearer, db, originals }: Place): Promise<void> {
  const sample = async (table: string, column: string): Promise<readonly string[]> => {
    // By a hash, so that they lie in any place.
    const rows = await db.query<{ id: string }>(
      `select ${column} as id from ${table} where tenant_id = $1 and expires_at > now() + interval '1 hour'
       order by md5(${column}) limit $2`,
      [originals.tenantId, REQUESTS],
    )
    return rows.map(({ id }) => id)
  }
  const datasets = await sample('datasets', 'dataset_id')
  const generations = await sample('generations', 'generation_id')
  const jobs = await db.query<{ id: string }>('select job_id as id from generations where generation_id = any($1)', [
    generations,
  ])
  const deep = await deepestPage(url, bearer)
  const times = (path: string) => Array.from({ length: REQUESTS }, () => path)
  const operator = OPERATOR_TOKEN
  const quota = `/operator/v1/tenants/${originals.tenantId}/quota`
  await request(url, 'POST', quota, { bearer: operator, body: { subscription_rows: 1e12, request_row_cap: 1e6 } })
  const generationPaths = times(`/v1/datasets/${originals.datasetId}/generations`)
  const kinds: readonly (readonly [what: string, asked: Asked, limit: number | null])[] = [
    // The machine's time for an answer that is not read, next to all others.
    ['/livez', { paths: times('/livez') }, null],
    ['list of datasets, first page', { bearer, paths: times('/v1/datasets?limit=100') }, 20],
    [`list, page ${deep.page}`, { bearer, paths: times(deep.path) }, 20],
    ['dataset', { bearer, paths: datasets.map((id) => `/v1/datasets/${id}`) }, 20],
    ['schema', { bearer, paths: datasets.map((id) => `/v1/datasets/${id}/schema`) }, 20],
    ['generation', { bearer, paths: generations.map((id) => `/v1/generations/${id}`) }, 20],
    ['job', { bearer, paths: jobs.map(({ id }) => `/v1/jobs/${id}`) }, 20],
    ['usage', { bearer, paths: times('/v1/usage') }, 20],
    ['/healthz', { paths: times('/healthz') }, 20],
    ['/metrics', { bearer: operator, paths: times('/metrics') }, 50],
    ['operator tenants', { bearer: operator, paths: times('/operator/v1/tenants') }, 20],
    ['operator overview', { bearer: operator, paths: times('/operator/v1/overview') }, 50],
    ['operator artifacts', { bearer: operator, paths: times('/operator/v1/artifacts') }, 20],
    ['operator signups', { bearer: operator, paths: times('/operator/v1/signups?status=approved') }, 20],
    ['operator jobs', { bearer: operator, paths: times('/operator/v1/jobs') }, 20],
    ['dashboard (the page)', { paths: times('/dashboard') }, 20],
    ['operator sweeps', { bearer: operator, paths: times('/operator/v1/sweeps') }, null],
    ['request for a generation', { bearer, paths: generationPaths, body: SCENARIO }, 50],
  ]
  const rows: string[][] = []
  for (const [what, asked, limit] of kinds) {
    const { median, p99 } = await timeRequests(url, asked)
    rows.push([what, ms(median), limit === null ? ms(p99) : report.atMost(`${what}, p99`, p99, limit, ms)])
  }
  report.table(['one after another', 'median', 'p99'], rows)
}

/** The last full page of the list, and its number. */
async function deepestPage(url: string, bearer: string): Promise<{ path: string; page: number }> {
  let path = '/v1/datasets?limit=100'
  for (let page = 1; ; page++) {
    const { body } = await request(url, 'GET', path, { bearer })
    if (body.next_cursor == null) return { path, page }
    path = `/v1/datasets?limit=100&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

/** The cost of removing expired records, without the blobs. */
async function reportSweep(report: Report, db: Database): Promise<void> {
  // As if no sweep had run for ten minutes.
  const now = () => Date.now() + 10 * 60_000
  const removed = { datasets: 0, generations: 0 }
  const emit = (event: ServiceEvent): void => {
    if (event.type === 'sweep.ended') Object.assign(removed, event.removed)
  }
  const begun = performance.now()
  await sweep({ db, now, events: { emit } } as unknown as ServiceContext)
  const taken = performance.now() - begun
  const all = removed.datasets + removed.generations
  report.say(
    `A sweep of what expired in ten minutes (${count(removed.datasets)} datasets, ${count(removed.generations)} generations marked, as many of an hour before removed): ${(taken / 1000).toFixed(1)} s, ${ms(taken / Math.max(1, all))} each.`,
  )
}

/** The cost of assigning a job while this many tenants wait for one. */
async function reportTaking(report: Report, db: Database): Promise<void> {
  const taker = { queue: 'training', leaseMs: 60_000, tenantJobs: null, smallExcept: null } as const
  const rows: string[][] = []
  for (const tenants of [10, 100, 1_000, 10_000]) {
    await db.exec(`delete from queue_entries where queue = 'training';
      insert into queue_turns (queue, tenant_id) select 'training', 'ten_' || md5(n::text)
        from generate_series(1, ${tenants}) as n on conflict do nothing;
      insert into queue_entries (job_id, queue, tenant_id, is_small)
        select 'taken_' || n || '_' || k, 'training', 'ten_' || md5(n::text), true
        from generate_series(1, ${tenants}) as n, generate_series(1, 10) as k`)
    await db.exec('vacuum analyze queue_entries, queue_turns')
    const taken: number[] = []
    for (let time = 0; time < 50; time++) {
      const begun = performance.now()
      await takeEntry(db, { ...taker, holder: randomUUID() })
      taken.push(performance.now() - begun)
    }
    taken.sort((a, b) => a - b)
    rows.push([count(tenants), ms(taken[25] ?? 0)])
  }
  report.table(['tenants that wait', 'taking a job, median'], rows)
}
