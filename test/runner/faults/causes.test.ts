import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runSummary } from '../../../src/cli/output/run-summary.ts'
import { checkStudy } from '../../../src/runner/check-study.ts'
import type { RunResult } from '../../../src/runner/interface/run-options.ts'
import { SECRET_CANARY, TOKEN_CANARY } from '../service-double.ts'
import { type Fault, send } from './fault-layer.ts'
import { everyFile, type FaultRig, makeFaultRig } from './fault-rig.ts'
import * as faults from './network-faults.ts'

/** The messages of a run, or a check, that an outside fault ended. */

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 20, seed: 1, format: csv }
scenarios: { a: {}, b: { shares: { answer: { Yes: 0.6 } } }, c: { shares: { answer: { Yes: 0.7 } } } }
`

const DEADLINE_MS = 12 * 60_000

/** A wait so long that the deadline comes before the sixth try. */
const slowDown =
  (status: number, code: string): Fault =>
  ({ outgoing, requestId }) => {
    const headers = { 'content-type': 'application/problem+json', 'x-request-id': requestId(), 'retry-after': '200' }
    const problem = { type: 'about:blank', title: 'No', status, code, detail: 'Come back later.' }
    send(outgoing, { status, headers, body: Buffer.from(JSON.stringify(problem)) })
  }

let rig: FaultRig
beforeEach(async () => {
  rig = await makeFaultRig(STUDY)
})
afterEach(() => rig.close())

const summaryOf = ({ manifest, explained }: RunResult): string[] =>
  runSummary(manifest, { manifestPath: 'm.json', width: 80, service: rig.service.url, explained }).split('\n')

/** No file names the service or the identity provider, and none holds a secret. */
function expectNoAddress(): void {
  const written = everyFile(rig.rig.root)
    .map(([, text]) => text)
    .join('\n')
  for (const { url } of [rig.identity, rig.service, rig.double]) expect(written).not.toContain(new URL(url).host)
  for (const canary of [SECRET_CANARY, TOKEN_CANARY]) expect(written).not.toContain(canary)
}

describe.each([
  { code: 'svc_unavailable', status: 503 },
  { code: 'svc_rate_limited', status: 429 },
])('a deadline that $status leaves no time for another try before', ({ status, code }) => {
  const toldOf = (asked: string, requestId: string | undefined) =>
    `${asked} was answered with ${status} ${code}: Come back later (4 tries in 10 min); it asks to wait 200 s; ` +
    `the next try would be after the deadline. Request id: ${requestId}. ` +
    'Run again to continue from here, or allow more time.'

  it('names a token request with tries, time, last answer, address and remedy, once', async () => {
    rig.identity.faultFor = () => slowDown(status, code)
    const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
    expect(result).toMatchObject({ exitCode: 11, reason: 'deadline_or_network' })
    const id = rig.identity.requestIds.at(-1)
    expect(result.located).toBe(toldOf(`The token request at ${rig.identity.url}`, id))
    expect(result.message).toBe(toldOf('The token request', id))
    const [detail, ...others] = Object.values(result.manifest.scenarios).map(({ error }) => error?.detail)
    expect(detail).toMatch(
      `the service did not finish in time: the identity provider answered ${status} ${code}: Come back later`,
    )
    expect(others).toEqual([detail, detail])
    expect(summaryOf(result).slice(0, 2)).toEqual(['✗ 3 scenarios not started', `    for the reason above [${code}]`])
    expectNoAddress()
  })

  it('names an upload in the same way', async () => {
    rig.service.faultFor = () => slowDown(status, code)
    const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
    expect(result).toMatchObject({ exitCode: 11 })
    const id = rig.service.requestIds.at(-1)
    expect(result.located).toBe(toldOf(`POST /v1/datasets at ${rig.service.url}`, id))
    expect(result.message).toBe(toldOf('POST /v1/datasets', id))
    expect(summaryOf(result)[0]).toBe('✗ 3 scenarios not started')
    expectNoAddress()
  })

  it('names a check with the same details', async () => {
    rig.identity.faultFor = () => slowDown(status, code)
    const checked = await checkWithin(DEADLINE_MS)
    expect(checked).toMatchObject({ exitCode: 11 })
    const id = rig.identity.requestIds.at(-1)
    expect(checked.located).toBe(toldOf(`The token request at ${rig.identity.url}`, id))
    expect(checked.message).toBe(toldOf('The token request', id))
    expectNoAddress()
  })
})

it('a deadline between tries is reported with the results of the tries', async () => {
  let tries = 0
  rig.identity.faultFor = () => async (struck) => {
    if (++tries < 3) return slowDown(503, 'svc_unavailable')(struck)
    rig.rig.clock.advance(DEADLINE_MS - rig.elapsedMs())
  }
  const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
  expect(result).toMatchObject({ exitCode: 11, reason: 'deadline_or_network' })
  expect(result.located).toMatch(
    new RegExp(
      `^the deadline of 720 s has passed\\. The token request at ${rig.identity.url} failed 2 times in 12 min; ` +
        'the last answer was 503 svc_unavailable: Come back later \\(Retry-After: 200 s\\) \\[request flt-2\\]; ' +
        'the next try had no answer in 319 s\\. .*\\.$',
    ),
  )
  expect(result.message).toBe(result.located?.replace(` at ${rig.identity.url}`, ''))
  const detail =
    'the deadline of 720 s has passed; the identity provider answered 503 svc_unavailable: ' +
    'Come back later (Retry-After: 200 s)'
  expect(Object.values(result.manifest.scenarios).map(({ error }) => error?.detail)).toEqual([detail, detail, detail])
  expect(summaryOf(result).slice(0, 2)).toEqual([
    '✗ 3 scenarios not started',
    '    for the reason above [deadline_or_network]',
  ])
  expectNoAddress()
})

it('a deadline after silence is reported with the time without an answer', async () => {
  rig.service.faultFor = () => async (struck) => {
    await faults.silence(struck)
    rig.rig.clock.advance(DEADLINE_MS - rig.elapsedMs())
  }
  const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
  expect(result).toMatchObject({ exitCode: 11 })
  expect(result.located).toContain(`POST /v1/datasets at ${rig.service.url} had no answer in 12 min. `)
  expect(result.manifest.scenarios.a?.error?.detail).toMatch(/the service did not answer/)
  expectNoAddress()
})

it('a deadline without a cause is reported without one', async () => {
  rig.double.pollsPerJob = Number.POSITIVE_INFINITY
  const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
  expect(result).toMatchObject({ exitCode: 11 })
  expect(result.located).toBe(result.message)
  expect(result.message).toMatch(/^(the deadline of 720 s has passed$|The wait for job \S+ \(its status was running\))/)
})

it('tries that run out before the deadline are reported once for all scenarios', async () => {
  await rig.identity.shut()
  const result = await rig.run()
  expect(result).toMatchObject({ exitCode: 11 })
  expect(result.located).toBe(
    `The token request at ${rig.identity.url} failed: connection refused (ECONNREFUSED) (6 tries in 12 s). ` +
      'Check that something listens there, and that host and port are right.',
  )
  expect(Object.values(result.manifest.scenarios).map(({ error }) => error?.detail)).toEqual(
    Array(3).fill(
      'the identity provider could not be reached: connection refused (ECONNREFUSED). ' +
        'Check that something listens there, and that host and port are right',
    ),
  )
  expectNoAddress()
})

it('a fault from which the service recovered is not a cause of a later deadline', async () => {
  let left = 2
  rig.service.faultFor = () => (left-- > 0 ? slowDown(503, 'svc_unavailable') : null)
  rig.double.pollsPerJob = Number.POSITIVE_INFINITY
  const result = await rig.run({ options: { deadlineMs: DEADLINE_MS } })
  expect(result).toMatchObject({ exitCode: 11 })
  expect(result.message).not.toContain('503')
})

/** The check of the study with the client of the rig. */
async function checkWithin(deadlineMs: number) {
  const request = await rig.rig.request({ options: { deadlineMs } })
  return checkStudy(request, rig.rig.environment({ env: { client: rig.client } }))
}
