import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE, RETRYABLE_STATUSES } from '../../../src/contract/errors.ts'
import { type Call, type Reply, startWholeService, surveyCsv, TENANT_B, type WholeService } from './whole-service.ts'

let service: WholeService
let survey: string
beforeAll(async () => {
  service = await startWholeService()
  survey = await service.train(surveyCsv(100))
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const PROBLEMS: [string, string | null, number, () => Promise<Reply>][] = [
  ['a wrong field', 'svc_invalid_field', 400, () => service.get('/v1/datasets?limit=0')],
  [
    'an unknown column',
    'svc_unknown_condition_column',
    400,
    () => service.generate(survey, { row_count: 1, conditions: { categorical: { x: { y: 1 } } } }),
  ],
  ['a claim that is none', 'svc_invalid_claim', 400, () => service.post('/v1/credential-claims', { claim_token: 'x' })],
  ['no credentials', null, 401, () => service.get('/v1/datasets', { tenant: null })],
  ['too many rows', 'svc_quota_exceeded', 402, () => service.generate(survey, { row_count: 1_000_001 })],
  ['an unknown route', 'svc_not_found', 404, () => service.get('/v1/nowhere')],
  ['a wrong method', 'svc_method_not_allowed', 405, () => service.call('PUT', '/v1/datasets')],
  ['a large body', 'svc_body_too_large', 413, () => service.generate(survey, `"${'x'.repeat(1 << 20)}"`)],
  [
    'another content type',
    'svc_unsupported_content_type',
    415,
    () => service.generate(survey, '1', { headers: { 'content-type': 'text/plain' } }),
  ],
  [
    'a file that is no table',
    'svc_unreadable_file',
    400,
    () => service.upload('%PDF-1.7 a document', { wait_seconds: '0' }),
  ],
  ['a table too small', 'svc_untrainable_dataset', 400, () => service.upload(surveyCsv(49))],
]

describe('Errors', () => {
  it.each(PROBLEMS)(
    '[Errors 1] [Problem record: type] [Problem record: title] [Problem record: status] [Problem record: detail] [Problem record: code] [Problem record: request_id] [Decisions, General: Problem body] %s is a problem record: %s',
    async (_name, code, status, ask) => {
      const reply = await ask()
      expect(reply.status).toBe(status)
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(reply.body).toMatchObject({
        type: code === null ? 'about:blank' : `${service.baseUrl}/errors/${code}`,
        title: code === null ? 'Unauthorized' : ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].title,
        status,
        request_id: reply.headers.get('x-request-id'),
      })
      expect(reply.body.code).toBe(code ?? undefined)
      expect(typeof reply.body.detail).toBe('string')
    },
  )

  it('[Errors: 400 (none shown)] [POST /v1/signup 1] an empty body is 400 where JSON is wanted', async () => {
    for (const call of [{}, { json: '' }] as Call[]) {
      for (const path of ['/v1/signup', '/v1/credential-claims', `/v1/datasets/${survey}/generations`]) {
        const reply = await service.call('POST', path, call)
        expect(reply.body).toMatchObject({ status: 400, detail: expect.stringContaining('application/json') })
      }
    }
  })

  it('[Errors 2] the service has the codes of the specification', () => {
    const codes = [
      ['svc_invalid_field', 400],
      ['svc_unknown_condition_column', 400],
      ['svc_idempotency_conflict', 409],
      ['svc_file_too_large', 413],
      ['svc_unsupported_content_type', 415],
    ] as const
    for (const [code, status] of codes) expect(ERROR_CATALOGUE[code].status).toBe(status)
  })

  it('[Errors 3] each code says whether to repeat unchanged, as the specification says per status', () => {
    expect([...RETRYABLE_STATUSES]).toEqual([429, 500, 502, 503, 504])
    for (const { status, retryable } of Object.values(ERROR_CATALOGUE)) {
      if (status !== null && (RETRYABLE_STATUSES as readonly number[]).includes(status)) expect(retryable).toBe(true)
      if (status !== null && [400, 401, 402, 403, 404].includes(status)) expect(retryable).toBe(false)
    }
  })

  it('[Decisions, General: Error-code prefix] every code begins with svc_', () => {
    for (const code of Object.keys(ERROR_CATALOGUE)) expect(code).toMatch(/^svc_[a-z_]+$/)
  })

  it.each<[number | null, string[]]>([
    [400, ['svc_unreadable_file', 'svc_untrainable_dataset', 'svc_invalid_claim']],
    [402, ['svc_quota_exceeded']],
    [403, ['svc_forbidden']],
    [404, ['svc_not_found']],
    [405, ['svc_method_not_allowed']],
    [409, ['svc_dataset_not_ready']],
    [410, ['svc_artifact_url_expired']],
    [413, ['svc_body_too_large']],
    [null, ['svc_infeasible_scenario']],
    [429, ['svc_rate_limited']],
    [500, ['svc_internal']],
    [503, ['svc_unavailable']],
  ])("[Decisions, General: Codes beyond the specification's] with the status %j: %j", (status, codes) => {
    for (const code of codes) expect(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status).toBe(status)
  })

  it("[Decisions, General: Codes beyond the specification's] the reply to a wrong method names the right ones", async () => {
    const allow = async (method: string, path: string, call: Call = {}) =>
      (await service.call(method, path, call)).headers.get('allow')
    expect(await allow('PUT', '/v1/datasets')).toBe('GET, HEAD, POST')
    expect(await allow('POST', `/v1/datasets/${survey}`)).toBe('DELETE, GET, HEAD')
    expect(await allow('GET', `/v1/datasets/${survey}/generations`)).toBe('POST')
    expect(await allow('DELETE', '/v1/jobs/x')).toBe('GET, HEAD')
    expect(await allow('GET', '/v1/signup', { tenant: null })).toBe('POST')
    expect(await allow('OPTIONS', '/healthz', { tenant: null })).toBe('GET, HEAD')
  })

  it("[Errors 4] [Decisions, General: Another tenant's resource] another tenant’s resource is as unknown as one that never existed", async () => {
    const made = await service.generate(survey, { row_count: 1, wait_seconds: 60 })
    const paths: [string, string, string, unknown?][] = [
      ['GET', `/v1/datasets/${survey}`, '/v1/datasets/ds_none'],
      ['GET', `/v1/datasets/${survey}/schema`, '/v1/datasets/ds_none/schema'],
      ['DELETE', `/v1/datasets/${survey}`, '/v1/datasets/ds_none'],
      ['POST', `/v1/datasets/${survey}/generations`, '/v1/datasets/ds_none/generations', { row_count: 1 }],
      ['GET', `/v1/generations/${made.body.generation_id}`, '/v1/generations/gen_none'],
      ['GET', `/v1/jobs/${made.body.job_id}`, '/v1/jobs/job_none'],
      ['GET', made.body.artifact_url, '/v1/artifacts/gen_none'],
    ]
    for (const [method, foreign, unknown, json] of paths) {
      const [one, other] = await Promise.all(
        [foreign, unknown].map(async (path) => await service.call(method, path, { tenant: TENANT_B, json })),
      )
      expect({ ...one?.body, request_id: '' }).toEqual({ ...other?.body, request_id: '' })
      expect(one?.body).toMatchObject({ status: 404, code: 'svc_not_found' })
    }
  })
})

describe('the order of checks', () => {
  // Each fault of a generation request, worst last; `break` spoils an otherwise good request.
  interface Attempt {
    method: string
    path: string
    body: Record<string, unknown>
    call: Call
  }
  const FAULTS: [string, number, string | undefined, (attempt: Attempt) => void][] = [
    ['authentication', 401, undefined, ({ call }) => Object.assign(call, { tenant: null })],
    ['method', 405, 'svc_method_not_allowed', (attempt) => Object.assign(attempt, { method: 'PUT' })],
    [
      'content type',
      415,
      'svc_unsupported_content_type',
      ({ call }) => Object.assign(call, { headers: { 'content-type': 'text/plain' } }),
    ],
    ['body shape', 400, 'svc_invalid_field', ({ body }) => Object.assign(body, { seed: 'x' })],
    ['idempotency', 409, 'svc_idempotency_conflict', ({ call }) => Object.assign(call, { key: 'used' })],
    [
      'identifiers',
      404,
      'svc_not_found',
      (attempt) => Object.assign(attempt, { path: attempt.path.replace(/ds_\w+/, 'ds_none') }),
    ],
    [
      'conditions',
      400,
      'svc_unknown_condition_column',
      ({ body }) => Object.assign(body, { conditions: { categorical: { nowhere: { x: 1 } } } }),
    ],
    ['quota', 402, 'svc_quota_exceeded', ({ body }) => Object.assign(body, { row_count: 1_000_001 })],
  ]
  const PAIRS = FAULTS.flatMap(([first], i) => FAULTS.slice(i + 1).map(([second]) => [first, second] as const))

  const ask = async (faults: readonly string[]): Promise<Reply> => {
    const attempt: Attempt = {
      method: 'POST',
      path: `/v1/datasets/${survey}/generations`,
      body: { row_count: 2 },
      call: {},
    }
    for (const [name, , , spoil] of FAULTS) if (faults.includes(name)) spoil(attempt)
    return await service.call(attempt.method, attempt.path, { json: attempt.body, ...attempt.call })
  }
  beforeAll(async () => {
    expect((await service.generate(survey, { row_count: 1 }, { key: 'used' })).status).toBe(202)
  })

  it.each(FAULTS)(
    '[Decisions, General: Order of checks] a request with only a fault of %s is %i',
    async (name, status, code) => {
      const reply = await ask([name])
      expect([reply.status, reply.body.code]).toEqual([status, code])
    },
  )

  it.each(PAIRS)('[Decisions, General: Order of checks] %s counts before %s', async (first, second) => {
    const [, status, code] = FAULTS.find(([name]) => name === first) as (typeof FAULTS)[number]
    const reply = await ask([first, second])
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('[Decisions, General: Order of checks] a request with all faults is answered with the first one', async () => {
    expect((await ask(FAULTS.map(([name]) => name))).status).toBe(401)
  })

  it('[Decisions, General: Order of checks] a known key is answered even after its dataset was deleted', async () => {
    const id = await service.train(surveyCsv(60))
    const made = await service.generate(id, { row_count: 1, wait_seconds: 60 }, { key: 'known' })
    await service.call('DELETE', `/v1/datasets/${id}`)
    const again = await service.generate(id, { row_count: 1 }, { key: 'known' })
    expect([again.status, again.body.generation_id]).toEqual([200, made.body.generation_id])
    expect((await service.generate(id, { row_count: 1 }, { key: 'unknown' })).status).toBe(404)
  })

  it('[Decisions, General: Order of checks] of an upload is authentication, content type, form, idempotency, file', async () => {
    const csv = surveyCsv(60)
    const first = await service.upload(csv, {}, { key: 'upload' })
    expect(first.status).toBe(200)
    const noTable = '%PDF-1.7 a document'
    const text = { headers: { 'content-type': 'text/csv' } }
    const replies = [
      await service.call('POST', '/v1/datasets', { ...text, json: noTable, tenant: null }),
      await service.call('POST', '/v1/datasets', { ...text, json: noTable, key: 'upload' }),
      await service.upload(noTable, { wait_seconds: '61' }, { key: 'upload' }),
      await service.upload(noTable, {}, { key: 'upload' }),
      await service.upload(noTable),
    ]
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [401, undefined],
      [415, 'svc_unsupported_content_type'],
      [400, 'svc_invalid_field'],
      [409, 'svc_idempotency_conflict'],
      [400, 'svc_unreadable_file'],
    ])
  })
})

describe('the faults of a 400', () => {
  it('[Decisions, General: Problem body] are all reported, the first of them in the detail', async () => {
    const { body } = await service.generate(survey, { row_count: 0, seed: 'x', output_format: 'xls', colour: 1 })
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'colour',
      'output_format',
      'row_count',
      'seed',
    ])
    expect(body.detail).toMatch(/and 3 more/)
    expect(body).not.toHaveProperty('errors_omitted')
  })

  it('[Decisions, General: Problem body] include a malformed key', async () => {
    const { body } = await service.generate(survey, { row_count: 0 }, { key: 'a b' })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['Idempotency-Key', 'row_count'])
  })

  it('[Decisions, General: Problem body] are reported up to 50, and the others counted', async () => {
    const many = Object.fromEntries(Array.from({ length: 73 }, (_, i) => [`field${i}`, 1]))
    const { body } = await service.generate(survey, { row_count: 1, ...many })
    expect([body.errors.length, body.errors_omitted]).toEqual([50, 23])
    const categorical = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`column${i}`, { x: 0.5 }]))
    const unknown = (await service.generate(survey, { row_count: 1, conditions: { categorical } })).body
    expect([unknown.code, unknown.errors.length, unknown.errors_omitted]).toEqual([
      'svc_unknown_condition_column',
      50,
      10,
    ])
  })

  it('[Decisions, General: Problem body] repeat at most 100 characters of what was sent', async () => {
    const long = 'ö'.repeat(500)
    const replies = [
      await service.generate(survey, { row_count: 1, [long]: 1 }),
      await service.generate(survey, { row_count: 1, conditions: { categorical: { [long]: { a: 1 } } } }),
      await service.generate(survey, { row_count: 1, conditions: { categorical: { region: { [long]: 1 } } } }),
      await service.upload(surveyCsv(60), { [long]: 'x' }),
      await service.get(`/v1/datasets?${encodeURIComponent(long)}=1`),
    ]
    for (const { status, text } of replies) {
      expect(status).toBe(400)
      expect(text).toContain('ö'.repeat(100))
      expect(text).not.toContain('ö'.repeat(101))
    }
  })

  it('[Decisions, General: Unknown JSON fields and condition kinds in a request] unknown fields are refused with a suggestion', async () => {
    const { body } = await service.generate(survey, {
      row_count: 1,
      conditons: {},
      conditions: { numerc: { age: { min: 1, max: 2 } } },
    })
    expect(body.code).toBe('svc_invalid_field')
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { field: 'conditons', message: 'is not a known field', suggestion: 'conditions' },
        { field: 'conditions.numerc', message: 'is not a known field', suggestion: 'numeric' },
      ]),
    )
  })

  it('[Decisions, General: Problem body] the schema hint has the nearest names first, 50 of them', async () => {
    const names = Array.from({ length: 70 }, (_, i) => `question.${String(i + 1).padStart(2, '0')}`)
    const lines = [names.join(',')]
    for (let i = 0; i < 80; i++) lines.push(names.map((_, j) => (((i * 31 + j * 17) % 7) + 1).toString()).join(','))
    const wide = await service.train(`${lines.join('\n')}\n`)
    const ask = async (column: string) =>
      (await service.generate(wide, { row_count: 1, conditions: { categorical: { [column]: { 1: 1 } } } })).body
    const { schema_hint: hint } = await ask('qestion.66')
    expect(hint.columns[0]).toBe('question.66')
    expect(hint.columns).toHaveLength(50)
    expect(hint).not.toHaveProperty('levels')
  })

  it('[Decisions, General: Problem body] the hint for a level has its column’s levels, nearest first', async () => {
    const conditions = { categorical: { region: { SOUTH: 0.5 } } }
    const { schema_hint: hint, errors } = (await service.generate(survey, { row_count: 1, conditions })).body
    expect([hint.column, hint.levels[0], errors[0].suggestion]).toEqual(['region', 'south', 'south'])
    expect([...hint.levels].sort()).toEqual(['east', 'north', 'south', 'west'])
    expect(hint).not.toHaveProperty('columns')
  })
})
