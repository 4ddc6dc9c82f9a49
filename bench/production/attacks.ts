import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { letGiveWay } from '../../src/service/jobs/processes/priority.ts'
import { surveyCsv } from '../../test/service/data/data-service.ts'
import { makeClient, mint, request } from '../../test/service/served-client.ts'
import { type ServedProcess, serve } from '../../test/service/served-process.ts'
import { megabytes, milliseconds, seconds } from '../report-text.js'
import { writeAttackFiles } from './attack-files.ts'
import { ATTACKS, type Target } from './attack-list.ts'
import { Bystander, upload, type Waits } from './bystander.ts'
import type { Report } from './report.ts'

const ATTACK_MS = 10_000
/** Limits on the wait of another tenant, and on the blocking of the service's main thread, in milliseconds. */
const LIMITS = { read: 100, training: 2_000, block: 50 }

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Attacks on `whatif serve`, one after the other, while another tenant works: those with the words of `only` in their names. */
export async function attacks(report: Report, { only }: { readonly only: string }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-attacks-'))
  const found = join(folder, 'main-thread')
  const service = await serve(join(folder, 'data'), {
    env: {
      NODE_OPTIONS: `--import=${here('./main-thread-hook.js')}`,
      BENCH_MAIN_THREAD_FILE: found,
      WHATIF_SERVE_TENANT_BYTES: '1GiB',
    },
  })
  const attacker = fork(here('./attacker-program.ts'), { execArgv: ['--import', here('./typescript.js')] })
  // Attackers have machines of their own. Here they get the processor time that the service and the other tenant leave.
  letGiveWay(attacker.pid)
  try {
    const { baseUrl } = service
    const bystander = await Bystander.open(baseUrl, await tokenOf(baseUrl, 'other@example.com'))
    const target = await aim(baseUrl, await tokenOf(baseUrl, 'attacker@example.com'), folder)
    const watch = new MainThread(service, found)
    await watch.look()
    const rows: string[][] = []
    const answers: string[] = []
    for (const { name } of ATTACKS.filter((attack) => attack.name.includes(only))) {
      attacker.send({ attack: name, target })
      const waits = await bystander.work(ATTACK_MS)
      const answered = once(attacker, 'message')
      attacker.send('stop')
      const [counts] = (await answered) as [[string, number][]]
      rows.push([name, ...figures(report, name, waits, await watch.look())])
      if (counts.length > 0) answers.push(`${name}: ${counts.map(([what, times]) => `${times} x ${what}`).join(', ')}.`)
      await cleanUp(target)
      await watch.look()
    }
    report.say(
      `Limits: reads ${LIMITS.read} ms at the 99th percentile, a training of 500 rows ${LIMITS.training / 1000} s, the main thread ${LIMITS.block} ms. Times without a processor do not count as held up. The attacker shares the machine at a lower priority.`,
    )
    report.table(['attack', 'reads p99', 'training', 'main thread', 'memory'], rows)
    for (const line of answers) report.say(line)
  } finally {
    await end(attacker)
    await service.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function tokenOf(baseUrl: string, email: string): Promise<string> {
  return (await mint(baseUrl, await makeClient(baseUrl, email))) as string
}

/** The requests of the attacks, and the datasets that they read and generate from. */
async function aim(baseUrl: string, bearer: string, folder: string): Promise<Target> {
  const files = await writeAttackFiles(folder)
  const target: Target = { baseUrl, bearer, files, datasets: {} }
  await train(target)
  return target
}

async function train({ baseUrl, bearer, files, datasets }: Target): Promise<void> {
  for (const file of ['readable', 'schema', 'levels'] as const) {
    datasets[file] ??= await upload(baseUrl, bearer, new Blob([new Uint8Array(readFileSync(files[file]))]))
  }
  datasets.survey ??= await upload(baseUrl, bearer, new Blob([surveyCsv(500)]))
}

function figures(report: Report, name: string, { reads, trainings }: Waits, { blockMs, peakRssBytes }: Look): string[] {
  const sorted = reads.toSorted((a, b) => a - b)
  const cell = (what: string, value: number, limit: number, format: (value: number) => string): string => {
    const isMissed = report.atMost(`${name}, ${what}`, value, limit, format).endsWith('MISSED')
    return `${isMissed ? 'MISSED ' : ''}${format(value)}`
  }
  return [
    cell('reads', sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN, LIMITS.read, inMilliseconds),
    cell('training', Math.max(...trainings), LIMITS.training, (ms) => seconds(ms / 1000)),
    cell('main thread', blockMs, LIMITS.block, inMilliseconds),
    megabytes(peakRssBytes),
  ]
}

const inMilliseconds = (ms: number): string => milliseconds(ms / 1000)

interface Look {
  readonly blockMs: number
  readonly peakRssBytes: number
}

/** Asks `main-thread-hook.js` for its findings since the last time. */
class MainThread {
  readonly #service: ServedProcess
  readonly #file: string
  #looks = 0

  constructor(service: ServedProcess, file: string) {
    this.#service = service
    this.#file = file
  }

  async look(): Promise<Look> {
    const file = `${this.#file}.${this.#looks++}`
    this.#service.signal('SIGUSR2')
    while (!existsSync(file)) await sleep(20)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
}

/** Removes everything that an attack has left, including unfinished jobs and generations. */
async function cleanUp(target: Target): Promise<void> {
  const { baseUrl, bearer, datasets } = target
  delete datasets.levels
  delete datasets.survey
  const kept = new Set<string>(Object.values(datasets))
  for (;;) {
    const { body } = await request(baseUrl, 'GET', '/v1/datasets?limit=100', { bearer })
    const left = (body.datasets as { dataset_id: string }[]).filter(({ dataset_id: id }) => !kept.has(id))
    if (left.length === 0) break
    for (const { dataset_id: id } of left) await request(baseUrl, 'DELETE', `/v1/datasets/${id}`, { bearer })
  }
  await train(target)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
