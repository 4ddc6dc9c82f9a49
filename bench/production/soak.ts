import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Report } from './report.ts'
import { ageRecords } from './short-retention.ts'
import { evaluateSeries, type Samples } from './soak-evaluation.ts'
import { SoakLoad } from './soak-load.ts'
import { sampleTeam } from './soak-samples.ts'
import { Team } from './team.ts'

const COLLECTOR = pathToFileURL(join(import.meta.dirname, 'collect-on-signal.js')).href
/** Records are aged at this interval, so that new records are gone again minutes later. */
const AGEING_MS = 10_000

/**
 * A steady light load on the team of processes, and whether anything that it holds grows: memory, handles, connections,
 * rows, files. New records are removed after minutes, so that a steady state is reached early.
 */
export async function soak(report: Report, { minutes }: { readonly minutes: number }): Promise<void> {
  const team = await Team.start({ env: { NODE_OPTIONS: `--import=${COLLECTOR}`, WHATIF_SERVE_LOG_LEVEL: 'warn' } })
  try {
    const load = new SoakLoad(team)
    await load.start()
    const ageing = setInterval(() => void ageRecords(team.db).catch(() => undefined), AGEING_MS)
    const lengthMs = minutes * 60_000
    const samples: Samples = new Map()
    // At least six parts, and one sample per minute in longer runs.
    const rounds = Math.max(6, Math.round(minutes))
    const begun = performance.now()
    for (let round = 1; round <= rounds; round++) {
      await wait(Math.max(0, begun + (lengthMs * round) / rounds - performance.now()))
      await sampleTeam(team, samples)
      report.say(`minute ${((performance.now() - begun) / 60_000).toFixed(1)}: ${load.summary()}; ${inShort(samples)}`)
    }
    clearInterval(ageing)
    await load.stop()
    report.say(`The load of ${minutes} minutes: ${load.summary()}.`)
    for (const line of load.faults()) report.say(line)
    evaluateSeries(report, samples, minutes)
    report.holds('requests that failed', load.faults().length === 0, `${load.faults().length} kinds`)
    const warnings = team.members.map((member) => `${member.name} ${member.log().length}`)
    report.say(`Lines of warnings or errors in the logs: ${warnings.join(', ')}.`)
    for (const member of team.members) {
      for (const line of member.log().slice(-3)) report.say(`${member.name}: ${line.msg}`)
    }
  } finally {
    await team.close()
  }
}

/** From the last sample: all processes, and the values that follow the number of resources. */
function inShort(samples: Samples): string {
  const last = (pattern: RegExp): string =>
    [...samples].flatMap(([name, values]) => (pattern.test(name) ? [values.at(-1)] : [])).join(', ')
  return `heaps ${last(/heap MB/)} MB, RSS ${last(/, RSS MB/)} MB, connections ${last(/connections/)}, jobs ${last(/of jobs/)}, objects ${last(/objects/)}`
}
