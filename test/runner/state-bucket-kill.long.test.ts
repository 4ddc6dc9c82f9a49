import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stateBucket } from '../../src/local/state-bucket.ts'
import { type Fault, S3Server } from '../service/storage/s3-server.ts'
import { type BuiltChild, buildChild } from './killed-child.ts'
import { realTime } from './real-time.ts'
import { makeRig } from './run-rig.ts'
import { seededRandom } from './seeded-random.ts'
import { startServiceDouble } from './service-double.ts'

/** Eight scenarios, all of them different requests. */
const EIGHT = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 20, seed: 1, format: csv }
scenarios:
  grid:
    matrix:
      axes:
        - { name: answer, set: [shares, answer, "Yes"], values: { a: 0.1, b: 0.3, c: 0.7, d: 0.9 } }
        - { name: region, set: [shares, region, North], values: { n: 0.25, o: 0.5 } }
`
const SCENARIOS = 8
const ROUNDS = 20

let child: BuiltChild
let server: S3Server
/** Draws the faults of a round, by its prefix in the bucket. */
const badLines = new Map<string, () => number>()

beforeAll(async () => {
  ;[child, server] = await Promise.all([buildChild(), S3Server.start()])
  server.fault = ({ line }) => {
    const random = badLines.get(/round-\d+\//.exec(line)?.[0] ?? '')
    return random === undefined ? null : drawFault(random)
  }
})

afterAll(async () => {
  await Promise.all([child?.remove(), server?.close()])
})

/** About one request of ten meets one of these. */
function drawFault(random: () => number): Fault | null {
  if (random() >= 0.1) return null
  const faults: readonly Fault[] = [
    'lose the answer',
    { cutRequestAfter: 20 },
    { status: 409, code: 'ConditionalRequestConflict' },
    { status: 503, code: 'SlowDown' },
  ]
  return faults[Math.floor(random() * faults.length)] ?? null
}

/** Two machines begin at once over bad lines, one of them is killed, and an empty third one ends the work. */
async function survive(round: number): Promise<{ readonly wasKilled: boolean; readonly faults: readonly string[] }> {
  const random = seededRandom(20261128 + round)
  const service = await startServiceDouble()
  const rigs = await Promise.all([makeRig(service, EIGHT), makeRig(service, EIGHT), makeRig(service, EIGHT)])
  const [one, other, third] = rigs
  const storage = { ...server.storage, prefix: `round-${round}/` }
  const faults: string[] = []
  badLines.set(storage.prefix, random)
  // Of the service, of the bucket, or of its own disk.
  const at = { requests: 0, kill: 2 + Math.floor(random() * 14) }
  let kill = () => {}
  const byRequest = round % 2 === 0
  service.intercept = () => {
    if (byRequest && ++at.requests === at.kill) kill()
    return undefined
  }
  const ends = await Promise.all([
    child.run(one, service, {
      state: storage,
      ...(byRequest ? {} : { atChange: 10 + Math.floor(random() * 60) }),
      onStart: (now) => {
        kill = now
      },
    }),
    child.run(other, service, { state: storage }),
  ])
  const [first, second] = ends
  // It waited, and then had the lock or the results of the other; where the bad lines were too bad, it said so.
  if (![0, 11].includes(second?.code ?? -1)) faults.push(`the other machine ended with ${second?.code}`)
  badLines.delete(storage.prefix)
  const store = stateBucket(storage)
  const result = await third.run({ env: { ...realTime(service), shared: async () => store } })
  await store.close()
  if (result.exitCode !== 0) faults.push(`the third machine ended with ${result.exitCode}: ${result.message}`)
  const { totals } = result.manifest
  if (totals.ready !== SCENARIOS) faults.push(`${totals.ready} scenarios are ready`)
  if (service.made('datasets') !== 1) faults.push(`${service.made('datasets')} datasets`)
  if (service.made('generations') !== SCENARIOS) faults.push(`${service.made('generations')} generations`)
  await Promise.all(rigs.map((rig) => rig.remove()))
  await service.close()
  return { wasKilled: first?.code === null, faults }
}

describe('a state in a bucket', () => {
  it(`survives ${ROUNDS} rounds of kill -9, cut connections and two writers: nothing lost, nothing billed twice`, async () => {
    const found: string[] = []
    let killed = 0
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
    const lane = async () => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
        const { wasKilled, faults } = await survive(round)
        if (wasKilled) killed++
        found.push(...faults.map((fault) => `round ${round}: ${fault}`))
      }
    }
    // Most of their time they wait: for a lock, for a repetition.
    await Promise.all([lane(), lane(), lane()])
    expect(found).toEqual([])
    expect(killed).toBeGreaterThanOrEqual(ROUNDS / 2)
  }, 600_000)
})
