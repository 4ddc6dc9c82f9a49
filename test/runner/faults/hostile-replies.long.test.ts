import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fault, send } from './fault-layer.ts'
import { type FaultRig, makeFaultRig, meetFault, ONE_SCENARIO, runChecked } from './fault-rig.ts'
import { changed, respelt } from './network-faults.ts'

/** Values that the contract does not forbid, or forbids, and a service sends all the same. */

let rig: FaultRig

beforeEach(async () => {
  rig = await makeFaultRig()
})

afterEach(async () => {
  await rig.close()
})

const DATASET = /^GET \/v1\/datasets\/[^/]+$/
const SCHEMA = /^GET .*\/schema$/
const REQUEST = /^POST .*\/generations$/
const JOB = /^GET \/v1\/jobs\//
const GENERATION = /^GET \/v1\/generations\//

const meet = (requests: RegExp, fault: Fault, times?: number) => meetFault(rig, requests, fault, times)
const made = () => [rig.double.made('datasets'), rig.double.made('generations')]
const run = () => runChecked(rig)

const schemaWith = (column: object) =>
  changed((record) => ({ ...record, schema: [...(record.schema as object[]), { name: 'odd', ...column }] }))

describe('a run completes in spite of', () => {
  it.each<[string, RegExp, Fault]>([
    ['half of a surrogate pair in a level', SCHEMA, respelt((json) => json.replace('"North"', '"North\\ud83d"'))],
    ['half of a surrogate pair in a column', SCHEMA, respelt((json) => json.replace('"region"', '"\\udc00region"'))],
    ['bounds that no integer holds', SCHEMA, schemaWith({ min: -1e300, max: 2 ** 64 })],
    ['bounds that are infinite', SCHEMA, respelt((json) => json.replace(/"max":\d+/, '"max":1e999'))],
    ['bounds the wrong way round', SCHEMA, schemaWith({ min: 9, max: 1 })],
    ['bounds that are no dates', SCHEMA, schemaWith({ format: 'date', min: 'yesterday', max: '2026-02-31' })],
    ['levels of other types', SCHEMA, schemaWith({ levels: [1, true, 0.1, 1e300] })],
    ['names that objects have', SCHEMA, schemaWith({ name: '__proto__', levels: ['__proto__', 'constructor'] })],
    ['a share of missing values that is none', SCHEMA, schemaWith({ missing_share: -7 })],
    ['an expiry that is no date', DATASET, changed((r) => ({ ...r, expires_at: 'soon' }))],
    ['an expiry at the end of time', DATASET, changed((r) => ({ ...r, expires_at: '+275760-09-13T00:00:00Z' }))],
    [
      'an expiry in a month that is too short',
      GENERATION,
      changed((r) => ({ ...r, expires_at: '2026-02-31T25:00:00Z' })),
    ],
    ['an expiry that is a number', GENERATION, changed((r) => ({ ...r, expires_at: 1e18 }))],
    [
      'a training at no time',
      DATASET,
      changed((r) => ({ ...r, training_summary: { trained_at: 'x', duration_ms: -1 } })),
    ],
    [
      'counts below zero',
      DATASET,
      changed((r) => ({ ...r, cleaning_summary: { ...(r.cleaning_summary as object), input_rows: -5 } })),
    ],
    [
      'evidence beyond all measure',
      GENERATION,
      changed((r) => ({ ...r, evidence: { effective_rows: 1e300, largest_tilt: 2 ** 60, low_support: true } })),
    ],
    ['a job whose name looks like a path', REQUEST, changed((r) => ({ ...r, job_id: '../../oauth/token?a=b#c%2e' }))],
  ])('%s', async (_name, requests, fault) => {
    meet(requests, fault)
    const first = await run()
    expect(first).toMatchObject({ exitCode: 0 })
    // The next run reads the written state: a lost file is fetched, and nothing is made a second time.
    await rm(join(rig.rig.root, 'out/demo/yes.csv'))
    rig.service.faultFor = () => null
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 1])
    expect(rig.double.log.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token')).toHaveLength(2)
  })

  it('two hundred thousand levels, and suggests the nearest one for a misspelt level', async () => {
    const levels = Array.from({ length: 200_000 }, (_, i) => `level-${i}`)
    meet(
      SCHEMA,
      changed((record) => ({ ...record, schema: [{ name: 'answer', levels: ['Yes', 'No', ...levels] }] })),
    )
    expect(await run()).toMatchObject({ exitCode: 0 })
    await rig.rig.write('demo.study.yaml', ONE_SCENARIO.replace('Yes: 0.7', '"level_199999": 0.7'))
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 4 })
    expect(result.diagnostics.flatMap(({ suggestions }) => suggestions)).toContain('level-199999')
  })

  it('a level of the data that is called __proto__', async () => {
    await rig.close()
    rig = await makeFaultRig(ONE_SCENARIO.replace('Yes: 0.7', '__proto__: 0.7'))
    const seed = await rig.rig.read('seeds/panel.csv')
    await rig.rig.write('seeds/panel.csv', seed.replaceAll('Yes', '__proto__'))
    const { exitCode, manifest } = await run()
    expect(exitCode).toBe(0)
    expect(Object.entries(manifest.scenarios.yes!.shares.answer!.levels)).toEqual([
      ['__proto__', { target: 0.7, achieved: 0.7, delta: 0, count: 14 }],
    ])
  })

  it('words that are cut in the middle of a character', async () => {
    rig.double.feasible = () => 15
    const detail = `x${'😀'.repeat(600)}`
    meet(
      GENERATION,
      changed((record) => ({ ...record, shortfall: { detail, binding: [] } })),
    )
    const { exitCode, manifest } = await run()
    expect(exitCode).toBe(8)
    expect(manifest.scenarios.yes!.shortfall!.detail).toBe(`x${'😀'.repeat(249)}`)
  })
})

describe('a run names the breach of the contract, and the next one continues:', () => {
  it.each<[string, RegExp, Fault, RegExp]>([
    ['a negative count of rows', GENERATION, changed((r) => ({ ...r, rows_generated: -1 })), /rows_generated: /],
    [
      'more rows than a number holds',
      GENERATION,
      respelt((json) => json.replace(/"rows_generated":\d+/, '"rows_generated":1e999')),
      /rows_generated: /,
    ],
    [
      'an identifier of a million characters',
      REQUEST,
      changed((r) => ({ ...r, generation_id: 'g'.repeat(1e6) })),
      /generation_id: /,
    ],
    ['a job whose name leads upwards', REQUEST, changed((r) => ({ ...r, job_id: '..' })), /job_id: no identifier/],
    ['neither generation nor job', REQUEST, changed(({ status }) => ({ status })), /neither generation_id nor job_id/],
    ['a column without a name', SCHEMA, schemaWith({ name: '' }), /schema\.\d+\.name: /],
    ['brackets and nothing else', SCHEMA, respelt(() => '['.repeat(4e6)), /nested more than 64 levels deep/],
    ['another dataset', DATASET, changed((r) => ({ ...r, dataset_id: 'ds_other' })), /dataset_id: names another than/],
    ['another job', JOB, changed((r) => ({ ...r, job_id: 'job_other' })), /job_id: names another than was asked for/],
    [
      'another generation',
      GENERATION,
      changed((r) => ({ ...r, generation_id: 'gen_other' })),
      /generation_id: names another than was asked for/,
    ],
    [
      'an artifact elsewhere',
      GENERATION,
      changed((r) => ({ ...r, artifact_url: '//evil.example/x' })),
      /names a host without a scheme/,
    ],
  ])('%s', async (_name, requests, fault, says) => {
    meet(requests, fault)
    const { exitCode, messages } = await run()
    expect(messages).toMatch(says)
    expect(exitCode).toBe(7)
    rig.service.faultFor = () => null
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 1])
  })
})

describe('a key of a request that is still in flight', () => {
  const inFlight: Fault = ({ outgoing }) => {
    const record = { type: 'about:blank', title: 'Conflict', status: 409, code: 'svc_idempotency_conflict' }
    const headers = { 'content-type': 'application/problem+json' }
    send(outgoing, { status: 409, headers, body: Buffer.from(JSON.stringify(record)) })
  }

  it.each([
    { name: 'upload', requests: /^POST \/v1\/datasets$/ },
    { name: 'generation', requests: REQUEST },
  ])('is waited for, and then answers the $name', async ({ requests }) => {
    meet(requests, inFlight, 5)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(made()).toEqual([1, 1])
  })

  it('is explained by both possible causes after too long, and the next run sends it again', async () => {
    meet(REQUEST, inFlight)
    const { exitCode, messages } = await run()
    expect(exitCode).toBe(7)
    expect(messages).toContain('the same key stayed in flight')
    expect(messages).toContain('a request with this key is still in progress (run again later), or the key was used')
    rig.service.faultFor = () => null
    expect(await run()).toMatchObject({ exitCode: 0 })
    const keys = rig.service.seen
      .filter(({ path }) => REQUEST.test(`POST ${path}`))
      .map((r) => r.headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    expect(made()).toEqual([1, 1])
  })
})
