import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Estimates } from '../../../src/contract/estimates.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_B } from './data-service.ts'

let service: DataService
let datasetId: string
beforeAll(async () => {
  service = await startDataService()
  datasetId = await upload(surveyCsv(800))
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

async function upload(csv: string): Promise<string> {
  const parts = { wait_seconds: '60', seed_file: new Blob([csv]) }
  const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
  expect(body.status).toBe('ready')
  return body.dataset_id
}

async function estimate(
  body: unknown,
  { dataset = datasetId, tenant, headers = {} }: { dataset?: string; tenant?: string; headers?: object } = {},
): Promise<Answer> {
  return await service.ask(`/v1/datasets/${dataset}/estimates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(tenant !== undefined && { tenant }),
  })
}

const MEMBERS = { categorical: { 'loyalty.member': { yes: 0.7 } } }
const OUTCOMES = [{ column: 'region' }, { column: 'monthly.spend', statistic: 'mean' }, { column: 'joined.on' }]

describe('estimates', () => {
  it('have each outcome on both sides, with its difference and standard error', async () => {
    const { status, body } = await estimate({ scenario: MEMBERS, outcomes: OUTCOMES })
    expect(status).toBe(200)
    const estimates = Estimates.parse(body)
    expect(estimates).toMatchObject({
      dataset_id: datasetId,
      seed_rows: 800,
      sampled_share: 1,
      baseline: { status: 'estimated', effective_rows: 800, low_support: false },
      outcomes: [
        { column: 'region', statistic: 'shares' },
        { column: 'monthly.spend', statistic: 'mean' },
        { column: 'joined.on', statistic: 'mean' },
      ],
    })
    expect(estimates.scenario.effective_rows).toBeLessThan(800)
    const [regions, spend, joined] = estimates.outcomes
    const levels = regions?.levels ?? []
    expect(levels.map(({ level }) => level).sort()).toEqual(['east', 'north', 'south', 'west'])
    expect(levels.reduce((sum, { scenario }) => sum + scenario, 0)).toBeCloseTo(1, 1)
    for (const { standard_error } of levels) expect(standard_error).toBeGreaterThan(0)
    // 0 to 205, and 0 for a fifth; dates are milliseconds.
    expect(spend).toMatchObject({ mean: { baseline: expect.closeTo(84, -1), baseline_sd: expect.closeTo(68, -1) } })
    const middle = Date.UTC(2020, 0, 1 + 750)
    expect(Math.abs((joined?.mean?.baseline ?? 0) - middle) / 86_400_000).toBeLessThan(60)
  })

  it('have the same figures inside each level of a column, in the order of the schema', async () => {
    const { status, body } = await estimate({ scenario: MEMBERS, outcomes: OUTCOMES.slice(1), by: 'region' })
    expect(status).toBe(200)
    const { segments = [], ...whole } = Estimates.parse(body)
    const { body: schema } = await service.ask(`/v1/datasets/${datasetId}/schema`)
    const region = schema.schema.find(({ name }: { name: string }) => name === 'region')
    expect(segments.map(({ level }) => level)).toEqual(region.levels)
    expect(Estimates.parse(body).outcomes).toEqual(whole.outcomes)
    let rows = 0
    for (const { status: found, scenario, baseline, outcomes } of segments) {
      expect([found, scenario.status, baseline.status]).toEqual(['estimated', 'estimated', 'estimated'])
      expect(scenario.effective_rows).toBeLessThanOrEqual(baseline.effective_rows ?? 0)
      expect(outcomes.map(({ column }) => column)).toEqual(['monthly.spend', 'joined.on'])
      expect(outcomes[0]?.mean?.standard_error).toBeGreaterThan(whole.outcomes[0]?.mean?.standard_error ?? Infinity)
      rows += baseline.effective_rows ?? 0
    }
    // Rounded down to two digits, each.
    expect(rows).toBeGreaterThan(750)
    expect(rows).toBeLessThanOrEqual(800)
  })

  it('mark a level without rows on one side as excluded', async () => {
    const of = { categorical: { region: { north: 0.5, south: 0.5 } } }
    const { body } = await estimate({ scenario: of, outcomes: [{ column: 'age' }], by: 'region' })
    const { segments = [] } = Estimates.parse(body)
    expect(Object.fromEntries(segments.map(({ level, status }) => [level, status]))).toEqual({
      north: 'estimated',
      south: 'estimated',
      east: 'excluded',
      west: 'excluded',
    })
    expect(segments.find(({ level }) => level === 'east')).toMatchObject({
      scenario: { status: 'too_few_rows' },
      outcomes: [{ mean: null }],
    })
  })

  it('are of the rows under where alone, and repeat it', async () => {
    const where = { categorical: { region: ['north', 'south'] }, numeric: { age: { min: 30 } } }
    const { status, body } = await estimate({ scenario: MEMBERS, outcomes: OUTCOMES, where })
    expect(status).toBe(200)
    const { where: confirmed, baseline, outcomes } = Estimates.parse(body)
    expect(confirmed).toEqual(where)
    expect(baseline.effective_rows).toBeLessThan(450)
    expect(outcomes[0]?.levels?.map(({ level }) => level).sort()).toEqual(['north', 'south'])
    expect(outcomes[1]?.baseline_base?.rows).toBeLessThan(450)
    const dates = { numeric: { 'joined.on': { max: '2021-06-30' } } }
    expect((await estimate({ scenario: MEMBERS, outcomes: OUTCOMES, where: dates })).status).toBe(200)
  })

  it('have no quantiles where the seed is protected, and have them for its owner', async () => {
    const asked = { scenario: MEMBERS, outcomes: [{ column: 'age', statistic: 'quantiles', quantiles: [0.5, 0.9] }] }
    const refused = await estimate(asked)
    expect([refused.status, refused.body.code]).toEqual([400, 'svc_quantiles_not_offered'])
    const wrong = [
      { column: 'age', statistic: 'mean', quantiles: [0.5] },
      { column: 'age', statistic: 'quantiles' },
    ]
    for (const outcome of wrong)
      expect((await estimate({ scenario: MEMBERS, outcomes: [outcome] })).body.errors[0].field).toBe(
        'outcomes.0.quantiles',
      )
    const levels = [{ column: 'region', statistic: 'quantiles', quantiles: [0.5] }]
    expect((await estimate({ scenario: MEMBERS, outcomes: levels })).body.errors[0].field).toBe('outcomes.0.statistic')
    const exact = await startDataService({ settings: { disclosure: 'exact' } })
    try {
      const parts = { wait_seconds: '60', seed_file: new Blob([surveyCsv(800)]) }
      const { body: dataset } = await exact.ask('/v1/datasets', { method: 'POST', body: form(parts) })
      const { body } = await exact.ask(`/v1/datasets/${dataset.dataset_id}/estimates`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      })
      const [age] = Estimates.parse(body).outcomes
      expect(age?.quantiles?.map(({ quantile }) => quantile)).toEqual([0.5, 0.9])
      for (const { standard_error } of age?.quantiles ?? []) expect(standard_error).toBeGreaterThan(0)
    } finally {
      await exact.close()
    }
  })

  it.each([
    ['an unknown column', { categorical: { regin: ['north'] } }, 'where.categorical.regin', 'region'],
    ['an unknown level', { categorical: { region: ['nort'] } }, 'where.categorical.region', 'north'],
    ['levels of a number', { categorical: { age: ['30'] } }, 'where.categorical.age', undefined],
    ['ends of levels', { numeric: { region: { min: 1 } } }, 'where.numeric.region', undefined],
    ['a text for a number', { numeric: { age: { min: '2020-01-01' } } }, 'where.numeric.age.min', undefined],
    ['ends upside down', { numeric: { age: { min: 50, max: 20 } } }, 'where.numeric.age', undefined],
    ['nothing', {}, 'where', undefined],
    ['no ends', { numeric: { age: {} } }, 'where.numeric.age', undefined],
  ])('refuse under where %s', async (_, where, field, suggestion) => {
    const { status, body } = await estimate({ scenario: MEMBERS, outcomes: OUTCOMES, where })
    expect(status).toBe(400)
    expect(body.errors).toEqual([expect.objectContaining({ field, ...(suggestion !== undefined && { suggestion }) })])
  })

  it('name the model that generations use', async () => {
    const [{ body: estimates }, { body: generation }] = [
      await estimate({ scenario: {}, outcomes: [{ column: 'age' }] }),
      await service.ask(`/v1/datasets/${datasetId}/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ row_count: 10, wait_seconds: 60 }),
      }),
    ]
    expect(estimates.model_id).toBe(generation.model_id)
  })

  it('have noise that depends on nothing but the question, and are scenario less baseline', async () => {
    const asked = { scenario: { ...MEMBERS, numeric: { age: { min: 30, max: 60 } } }, outcomes: OUTCOMES }
    const [first, again] = [
      Estimates.parse((await estimate(asked)).body),
      Estimates.parse((await estimate(asked)).body),
    ]
    expect({ ...again, request_id: '' }).toEqual({ ...first, request_id: '' })
    // Another dataset of the same file has the same model, and so the same noise.
    const twin = Estimates.parse((await estimate(asked, { dataset: await upload(surveyCsv(800)) })).body)
    expect(twin.outcomes).toEqual(first.outcomes)
    for (const { scenario, baseline, difference } of first.outcomes[0]?.levels ?? [])
      expect(difference).toBeCloseTo(scenario - baseline, 12)
    const exact = await startDataService({ settings: { disclosure: 'exact' } })
    try {
      const parts = { wait_seconds: '60', seed_file: new Blob([surveyCsv(800)]) }
      const { body: dataset } = await exact.ask('/v1/datasets', { method: 'POST', body: form(parts) })
      const { body } = await exact.ask(`/v1/datasets/${dataset.dataset_id}/estimates`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      })
      const own = Estimates.parse(body)
      expect(own.outcomes).not.toEqual(first.outcomes)
      expect(own.outcomes[1]?.mean?.standard_error).toBeLessThan(first.outcomes[1]?.mean?.standard_error ?? 0)
    } finally {
      await exact.close()
    }
  })

  it('of further scenarios are those that each has in a request of its own', async () => {
    const range = { numeric: { 'monthly.spend': { min: 100, max: 1000 } } }
    const further = [{ scenario: { categorical: { region: { north: 0.5 } } } }, { scenario: range, baseline: MEMBERS }]
    const outcomes = [{ column: 'region' }, { column: 'monthly.spend', statistic: 'mean' }]
    const { body } = await estimate({ scenario: MEMBERS, outcomes, further })
    const { further: found, ...own } = Estimates.parse(body)
    expect(own.outcomes).toEqual((await estimate({ scenario: MEMBERS, outcomes })).body.outcomes)
    expect(found).toHaveLength(2)
    for (const [i, pair] of further.entries()) {
      const { scenario, baseline, outcomes: alone } = (await estimate({ ...pair, outcomes })).body
      expect(found?.[i]).toEqual({ scenario, baseline, outcomes: alone })
    }
    const wrong = await estimate({
      scenario: {},
      outcomes,
      further: [...further, { scenario: { categorical: { region: { nort: 1 } } } }],
    })
    expect(wrong).toMatchObject({ status: 400 })
    expect(JSON.stringify(wrong.body)).toContain('further.2.scenario')
  })

  it('are refused beyond the questions that a client has on a day', async () => {
    const few = await startDataService({ settings: { clientQuestions: 1 } })
    try {
      const parts = { wait_seconds: '60', seed_file: new Blob([surveyCsv(300)]) }
      const { body: dataset } = await few.ask('/v1/datasets', { method: 'POST', body: form(parts) })
      const conditions = (min: number, yes: number) => ({
        categorical: { 'loyalty.member': { yes } },
        numeric: { age: { min, max: 90 } },
      })
      const ask = async (min: number, yes: number, further: readonly object[] = []) =>
        await few.ask(`/v1/datasets/${dataset.dataset_id}/estimates`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            scenario: conditions(min, yes),
            outcomes: [{ column: 'region' }],
            further,
          }),
        })
      expect([(await ask(30, 0.4)).status, (await ask(30, 0.5)).status]).toEqual([200, 200])
      const { status, headers, body } = await ask(31, 0.4)
      expect([status, body.code]).toEqual([429, 'svc_rate_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      // Each of further ones is a question.
      expect((await ask(30, 0.4, [{ scenario: conditions(30, 0.6) }])).status).toBe(200)
      expect((await ask(30, 0.4, [{ scenario: conditions(31, 0.4) }])).status).toBe(429)
    } finally {
      await few.close()
    }
  })

  it('make nothing and bill nothing, with any key', async () => {
    const count = async (table: string) => (await service.db.query(`select 1 as one from ${table}`)).length
    const before = [await count('jobs'), await count('generations'), await count('idempotency_keys')]
    const asked = { scenario: MEMBERS, outcomes: [{ column: 'age' }] }
    const answers = [
      await estimate(asked, { headers: { 'idempotency-key': 'one' } }),
      await estimate({ ...asked, scenario: {} }, { headers: { 'idempotency-key': 'one' } }),
      await estimate(asked, { headers: { 'idempotency-key': 'not a key' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([await count('jobs'), await count('generations'), await count('idempotency_keys')]).toEqual(before)
  })

  describe('with a number of rows say how many of them a generation would have', () => {
    const generate = async (conditions: object) => {
      const { body } = await service.ask(`/v1/datasets/${datasetId}/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ row_count: 5000, conditions, wait_seconds: 60 }),
      })
      return body
    }
    const foresee = async (scenario: object) => (await estimate({ scenario, outcomes: OUTCOMES, rows: 5000 })).body

    it('all of them', async () => {
      const foreseen = Estimates.parse(await foresee(MEMBERS))
      expect(foreseen.feasible_rows).toBe(5000)
      expect(foreseen).not.toHaveProperty('shortfall')
      expect((await generate(MEMBERS)).rows_generated).toBe(5000)
    })

    it('fewer, with the same reason', async () => {
      const shares = { region: { north: 0.99 }, 'loyalty.member': { yes: 0.99 } }
      const few = { categorical: shares, numeric: { age: { min: 18, max: 50 } } }
      const [foreseen, generated] = [Estimates.parse(await foresee(few)), await generate(few)]
      expect(generated.status).toBe('partial')
      expect(foreseen.feasible_rows).toBe(generated.rows_generated)
      expect(foreseen.feasible_rows).toBeLessThan(5000)
      expect(foreseen.shortfall).toEqual(generated.shortfall)
    })

    it('none, where a generation would fail', async () => {
      const nobody = { numeric: { age: { min: 3000, max: 4000 } } }
      const [foreseen, generated] = [Estimates.parse(await foresee(nobody)), await generate(nobody)]
      expect(generated.status).toBe('failed')
      expect(foreseen.feasible_rows).toBe(0)
      expect(foreseen.shortfall?.detail).toBe(generated.error.detail)
    })

    it('only if they are asked', async () => {
      const { body } = await estimate({ scenario: MEMBERS, outcomes: OUTCOMES })
      expect(body).not.toHaveProperty('feasible_rows')
    })
  })

  it('take ranges of dates as text', async () => {
    const numeric = { 'joined.on': { min: '2020-01-01', max: '2021-12-31' } }
    const { status, body } = await estimate({ scenario: { numeric }, outcomes: [{ column: 'joined.on' }] })
    expect(status).toBe(200)
    expect(body.outcomes[0].mean.scenario).toBeLessThan(Date.UTC(2022, 0, 1))
  })
})

describe('a request for estimates is refused', () => {
  const outcomes = [{ column: 'age' }]
  const fault = (field: string, message: string, more = {}) => ({
    code: 'svc_invalid_field',
    errors: [{ field, message, ...more }],
  })

  it.each([
    ['of a dataset that is not there', { dataset: 'ds_never' }],
    ['of another tenant', { tenant: TENANT_B }],
  ])('%s', async (_name, options) => {
    const { status, body } = await estimate({ scenario: {}, outcomes }, options)
    expect([status, body.code]).toEqual([404, 'svc_not_found'])
  })

  it('while the dataset is in training', async () => {
    const idle = await startDataService({ work: false })
    try {
      const parts = { seed_file: new Blob([surveyCsv(60)]) }
      const { body: made } = await idle.ask('/v1/datasets', { method: 'POST', body: form(parts) })
      const answer = await idle.ask(`/v1/datasets/${made.dataset_id}/estimates`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scenario: {}, outcomes }),
      })
      expect([answer.status, answer.body.code]).toEqual([409, 'svc_dataset_not_ready'])
      expect(answer.body.detail).toContain(made.job_id)
    } finally {
      await idle.close()
    }
  })

  it('without a valid token', async () => {
    for (const headers of [{}, { authorization: 'Bearer no.such.token' }]) {
      const answer = await fetch(`${service.baseUrl}/v1/datasets/${datasetId}/estimates`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ scenario: {}, outcomes }),
      })
      expect(answer.status).toBe(401)
      await answer.text()
    }
  })

  it('when a client asks too often', async () => {
    const settings = { rateLimits: true, clientRate: { perSecond: 0.001, burst: 2 } }
    const limited = await startDataService({ work: false, settings })
    try {
      const ask = () => limited.ask('/v1/datasets/ds_never/estimates', { method: 'POST' })
      expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([400, 400, 429])
    } finally {
      await limited.close()
    }
  })

  it.each([
    ['no scenario', { outcomes }, fault('scenario', 'is required')],
    ['no outcomes', { scenario: {}, outcomes: [] }, fault('outcomes', 'must have at least 1 entry')],
    [
      '51 outcomes',
      { scenario: {}, outcomes: Array(51).fill({ column: 'age' }) },
      fault('outcomes', 'must have at most 50 entries'),
    ],
    ['no row', { scenario: {}, outcomes, rows: 0 }, fault('rows', 'must be at least 1')],
    ['a field of later', { scenario: {}, outcomes, per: 'region' }, fault('per', 'is not a known field')],
    [
      'segments of a number',
      { scenario: {}, outcomes, by: 'age' },
      fault('by', 'must be a categorical column: age is a numeric column'),
    ],
    [
      'a misspelt field of an outcome',
      { scenario: {}, outcomes: [{ colum: 'age' }] },
      {
        errors: expect.arrayContaining([
          fault('outcomes.0.colum', 'is not a known field', { suggestion: 'column' }).errors[0],
        ]),
      },
    ],
    [
      'several columns in one outcome',
      { scenario: {}, outcomes: [{ column: ['age', 'region'] }] },
      fault('outcomes.0.column', 'must be text'),
    ],
    [
      'a statistic that does not exist',
      { scenario: {}, outcomes: [{ column: 'age', statistic: 'median' }] },
      fault('outcomes.0.statistic', 'must be one of shares, mean, quantiles'),
    ],
    [
      'a mean of levels',
      { scenario: {}, outcomes: [{ column: 'region', statistic: 'mean' }] },
      fault(
        'outcomes.0.statistic',
        'must be shares: region is a categorical column, and its levels are no whole numbers',
      ),
    ],
    [
      'shares of numbers',
      { scenario: {}, outcomes: [{ column: 'age', statistic: 'shares' }] },
      fault('outcomes.0.statistic', 'must be mean: age is a numeric column'),
    ],
    [
      'a range the wrong way round',
      { scenario: {}, baseline: { numeric: { age: { min: 40, max: 30 } } }, outcomes },
      fault('baseline.numeric.age', 'has a min above its max'),
    ],
    [
      'shares above 1',
      { scenario: { categorical: { region: { north: 0.7, south: 0.7 } } }, outcomes },
      fault('scenario.categorical.region', 'has shares that sum to 1.4, which is more than 1'),
    ],
    [
      'a column of the file',
      { scenario: {}, outcomes: [{ column: 'monthly_spend' }] },
      {
        code: 'svc_unknown_condition_column',
        errors: [{ field: 'outcomes.0.column', suggestion: 'monthly.spend' }],
        schema_hint: { columns: expect.arrayContaining(['monthly.spend']) },
      },
    ],
    [
      'a level that is not there',
      { scenario: { categorical: { region: { nort: 1 } } }, outcomes },
      {
        code: 'svc_unknown_condition_column',
        errors: [{ field: 'scenario.categorical.region.nort', suggestion: 'north' }],
        schema_hint: { column: 'region', levels: expect.arrayContaining(['north']) },
      },
    ],
  ])('with %s', async (_name, request, problem) => {
    const { status, body } = await estimate(request)
    expect(status).toBe(400)
    expect(body).toMatchObject(problem)
  })

  it('when it is not JSON, or larger than the limit', async () => {
    expect((await estimate('{"scenario"')).body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
    const column = 'x'.repeat(1_100_000)
    expect((await estimate({ scenario: {}, outcomes: [{ column }] })).status).toBe(413)
    expect((await estimate('{}', { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  })
})

describe('too few rows', () => {
  /** `few` people of 70 among 400 who are at most 59. */
  const csvWith = (few: number): string => {
    const rows = Array.from({ length: 400 }, (_, i) => `${18 + (i % 42)},${i % 3 === 0 ? 'yes' : 'no'}`)
    const old = Array.from({ length: few }, (_, i) => `70,${i % 2 === 0 ? 'yes' : 'no'}`)
    // Both files have an older person, so that both have the same schema.
    const oldest = Array.from({ length: 20 }, (_, i) => `90,${i % 2 === 0 ? 'yes' : 'no'}`)
    return ['age,answer', ...rows, ...old, ...oldest].join('\n')
  }

  it('give the same bytes, whether there are none or nine', async () => {
    const request = {
      scenario: { numeric: { age: { min: 65, max: 75 } } },
      outcomes: [{ column: 'answer' }, { column: 'age' }],
      rows: 100,
    }
    const answers = await Promise.all(
      [0, 9].map(async (few) => {
        const { status, body } = await estimate(request, { dataset: await upload(csvWith(few)) })
        expect(status).toBe(200)
        const {
          dataset_id: _id,
          model_id: _model,
          request_id: _request,
          seed_rows: _rows,
          baseline,
          shortfall,
          ...same
        } = body
        expect(baseline.status).toBe('estimated')
        // The size of the seed is no secret.
        const detail = shortfall.detail.replace(/of \d+ seed rows/, 'of all seed rows')
        return JSON.stringify({ ...same, shortfall: { ...shortfall, detail } })
      }),
    )
    expect(answers[0]).toBe(answers[1])
    expect(JSON.parse(answers[0] as string)).toEqual({
      sampled_share: 1,
      scenario: { status: 'too_few_rows', low_support: true },
      outcomes: [
        { column: 'answer', statistic: 'shares', base: 'all', scenario_base: {}, baseline_base: {}, levels: [] },
        { column: 'age', statistic: 'mean', scenario_base: {}, baseline_base: {}, mean: null },
      ],
      feasible_rows: 0,
      shortfall: {
        detail:
          'Every row is to have age from 65 to 75; fewer than about 25 of all seed rows are. A scenario needs about 25.',
        binding: [{ column: 'age' }],
      },
    })
  })
})
