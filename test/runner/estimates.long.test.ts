import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { RunInterruptedError } from '../../src/runner/interface/exit-code.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { estimated, estimatedInside, SIDE } from './estimated-answer.ts'
import { STUDY } from './run-rig.ts'
import { type Interception, problem, SECRET_CANARY } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

const COMPARED = `${STUDY}baseline: base
comparisons:
  - { id: lift, scenarios: [more-yes, young], shares: [region, answer], means: [age] }
`

useRig(COMPARED)

const asked = () => double.log.filter(({ path }) => path.endsWith('/estimates'))
const lift = async () => (await rig.manifest()).comparisons.lift!.scenarios
const answered = (answer: Interception) => {
  double.intercept = ({ path }) => (path.endsWith('/estimates') ? answer : undefined)
}

describe('a run with comparisons', () => {
  it('asks once for each scenario, with the generated conditions and all outcomes, after the rows are on disk', async () => {
    const requests: EstimateRequest[] = []
    double.estimates = (request) => {
      requests.push(request)
      return estimated(request)
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const outcomes = [
      { column: 'region', statistic: 'shares' },
      { column: 'answer', statistic: 'shares' },
      { column: 'age', statistic: 'mean' },
    ]
    expect(requests).toEqual([
      { scenario: { categorical: { answer: { Yes: 0.7 } } }, baseline: {}, outcomes },
      { scenario: { numeric: { age: { min: 20, max: 30 } } }, baseline: {}, outcomes },
    ])
    const kinds = double.log.map(({ path }) => path.split('?')[0]!.split('/').at(-1))
    expect(kinds.lastIndexOf('generations')).toBeLessThan(kinds.indexOf('estimates'))
    expect(manifestFaults(await rig.manifest())).toEqual([])
    const { 'more-yes': more } = await lift()
    expect(more).toMatchObject({
      effective_rows: { scenario: 100, against: 100 },
      shares: { answer: { Yes: { basis: 'seed', answer: { difference: 0.05 }, standard_error: 0.02 } } },
      means: { age: { basis: 'seed', answer: { difference: 2 } } },
    })
    expect(more?.no_estimates).toBeUndefined()
  })

  it('keeps the answers: unchanged, it asks nothing and gives the same bytes outside run and trace', async () => {
    double.estimates = (request) => estimated(request)
    const first = await rig.run()
    const before = double.log.length
    const second = await rig.run()
    expect(double.log.length).toBe(before)
    expect(second.digest).toBe(first.digest)
    // It does not ask after the journal was emptied either, because the state has the answers.
    await rig.write('.whatif/studies/demo/embedded/journal.ndjson', '')
    expect((await rig.run()).digest).toBe(first.digest)
    expect(double.log.length).toBe(before)
  })

  it('asks only changed questions again', async () => {
    double.estimates = (request) => estimated(request)
    await rig.run()
    await rig.write('demo.study.yaml', COMPARED.replace('max: 30', 'max: 35'))
    await rig.run()
    expect(asked()).toHaveLength(3)
    await rig.write('demo.study.yaml', COMPARED.replace('max: 30', 'max: 35').replace('region, answer', 'answer'))
    await rig.run()
    expect(asked()).toHaveLength(5)
  })

  it('asks about many outcomes in parts of fifty', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`)
    const schema = [
      { name: 'answer', levels: ['Yes', 'No'] },
      { name: 'age', type: 'numeric', min: 20, max: 59 },
      ...names.map((name) => ({ name, levels: ['a'] })),
    ]
    const sizes: number[] = []
    double.estimates = (request) => {
      sizes.push(request.outcomes.length)
      return estimated(request)
    }
    double.intercept = ({ path }) => (path.endsWith('/schema') ? { status: 200, json: { schema } } : undefined)
    await rig.write('demo.study.yaml', COMPARED.replace('region, answer', ['answer', ...names].join(', ')))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(sizes.toSorted((a, b) => a - b)).toEqual([12, 12, 50, 50])
  })

  it('asks nothing without comparisons', async () => {
    await rig.write('demo.study.yaml', STUDY)
    await rig.run()
    expect(asked()).toEqual([])
  })

  it('handles a side with too few rows', async () => {
    const few = { status: 'too_few_rows', low_support: true }
    double.estimates = (request) => ({
      ...estimated(request, { scenario: few }),
      outcomes: request.outcomes.map(({ column, statistic }) =>
        statistic === 'mean' ? { column, statistic, mean: null } : { column, statistic, levels: [] },
      ),
    })
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { young } = await lift()
    expect(young?.shares.answer?.Yes).toMatchObject({ support: 'too_few_rows', interval: null, basis: 'seed' })
    expect(young?.effective_rows).toBeUndefined()
    expect(manifestFaults(await rig.manifest())).toEqual([])
  })
})

describe('a run without estimates of the seed lacks only the intervals', () => {
  it('when the service lacks the operation: effective rows replace them, and the manifest reports that', async () => {
    double.evidence = { effective_rows: 60, largest_tilt: 2 }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked()).toHaveLength(1)
    for (const scenario of Object.values(await lift()))
      expect(scenario).toMatchObject({
        no_estimates: 'no_estimates_operation',
        effective_rows: { scenario: 60, against: 60 },
        shares: { answer: { Yes: { basis: 'effective_rows', support: 'ok' } } },
      })
    // The question is not asked again while nothing else is requested from the service, whatever is compared then.
    const before = double.log.length
    await rig.write('demo.study.yaml', COMPARED.replace('region, answer', 'answer'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
    // A run that talks to it anyway finds out that it has learnt it.
    double.estimates = (request) => estimated(request)
    await rig.write('demo.study.yaml', COMPARED.replace('Yes: 0.7', 'Yes: 0.6'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    for (const scenario of Object.values(await lift())) expect(scenario.no_estimates).toBeUndefined()
  })

  it('when the service gives no evidence either: only the noise of generation is left, and no gate with confidence passes', async () => {
    const gate = "{ scenario: more-yes, column: answer, level: 'Yes', delta_min: -1, confidence: 0.5 }"
    await rig.write('demo.study.yaml', COMPARED.replace('means: [age] }', `means: [age], expect: [${gate}] }`))
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    expect((await rig.manifest()).comparisons.lift).toMatchObject({
      gates: [{ passed: false, reason: 'generation_only' }],
      scenarios: { 'more-yes': { shares: { answer: { Yes: { basis: 'generation', support: 'unknown' } } } } },
    })
  })

  it.each([
    ['a 404 that is no problem record', { status: 404, json: {} }, 'no_estimates_operation'],
    ['a 405', problem(405, null, 'no such method') as Interception, 'no_estimates_operation'],
    ['a 501', { status: 501, json: {} }, 'no_estimates_operation'],
    ['a 400', problem(400, 'svc_invalid_field', 'no such outcome') as Interception, 'estimates_refused'],
    ['a 402', problem(402, 'svc_quota_exceeded', 'pay') as Interception, 'estimates_refused'],
    ['a 403', problem(403, null, 'not for you') as Interception, 'estimates_refused'],
    ['a 409', problem(409, 'svc_dataset_not_ready', 'in training') as Interception, 'estimates_refused'],
    ['a redirect', { status: 302, json: {}, headers: { location: 'https://evil.example/' } }, 'estimates_unreadable'],
    ['a page instead of a record', { status: 200, json: { hello: 'world' } }, 'estimates_unreadable'],
  ] as const)('when the service answers with %s: %s ends the question', async (_, answer, why) => {
    answered(answer as Interception)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    for (const scenario of Object.values(await lift())) expect(scenario.no_estimates).toBe(why)
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
  })

  it.each([
    ['a standard error below zero', { outcomes: 'standard_error' }],
    ['a share above 1', { outcomes: 'scenario' }],
    ['the record of another dataset', { dataset_id: 'ds_other' }],
    ['fewer outcomes than were asked for', { outcomes: [] }],
    ['a side without its rows', { scenario: { status: 'estimated', low_support: false } }],
    ['an unknown status', { baseline: { ...SIDE, status: 'perhaps' } }],
    ['means where shares were asked for', { outcomes: 'statistic' }],
  ])('when the service answers with %s: the answer is rejected', async (_, change) => {
    const damages: Record<string, object> = {
      standard_error: { standard_error: -1 },
      scenario: { scenario: 1.5 },
    }
    double.estimates = (request) => {
      const whole = estimated(request) as { outcomes: { column: string; levels?: object[] }[] }
      const { outcomes: how, ...rest } = change as { outcomes?: unknown }
      const outcomes =
        how === 'statistic'
          ? whole.outcomes.map(({ column }) => ({ column, statistic: 'mean', mean: null }))
          : typeof how === 'string'
            ? whole.outcomes.map((o) => ({ ...o, levels: o.levels?.map((level) => ({ ...level, ...damages[how] })) }))
            : (how ?? whole.outcomes)
      return { ...whole, ...rest, outcomes }
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { 'more-yes': more } = await lift()
    expect(more?.no_estimates).toBe('estimates_unreadable')
    expect(manifestFaults(await rig.manifest())).toEqual([])
  })

  it('when the answer is about another model: it is rejected as well', async () => {
    double.training = { model_id: 'a'.repeat(64) }
    double.revise = (json, { path }) => (path.includes('/generations/') ? { ...json, model_id: 'a'.repeat(64) } : json)
    double.estimates = (request) => estimated(request, { model_id: 'b'.repeat(64) })
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect((await lift()).young?.no_estimates).toBe('estimates_other_model')
  })

  it.each([
    ['is in trouble', { status: 503, json: {} } as Interception],
    ['hangs up', 'drop' as Interception],
  ])('when the service %s: the run completes, and the next one asks again', async (_, answer) => {
    answered(answer)
    const first = await rig.run()
    expect(first).toMatchObject({ exitCode: 0, reason: 'ok', manifest: { status: 'complete' } })
    expect((await lift()).young).toMatchObject({ no_estimates: 'estimates_failed' })
    double.intercept = () => undefined
    double.estimates = (request) => estimated(request)
    const made = double.made('generations')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(made)
    expect((await lift()).young?.shares.answer?.Yes).toMatchObject({ basis: 'seed' })
  })

  it('when the service never answers the question: the run completes without the answer', async () => {
    double.intercept = ({ path }) => (path.endsWith('/estimates') ? new Promise<undefined>(() => {}) : undefined)
    const client = async () =>
      createServiceClient({
        baseUrl: double.url,
        authUrl: double.url,
        clientId: 'cli_1',
        clientSecret: SECRET_CANARY,
        // Nearly all of the half minute has passed for it, so that the test need not wait.
        now: () => rig.clock.now() + 29_000,
        sleep: (ms, signal) => rig.clock.sleep(ms, signal),
      })
    expect(await rig.run({ env: { client } })).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect((await lift()).young?.no_estimates).toBe('estimates_failed')
  })

  it('when the service can no longer be reached: results on disk stay valid', async () => {
    answered('drop')
    await rig.run()
    const client = async () => Promise.reject(new Error('no such service'))
    expect(await rig.run({ env: { client } })).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect((await lift()).young?.no_estimates).toBe('estimates_failed')
  })

  it('when the dataset has expired since: the question is asked only once', async () => {
    await rig.write('demo.study.yaml', STUDY)
    await rig.run()
    double.forget('datasets')
    double.estimates = (request) => estimated(request)
    await rig.write('demo.study.yaml', COMPARED)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    for (const scenario of Object.values(await lift())) expect(scenario.no_estimates).toBe('estimates_dataset_gone')
    expect(asked()).toHaveLength(1)
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
    expect(double.made('datasets')).toBe(1)
  })

  it('when the service gives no answer in half a minute: the run waits no longer, whatever its deadline', async () => {
    answered({ status: 503, json: {}, headers: { 'retry-after': '3600' } })
    const began = rig.clock.now()
    expect(await rig.run({ options: { deadlineMs: 60 * 60_000 } })).toMatchObject({ exitCode: 0 })
    expect(rig.clock.now() - began).toBeLessThan(60_000)
    expect((await lift()).young?.no_estimates).toBe('estimates_failed')
  })
})

describe('a run that is stopped after its rows and before the estimates', () => {
  it('keeps its rows; the next run asks, and generates nothing', async () => {
    const controller = new AbortController()
    double.intercept = ({ path }) => {
      if (!path.endsWith('/estimates')) return undefined
      controller.abort(new RunInterruptedError('SIGINT'))
      return new Promise<undefined>(() => {})
    }
    expect(await rig.run({ env: { signal: controller.signal } })).toMatchObject({ exitCode: 130 })
    expect((await lift()).young).toMatchObject({ no_estimates: 'estimates_not_asked', status: 'compared' })
    const made = double.made('generations')
    double.intercept = () => undefined
    double.estimates = (request) => estimated(request)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(made)
    expect((await lift()).young?.means.age).toMatchObject({ basis: 'seed' })
  })

  it('is also continued by resume', async () => {
    answered('drop')
    await rig.run()
    double.intercept = () => undefined
    double.estimates = (request) => estimated(request)
    expect(await rig.run({ options: { submit: false } })).toMatchObject({ exitCode: 0 })
    expect((await lift()).young?.means.age).toMatchObject({ basis: 'seed' })
  })
})

describe('a comparison with segments', () => {
  const DIVIDED = COMPARED.replace(
    'shares: [region, answer], means: [age] }',
    'shares: [answer], means: [age], by: region }',
  )
  const REGIONS = ['North', 'South', 'East', 'West']

  it('asks about the segments in a question of their own, and records their differences', async () => {
    const asked: (string | undefined)[] = []
    double.estimates = (request) => {
      asked.push(request.by)
      return estimatedInside(request, REGIONS)
    }
    await rig.write('demo.study.yaml', DIVIDED)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked.toSorted()).toEqual(['region', 'region', undefined, undefined])
    const manifest = await rig.manifest()
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifest.comparisons.lift?.by).toBe('region')
    const { segments = [], ...whole } = (await lift())['more-yes']!
    expect(whole.shares.answer?.Yes?.basis).toBe('seed')
    // They are in the sequence of the service's schema.
    expect(segments.map(({ level }) => level)).toEqual(['East', 'North', 'South', 'West'])
    for (const { rows, shares, means, effective_rows, no_estimates } of segments) {
      expect(rows.scenario).toBeGreaterThan(0)
      expect(shares.answer?.Yes).toMatchObject({ basis: 'seed', answer: { difference: 0.05 }, standard_error: 0.02 })
      expect(means.age).toMatchObject({ basis: 'seed', answer: { difference: 2 }, standard_error: 0.5 })
      expect(effective_rows).toEqual({ scenario: 100, against: 100 })
      expect(no_estimates).toBeUndefined()
    }
    // Unchanged, it asks nothing.
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
  })

  it('counts the artifacts again when segments are added later, and generates nothing', async () => {
    double.estimates = (request) => estimatedInside(request, REGIONS)
    await rig.run()
    const made = double.made('generations')
    await rig.write('demo.study.yaml', DIVIDED)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(made)
    expect((await lift()).young?.segments?.length).toBeGreaterThan(0)
  })

  it.each([
    ['refuses the question, as older versions do', 'refuse', 'estimates_refused'],
    ['ignores it', 'ignore', 'no_segment_estimates'],
  ])(
    'at a service that %s uses effective rows inside segments, and the estimates of the whole seed',
    async (_, how, why) => {
      double.estimates = (request) => estimated(request)
      if (how === 'refuse')
        double.intercept = ({ path, body }) =>
          path.endsWith('/estimates') && JSON.parse(String(body)).by !== undefined
            ? (problem(400, 'svc_invalid_field', 'by is not a known field') as Interception)
            : undefined
      await rig.write('demo.study.yaml', DIVIDED)
      expect(await rig.run()).toMatchObject({ exitCode: 0 })
      const { segments = [], no_estimates, effective_rows } = (await lift())['more-yes']!
      expect(no_estimates).toBeUndefined()
      expect(segments.length).toBeGreaterThan(1)
      for (const { no_estimates: inside, shares, effective_rows: own } of segments) {
        expect(inside).toBe(why)
        expect(shares.answer?.Yes?.basis).toBe('effective_rows')
        expect(own!.scenario).toBeLessThan(effective_rows!.scenario)
      }
    },
  )
})
