import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/base/clock.ts'
import { createLineReporter } from '../../../src/cli/progress/line-reporter.ts'
import type { RunEvent } from '../../../src/runner/interface/run-event.ts'
import type { Plan } from '../../../src/runner/plan/plan.ts'
import { exampleScenario } from '../../answers/example-manifest.ts'

/** A clock whose ticks are made by hand. */
class Ticking implements Clock {
  readonly ticks: { readonly ms: number; readonly tick: () => void }[] = []
  now = () => 0
  sleep = () => Promise.reject(new Error('nobody waits here'))
  every(ms: number, tick: () => void): () => void {
    const entry = { ms, tick }
    this.ticks.push(entry)
    return () => this.ticks.splice(this.ticks.indexOf(entry), 1)
  }
}

function watched(options: { quiet?: boolean; verbose?: boolean } = {}) {
  const written: string[] = []
  const clock = new Ticking()
  const stderr = { write: (text: string) => written.push(text) > 0 }
  const reporter = createLineReporter({ stderr, clock, quiet: false, verbose: false, ...options })
  return { reporter, clock, text: () => written.join('') }
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`)
const planOf = (count: number): RunEvent => ({
  type: 'plan',
  plan: { scenarios: ids(count).map((id) => ({ id, selected: true })) } as unknown as Plan,
})
const submitted = (scenario: string): RunEvent => ({
  type: 'scenario.submitted',
  scenario,
  rows: 2000,
  key: 'k',
  generationId: null,
  jobId: null,
  requestId: null,
  replayed: false,
})
const ready = (scenario: string): RunEvent => ({
  type: 'scenario.ready',
  scenario,
  how: 'generated',
  result: exampleScenario(),
})
const failed = (scenario: string): RunEvent => ({
  type: 'scenario.failed',
  scenario,
  error: {
    code: 'svc_x',
    detail: 'no rows',
    message: 'no rows',
    requestId: 'req_1',
    jobId: null,
    generationId: null,
    datasetId: null,
  },
})

describe('the line reporter', () => {
  it('says each minute that the run is alive, until it is closed', async () => {
    const { reporter, clock, text } = watched()
    expect(clock.ticks.map(({ ms }) => ms)).toEqual([60_000])
    clock.ticks[0]!.tick()
    reporter.onEvent(planOf(3))
    reporter.onEvent(ready('s0'))
    clock.ticks[0]!.tick()
    expect(text()).toBe('still running\ns0: ready, 2,000 rows (generated)\nstill running: 1 of 3 scenarios done\n')
    await reporter.close()
    expect(clock.ticks).toEqual([])
  })

  it('reports that no further scenario is submitted, and how many are still running', () => {
    const stopped: RunEvent = { type: 'breaker.opened', reason: 'network' }
    const { reporter, text } = watched()
    for (const event of [planOf(3), stopped, submitted('s0'), submitted('s1'), ready('s0'), stopped])
      reporter.onEvent(event)
    expect(text().match(/^nothing more .*$/gm)).toEqual([
      'nothing more is submitted (network)',
      'nothing more is submitted (network); 1 scenario in progress will be completed',
    ])
  })

  it('reports only failures when it is quiet', () => {
    const { reporter, clock, text } = watched({ quiet: true })
    for (const event of [planOf(2), submitted('s0'), ready('s0'), submitted('s1'), failed('s1')])
      reporter.onEvent(event)
    clock.ticks[0]!.tick()
    expect(text()).toBe('s1: FAILED: no rows [svc_x, request req_1]\n')
  })

  it('has a line per change of up to 30 scenarios', () => {
    const { reporter, text } = watched()
    reporter.onEvent(planOf(30))
    for (const id of ids(30)) for (const event of [submitted(id), ready(id)]) reporter.onEvent(event)
    expect(text().split('\n')).toHaveLength(61)
  })

  it('counts more scenarios than 30 in tenths, and reports each failure', () => {
    const { reporter, text } = watched()
    reporter.onEvent(planOf(40))
    for (const id of ids(40)) {
      reporter.onEvent(submitted(id))
      reporter.onEvent(id === 's6' ? failed(id) : ready(id))
    }
    const tenths = [4, 8, 12, 16, 20, 24, 28, 32, 36, 40].map((done) => `${done} of 40 scenarios done\n`)
    tenths.splice(1, 0, 's6: FAILED: no rows [svc_x, request req_1]\n')
    expect(text()).toBe(tenths.join(''))
  })

  it('reports all scenarios when it is verbose', () => {
    const { reporter, text } = watched({ verbose: true })
    reporter.onEvent(planOf(40))
    for (const id of ids(40)) reporter.onEvent(ready(id))
    expect(text().split('\n')).toHaveLength(41)
  })

  const retry = (attempt: number, change: Partial<Extract<RunEvent, { type: 'retry' }>> = {}): RunEvent => ({
    type: 'retry',
    subject: 'dataset d',
    attempt,
    delayMs: 500,
    reason: 'connection refused (ECONNREFUSED)',
    requestId: null,
    operation: 'POST /v1/datasets',
    origin: 'http://127.0.0.1:9',
    ...change,
  })

  it('reports failed tries once for each cause and place, and not the first one', () => {
    const { reporter, text } = watched()
    for (const attempt of [1, 2, 3, 4]) reporter.onEvent(retry(attempt))
    reporter.onEvent(retry(2, { operation: 'GET /v1/datasets' }))
    reporter.onEvent(retry(2, { reason: '503 svc_unavailable' }))
    expect(text()).toBe(
      'connection refused (ECONNREFUSED) at http://127.0.0.1:9, try 3: POST /v1/datasets\n' +
        '503 svc_unavailable at http://127.0.0.1:9, try 3: POST /v1/datasets\n',
    )
  })

  it('reports no failed tries when it is quiet, and each when it is verbose', () => {
    const quiet = watched({ quiet: true })
    const verbose = watched({ verbose: true })
    for (const attempt of [1, 2, 3]) for (const { reporter } of [quiet, verbose]) reporter.onEvent(retry(attempt))
    expect(quiet.text()).toBe('')
    expect(verbose.text().match(/^retry \d of dataset d in 500 ms: .* at http:\/\/127.0.0.1:9$/gm)).toHaveLength(3)
  })

  it('reports scenarios that did not begin at the end of the run, except work that continues at the service', () => {
    const { reporter, text } = watched()
    const stop = (scenario: string, type: 'not_started' | 'interrupted', jobId: string | null): RunEvent => {
      const ids = { requestId: 'req_1', jobId, generationId: null, datasetId: null }
      const error = { code: 'network', detail: 'no way', message: 'no way', ...ids }
      return { type: `scenario.${type}`, scenario, reason: 'no way', error, isReportedAtEnd: true }
    }
    reporter.onEvent(planOf(4))
    reporter.onEvent(stop('s0', 'not_started', null))
    reporter.onEvent(stop('s1', 'not_started', 'job_1'))
    reporter.onEvent(stop('s2', 'not_started', 'job_1'))
    reporter.onEvent(stop('s3', 'interrupted', 'job_2'))
    expect(text()).toBe('not started [job job_1]\ns3: interrupted [job job_2]\n')
  })
})
