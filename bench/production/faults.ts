import { setTimeout as wait } from 'node:timers/promises'
import { checkLeftovers } from './fault-leftovers.ts'
import { FaultLoad } from './fault-load.ts'
import { FaultWatch } from './fault-watch.ts'
import type { Member } from './member.ts'
import { openFiles, processesOfGroup } from './processes.ts'
import type { Report } from './report.ts'
import { Team } from './team.ts'

const LOOK_MS = 5
const STORAGE_AWAY_MS = 15_000
const FROZEN_MS = 60_000
const BETWEEN_ENDS_MS = 500
/** Time in which the child processes of a killed one notice its end. */
const ORPHANS_MS = 5_000

/** A fault: resolves when it is over, after the load that it meets was begun. */
type Fault = readonly [name: string, strike: () => Promise<void>]

/**
 * 200 generations and 10 uploads of three tenants by the runner's client while one process after the other dies. Everything that
 * was accepted ends well, the bill equals what was delivered, and nothing is left over.
 */
export async function faults(report: Report): Promise<void> {
  const team = await Team.start()
  try {
    const load = await FaultLoad.start(team)
    const killed: number[] = []
    const rows: string[][] = []
    const watch = new FaultWatch(team)
    for (const [name, strike] of faultsOf(team, load, watch, killed, report)) {
      await strike()
      const { nextSeconds, heldSeconds, heldJobs, begunAgain } = await watch.recovered()
      rows.push([name, seconds(nextSeconds), String(heldJobs), seconds(heldSeconds), String(begunAgain)])
    }
    const ended = await load.ended()
    report.table(['seconds after the fault until', 'a job ends', 'held', 'they end', 'started again'], rows)
    report.say(
      'Held: jobs under way at the fault. Their time includes their work. The job of a lost worker waits for the end of its lease of 30 s.',
    )
    const tries = load.retries()
    report.say(
      `Tries that the client made again: ${tries.map(([reason, count]) => `${count} x ${reason}`).join('; ')}.`,
    )

    const generations = ended.filter(({ kind }) => kind === 'generation')
    const notReady = ended.filter(({ status }) => status !== 'ready').map(({ kind, status }) => `${kind} ${status}`)
    report.holds(
      'everything that was accepted ended as ready',
      notReady.length === 0,
      `${generations.length} generations, ${ended.length - generations.length} uploads${notReady.length === 0 ? '' : `, but ${notReady.join(', ')}`}`,
    )
    await checkBilling(report, team, load, generations)
    await wait(ORPHANS_MS)
    const orphans = killed.flatMap(processesOfGroup).length
    report.holds('processes left behind by killed ones', orphans === 0, String(orphans))
    await checkLeftovers(report, team, {
      generations: generations.length,
      datasets: ended.length - generations.length + load.tenants.length,
    })
    await load.close()
  } finally {
    await team.close()
  }
}

function faultsOf(team: Team, load: FaultLoad, watch: FaultWatch, killed: number[], report: Report): readonly Fault[] {
  const [first, second] = team.workers
  const generating = async (): Promise<Member> =>
    await atHand(team.workers, (worker) => worker.jobsAtHand().includes('generation'))
  /** Kills it and starts it again, as its supervisor would. */
  const restart = async (victim: Member): Promise<void> => {
    killed.push(victim.pid)
    await watch.begin()
    await victim.kill()
    await victim.start()
    await watch.end()
  }
  return [
    [
      'worker killed while it trains',
      async () => {
        await Promise.all([load.upload(2), load.generate(24, 3)])
        await restart(await atHand(team.workers, (worker) => worker.jobsAtHand().includes('training')))
      },
    ],
    [
      'worker killed while it generates',
      async () => {
        await Promise.all([load.upload(1), load.generate(30, 6)])
        await restart(await generating())
      },
    ],
    [
      'api killed in uploads',
      async () => {
        const uploads = load.upload(3, true)
        const generations = load.generate(28, 3)
        // Parts of one are in the storage by then.
        while ((await team.storage.contents()).uploads.length === 0) await wait(LOOK_MS)
        const victim = await atHand(team.apis, (api) => openFiles(api.pid, api.folder).length > 0)
        const killedMs = performance.now()
        await restart(victim)
        await Promise.all([uploads, generations])
        const acceptedMs = performance.now() - killedMs
        report.say(
          `All requests that were under way to the killed api were accepted ${seconds(acceptedMs / 1000)} s after its end.`,
        )
      },
    ],
    [
      'PostgreSQL crashed and restarted',
      async () => {
        await Promise.all([load.upload(1), load.generate(28, 6)])
        await generating()
        await watch.begin()
        await team.cluster.crash()
        await team.cluster.start()
        await watch.end()
      },
    ],
    [
      'its backends terminated, 3 times',
      async () => {
        await Promise.all([load.upload(1), load.generate(28, 12)])
        await generating()
        await watch.begin()
        for (let i = 0; i < 3; i++) {
          if (i > 0) await wait(BETWEEN_ENDS_MS)
          await watch.patiently(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()`,
          )
        }
        await watch.end()
      },
    ],
    [
      'storage unavailable for 15 s',
      async () => {
        await Promise.all([load.upload(1), load.generate(30, 6)])
        await generating()
        await watch.begin()
        await team.storage.kill()
        await wait(STORAGE_AWAY_MS)
        await team.storage.start()
        await watch.end()
      },
    ],
    [
      'worker stopped for 60 s',
      async () => {
        await Promise.all([load.upload(1), load.generate(16, 6)])
        const victim = await atHand([second, first], (worker) => worker.jobsAtHand().includes('generation'))
        await watch.begin()
        victim.freeze()
        await wait(FROZEN_MS)
        await load.generate(16, 6)
        victim.thaw()
        await watch.end()
      },
    ],
  ]
}

/** Waits until something holds for one of the processes. */
async function atHand(members: readonly Member[], holds: (member: Member) => boolean): Promise<Member> {
  for (;;) {
    const found = members.find(holds)
    if (found !== undefined) return found
    await wait(LOOK_MS)
  }
}

/** The billed rows, as tenants read them and in the ledger, next to the rows of the fetched artifacts. */
async function checkBilling(
  report: Report,
  team: Team,
  load: FaultLoad,
  generations: readonly { readonly id: string; readonly rows: number }[],
): Promise<void> {
  const { rows: ledger } = await team.db.query<{ generation_id: string; rows: number }>(
    'select generation_id, rows_generated::integer as rows from ledger',
  )
  const billed = new Map(ledger.map((row) => [row.generation_id, row.rows]))
  const wrong = generations.filter(({ id, rows }) => billed.get(id) !== rows).length
  const delivered = generations.reduce((sum, { rows }) => sum + rows, 0)
  const inLedger = ledger.reduce((sum, { rows }) => sum + rows, 0)
  const reported = (await Promise.all(load.tenants.map(async (tenant) => await tenant.billedRows()))).reduce(
    (a, b) => a + b,
  )
  report.holds(
    'billed rows are delivered rows',
    wrong === 0 && ledger.length === generations.length && inLedger === delivered && reported === delivered,
    `${delivered} in artifacts, ${inLedger} in ${ledger.length} entries of the ledger, ${reported} in usage, ${wrong} differ`,
  )
}

const seconds = (value: number): string => value.toFixed(1)
