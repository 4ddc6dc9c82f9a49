/**
 * How long a tenant waits for a small job after another one has filled the queues: A requests 300 generations of 100,000 rows and
 * 10 trainings of as many rows. Then B uploads 500 rows and requests 100, at first as the first requests that B ever makes.
 * Then a hog: A's generations of very many cells keep all workers, and B's jobs of a second come beside them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, findPostgres, PostgresCluster } from '../../test/service/postgres-cluster.ts'
import { makeClient, mint, type Reply, request } from '../../test/service/served-client.ts'
import { type ServedProcess, serve } from '../../test/service/served-process.ts'
import { seconds } from '../report-text.js'
import type { Report } from './report.ts'
import { surveyTable } from './survey-table.ts'

const LARGE_ROWS = 100_000
const GENERATIONS = 300
const ORDERS_AT_ONCE = 10
const TRAININGS = 10
const SMALL_SEED_ROWS = 500
const SMALL_ROWS = 100
const WARM_ROUNDS = 5

const ROWS_LIMIT_S = 2
const TRAINING_LIMIT_S = 5

/** Jobs of A that take all workers for a minute. */
const HOG = { columns: 300, seedRows: 1_000, rows: 200_000, generations: 3 }
/** Jobs of B beside them, each time after a pause. */
const BESIDE = { seedRows: 3_000, rows: 60_000, pauseMs: 5_000 }
const BESIDE_LIMIT_S = 3
const HOG_LOSS_LIMIT = 1.1

/** Time until ready, in seconds. */
interface Round {
  readonly training: number
  readonly rows: number
}

export async function fairness(report: Report): Promise<void> {
  report.say(
    `Tenant A requests ${GENERATIONS} generations of ${LARGE_ROWS} rows and ${TRAININGS} trainings of ${LARGE_ROWS} rows x 10 columns. Then B uploads ${SMALL_SEED_ROWS} rows and asks for ${SMALL_ROWS}, first cold and then ${WARM_ROUNDS} times more; from the request until it is ready.`,
  )
  const rows: string[][] = []
  const beside: string[][] = []
  const measure = async (where: string, api: ServedProcess) => {
    const hog = await measureHog(api.baseUrl)
    const most = (what: string, values: readonly number[]) =>
      report.atMost(`${where}, beside a hog, ${what}`, Math.max(...values), BESIDE_LIMIT_S, seconds)
    beside.push([
      where,
      most(`training of ${BESIDE.seedRows} rows`, hog.trainings),
      most(`${BESIDE.rows} rows`, hog.rows),
      report.atMost(`${where}, the hog beside others over alone`, hog.beside / hog.alone, HOG_LOSS_LIMIT, (x) =>
        x.toFixed(2),
      ),
    ])
    const rounds = await measureRounds(api.baseUrl)
    const [cold, ...warm] = rounds as [Round, ...Round[]]
    const of = (what: string, kind: keyof Round, limit: number) => {
      const most = Math.max(...warm.map((round) => round[kind]))
      const text = (when: string, value: number) => report.atMost(`${where}, ${what}, ${when}`, value, limit, seconds)
      rows.push([`${where}: ${what}`, text('cold', cold[kind]), text('warm', most)])
    }
    of(`training of ${SMALL_SEED_ROWS} rows`, 'training', TRAINING_LIMIT_S)
    of(`${SMALL_ROWS} rows`, 'rows', ROWS_LIMIT_S)
  }
  await inFolder(async (folder) => {
    const service = await serve(join(folder, 'data'), { threads: null })
    await endingAfterwards([service], async () => await measure('one process', service))
  })
  const postgres = findPostgres()
  if ('missing' in postgres) report.say(`Not measured with PostgreSQL: ${postgres.missing}.`)
  else {
    await onPostgres(postgres.binaries, async (databaseUrl) => {
      await inFolder(async (folder) => {
        const env = (role: string) => ({ DATABASE_URL: databaseUrl, WHATIF_SERVE_ROLE: role })
        const data = join(folder, 'data')
        const api = await serve(data, { threads: null, env: env('api') })
        await endingAfterwards([api], async () => {
          const worker = await serve(data, { threads: null, env: env('worker') })
          await endingAfterwards([worker], async () => await measure('api and worker', api))
        })
      })
    })
  }
  report.table(['', 'cold', `slowest of ${WARM_ROUNDS}, warm`], rows)
  report.say(
    `The hog: A requests ${HOG.generations} generations of ${HOG.rows} rows x ${HOG.columns} columns at once. Beside them B trains ${BESIDE.seedRows} rows x 10 columns and asks for ${BESIDE.rows} rows, again and again; the slowest of each, and the time of A's over its time alone.`,
  )
  report.table(['', 'training', 'rows', 'hog'], beside)
}

interface Hog {
  /** Seconds until all jobs of A have ended, without and with those of B. */
  readonly alone: number
  readonly beside: number
  /** Seconds of each job of B. */
  readonly trainings: readonly number[]
  readonly rows: readonly number[]
}

/** Levels and numbers that go with one another, from a fixed random sequence. */
function wideTable(rows: number, columns: number): string {
  let state = 1
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const lines = [Array.from({ length: columns }, (_, i) => `c${i}`).join(',')]
  for (let row = 0; row < rows; row++) {
    const common = random()
    const cell = (column: number) => {
      const value = (common + random()) / 2
      return column % 2 === 0 ? 'abcde'.charAt(Math.floor(5 * value)) : Math.floor(100 * value)
    }
    lines.push(Array.from({ length: columns }, (_, column) => cell(column)).join(','))
  }
  return lines.join('\n')
}

async function measureHog(baseUrl: string): Promise<Hog> {
  const a = await openTenant(baseUrl, 'hog@example.org')
  const b = await openTenant(baseUrl, 'beside@example.org')
  const wide = wideTable(HOG.seedRows, HOG.columns)
  const datasetId = (await a.upload(wide, 60)).body.dataset_id as string
  const small = surveyTable(BESIDE.seedRows, 3)
  const hog = async () => {
    const orders = Array.from({ length: HOG.generations }, async () => {
      const { body } = await a.generate(datasetId, HOG.rows, 0)
      while (['queued', 'running'].includes(await a.statusOf(body.job_id))) await pause(250)
    })
    await Promise.all(orders)
  }
  await a.generate(datasetId, 100, 60)
  const [, alone] = await timed(hog)
  const trainings: number[] = []
  const rows: number[] = []
  const [, beside] = await timed(async () => {
    let hasEnded = false
    const running = hog().finally(() => {
      hasEnded = true
    })
    await pause(BESIDE.pauseMs)
    while (!hasEnded) {
      const [uploaded, training] = await timed(async () => await b.upload(small, 60))
      requireIs(uploaded, 'ready')
      const [generated, generation] = await timed(
        async () => await b.generate(uploaded.body.dataset_id, BESIDE.rows, 60),
      )
      requireIs(generated, 'ready')
      trainings.push(training)
      rows.push(generation)
      await pause(BESIDE.pauseMs)
    }
    await running
  })
  return { alone, beside, trainings, rows }
}

async function measureRounds(baseUrl: string): Promise<readonly Round[]> {
  const a = await openTenant(baseUrl, 'a@example.org')
  const b = await openTenant(baseUrl, 'b@example.org')
  const large = surveyTable(LARGE_ROWS, 1)
  const small = surveyTable(SMALL_SEED_ROWS, 2)
  const datasetId = (await a.upload(large, 60)).body.dataset_id as string
  for (let i = 0; i < GENERATIONS; i += ORDERS_AT_ONCE) {
    await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, () => a.generate(datasetId, LARGE_ROWS, 0)))
  }
  let last = ''
  for (let i = 0; i < TRAININGS; i++) last = (await a.upload(large, 0)).body.job_id
  const rounds: Round[] = []
  for (let round = 0; round <= WARM_ROUNDS; round++) {
    const [uploaded, training] = await timed(async () => await b.upload(small, 60))
    requireIs(uploaded, 'ready')
    const [generated, rows] = await timed(async () => await b.generate(uploaded.body.dataset_id, SMALL_ROWS, 60))
    requireIs(generated, 'ready')
    rounds.push({ training, rows })
  }
  if ((await a.statusOf(last)) !== 'queued')
    throw new Error('The queue of A ran empty meanwhile: nothing was measured.')
  return rounds
}

async function openTenant(baseUrl: string, email: string) {
  const bearer = await mint(baseUrl, await makeClient(baseUrl, email))
  if (bearer === null) throw new Error('The credentials of a new tenant were refused.')
  return {
    async upload(csv: string, waitSeconds: number): Promise<Reply> {
      const body = new FormData()
      body.set('wait_seconds', String(waitSeconds))
      body.set('seed_file', new Blob([csv]), 'survey.csv')
      return accepted(await request(baseUrl, 'POST', '/v1/datasets', { bearer, body }))
    },
    async generate(datasetId: string, rowCount: number, waitSeconds: number): Promise<Reply> {
      const body = { row_count: rowCount, wait_seconds: waitSeconds }
      return accepted(await request(baseUrl, 'POST', `/v1/datasets/${datasetId}/generations`, { bearer, body }))
    },
    async statusOf(jobId: string): Promise<string> {
      return accepted(await request(baseUrl, 'GET', `/v1/jobs/${jobId}`, { bearer })).body.status
    },
  }
}

function accepted(reply: Reply): Reply {
  if (reply.status === 200 || reply.status === 201 || reply.status === 202) return reply
  throw new Error(`The service answered ${reply.status}: ${JSON.stringify(reply.body)}`)
}

function requireIs({ body }: Reply, status: string): void {
  if (body.status !== status) throw new Error(`It is not ${status}: ${JSON.stringify(body)}`)
}

async function timed<T>(work: () => Promise<T>): Promise<[value: T, seconds: number]> {
  const begun = performance.now()
  const value = await work()
  return [value, (performance.now() - begun) / 1000]
}

/** Does not wait for queued work: nothing of it is inspected. */
async function endingAfterwards(services: readonly ServedProcess[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    for (const service of services) await service.kill()
  }
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-fairness-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onPostgres(binaries: string, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const cluster = await PostgresCluster.start(binaries)
  try {
    const database = await createDatabase(cluster.url(), 'fairness')
    await work(database.url)
    await database.remove()
  } finally {
    await cluster.remove()
  }
}
