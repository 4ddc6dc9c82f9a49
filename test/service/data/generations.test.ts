import { createHash } from 'node:crypto'
import { tableFromIPC } from '@uwdata/flechette'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Generation, type OutputFormat } from '../../../src/contract/generations.ts'
import { sweepAway } from '../sweep-away.ts'
import { type Answer, type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from './data-service.ts'

const HOUR_MS = 60 * 60_000

let service: DataService
let datasetId: string
beforeAll(async () => {
  service = await startDataService()
  const { body } = await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(6000)]) }),
  })
  datasetId = body.dataset_id
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

interface Order {
  readonly body: unknown
  readonly key?: string
  readonly dataset?: string
  readonly tenant?: string
}

const order = async ({ body, key, dataset = datasetId, tenant = TENANT_A }: Order): Promise<Answer> =>
  await service.ask(`/v1/datasets/${dataset}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    tenant,
  })
const get = async (path: string, tenant = TENANT_A) => await service.ask(path, { tenant })
const count = async (table: string) => (await service.db.query(`select 1 as one from ${table}`)).length

async function download(url: string, headers: Record<string, string> = {}, tenant = TENANT_A) {
  const response = await fetch(`${service.baseUrl}${url}`, {
    headers: { authorization: `Bearer ${await service.token(tenant)}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const READERS: Record<OutputFormat, (bytes: Buffer) => Promise<Record<string, unknown>[]>> = {
  csv: async (bytes) => parse(bytes, { columns: true }),
  parquet: async (bytes) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    return await parquetReadObjects({ file, compressors })
  },
  arrow: async (bytes) => tableFromIPC(bytes).toArray() as Record<string, unknown>[],
}

const SCENARIO = {
  conditions: {
    categorical: { region: { north: 0.5, south: 0.125 }, 'loyalty.member': { yes: 0.7 } },
    numeric: { age: { min: 30, max: 45 }, 'monthly.spend': { min: 0, max: 100 } },
  },
}

describe('a generation', () => {
  it.each<[OutputFormat, string]>([
    ['parquet', 'application/vnd.apache.parquet'],
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['arrow', 'application/vnd.apache.arrow.file'],
  ])('follows its scenario, as %s', async (format, contentType) => {
    const reply = await order({
      body: { row_count: 800, seed: 7, output_format: format, wait_seconds: 60, ...SCENARIO },
    })
    expect(reply.status).toBe(200)
    const record = Generation.parse(reply.body)
    expect(record).toMatchObject({
      status: 'ready',
      dataset_id: datasetId,
      row_count: 800,
      rows_generated: 800,
      seed: 7,
      output_format: format,
      targets: [
        { column: 'region', level: 'north', target: 0.5, achieved: 0.5, count: 400 },
        { column: 'region', level: 'south', target: 0.125, achieved: 0.125, count: 100 },
        { column: 'loyalty.member', level: 'yes', target: 0.7, achieved: 0.7, count: 560 },
      ],
    })
    expect(record.evidence?.effective_rows).toBeGreaterThan(0)
    const artifact = await download(record.artifact_url as string)
    expect(artifact.status).toBe(200)
    expect(artifact.headers.get('content-type')).toBe(contentType)
    expect(artifact.headers.get('content-disposition')).toBe(`attachment; filename="${record.generation_id}.${format}"`)
    expect(artifact.headers.get('content-length')).toBe(String(artifact.bytes.length))
    expect(record.artifact).toEqual({
      bytes: artifact.bytes.length,
      sha256: createHash('sha256').update(artifact.bytes).digest('hex'),
    })
    const rows = await READERS[format](artifact.bytes)
    expect(rows).toHaveLength(800)
    expect(Object.keys(rows[0] as object)).toEqual([
      'region',
      'loyalty.member',
      'satisfaction',
      'monthly.spend',
      'age',
      'joined.on',
    ])
    expect(rows.filter((row) => row.region === 'north')).toHaveLength(400)
    expect(rows.filter((row) => row['loyalty.member'] === 'yes')).toHaveLength(560)
    for (const row of rows) {
      expect(Number(row.age)).toBeGreaterThanOrEqual(30)
      expect(Number(row.age)).toBeLessThanOrEqual(45)
      expect(String(row['monthly.spend'])).toMatch(/^\d+(\.\d)?$/)
      expect(Number(row['monthly.spend'])).toBeLessThanOrEqual(100)
    }
  })

  it('gives the same bytes for the same seed, and draws and shows a seed when none is given', async () => {
    const first = await order({ body: { row_count: 200, seed: 11, output_format: 'csv', wait_seconds: 60 } })
    const second = await order({ body: { row_count: 200, seed: 11, output_format: 'csv', wait_seconds: 60 } })
    const drawn = await order({ body: { row_count: 200, output_format: 'csv', wait_seconds: 60 } })
    expect(second.body.generation_id).not.toBe(first.body.generation_id)
    expect(second.body.artifact).toEqual(first.body.artifact)
    expect(Number.isSafeInteger(drawn.body.seed)).toBe(true)
    const repeated = await order({
      body: { row_count: 200, seed: drawn.body.seed, output_format: 'csv', wait_seconds: 60 },
    })
    expect(repeated.body.artifact).toEqual(drawn.body.artifact)
  })

  it('is answered with 202 when it is not waited for, and its job ends with its id', async () => {
    const release = service.hold()
    const reply = await order({ body: { row_count: 50 } })
    release()
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({ status: 'processing', output_format: 'parquet' })
    expect(reply.body).not.toHaveProperty('artifact_url')
    let job: Answer
    do job = await get(`/v1/jobs/${reply.body.job_id}`)
    while (['queued', 'running'].includes(job.body.status))
    expect(job.body).toMatchObject({
      status: 'completed',
      kind: 'generation',
      generation_id: reply.body.generation_id,
    })
    expect(job.body).not.toHaveProperty('dataset_id')
    expect((await get(`/v1/generations/${reply.body.generation_id}`)).body).toMatchObject({
      status: 'ready',
      rows_generated: 50,
    })
  })

  it('accepts dates as RFC 3339 text and as milliseconds', async () => {
    const text = { min: '2021-03-01', max: '2021-03-31' }
    const numbers = { min: Date.UTC(2021, 2, 1), max: Date.UTC(2021, 2, 31) }
    const [one, two] = await Promise.all(
      [text, numbers].map(async (range) =>
        order({
          body: {
            row_count: 40,
            seed: 1,
            output_format: 'csv',
            wait_seconds: 60,
            conditions: { numeric: { 'joined.on': range } },
          },
        }),
      ),
    )
    expect(one?.body.status).toBe('ready')
    expect(two?.body.artifact).toEqual(one?.body.artifact)
    const rows = await READERS.csv((await download(one?.body.artifact_url)).bytes)
    for (const row of rows) expect(row['joined.on']).toMatch(/^2021-03-\d\d$/)
  })

  it('outside the trained range fails as infeasible, says why, and bills nothing', async () => {
    const before = await count('ledger')
    const reply = await order({
      body: { row_count: 10, wait_seconds: 60, conditions: { numeric: { age: { min: 500, max: 600 } } } },
    })
    expect(reply.status).toBe(200)
    const record = Generation.parse(reply.body)
    expect(record).toMatchObject({ status: 'failed', rows_generated: 0, error: { code: 'svc_infeasible_scenario' } })
    expect(record.error?.detail).toMatch(/age/)
    expect(record).not.toHaveProperty('artifact_url')
    const job = await get(`/v1/jobs/${reply.body.job_id}`)
    expect(job.body).toMatchObject({ status: 'failed', error: record.error })
    expect(await count('ledger')).toBe(before)
  })

  it('is billed once, with the rows that were generated', async () => {
    const { body } = await order({ body: { row_count: 33, wait_seconds: 60 } })
    const entries = await service.db.query(
      'select tenant_id, dataset_id, rows_generated from ledger where generation_id = $1',
      [body.generation_id],
    )
    expect(entries).toEqual([{ tenant_id: TENANT_A, dataset_id: datasetId, rows_generated: 33 }])
  })
})

describe('a generation request', () => {
  const faulty = async (body: unknown) => {
    const before = await count('generations')
    const reply = await order({ body })
    expect(reply.status).toBe(400)
    expect(await count('generations')).toBe(before)
    return reply.body
  }

  it.each<[string, unknown, object[]]>([
    ['no row_count', {}, [{ field: 'row_count', message: 'is required' }]],
    ['row_count 0', { row_count: 0 }, [{ field: 'row_count' }]],
    ['a fractional row_count', { row_count: 1.5 }, [{ field: 'row_count' }]],
    ['a text row_count', { row_count: '5' }, [{ field: 'row_count' }]],
    ['an unsafe seed', { row_count: 1, seed: 2 ** 53 }, [{ field: 'seed' }]],
    ['an unknown format', { row_count: 1, output_format: 'xlsx' }, [{ field: 'output_format' }]],
    ['a long wait', { row_count: 1, wait_seconds: 61 }, [{ field: 'wait_seconds' }]],
    ['a misspelt field', { row_count: 1, conditons: {} }, [{ field: 'conditons', suggestion: 'conditions' }]],
    [
      'a misspelt kind',
      { row_count: 1, conditions: { categorial: {} } },
      [{ field: 'conditions.categorial', suggestion: 'categorical' }],
    ],
    [
      'a share above 1',
      { row_count: 1, conditions: { categorical: { region: { north: 1.2 } } } },
      [{ field: 'conditions.categorical.region.north' }],
    ],
    [
      'a range with one end',
      { row_count: 1, conditions: { numeric: { age: { min: 1 } } } },
      [{ field: 'conditions.numeric.age.max', message: 'is required' }],
    ],
    [
      'several faults',
      { row_count: -1, seed: 'x', nonsense: 1 },
      [{ field: 'row_count' }, { field: 'seed' }, { field: 'nonsense' }],
    ],
    ['an array', [], [{ field: 'body' }]],
  ])('with %s is refused', async (_name, body, errors) => {
    const problem = await faulty(body)
    expect(problem.code).toBe('svc_invalid_field')
    expect(problem.errors).toHaveLength(errors.length)
    expect(problem.errors).toEqual(expect.arrayContaining(errors.map((error) => expect.objectContaining(error))))
  })

  it.each<[string, object, object[]]>([
    [
      'shares that sum to more than 1',
      { categorical: { region: { north: 0.7, south: 0.4 } } },
      [{ field: 'conditions.categorical.region', message: 'has shares that sum to 1.1, which is more than 1' }],
    ],
    [
      'every level listed and less than 1 in all',
      { categorical: { 'loyalty.member': { yes: 0.5, no: 0.4 } } },
      [
        {
          field: 'conditions.categorical.loyalty.member',
          message: 'lists every level, with shares that sum to 0.9: nothing is left to take the rest',
        },
      ],
    ],
    [
      'a column without levels',
      { categorical: { region: {} } },
      [{ field: 'conditions.categorical.region', message: 'names no level' }],
    ],
    [
      'shares for a numeric column',
      { categorical: { age: { 30: 1 } } },
      [
        {
          field: 'conditions.categorical.age',
          message: 'is a numeric column: it takes a range under conditions.numeric',
        },
      ],
    ],
    [
      'a range for a categorical column',
      { numeric: { satisfaction: { min: 1, max: 2 } } },
      [
        {
          field: 'conditions.numeric.satisfaction',
          message: 'is a categorical column: it takes shares under conditions.categorical',
        },
      ],
    ],
    [
      'a min above its max',
      { numeric: { age: { min: 3, max: 2 } } },
      [{ field: 'conditions.numeric.age', message: 'has a min above its max' }],
    ],
    [
      'a text bound of a number',
      { numeric: { age: { min: '3', max: 5 } } },
      [{ field: 'conditions.numeric.age.min', message: 'must be a number' }],
    ],
    [
      'a day that does not exist',
      { numeric: { 'joined.on': { min: '2021-02-30', max: '2021-03-01' } } },
      [
        {
          field: 'conditions.numeric.joined.on.min',
          message: 'must be an RFC 3339 date or date-time, or milliseconds since 1970',
        },
      ],
    ],
  ])('with %s is refused', async (_name, conditions, errors) => {
    expect(await faulty({ row_count: 10, conditions })).toMatchObject({ code: 'svc_invalid_field', errors })
  })

  it('may have shares that sum to 1 but for rounding', async () => {
    const reply = await order({
      body: {
        row_count: 30,
        wait_seconds: 60,
        conditions: { categorical: { region: { north: 0.1, south: 0.2, east: 0.3, west: 0.4 + 1e-12 } } },
      },
    })
    expect(reply.body.targets.map(({ count: rows }: { count: number }) => rows)).toEqual([3, 6, 9, 12])
  })

  it('with unknown columns and levels is refused with what the schema has instead, nearest first', async () => {
    const problem = await faulty({
      row_count: 10,
      conditions: {
        categorical: { regoin: { north: 0.5 }, region: { nort: 0.5, north: 0.2 } },
        numeric: { loyalty_member: { min: 1, max: 2 } },
      },
    })
    expect(problem.code).toBe('svc_unknown_condition_column')
    expect(problem.errors).toEqual([
      {
        field: 'conditions.categorical.regoin',
        message: 'is not a column of the cleaned schema',
        suggestion: 'region',
      },
      {
        field: 'conditions.categorical.region.nort',
        message: 'is not a level of this column in the cleaned schema',
        suggestion: 'north',
      },
      {
        field: 'conditions.numeric.loyalty_member',
        message: 'is a header of the seed file, not a column of the cleaned schema',
        suggestion: 'loyalty.member',
      },
    ])
    expect(problem.schema_hint.columns[0]).toBe('region')
    expect(problem.schema_hint.columns).toHaveLength(6)
  })

  it('with an unknown level is refused with the levels of its column', async () => {
    const problem = await faulty({ row_count: 10, conditions: { categorical: { region: { Wset: 0.5 } } } })
    expect(problem.schema_hint.column).toBe('region')
    expect(problem.schema_hint.levels[0]).toBe('west')
    expect([...problem.schema_hint.levels].sort()).toEqual(['east', 'north', 'south', 'west'])
  })

  it('for an unknown dataset or that of another tenant is 404', async () => {
    expect((await order({ body: { row_count: 1 }, dataset: 'ds_0000000000000000000000' })).status).toBe(404)
    expect((await order({ body: { row_count: 1 }, tenant: TENANT_B })).status).toBe(404)
  })

  it('has its body checked before its dataset', async () => {
    expect((await order({ body: { row_count: 0 }, dataset: 'ds_0000000000000000000000' })).status).toBe(400)
  })

  it('above the request cap is refused, and makes nothing', async () => {
    const before = await count('generations')
    const reply = await order({ body: { row_count: 1_000_001 } })
    expect(reply.status).toBe(402)
    expect(reply.body).toMatchObject({ code: 'svc_quota_exceeded', detail: expect.stringContaining('1000000') })
    expect(await count('generations')).toBe(before)
  })

  it('counts generated rows against the subscription', async () => {
    await service.ask('/v1/datasets', {
      method: 'POST',
      body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(100)]) }),
      tenant: TENANT_B,
    })
    const [dataset] = await service.db.query<{ dataset_id: string }>(
      'select dataset_id from datasets where tenant_id = $1',
      [TENANT_B],
    )
    await service.db.query('update tenants set subscription_rows = 100 where tenant_id = $1', [TENANT_B])
    const ask = async (rows: number) =>
      await order({ body: { row_count: rows, wait_seconds: 60 }, dataset: dataset?.dataset_id ?? '', tenant: TENANT_B })
    expect((await ask(101)).status).toBe(402)
    expect((await ask(60)).status).toBe(200)
    const refused = await ask(41)
    expect(refused.status).toBe(402)
    expect(refused.body.detail).toContain('40 of 100 rows left')
    const atOnce = await Promise.all([ask(30), ask(30)])
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 402])
  })
})

describe('an idempotency key of a generation', () => {
  it.each<[string, string, string]>([
    ['the same request', '{"row_count":20,"seed":1}', '{"row_count":20,"seed":1}'],
    ['another order of keys and spelling of numbers', '{"row_count":20,"seed":1}', '{"seed":1.0,"row_count":2e1}'],
    ['another wait', '{"row_count":20}', '{"row_count":20,"wait_seconds":60}'],
  ])('answers %s with the current state of the same generation', async (name, first, second) => {
    const made = await order({ body: first, key: `same-${name.length}` })
    const again = await order({ body: second, key: `same-${name.length}` })
    expect(again.body.generation_id).toBe(made.body.generation_id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(made.headers.get('idempotent-replayed')).toBeNull()
  })

  it('refuses another body, and another dataset', async () => {
    await order({ body: { row_count: 20 }, key: 'other' })
    expect((await order({ body: { row_count: 21 }, key: 'other' })).body.code).toBe('svc_idempotency_conflict')
    const elsewhere = await order({ body: { row_count: 20 }, key: 'other', dataset: 'ds_0000000000000000000000' })
    expect(elsewhere.body.code).toBe('svc_idempotency_conflict')
  })

  it('makes one generation of 20 simultaneous requests', async () => {
    const before = await count('generations')
    const replies = await Promise.all(Array.from({ length: 20 }, () => order({ body: { row_count: 5 }, key: 'crowd' })))
    expect(await count('generations')).toBe(before + 1)
    expect(new Set(replies.map(({ body }) => body.generation_id)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  })

  it('is not used up by a refused request', async () => {
    const refused = await order({
      body: { row_count: 5, conditions: { categorical: { nope: { x: 1 } } } },
      key: 'free',
    })
    expect(refused.status).toBe(400)
    const release = service.hold()
    const made = await order({ body: { row_count: 5 }, key: 'free' })
    release()
    expect(made.status).toBe(202)
    expect(made.headers.get('idempotent-replayed')).toBeNull()
  })

  it('answers even after its dataset was deleted', async () => {
    const upload = await service.ask('/v1/datasets', {
      method: 'POST',
      body: form({ wait_seconds: '60', seed_file: new Blob([surveyCsv(100)]) }),
    })
    const dataset = upload.body.dataset_id
    const made = await order({ body: { row_count: 5, wait_seconds: 60 }, key: 'gone', dataset })
    await service.ask(`/v1/datasets/${dataset}`, { method: 'DELETE' })
    const again = await order({ body: { row_count: 5 }, key: 'gone', dataset })
    expect(again.body).toMatchObject({ generation_id: made.body.generation_id, status: 'ready' })
    expect((await download(again.body.artifact_url)).status).toBe(200)
  })
})

describe('an artifact', () => {
  let url: string
  let whole: Buffer
  let etag: string
  beforeAll(async () => {
    const { body } = await order({ body: { row_count: 100, seed: 3, output_format: 'csv', wait_seconds: 60 } })
    url = body.artifact_url
    etag = `"${body.artifact.sha256}"`
    whole = (await download(url)).bytes
  })

  it('has a relative address and an entity tag', async () => {
    expect(url).toMatch(/^\/v1\/artifacts\/gen_[A-Za-z0-9]{22}\?expires=\d+&signature=[A-Za-z0-9_-]{43}$/)
    const reply = await download(url)
    expect(reply.headers.get('etag')).toBe(etag)
    expect(reply.headers.get('accept-ranges')).toBe('bytes')
    expect((await download(url, { 'if-none-match': etag })).status).toBe(304)
  })

  it.each<[string, number, (bytes: Buffer) => Buffer]>([
    ['bytes=0-9', 206, (bytes) => bytes.subarray(0, 10)],
    ['bytes=10-', 206, (bytes) => bytes.subarray(10)],
    ['bytes=-5', 206, (bytes) => bytes.subarray(-5)],
    ['bytes=0-99999999', 206, (bytes) => bytes],
    ['bytes=5-2', 200, (bytes) => bytes],
    ['bytes=0-1,3-4', 200, (bytes) => bytes],
    ['lines=1-2', 200, (bytes) => bytes],
  ])('answers the range %s with %i', async (range, status, expected) => {
    const reply = await download(url, { range })
    expect(reply.status).toBe(status)
    expect(reply.bytes.equals(expected(whole))).toBe(true)
    if (status === 206) expect(reply.headers.get('content-range')).toMatch(new RegExp(`/${whole.length}$`))
  })

  it('answers a range after its end with 416 and its size', async () => {
    const reply = await download(url, { range: 'bytes=99999999-' })
    expect(reply.status).toBe(416)
    expect(reply.headers.get('content-range')).toBe(`bytes */${whole.length}`)
  })

  it('is sent whole when the range is of another version', async () => {
    expect((await download(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    expect((await download(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  })

  it('answers HEAD with its headers alone', async () => {
    const reply = await fetch(`${service.baseUrl}${url}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${await service.token(TENANT_A)}` },
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-length')).toBe(String(whole.length))
  })

  it('requires a bearer token of its owner', async () => {
    const anonymous = await fetch(`${service.baseUrl}${url}`)
    expect(anonymous.status).toBe(401)
    expect((await download(url, {}, TENANT_B)).status).toBe(404)
  })

  it('is not found under an altered address', async () => {
    const expires = Number(/expires=(\d+)/.exec(url)?.[1])
    const signature = /signature=([^&]+)/.exec(url)?.[1] ?? ''
    const other = (await order({ body: { row_count: 5, wait_seconds: 60 } })).body.generation_id
    const tampered = [
      url.replace(`expires=${expires}`, `expires=${expires + 1}`),
      url.replace(`expires=${expires}`, `expires=0${expires}`),
      url.replace(signature, `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`),
      url.replace(signature, ''),
      url.replace(/gen_[A-Za-z0-9]+/, other),
      url.replace(/\?.*/, ''),
      `${url}&expires=${expires}`,
    ]
    for (const address of tampered) {
      const reply = await download(address)
      expect([address, reply.status]).toEqual([address, 404])
    }
  })

  it('has an address for 15 minutes; a fresh one comes with its record', async () => {
    const id = /gen_[A-Za-z0-9]+/.exec(url)?.[0]
    service.clock.aheadMs += 16 * 60_000
    const expired = await download(url)
    expect(expired.status).toBe(410)
    expect(JSON.parse(String(expired.bytes)).code).toBe('svc_artifact_url_expired')
    const fresh = (await get(`/v1/generations/${id}`)).body.artifact_url
    expect((await download(fresh)).bytes.equals(whole)).toBe(true)
  })

  it('is removed at the end of its generation’s retention, while the ledger stays', async () => {
    // The sweeper of the service would come at a moment of its own.
    await service.stopWork()
    const ledger = await count('ledger')
    const id = /gen_[A-Za-z0-9]+/.exec(url)?.[0]
    service.clock.aheadMs += 24 * HOUR_MS
    expect((await get(`/v1/generations/${id}`)).status).toBe(404)
    await sweepAway(service.context)
    expect(await count('generations')).toBe(0)
    expect(await service.blobs()).toEqual([])
    expect(await count('ledger')).toBe(ledger)
  })
})
