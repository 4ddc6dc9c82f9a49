/**
 * A study of very many small scenarios on two api and four worker processes, ordered in batches, with a worker and an api process killed
 * on the way, while another tenant asks for a few rows again and again.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { makeClient, mint, type Reply, request } from '../../test/service/served-client.ts'
import { milliseconds } from '../report-text.js'
import type { Member } from './member.ts'
import { cpuOfFamily, cpuOfGroup, parentOf } from './processes.ts'
import type { Report } from './report.ts'
import { surveyTable } from './survey-table.ts'
import { Team } from './team.ts'

const SEED_ROWS = 1_000
const ROWS = 500
const BATCH = 1_000
const LONE = 100
const BESIDE_ROWS = 100
const BESIDE_EVERY_MS = 500
const LOOK_MS = 250
const RETRY_MS = 200

const COST_LIMIT = 1.3
const BESIDE_LIMIT_S = 2

export async function many(report: Report, { scenarios }: { readonly scenarios: number }): Promise<void> {
  const env = { WHATIF_SERVE_TENANT_QUEUE: String(scenarios + BATCH), WHATIF_SERVE_RATE_LIMITS: 'off' }
  const team = await Team.start({ env })
  try {
    const workers = [
      ...team.workers,
      await team.another('worker 3', 'worker'),
      await team.another('worker 4', 'worker'),
    ]
    for (const worker of workers.slice(2)) await worker.start()
    report.say(
      `${scenarios} scenarios of ${ROWS} rows x 10 columns, in batches of ${BATCH}, on two api and four worker processes of one thread each. A worker is killed after a third of them and an api process after two thirds; both start again.`,
    )
    const a = await openTenant(team.publicUrl, 'many@example.org')
    const b = await openTenant(team.publicUrl, 'beside@example.org')
    const meter = await Meter.open(team, workers)

    for (let i = 0; i < LONE; i++) await a.generate(`first-${i}`, i / LONE)
    const lone = await meter.costOf(LONE, async () => {
      for (let i = 0; i < LONE; i++) await a.generate(`lone-${i}`, i / LONE)
    })
    const beside: number[] = []
    let isOver = false
    const bystander = (async () => {
      for (let i = 0; !isOver; i++) {
        const begun = performance.now()
        await b.generate(`beside-${i}`, 0.5, BESIDE_ROWS)
        beside.push((performance.now() - begun) / 1000)
        await wait(BESIDE_EVERY_MS)
      }
    })()
    const begun = performance.now()
    const load = await meter.costOf(scenarios, async () => {
      const ordering = (async () => {
        for (let first = 0; first < scenarios; first += BATCH)
          await a.order(first, Math.min(scenarios, first + BATCH), scenarios)
      })()
      const billed = async () => (await countBilled(team, a.datasetId)) - 2 * LONE
      for (const [share, victim] of [
        [1 / 3, workers[3]],
        [2 / 3, team.apis[1]],
      ] as const) {
        while ((await billed()) < share * scenarios) await wait(LOOK_MS)
        await meter.restart(victim as Member)
      }
      await ordering
      while ((await billed()) < scenarios) await wait(LOOK_MS)
    })
    const elapsed = (performance.now() - begun) / 1000
    isOver = true
    await bystander

    const row = ({ workers: worker, apis, database, storage }: Cost) =>
      [worker, apis, database, storage].map((value) => (value * 1000).toFixed(1))
    report.table(
      ['processor ms of each', 'workers', 'apis', 'database', 'storage'],
      [
        ['alone, one after the other', ...row(lone)],
        ['among the others', ...row(load)],
      ],
    )
    report.say(`${scenarios} in ${elapsed.toFixed(0)} s: ${(scenarios / elapsed).toFixed(1)} per second.`)
    report.say(
      `Worker time of each over that of one alone: ${report.atMost('worker time of each over that of one alone', load.workers / lone.workers, COST_LIMIT, (x) => x.toFixed(2))}.`,
    )
    beside.sort((x, y) => x - y)
    const p99 = beside[Math.min(beside.length - 1, Math.floor(0.99 * beside.length))] as number
    report.say(
      `${beside.length} small jobs of another tenant: median ${milliseconds(beside[beside.length >> 1] as number)}, p99 ${report.atMost('small jobs of another tenant, p99', p99, BESIDE_LIMIT_S, milliseconds)}.`,
    )
    await checkBilling(report, team, a.datasetId, scenarios + 2 * LONE)
  } finally {
    await team.close()
  }
}

async function countBilled(team: Team, datasetId: string): Promise<number> {
  const sql = 'select count(*)::integer as count from ledger where dataset_id = $1'
  return (await team.row<{ count: number }>(sql, [datasetId])).count
}

async function checkBilling(report: Report, team: Team, datasetId: string, expected: number): Promise<void> {
  const ledger = await team.row<{ entries: number; rows: number }>(
    'select count(*)::integer as entries, sum(rows_generated)::integer as rows from ledger where dataset_id = $1',
    [datasetId],
  )
  const ready = await team.row<{ count: number }>(
    `select count(*)::integer as count from generations where dataset_id = $1 and status = 'ready' and rows_generated = $2`,
    [datasetId, ROWS],
  )
  const isRight = ledger.entries === expected && ledger.rows === expected * ROWS && ready.count === expected
  report.holds(
    'each is ready and billed once',
    isRight,
    `${ready.count} ready, ${ledger.entries} entries of ${ledger.rows} rows for ${expected}`,
  )
}

/** Processor seconds. */
interface Cost {
  readonly workers: number
  readonly apis: number
  readonly database: number
  readonly storage: number
}

/** Reads the processor time of all processes of a team, those that were killed included. */
class Meter {
  readonly #team: Team
  readonly #workers: readonly Member[]
  readonly #server: number
  readonly #lost = { workers: 0, apis: 0 }

  static async open(team: Team, workers: readonly Member[]): Promise<Meter> {
    const { pid } = await team.row<{ pid: number }>('select pg_backend_pid() as pid')
    return new Meter(team, workers, parentOf(pid))
  }

  private constructor(team: Team, workers: readonly Member[], server: number) {
    this.#team = team
    this.#workers = workers
    this.#server = server
  }

  /** Per unit of the work. */
  async costOf(count: number, work: () => Promise<void>): Promise<Cost> {
    const before = this.#totals()
    await work()
    const after = this.#totals()
    const of = (name: keyof Cost): number => (after[name] - before[name]) / count
    return { workers: of('workers'), apis: of('apis'), database: of('database'), storage: of('storage') }
  }

  /** Kills a process and starts it again, as its supervisor would. */
  async restart(victim: Member): Promise<void> {
    this.#lost[this.#workers.includes(victim) ? 'workers' : 'apis'] += cpuOfGroup(victim.pid)
    await victim.kill()
    await victim.start()
  }

  #totals(): Cost {
    const sum = (members: readonly Member[]) => members.reduce((total, { pid }) => total + cpuOfGroup(pid), 0)
    return {
      workers: this.#lost.workers + sum(this.#workers),
      apis: this.#lost.apis + sum(this.#team.apis),
      database: cpuOfFamily(this.#server),
      storage: cpuOfFamily(this.#team.storage.pid),
    }
  }
}

async function openTenant(baseUrl: string, email: string) {
  const bearer = (await mint(baseUrl, await makeClient(baseUrl, email))) as string
  const body = new FormData()
  body.set('wait_seconds', '60')
  body.set('seed_file', new Blob([surveyTable(SEED_ROWS, 1)]), 'survey.csv')
  const { dataset_id: datasetId } = (await request(baseUrl, 'POST', '/v1/datasets', { bearer, body })).body
  const path = `/v1/datasets/${datasetId}/generations`
  const orderOf = (share: number, rows: number) => ({
    row_count: rows,
    seed: 1,
    output_format: 'csv',
    conditions: { categorical: { region: { North: share } } },
  })
  return {
    datasetId: datasetId as string,
    /** Resolves when the rows are ready. */
    async generate(key: string, share: number, rows = ROWS): Promise<void> {
      const order = { ...orderOf(share, rows), wait_seconds: 60 }
      const answer = await untilAnswered(async () => await request(baseUrl, 'POST', path, { bearer, key, body: order }))
      if (answer.body.status !== 'ready') throw new Error(`It is not ready: ${JSON.stringify(answer.body)}`)
    },
    /** Orders scenarios `first` up to, not including, `end`. */
    async order(first: number, end: number, count: number): Promise<void> {
      const generations = Array.from({ length: end - first }, (_, i) => ({
        idempotency_key: `many-${first + i}`,
        request: orderOf((first + i) / count, ROWS),
      }))
      const { body: answer } = await untilAnswered(
        async () => await request(baseUrl, 'POST', `${path}/batch`, { bearer, body: { generations } }),
      )
      const refused = answer.entries.find((entry: { problem?: unknown }) => entry.problem !== undefined)
      if (refused !== undefined) throw new Error(`An entry was refused: ${JSON.stringify(refused.problem)}`)
    },
  }
}

/** The same request until somebody answers it, as a client does whose connection breaks. */
async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    try {
      const reply = await ask()
      if (reply.status < 300) return reply
      if (reply.status !== 409 && reply.status < 500) {
        throw new TypeError(`The service answered ${reply.status}: ${JSON.stringify(reply.body)}`)
      }
    } catch (error) {
      // A connection that breaks is a TypeError too, with the reason as its cause.
      if (error instanceof TypeError && error.cause === undefined) throw error
    }
    await wait(RETRY_MS)
  }
}
