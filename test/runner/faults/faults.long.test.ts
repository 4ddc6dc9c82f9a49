import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_ERROR_BYTES } from '../../../src/client/reply-body.ts'
import type { RunResult } from '../../../src/runner/interface/run-options.ts'
import { manifestFaults } from '../../answers/manifest-validator.ts'
import { SECRET_CANARY, TOKEN_CANARY } from '../service-double.ts'
import type { FaultLayer } from './fault-layer.ts'
import { DEADLINE_MS, everyFile, type FaultRig, makeFaultRig, messagesOf, SIGNATURE_CANARY } from './fault-rig.ts'
import { FAULTS, type FlowRequest, REQUESTS, type TriedFault } from './fault-table.ts'

/** The bytes that a connection reads beyond its requests: buffers of the socket and of the body. */
const BUFFERED_BYTES = 256 * 1024

let rig: FaultRig

beforeEach(async () => {
  rig = await makeFaultRig()
})

afterEach(async () => {
  await rig.close()
})

/** Lets the request meet the fault so many times. */
function strike(request: FlowRequest, { fault, limits = {} }: TriedFault, times: number): FaultLayer {
  const layer = rig[request.layer]
  request.prepare?.(rig)
  const prepared = layer.faultFor
  const struck = fault(rig)
  let left = times
  layer.faultFor = (seen) => {
    const first = prepared(seen)
    if (first !== null || left === 0 || !request.is(seen, rig)) return first
    left--
    return struck
  }
  rig.timeouts = limits
  return layer
}

/** Checks what holds after every fault. */
function expectSound(result: RunResult): void {
  const { double, identity, service, storage, stranger } = rig
  expect(double.made('datasets')).toBeLessThanOrEqual(1)
  expect(double.made('generations')).toBeLessThanOrEqual(1)
  expect(rig.elapsedMs()).toBeLessThanOrEqual(DEADLINE_MS)

  // The bearer token is for the service alone, the client secret for the token operation alone.
  for (const { path, headers, body } of [...identity.seen, ...storage.seen, ...stranger.seen]) {
    expect(headers.authorization).toBeUndefined()
    expect(`${path} ${JSON.stringify(headers)} ${body}`).not.toContain(TOKEN_CANARY)
  }
  for (const { path, headers, body } of [...service.seen, ...storage.seen, ...stranger.seen]) {
    expect(`${path} ${JSON.stringify(headers)} ${body}`).not.toContain(SECRET_CANARY)
  }

  // No message and no file holds a secret. Final names hold whole files, and nothing else is left.
  const files = everyFile(rig.rig.root)
  const written = files.map(([, text]) => text).join('\n')
  const messages = JSON.stringify(rig.rig.events) + messagesOf(rig, result)
  for (const canary of [TOKEN_CANARY, SECRET_CANARY, SIGNATURE_CANARY]) {
    expect(messages.includes(canary)).toBe(false)
    expect(written.includes(canary)).toBe(false)
  }
  expect(manifestFaults(result.manifest)).toEqual([])
  const results = files.filter(([path]) => path.startsWith('out/'))
  for (const [path, text] of results) {
    if (path.endsWith('run-record.json')) expect(JSON.parse(text)).toMatchObject({ record_version: 1 })
    else if (path.endsWith('.json')) expect(manifestFaults(JSON.parse(text))).toEqual([])
    else expect([path, text]).toEqual(['out/demo/yes.csv', [...double.generations.values()][0]?.csv.toString('latin1')])
  }
  expect(results.some(([path]) => path.endsWith('yes.csv'))).toBe(result.exitCode === 0)
}

/** The end of a run, with its messages for the reader of a failed test. */
const endOf = (result: RunResult) => ({ exitCode: result.exitCode, messages: messagesOf(rig, result) })

describe.each(REQUESTS)('$name', (request) => {
  const cells = FAULTS.map((fault) => ({ ...fault, ...fault.except?.[request.name] }))

  it.each(cells)('that meets $name once: exit $once', async (cell) => {
    const layer = strike(request, cell, 1)
    rig.onEvent = (event) => {
      if (event.type === 'retry' && event.reason.includes('ECONNREFUSED')) void layer.reopen()
    }
    const result = await rig.run()
    expect(layer.strikes).toBeGreaterThan(0)
    expect(endOf(result)).toMatchObject({ exitCode: cell.once })
    expectSound(result)
    const [wait] = rig.rig.events.flatMap((event) => (event.type === 'retry' ? [event.delayMs] : []))
    if (cell.waitMs !== undefined) expect(wait).toBeGreaterThanOrEqual(cell.waitMs)
  })

  const permanent = cells.filter(({ onlyOnce, onlyOf }) => !onlyOnce && onlyOf?.includes(request.name) !== false)

  it.each(request.isAlike ? [] : permanent)('that meets $name each time: exit $exitCode', async (cell) => {
    const layer = strike(request, cell, Number.POSITIVE_INFINITY)
    const result = await rig.run()
    const { messages } = endOf(result)
    expect(endOf(result)).toMatchObject({ exitCode: cell.exitCode })
    expectSound(result)
    expect(rig.consumedBytes()).toBeLessThan(layer.strikes * (MAX_ERROR_BYTES + BUFFERED_BYTES) + BUFFERED_BYTES)
    if (cell.exitCode === 0) return

    // The message has the cause, and the data by which support can find it.
    expect(messages).toMatch(cell.says)
    const { job_id, generation_id } = result.manifest.trace.scenarios.yes!
    for (const id of [layer.requestIds.at(-1) ?? null, job_id, generation_id])
      if (id !== null) expect(messages).toContain(id)

    // Whatever it was, the run after it comes to its end and pays for nothing twice.
    layer.faultFor = () => null
    rig.timeouts = {}
    await layer.reopen()
    const next = await rig.run()
    expect(endOf(next)).toMatchObject({ exitCode: 0 })
    expectSound(next)
    expect([rig.double.made('datasets'), rig.double.made('generations')]).toEqual([1, 1])
  })
})
