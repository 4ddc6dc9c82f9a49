import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manifestFaults } from '../../answers/manifest-validator.ts'
import type { Fault } from './fault-layer.ts'
import { DEADLINE_MS, type FaultRig, makeFaultRig, messagesOf } from './fault-rig.ts'
import { type FlowRequest, REQUESTS } from './fault-table.ts'
import { rateLimit, silence, trickle } from './network-faults.ts'

/** The limits of the client are its own here, far beyond the test: what ends a run is its deadline, on the fake clock. */

let rig: FaultRig

beforeEach(async () => {
  rig = await makeFaultRig()
})

afterEach(async () => {
  await rig.close()
})

function meet(request: FlowRequest, fault: Fault): void {
  request.prepare?.(rig)
  const layer = rig[request.layer]
  const prepared = layer.faultFor
  layer.faultFor = (seen) => prepared(seen) ?? (request.is(seen, rig) ? fault : null)
}

async function expectDeadline(): Promise<void> {
  const result = await rig.run()
  expect({ exitCode: result.exitCode, messages: messagesOf(rig, result) }).toMatchObject({ exitCode: 11 })
  expect(rig.elapsedMs()).toBeLessThanOrEqual(DEADLINE_MS)
  expect(manifestFaults(result.manifest)).toEqual([])
  expect(
    (await rig.rig.list('out/demo')).filter((name) => !/^(manifest\.json|run-record\.json|runs)$/.test(name)),
  ).toEqual([])

  for (const layer of [rig.identity, rig.service, rig.storage]) layer.faultFor = () => null
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect([rig.double.made('datasets'), rig.double.made('generations')]).toEqual([1, 1])
}

describe.each(REQUESTS)('the deadline', (request) => {
  it.each([
    { kind: 'silence', fault: silence },
    { kind: 'a trickle', fault: trickle },
  ])(`ends a run while ${request.name} meets $kind`, async ({ fault }) => {
    meet(request, async (struck) => {
      await fault(struck)
      rig.rig.clock.advance(DEADLINE_MS - rig.elapsedMs())
    })
    await expectDeadline()
  })

  it(`ends a run at once when the next try of ${request.name} would come after it`, async () => {
    meet(
      request,
      rateLimit(() => ({ 'retry-after': '1801' })),
    )
    await expectDeadline()
    expect(rig.elapsedMs()).toBeLessThan(60_000)
  })
})
