import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manifestFaults } from '../../answers/manifest-validator.ts'
import { SECRET_CANARY, TOKEN_CANARY } from '../service-double.ts'
import type { Fault, FaultLayer } from './fault-layer.ts'
import { everyFile, type FaultRig, makeFaultRig, messagesOf, SIGNATURE_CANARY } from './fault-rig.ts'
import * as faults from './network-faults.ts'

/** A study of twelve scenarios, four at a time, over a network where every third request meets some fault. */

const SCENARIOS = Array.from({ length: 12 }, (_, i) => `s${i}`)
const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 20, format: csv, shares: { answer: { Yes: 0.7 } } }
scenarios:
${SCENARIOS.map((id, i) => `  ${id}: { seed: ${i} }`).join('\n')}
`

const PASSING: readonly Fault[] = [
  faults.rateLimitInSeconds,
  faults.rateLimitUntilDate,
  faults.page(500, { acted: false }),
  faults.page(502, { acted: true }),
  faults.page(503, { acted: true }),
  faults.page(504, { acted: true }),
  faults.resetBeforeActing,
  faults.resetAfterActing,
  faults.halfABody,
  faults.silence,
  faults.trickle,
  faults.wrongContentType,
  faults.cutContent,
  faults.unknownValues,
]

let rig: FaultRig

beforeEach(async () => {
  rig = await makeFaultRig(STUDY)
  rig.timeouts = { headersMs: 50, uploadHeadersMs: 50, bodyIdleMs: 50, bodyMs: 50, lowSpeedMs: 50 }
})

afterEach(async () => {
  await rig.close()
})

/**
 * Every third request meets some fault: the n-th with a name meets the same one in each run of the test, whatever came
 * between, so that how it ends does not depend on which of two requests was quicker.
 */
function faultsBy(seed: number): FaultLayer['faultFor'] {
  const times = new Map<string, number>()
  return ({ method, path, headers }) => {
    const name = `${method} ${path} ${headers['idempotency-key'] ?? ''}`
    const nth = (times.get(name) ?? 0) + 1
    times.set(name, nth)
    const hash = createHash('sha256').update(`${seed} ${nth} ${name}`).digest()
    const isStruck = hash.readUInt32BE(0) % 3 === 0
    return isStruck ? PASSING[hash.readUInt32BE(4) % PASSING.length]! : null
  }
}

describe('over a bad network', () => {
  it.each([
    { seed: 5, presigned: false },
    { seed: 18, presigned: true },
    { seed: 7, presigned: false },
  ])('every scenario is generated once and its file is complete (seed $seed)', async ({ seed, presigned }) => {
    rig.presigned = presigned
    const layers: FaultLayer[] = [rig.identity, rig.service, rig.storage]
    for (const layer of layers) layer.faultFor = faultsBy(seed)
    let exitCode = -1
    for (let runs = 0; runs < 5 && exitCode !== 0; runs++) {
      const result = await rig.run()
      exitCode = result.exitCode
      expect([0, 7, 11], messagesOf(rig, result)).toContain(exitCode)
      expect(manifestFaults(result.manifest)).toEqual([])
    }
    expect(layers.reduce((sum, { strikes }) => sum + strikes, 0)).toBeGreaterThan(10)
    for (const layer of layers) layer.faultFor = () => null
    rig.timeouts = {}
    expect(await rig.run()).toMatchObject({ exitCode: 0 })

    expect([rig.double.made('datasets'), rig.double.made('generations')]).toEqual([1, SCENARIOS.length])
    const files = everyFile(rig.rig.root)
    const artifacts = files.filter(([path]) => path.startsWith('out/') && path.endsWith('.csv')).map(([, text]) => text)
    const served = [...rig.double.generations.values()].map(({ csv }) => csv.toString('latin1'))
    expect(artifacts.sort()).toEqual(served.sort())
    for (const { headers } of [...rig.identity.seen, ...rig.storage.seen]) expect(headers.authorization).toBeUndefined()
    const written = files.map(([, text]) => text).join('\n')
    for (const canary of [TOKEN_CANARY, SECRET_CANARY, SIGNATURE_CANARY]) expect(written).not.toContain(canary)
  })
})
