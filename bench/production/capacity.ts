import { existsSync, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/service/store/database.ts'
import { openPostgresDatabase } from '../../src/service/store/postgres-database.ts'
import { findPostgres, PostgresCluster } from '../../test/service/postgres-cluster.ts'
import { makeClient, mint, request } from '../../test/service/served-client.ts'
import { type ServedProcess, serve } from '../../test/service/served-process.ts'
import { writeMixedCsv } from '../mixed-csv.js'
import { cpuOfFamily, cpuOfGroup, memoryOfGroup, parentOf } from './processes.ts'
import type { Report } from './report.ts'

/** Seed files: rows, columns, and how often each is trained. The first is of a process that has just begun. */
const TRAININGS = [
  [1_000, 10, 3],
  [1_000, 10, 5],
  [10_000, 20, 3],
  [100_000, 20, 1],
] as const
const GENERATIONS = 300
const AT_ONCE = 4
const SCENARIO = { conditions: { categorical: { 'question.1': { Agree: 0.4 } } } }
const READS = 3_000
/** Clean-up after writes runs at its own times, and would count as part of the current measurement. */
const SERVER_SETTINGS = ['fsync=on', 'autovacuum=off']

/** The cost of a piece of work, for every participant. */
interface Cost {
  readonly worker: number
  readonly api: number
  readonly database: number
  /** Transactions that wrote something. */
  readonly writes: number
  readonly walBytes: number
  readonly seconds: number
}

/** The cost of one upload, generation and request of each kind, for the page `docs/capacity.md`. */
export async function capacitySection(report: Report): Promise<void> {
  const postgres = findPostgres()
  if ('missing' in postgres) return report.say(`Skipped: ${postgres.missing}.`)
  if (!existsSync('/proc/self/stat'))
    return report.say('Skipped: this platform does not report the resources of processes.')
  const folder = await mkdtemp(join(tmpdir(), 'whatif-capacity-'))
  const cluster = await PostgresCluster.start(postgres.binaries, SERVER_SETTINGS)
  const services: ServedProcess[] = []
  let db: Database | null = null
  const start = async (role: string) => {
    const env = { DATABASE_URL: cluster.url(), WHATIF_SERVE_ROLE: role, WHATIF_SERVE_RATE_LIMITS: 'off' }
    const service = await serve(join(folder, 'data'), { env: { ...env, WHATIF_MASTER_KEY: 'k'.repeat(40) } })
    services.push(service)
    return service
  }
  try {
    const api = await start('api')
    const worker = await start('worker')
    db = await openPostgresDatabase(cluster.url())
    await measure(report, { api, worker, db, folder })
  } finally {
    await db?.close()
    for (const service of services) await service.kill()
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  readonly api: ServedProcess
  readonly worker: ServedProcess
  readonly db: Database
  readonly folder: string
}

async function measure(report: Report, place: Place): Promise<void> {
  const { api, worker, db } = place
  const url = api.baseUrl
  const [{ pid } = { pid: 0 }] = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = parentOf(pid)
  const costOf = async (count: number, work: () => Promise<void>): Promise<Cost> => {
    const totals = async () => ({
      worker: cpuOfGroup(worker.pid),
      api: cpuOfGroup(api.pid),
      database: cpuOfFamily(server),
      ...(await countersOf(db)),
    })
    const before = { ...(await totals()), seconds: performance.now() / 1000 }
    await work()
    const seconds = performance.now() / 1000
    const after = { ...(await totals()), seconds }
    const names = Object.keys(after) as (keyof Cost)[]
    return Object.fromEntries(names.map((name) => [name, (after[name] - before[name]) / count])) as unknown as Cost
  }
  const bearer = (await mint(url, await makeClient(url, 'capacity@example.com'))) as string
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await request(url, method, path, { bearer, body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const rows: string[][] = []
  const add = (what: string, { worker, api, database, writes, walBytes, seconds }: Cost): void => {
    const cpu = [worker, api, database].map((value) => (value * 1000).toFixed(1))
    rows.push([what, ...cpu, writes.toFixed(1), (walBytes / 1024).toFixed(1), (seconds * 1000).toFixed(0)])
  }

  const datasets: string[] = []
  for (const [index, [seedRows, columns, times]] of TRAININGS.entries()) {
    const file = join(place.folder, `${seedRows}-${index}.csv`)
    const bytes = await writeMixedCsv(file, { rows: seedRows, columns })
    const before = (await call('GET', '/v1/usage')).stored.model_bytes
    const cost = await costOf(times, async () => {
      for (let time = 0; time < times; time++) {
        const upload = new FormData()
        upload.append('seed_file', await openAsBlob(file), 'seed.csv')
        upload.append('wait_seconds', '60')
        const dataset = await call('POST', '/v1/datasets', upload)
        if (dataset.status !== 'ready') throw new Error(`No dataset: ${JSON.stringify(dataset)}`)
        if (seedRows === 10_000) datasets.push(dataset.dataset_id)
      }
    })
    const model = ((await call('GET', '/v1/usage')).stored.model_bytes - before) / times
    const size = `${seedRows.toLocaleString('en')} x ${columns}`
    add(`training, ${size}${index === 0 ? ', the first' : ''}`, cost)
    report.say(`A file of ${size}: ${kilobytes(bytes)}, its model ${kilobytes(model)}.`)
  }

  const generate = async (datasetId: string, rowCount: number, scenario = SCENARIO as object) => {
    const body = { ...scenario, row_count: rowCount, output_format: 'parquet', wait_seconds: 60 }
    const made = await call('POST', `/v1/datasets/${datasetId}/generations`, body)
    if (made.status !== 'ready') throw new Error(`No generation: ${JSON.stringify(made)}`)
    return made
  }
  const onEach = async (scenario: object) =>
    await costOf(datasets.length, async () => {
      for (const id of datasets) await generate(id, 1_000, scenario)
    })
  add('first generation of a dataset, 1,000 rows', await onEach({}))
  add('first generation with these conditioned columns, 1,000 rows', await onEach(SCENARIO))
  const [datasetId = ''] = datasets.slice(-1)
  let artifact = 0
  let connections = 0
  const generations = await costOf(GENERATIONS, async () => {
    await inParallel(GENERATIONS, async () => {
      const made = await generate(datasetId, 1_000)
      artifact = made.artifact.bytes
      await call('GET', made.artifact_url)
      connections = Math.max(connections, await connectionsOf(db))
    })
  })
  add('further generation, 1,000 rows, fetched', generations)
  let million = 0
  const large = await costOf(1, async () => {
    const made = await generate(datasetId, 1_000_000)
    million = made.artifact.bytes
  })
  add('further generation, 1,000,000 rows', large)
  const generationId = (await generate(datasetId, 1_000)).generation_id
  for (const [what, path] of [
    ['reading a dataset', `/v1/datasets/${datasetId}`],
    ['reading a generation', `/v1/generations/${generationId}`],
    ['listing datasets', '/v1/datasets'],
  ] as const) {
    add(what, await costOf(READS, async () => await inParallel(READS, async () => void (await call('GET', path)))))
  }
  const idle = await costOf(20, async () => void (await wait(20_000)))
  add('a second without requests', idle)
  report.table(['each', 'ms worker', 'ms api', 'ms database', 'writes', 'KiB log', 'ms elapsed'], rows)
  report.say(
    `Processor milliseconds of the worker (with the processes that it trains in), of the process that answers requests, and of PostgreSQL (without its autovacuum); its transactions that write, and what it logged. ${AT_ONCE} clients at once, one worker at a time. An artifact of 1,000 rows of 20 columns as Parquet has ${kilobytes(artifact)}, of 1,000,000 ${kilobytes(million)}.`,
  )
  const memory = { api: memoryOfGroup(api.pid), worker: memoryOfGroup(worker.pid) }
  report.say(
    `Memory: api ${megabytes(memory.api.leader)} (at most ${megabytes(memory.api.leaderPeak)}), worker ${megabytes(memory.worker.leader)} (at most ${megabytes(memory.worker.leaderPeak)}), the process that trains at most ${megabytes(memory.worker.otherPeak)}. Connections to PostgreSQL of both at most: ${connections}.`,
  )
}

/** Totals of the server since its start, to the moment: its statistics come later. */
async function countersOf(db: Database): Promise<Pick<Cost, 'writes' | 'walBytes'>> {
  const [row] = await db.query<{ writes: number; wal: number }>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as writes,
       (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as wal`,
  )
  return { writes: row?.writes ?? 0, walBytes: row?.wal ?? 0 }
}

/** Of the service: without that of the bench. */
async function connectionsOf(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) - 1 as count from pg_stat_activity where application_name = 'whatif'`,
  )
  return row?.count ?? 0
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let left = count
  const one = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString('en')} kB`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
