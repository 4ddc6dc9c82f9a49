import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fault, send } from './fault-layer.ts'
import { type FaultRig, makeFaultRig, meetFault, ONE_SCENARIO, runChecked } from './fault-rig.ts'
import { changed, notFound } from './network-faults.ts'

/** A service reports accepted work in part, late, through a gateway, or not at all. */

let rig: FaultRig

beforeEach(async () => {
  rig = await makeFaultRig()
})

afterEach(async () => {
  await rig.close()
})

const REQUEST = /^POST .*\/generations$/
const JOB = /^GET \/v1\/jobs\//
const GENERATION = /^GET \/v1\/generations\//

const meet = (requests: RegExp, fault: Fault, times?: number) => meetFault(rig, requests, fault, times)
const made = () => [rig.double.made('datasets'), rig.double.made('generations')]
const run = () => runChecked(rig)

describe('a generation', () => {
  it('that only its job names is followed, even by the next run', async () => {
    meet(
      REQUEST,
      changed(({ job_id, status }) => ({ job_id, status })),
    )
    rig.double.pollsPerJob = 3
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect((await rig.rig.manifest()).trace.scenarios.yes).toMatchObject({
      generation_id: expect.stringMatching(/^gen_/),
    })

    await rig.rig.write('demo.study.yaml', ONE_SCENARIO.replace('seed: 1', 'seed: 2'))
    const control = new AbortController()
    rig.onEvent = (event) => {
      if (event.type === 'scenario.polling') control.abort(new Error('enough'))
    }
    await rig.run({ env: { signal: control.signal } })
    rig.onEvent = () => {}
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 2])
  })

  it('that the service does not find is requested again only after a second query', async () => {
    meet(GENERATION, notFound, 2)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 1])
  })

  it.each<[string, object]>([
    ['{"message": …}', { message: 'no Route matched with those values' }],
    ['{"status": 404, "error": …}', { timestamp: '2026-11-22T10:00:00Z', status: 404, error: 'Not Found', path: '/x' }],
    ['{"statusCode": 404, …}', { statusCode: 404, message: 'Resource not found' }],
  ])('whose record is 404 and %s from a gateway is not gone, and nothing is bought in its place', async (_, record) => {
    meet(GENERATION, ({ outgoing }) => {
      const headers = { 'content-type': 'application/json' }
      send(outgoing, { status: 404, headers, body: Buffer.from(JSON.stringify(record)) })
    })
    const { exitCode, messages } = await run()
    expect(messages).toMatch(/GET \/v1\/generations\/gen_\d+ was answered with 404/)
    expect(exitCode).toBe(7)
    rig.service.faultFor = () => null
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 1])
  })

  it('that is gone repeatedly is requested again only within the budget', async () => {
    await rig.rig.write('demo.study.yaml', `${ONE_SCENARIO}budget: { rows_per_run: 59 }\n`)
    meet(GENERATION, notFound)
    const { exitCode, messages } = await run()
    expect(messages).toMatch(/which it had just accepted, and a new request could exceed the budget of 59 rows/)
    expect(exitCode).toBe(7)
    expect(made()).toEqual([1, 2])
  })

  it('that is reported ready with fewer rows than requested is a partial result', async () => {
    rig.double.feasible = () => 15
    meet(
      GENERATION,
      changed((record) => ({ ...record, status: 'ready' })),
    )
    const { exitCode, manifest } = await run()
    expect(exitCode).toBe(8)
    expect(manifest.scenarios.yes).toMatchObject({ status: 'partial', rows: { requested: 20, counted: 15 } })
    expect(await run()).toMatchObject({ exitCode: 8 })
    expect(made()).toEqual([1, 1])
  })

  it('that is gone after its job was seen running is a failure, and nothing is bought in its place', async () => {
    rig.double.pollsPerJob = 3
    meet(GENERATION, notFound)
    const { exitCode, messages } = await run()
    expect(messages).toMatch(/the job has ended, and the service has no generation gen_\d+; --retry-failed/)
    expect(exitCode).toBe(7)
    expect(await run()).toMatchObject({ exitCode: 7 })
    expect(made()).toEqual([1, 1])
  })

  it.each<[string, Fault]>([
    ['is not there', notFound],
    ['never ends', changed((record) => ({ ...record, status: 'processing' }))],
  ])(
    'whose job failed without a reason and that %s is a failure, bought again only when asked to',
    async (_, fault) => {
      rig.service.faultFor = ({ method, path }) => {
        if (rig.double.made('generations') === 0) return null
        if (JOB.test(`${method} ${path}`)) return changed(({ job_id }) => ({ job_id, status: 'failed' }))
        return GENERATION.test(`${method} ${path}`) ? fault : null
      }
      const { exitCode, messages } = await run()
      expect(messages).toContain('the job failed; the service gives no reason')
      expect(exitCode).toBe(7)
      rig.service.faultFor = () => null
      expect(await run()).toMatchObject({ exitCode: 7 })
      expect(made()).toEqual([1, 1])
      expect(await rig.run({ options: { retryFailed: true } })).toMatchObject({ exitCode: 0 })
      expect(made()).toEqual([1, 2])
    },
  )
})
