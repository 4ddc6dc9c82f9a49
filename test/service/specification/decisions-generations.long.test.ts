import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { panelCsv, UNEVEN_SCENARIO, unevenCsv } from './seeds.ts'
import { type Call, type Reply, startWholeService, surveyCsv, type WholeService } from './whole-service.ts'

/** Enough for questions about a single value of a range: of groups of 40 rows and less, noise decides whether they are answered. */
const PANEL_ROWS = 4000

let service: WholeService
let panel: string
let uneven: string
beforeAll(async () => {
  service = await startWholeService()
  panel = await service.train(panelCsv(PANEL_ROWS))
  uneven = await service.train(unevenCsv())
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

type Row = Record<string, string>

const make = async (body: object, call?: Call): Promise<Reply> =>
  await service.generate(panel, { row_count: 100, output_format: 'csv', wait_seconds: 60, ...body }, call)
const shares = async (categorical: object, rest: object = {}): Promise<Reply> =>
  await make({ seed: 1, conditions: { categorical }, ...rest })
const range = async (column: string, min: unknown, max: unknown): Promise<Reply> =>
  await make({ seed: 1, conditions: { numeric: { [column]: { min, max } } } })
const rowsOf = async ({ body }: Reply): Promise<Row[]> =>
  parse((await service.get(body.artifact_url)).text, { columns: true }) as Row[]
const countsOf = ({ body }: Reply): number[] => body.targets.map(({ count }: { count: number }) => count)
const faultsOf = ({ status, body }: Reply) => [status, body.errors?.map(({ field }: { field: string }) => field)]

describe('rows, seed and format', () => {
  it('[Decisions, Generations: row_count] above the cap is 402 and makes nothing; the default cap is 1,000,000', async () => {
    const count = async () => (await service.db.query('select generation_id from generations')).length
    const before = await count()
    expect((await make({ row_count: 1_000_001, wait_seconds: 0 })).body.code).toBe('svc_quota_exceeded')
    expect((await make({ row_count: 2 ** 53 - 1, wait_seconds: 0 })).status).toBe(402)
    expect(await count()).toBe(before)
  })

  it.each(['1e1', '1.0e1', '10.0', '10'])(
    '[Decisions, Generations: row_count] %s is ten in any spelling',
    async (spelling) => {
      const reply = await service.generate(panel, `{"row_count":${spelling},"seed":-0,"wait_seconds":60}`)
      expect(reply.body).toMatchObject({ row_count: 10, rows_generated: 10, seed: 0 })
    },
  )

  it.each(['1e400', '-1e400', '1e-400', '9007199254740993', '99999999999999999999'])(
    '[Decisions, Generations: row_count] %s is refused',
    async (spelling) => {
      const reply = await service.generate(panel, `{"row_count":${spelling}}`)
      expect(reply.body).toMatchObject({ status: 400, errors: [{ field: 'row_count' }] })
    },
  )

  it('[Decisions, Generations: seed] is any safe integer; without one a seed is drawn and shown; the same seed gives the same bytes', async () => {
    for (const seed of [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
      const [one, other] = [await make({ seed }), await make({ seed })]
      expect([one.body.seed, one.body.artifact]).toEqual([seed, other.body.artifact])
      expect(one.body.generation_id).not.toBe(other.body.generation_id)
    }
    const drawn = await make({})
    expect(Number.isSafeInteger(drawn.body.seed)).toBe(true)
    expect((await make({ seed: drawn.body.seed })).body.artifact).toEqual(drawn.body.artifact)
    expect((await make({})).body.artifact.sha256).not.toBe(drawn.body.artifact.sha256)
  })

  it('[Decisions, Generations: seed] gives the same bytes whatever the number of threads', async () => {
    // The noise of counts, which the evidence cap knows, is each installation's own, except for the owner of a seed.
    const [single, double] = await Promise.all(
      [1, 2].map(async (threads) => await startWholeService({ settings: { threads, disclosure: 'exact' } })),
    )
    try {
      const conditions = { categorical: { brand: { Arabica: 0.6 } }, numeric: { visits: { min: 2, max: 9 } } }
      const body = { row_count: 500, seed: 42, wait_seconds: 60, conditions }
      const artifacts = []
      for (const one of [single!, double!]) {
        const { body: made } = await one.generate(await one.train(panelCsv(600)), body)
        artifacts.push(made.artifact)
      }
      expect(artifacts[0]).toEqual(artifacts[1])
    } finally {
      await single?.close()
      await double?.close()
    }
  })

  it('[Decisions, Generations: output_format] is parquet by default', async () => {
    const { body } = await service.generate(panel, { row_count: 1, wait_seconds: 60 })
    expect(body.output_format).toBe('parquet')
    expect((await service.get(body.artifact_url)).bytes.subarray(0, 4).toString()).toBe('PAR1')
  })
})

describe('shares', () => {
  it('[Decisions, Generations: Shares] of 0 and 1 are met exactly', async () => {
    const none = await rowsOf(await shares({ brand: { Arabica: 0 } }))
    const all = await rowsOf(await shares({ brand: { Arabica: 1 } }))
    expect(none.some((row) => row.brand === 'Arabica')).toBe(false)
    expect(none.some((row) => row.brand === 'Robusta')).toBe(true)
    expect(all.every((row) => row.brand === 'Arabica')).toBe(true)
  })

  it.each([-0.1, 1.000001, 70, 1e300])('[Decisions, Generations: Shares] are from 0 to 1: %d is not', async (share) => {
    expect(faultsOf(await shares({ brand: { Arabica: share } }))).toEqual([
      400,
      ['conditions.categorical.brand.Arabica'],
    ])
  })

  it.each([
    [1e-9, 200],
    [-1e-9, 200],
    [1e-8, 400],
    [-1e-8, 400],
  ])(
    '[Decisions, Generations: Shares] that list every level and sum to 1 + %d are answered with %i',
    async (off, status) => {
      const reply = await shares({ 'is.member': { yes: 0.25, no: 0.75 + off } })
      expect(reply.status).toBe(status)
      if (status === 200) expect(countsOf(reply)).toEqual([25, 75])
      else expect(faultsOf(reply)[1]).toEqual(['conditions.categorical.is.member'])
    },
  )

  it('[Decisions, Generations: Shares] that list every level and sum to less leave the rest to missing, where there are missing values', async () => {
    const reply = await shares({ brand: { Arabica: 0.3, Robusta: 0.3, Liberica: 0.3 } })
    expect(countsOf(reply)).toEqual([30, 30, 30])
    expect((await rowsOf(reply)).filter((row) => row.brand === '')).toHaveLength(10)
  })

  it('[Decisions, Generations: Shares] leave the rest to the unlisted levels and missing as one group, in the proportions they have given everything else', async () => {
    const rows = await rowsOf(await shares({ brand: { Arabica: 0.4 } }, { row_count: 1000 }))
    const count = (brand: string) => rows.filter((row) => row.brand === brand).length
    expect(count('Arabica')).toBe(400)
    // The seed has 30 % each and 10 % missing: of 600 rows 3, 3 and 1 in seven.
    const seed = panelCsv(PANEL_ROWS).trimEnd().split('\n').slice(1)
    const seedShare = (brand: string) => seed.filter((line) => line.startsWith(`${brand},`)).length
    const unlisted = seedShare('Robusta') + seedShare('Liberica') + seedShare('')
    for (const brand of ['Robusta', 'Liberica', '']) {
      expect(Math.abs(count(brand) - (600 * seedShare(brand)) / unlisted)).toBeLessThan(12)
    }
  })

  it('[Decisions, Generations: Shares] are met to the nearest row, the denominator being all rows', async () => {
    const third = 1 / 3
    for (const rowCount of [10, 11, 101]) {
      const reply = await shares(
        { brand: { Arabica: third, Robusta: third, Liberica: third } },
        { row_count: rowCount },
      )
      const counts = countsOf(reply)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rowCount)
      for (const count of counts) expect(Math.abs(count - rowCount / 3)).toBeLessThan(1)
      for (const { achieved, count } of reply.body.targets) expect(achieved).toBe(count / rowCount)
    }
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'])(
    '[Decisions, Generations: Shares] a name that every object has (%s) is no column and no level',
    async (name) => {
      const replies = [await shares({ [name]: { x: 1 } }), await shares({ brand: { [name]: 1 } })]
      expect(replies.map(({ body }) => body.code)).toEqual(Array(2).fill('svc_unknown_condition_column'))
    },
  )
})

describe('ranges', () => {
  it('[Decisions, Generations: Ranges] include both ends, also when these are one', async () => {
    const seen = new Set((await rowsOf(await range('visits', 3, 5))).map((row) => row.visits))
    expect([...seen].sort()).toEqual(['3', '4', '5'])
    for (const row of await rowsOf(await range('visits', 7, 7))) expect(row.visits).toBe('7')
  })

  it('[Decisions, Generations: Ranges] between two neighbouring values of the column are infeasible, and not filled with others', async () => {
    for (const [column, min, max] of [
      ['visits', 7.2, 7.8],
      ['price', 5.001, 5.009],
    ] as const) {
      const reply = await range(column, min, max)
      if (reply.body.status === 'failed') expect(reply.body.error.code).toBe('svc_infeasible_scenario')
      else {
        for (const row of await rowsOf(reply)) {
          expect(Number(row[column])).toBeGreaterThanOrEqual(min)
          expect(Number(row[column])).toBeLessThanOrEqual(max)
        }
      }
    }
    expect((await range('visits', 7.2, 7.8)).body.status).toBe('failed')
  })

  it('[Decisions, Generations: Ranges] leave no missing values in their column', async () => {
    const id = await service.train(surveyCsv(400))
    const ask = async (conditions: object) => {
      const body = { row_count: 300, seed: 1, output_format: 'csv', wait_seconds: 60, conditions }
      const rows = await rowsOf(await service.generate(id, body))
      return rows.filter((row) => row['monthly.spend'] === '').length
    }
    expect(await ask({})).toBeGreaterThan(0)
    expect(await ask({ numeric: { 'monthly.spend': { min: 0, max: 1e6 } } })).toBe(0)
  })

  it('[Decisions, Generations: Ranges] with min above max are 400; outside the trained range they are valid, but infeasible', async () => {
    expect(faultsOf(await range('visits', 5, 4))).toEqual([400, ['conditions.numeric.visits']])
    const outside = await range('visits', 1000, 2000)
    expect([outside.status, outside.body.status, outside.body.error.code]).toEqual([
      200,
      'failed',
      'svc_infeasible_scenario',
    ])
    expect((await range('visits', -1e308, 1e308)).body.status).toBe('ready')
  })

  it.each<[string, unknown, unknown]>([
    ['days', '2021-03-01', '2021-03-31'],
    ['moments', '2021-03-01T00:00:00Z', '2021-03-31T00:00:00.000Z'],
    ['moments with an offset', '2021-03-01T02:00:00+02:00', '2021-03-31t00:00:00z'],
    ['milliseconds', Date.UTC(2021, 2, 1), Date.UTC(2021, 2, 31)],
    ['one of each', '2021-03-01', Date.UTC(2021, 2, 31)],
  ])(
    '[Decisions, Generations: Ranges] [Decisions, Datasets: Schema entry] of dates are given as %s',
    async (_name, min, max) => {
      const reply = await range('joined.on', min, max)
      const rows = await rowsOf(reply)
      expect(rows).toHaveLength(100)
      for (const row of rows) expect(row['joined.on']).toMatch(/^2021-03-\d\d$/)
      expect(reply.body.artifact).toEqual((await range('joined.on', '2021-03-01', '2021-03-31')).body.artifact)
    },
  )

  it('[Decisions, Generations: Ranges] of moments include the whole of a day that is given as date', async () => {
    const rows = await rowsOf(await range('answered.at', '2023-02-01', '2023-02-28'))
    for (const row of rows) expect(row['answered.at']).toMatch(/^2023-02-\d\dT/)
    // This includes the last day, which begins at midnight.
    expect(rows.some((row) => /^2023-02-28T(?!00:00:00)/.test(String(row['answered.at'])))).toBe(true)
  })

  it.each([
    '2021-02-30',
    '2021-13-01',
    '2021-3-1',
    '01.03.2021',
    '2021-03-01T10:00',
    '2021-03-01T25:00:00Z',
    'now',
    '',
  ])('[Decisions, Generations: Ranges] "%s" is not a date', async (text) => {
    expect(faultsOf(await range('joined.on', text, '2021-12-31'))).toEqual([400, ['conditions.numeric.joined.on.min']])
  })

  it('[Decisions, Generations: Ranges] of numbers are numbers', async () => {
    expect(faultsOf(await range('visits', '1', 2))).toEqual([400, ['conditions.numeric.visits.min']])
    const huge = await service.generate(
      panel,
      '{"row_count":1,"conditions":{"numeric":{"visits":{"min":0,"max":1e400}}}}',
    )
    expect(faultsOf(huge)).toEqual([400, ['conditions.numeric.visits.max']])
  })

  it('[Decisions, Generations: Wrong kind of condition for a column] is 400 svc_invalid_field', async () => {
    const replies = [await shares({ visits: { 3: 1 } }), await range('brand', 1, 2), await range('satisfaction', 1, 5)]
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([400, 'svc_invalid_field']))
  })
})

describe('feasibility, record and billing', () => {
  const scarce = async (rowCount: number) =>
    await service.generate(uneven, {
      row_count: rowCount,
      output_format: 'csv',
      wait_seconds: 60,
      conditions: UNEVEN_SCENARIO,
    })

  it('[Decisions, Generations: Feasibility] fewer rows have the same mix, and the record says what binds, with the counts of the seed file', async () => {
    const reply = await scarce(10_000)
    const rows = await rowsOf(reply)
    const { rows_generated: made } = reply.body
    expect(rows).toHaveLength(made)
    for (const { column, level, target, count } of reply.body.targets) {
      expect(Math.abs(count - target * made)).toBeLessThan(1)
      expect(rows.filter((row) => row[column] === level)).toHaveLength(count)
    }
    expect(reply.body.shortfall.detail).toMatch(/\d/)
    const columns = reply.body.shortfall.binding.map(({ column }: { column: string }) => column)
    expect(columns.length).toBeGreaterThan(0)
    expect(['colour', 'shape']).toEqual(expect.arrayContaining(columns))
  })

  it('[Decisions, Generations: Feasibility] without a single row job and generation fail with svc_infeasible_scenario, and say what cannot hold together', async () => {
    const csv = `colour,shape,n\n${Array.from({ length: 200 }, (_, row) => `${row % 2 === 0 ? 'red,round' : 'blue,square'},${row % 31}`).join('\n')}\n`
    const id = await service.train(csv)
    const conditions = { categorical: { colour: { red: 1 }, shape: { square: 1 } } }
    const reply = await service.generate(id, { row_count: 50, wait_seconds: 60, conditions })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      status: 'failed',
      rows_generated: 0,
      error: { code: 'svc_infeasible_scenario' },
    })
    expect(reply.body.error.detail).toMatch(/red|square|colour|shape/)
    expect((await service.get(`/v1/jobs/${reply.body.job_id}`)).body).toMatchObject({
      status: 'failed',
      error: reply.body.error,
    })
    const ledger = await service.db.query('select 1 as one from ledger where generation_id = $1', [
      reply.body.generation_id,
    ])
    expect(ledger).toEqual([])
  })

  it('[Decisions, Generations: Record] has what was requested, what was generated, and the evidence behind it', async () => {
    const reply = await shares({ brand: { Arabica: 0.5 } })
    expect(reply.body).toEqual({
      generation_id: expect.any(String),
      status: 'ready',
      job_id: expect.any(String),
      dataset_id: panel,
      row_count: 100,
      seed: 1,
      output_format: 'csv',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      artifact_url: expect.any(String),
      rows_generated: 100,
      targets: [{ column: 'brand', level: 'Arabica', target: 0.5, achieved: 0.5, count: 50 }],
      evidence: {
        effective_rows: expect.any(Number),
        largest_tilt: expect.any(Number),
        in_range_share: 1,
        fill: 1,
        cap: { natural_share_factor: 10, rows_per_seed_row: 100 },
        low_support: expect.any(Boolean),
        converged: true,
        margin_deviation: 0,
        sampled_share: 0,
      },
      artifact: { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      model_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      engine_version: expect.any(String),
      request_id: reply.headers.get('x-request-id'),
    })
    const shown = (await service.get(`/v1/generations/${reply.body.generation_id}`)).body
    const fresh = { artifact_url: '', request_id: '' }
    expect({ ...shown, ...fresh }).toEqual({ ...reply.body, ...fresh })
  })

  it('[Decisions, Generations: Billing] the subscription is checked against requested rows, and settled on generated rows', async () => {
    const { bearer, tenantId } = await service.newClient()
    await service.operator(`/tenants/${tenantId}/quota`, { subscription_rows: 10_000 })
    const id = await service.train(unevenCsv(), {}, { bearer })
    const ask = async (rowCount: number) =>
      await service.generate(id, { row_count: rowCount, wait_seconds: 60, conditions: UNEVEN_SCENARIO }, { bearer })
    expect((await ask(10_001)).status).toBe(402)
    const partial = await ask(10_000)
    expect(partial.body.status).toBe('partial')
    const left = 10_000 - partial.body.rows_generated
    expect((await ask(left + 1)).body).toMatchObject({
      status: 402,
      errors: [{ field: 'row_count', message: `must be at most ${left}` }],
    })
    const bill = await service.db.query<{ rows_generated: number }>(
      'select rows_generated from ledger where tenant_id = $1',
      [tenantId],
    )
    expect(bill).toEqual([{ rows_generated: partial.body.rows_generated }])
  })

  it('[Decisions, Generations: Billing] a replay is not billed again', async () => {
    const first = await make({}, { key: 'billed-once' })
    await make({}, { key: 'billed-once' })
    const bill = await service.db.query('select 1 as one from ledger where generation_id = $1', [
      first.body.generation_id,
    ])
    expect(bill).toHaveLength(1)
  })

  it('[Decisions, Generations: Deleting a dataset during generation] cancels its jobs, and no row is billed', async () => {
    const idle = await startWholeService({ work: false })
    try {
      const { body: upload } = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
      // Training leaves it in this form; this service has no workers.
      await idle.db.query(
        `update datasets set status = 'ready', model_blob = 'models/none', schema = '[]' where dataset_id = $1`,
        [upload.dataset_id],
      )
      const made = await idle.generate(upload.dataset_id, { row_count: 5 })
      await idle.call('DELETE', `/v1/datasets/${upload.dataset_id}`)
      expect((await idle.get(`/v1/jobs/${made.body.job_id}`)).body.status).toBe('cancelled')
      expect((await idle.get(`/v1/generations/${made.body.generation_id}`)).body).toMatchObject({
        status: 'failed',
        error: { code: 'svc_not_found' },
      })
      expect(await idle.db.query('select 1 as one from ledger')).toEqual([])
    } finally {
      await idle.close()
    }
  })
})

describe('idempotency of generations', () => {
  const BODY = '{"row_count":20,"seed":7,"conditions":{"categorical":{"brand":{"Arabica":0.5,"Robusta":0.25}}}}'

  it.each([
    ['key order', '{"conditions":{"categorical":{"brand":{"Robusta":0.25,"Arabica":0.5}}},"seed":7,"row_count":20}'],
    ['number spelling', BODY.replace('20', '2e1').replace('0.25', '25e-2').replace('"seed":7', '"seed":7.0')],
    ['white space', BODY.replaceAll(':', ' : ')],
    ['wait_seconds', BODY.replace('{', '{"wait_seconds":60,')],
  ])('[Decisions, Datasets: Idempotency] %s does not count', async (name, body) => {
    const first = await service.generate(panel, BODY, { key: name.replace(' ', '-') })
    const again = await service.generate(panel, body, { key: name.replace(' ', '-') })
    expect(again.body.generation_id).toBe(first.body.generation_id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it.each([
    ['row_count', BODY.replace('20', '21')],
    ['seed', BODY.replace('"seed":7', '"seed":8')],
    ['no seed', BODY.replace('"seed":7,', '')],
    ['a format', BODY.replace('{', '{"output_format":"csv",')],
    ['a share', BODY.replace('0.25', '0.26')],
  ])('[Decisions, Datasets: Idempotency] %s counts', async (name, body) => {
    const key = `counts-${name.replace(' ', '-')}`
    await service.generate(panel, BODY, { key })
    expect((await service.generate(panel, body, { key })).body.code).toBe('svc_idempotency_conflict')
  })

  it('[Decisions, Datasets: Idempotency] the dataset counts', async () => {
    await service.generate(panel, { row_count: 1 }, { key: 'dataset' })
    expect((await service.generate(uneven, { row_count: 1 }, { key: 'dataset' })).status).toBe(409)
  })

  it('[Decisions, Datasets: Idempotency] a replay shows the current state, even a failed one', async () => {
    const conditions = { numeric: { visits: { min: 1000, max: 2000 } } }
    const first = await service.generate(panel, { row_count: 5, conditions }, { key: 'fails' })
    const again = await service.generate(panel, { row_count: 5, conditions, wait_seconds: 60 }, { key: 'fails' })
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.body).toMatchObject({ generation_id: first.body.generation_id, status: 'failed' })
  })

  it('[Decisions, Datasets: Idempotency] a request refused with 4xx does not use up its key', async () => {
    const refused = [
      await service.generate(panel, { row_count: 0 }, { key: 'refused' }),
      await service.generate('ds_none', { row_count: 1 }, { key: 'refused' }),
      await service.generate(panel, { row_count: 1, conditions: { categorical: { x: { y: 1 } } } }, { key: 'refused' }),
      await service.generate(panel, { row_count: 1_000_001 }, { key: 'refused' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400, 402])
    const made = await service.generate(panel, { row_count: 1 }, { key: 'refused' })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([202, null])
    await service.ended(made.body.job_id)
  })

  it('[Decisions, Datasets: Idempotency] a key is kept as long as its generation', async () => {
    const first = await make({}, { key: 'kept' })
    service.clock.aheadMs += 24 * 60 * 60_000
    panel = await service.train(panelCsv(PANEL_ROWS))
    const later = await make({}, { key: 'kept' })
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(later.body.generation_id).not.toBe(first.body.generation_id)
  })
})
