import { readFileSync } from 'node:fs'
import * as nodeFs from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readState } from '../../src/runner/state/study-store.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type BuiltChild, buildChild, type ChildOptions } from './killed-child.ts'
import { realTime } from './real-time.ts'
import { makeRig, type Rig } from './run-rig.ts'
import { seededRandom } from './seeded-random.ts'
import { type ServiceDouble, startServiceDouble } from './service-double.ts'

/** Twenty scenarios, all of them different requests. */
const TWENTY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 40, seed: 1, format: csv }
scenarios:
  grid:
    matrix:
      axes:
        - { name: answer, set: [shares, answer, "Yes"], values: { a: 0.1, b: 0.3, c: 0.5, d: 0.7, e: 0.9 } }
        - { name: region, set: [shares, region, North], values: { n: 0.25, o: 0.5, p: 0.75, q: 1.0 } }
`
const SCENARIOS = 20
const STATE_FOLDER = '.whatif/studies/demo/embedded'

/** Random moments that are tried; WHATIF_TEST_KILLS=all tries every request in every way, and every change. */
const KILLS = process.env.WHATIF_TEST_KILLS ?? '20'
const SEED = 20261121
const WAYS = ['unheard', 'half heard', 'not reached'] as const

let child: BuiltChild

beforeAll(async () => {
  child = await buildChild()
})

afterAll(() => child.remove())

/** When a run is killed. */
type Moment =
  /** Kills at the n-th request, which the service carries out (its answer is lost, or cut in half) or never receives. */
  | { readonly at: 'request'; readonly n: number; readonly service: (typeof WAYS)[number] }
  /** Kills at the n-th change of the disk; a write is then cut in half. */
  | { readonly at: 'change'; readonly n: number }

/** The faults at a moment at which a run may have been killed. */
class Faults {
  readonly found: string[] = []
  readonly #rig: Rig
  readonly #service: ServiceDouble
  #seen = ''

  constructor(rig: Rig, service: ServiceDouble) {
    this.#rig = rig
    this.#service = service
  }

  expectSame(what: string, found: unknown, expected: unknown): void {
    if (JSON.stringify(found) === JSON.stringify(expected)) return
    this.found.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  }

  /** The manifest as any reader finds it now: absent, or whole and valid. */
  lookAtManifest(): void {
    let text: string
    try {
      text = readFileSync(join(this.#rig.root, 'out/demo/manifest.json'), 'utf8')
    } catch {
      return
    }
    if (text === this.#seen) return
    this.#seen = text
    try {
      this.found.push(...manifestFaults(JSON.parse(text)).map((fault) => `manifest.json: ${fault}`))
    } catch (error) {
      this.found.push(`manifest.json: ${String(error)}`)
    }
  }

  /** Checks the files of a killed run: complete under every final name, with a state that can be read. */
  async lookAtDisk(): Promise<void> {
    this.lookAtManifest()
    const made = new Set([...this.#service.generations.values()].map(({ csv }) => csv.toString('utf8')))
    for (const name of await this.#rig.list('out/demo')) {
      if (!name.endsWith('.csv')) continue
      if (!made.has(await this.#rig.read(`out/demo/${name}`))) this.found.push(`${name} is no artifact of the service`)
    }
    for (const name of await this.#rig.list('out/demo/runs')) {
      if (!name.endsWith('.json')) continue
      this.found.push(...manifestFaults(JSON.parse(await this.#rig.read(`out/demo/runs/${name}`))))
    }
    await readState(nodeFs, join(this.#rig.root, STATE_FOLDER)).catch((error: unknown) => {
      this.found.push(`the state cannot be read: ${String(error)}`)
    })
  }
}

/** Kills one run, repeats the command, and returns the faults on the way. */
async function survive(moment: Moment): Promise<{ wasKilled: boolean; faults: readonly string[] }> {
  const service = await startServiceDouble()
  const rig = await makeRig(service, TWENTY)
  const faults = new Faults(rig, service)
  let requests = 0
  let kill = () => {}
  const options: ChildOptions = {
    ...(moment.at === 'change' ? { atChange: moment.n } : {}),
    onStart: (now) => {
      kill = now
    },
  }
  service.intercept = () => {
    faults.lookAtManifest()
    if (moment.at !== 'request' || ++requests !== moment.n) return undefined
    if (moment.service === 'half heard') return { half: kill }
    kill()
    return moment.service === 'not reached' ? 'drop' : undefined
  }
  const first = await child.run(rig, service, options)
  const wasKilled = first.code === null
  // Runs differ in how many changes they make, so one may end before the moment that was drawn, but never after it.
  const came = moment.at === 'request' ? requests >= moment.n : wasKilled || (first.changes ?? 0) >= moment.n
  faults.expectSame('killed', wasKilled, came)
  await faults.lookAtDisk()
  service.intercept = () => {
    faults.lookAtManifest()
    return undefined
  }
  // This run is in this process: only a run that is killed needs a process of its own.
  faults.expectSame('exit code', (await rig.run({ env: realTime(service) })).exitCode, 0)
  await faults.lookAtDisk()
  faults.expectSame('datasets', service.made('datasets'), 1)
  faults.expectSame('generations', service.made('generations'), SCENARIOS)
  const bodies = new Set([...service.generations.values()].map(({ body }) => JSON.stringify(body)))
  faults.expectSame('generations that differ', bodies.size, SCENARIOS)
  const manifest = await rig.manifest().catch(() => null)
  faults.expectSame('status', [manifest?.status, manifest?.totals.ready], ['complete', SCENARIOS])
  const artifacts = Object.keys(manifest?.scenarios ?? {}).map((id) => `${id}.csv`)
  faults.expectSame(
    'files',
    await rig.list('out/demo'),
    [...artifacts, 'manifest.json', 'run-record.json', 'runs'].sort(),
  )
  const records = await rig.list('out/demo/runs')
  faults.expectSame(
    'records',
    records.filter((name) => !/^[\w-]+\.json$/.test(name)),
    [],
  )
  faults.expectSame('state folder', await rig.list(STATE_FOLDER), ['journal.ndjson', 'state.json'])
  await rig.remove()
  await service.close()
  return { wasKilled, faults: faults.found }
}

/** How many requests and changes of the disk a run has that nobody disturbs. */
async function measureRun(): Promise<{ requests: number; changes: number }> {
  const service = await startServiceDouble()
  const rig = await makeRig(service, TWENTY)
  const { code, changes } = await child.run(rig, service)
  expect(code).toBe(0)
  const requests = service.log.length
  await rig.remove()
  await service.close()
  return { requests, changes: changes ?? 0 }
}

function everyMoment({ requests, changes }: { requests: number; changes: number }): Moment[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  return [
    ...numbers(requests).flatMap((n) => WAYS.map((service) => ({ at: 'request', n, service }) as const)),
    ...numbers(changes).map((n) => ({ at: 'change', n }) as const),
  ]
}

describe(`a run of ${SCENARIOS} scenarios that is killed`, () => {
  it(`at ${KILLS} random moments is completed by the same command each time: one generation for each scenario, and every file whole at every moment`, {
    timeout: KILLS === '20' ? 1_800_000 : 0,
  }, async () => {
    const random = seededRandom(SEED)
    const whole = await measureRun()
    // Writes fall together, and the manifest is replaced, by the time that things take: the last may not come.
    const upTo = (count: number) => 1 + Math.floor(random() * count * 0.97)
    const draw = (): Moment =>
      random() < 0.5
        ? { at: 'change', n: upTo(whole.changes) }
        : { at: 'request', n: upTo(whole.requests), service: WAYS[Math.floor(random() * WAYS.length)]! }
    const moments = KILLS === 'all' ? everyMoment(whole) : Array.from({ length: Number(KILLS) }, draw)
    const rounds = moments.length
    let spare = KILLS === 'all' ? 0 : rounds
    let killed = 0
    const faults: { moment: Moment; faults: readonly string[] }[] = []
    const next = async (): Promise<void> => {
      for (let moment = moments.pop(); moment !== undefined; moment = moments.pop()) {
        const round = await survive(moment)
        if (round.wasKilled) killed++
        // It had ended before; another moment is drawn in its place.
        else if (spare-- > 0) moments.push(draw())
        if (round.faults.length > 0) faults.push({ moment, faults: round.faults })
      }
    }
    await Promise.all([next(), next()])
    expect(faults).toEqual([])
    expect(killed).toBeGreaterThanOrEqual(KILLS === 'all' ? rounds * 0.9 : rounds)
  })
})
