import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CallLedger, troubleText } from '../../src/client/call-ledger.ts'
import type { ClientTimeouts } from '../../src/client/transport.ts'
import { everythingIn, failure, SECRET_CANARY, useRig } from './client-rig.ts'
import {
  answer,
  badGateway,
  halfOf,
  hugeBody,
  json,
  problem,
  resetAfterActing,
  resetAtOnce,
  type Step,
  silence,
  stall,
  TOKEN_ROUTE,
  token,
} from './scripted-service.ts'

const rig = useRig()

const JOB = { job_id: 'job_1', status: 'completed', dataset_id: 'ds_1' }
const GET_JOB = 'GET /v1/jobs/job_1'
const GENERATION = { generation_id: 'gen_1', status: 'processing', job_id: 'job_9' }
const POST_GENERATION = 'POST /v1/datasets/ds_1/generations'
const KEY = 'wi1.gen.75021fc2890bdf8b0fc0db0b62499dd2.e0'
const BODY = '{"output_format":"csv","row_count":10}'
const JSON_TYPE = { 'content-type': 'application/json' }

const getJob = () => rig.client.getJob('job_1')
const generate = () => rig.client.createGeneration({ datasetId: 'ds_1', body: BODY, idempotencyKey: KEY })

describe('a call', () => {
  it('sends the token and requests uncompressed JSON', async () => {
    rig.service.on(GET_JOB, json(JOB, { headers: { 'x-request-id': 'srv-1' } }))
    expect(await getJob()).toEqual({ value: JOB, status: 200, requestId: 'srv-1', replayed: false, attempts: 1 })
    const [request] = rig.service.to(GET_JOB)
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      accept: 'application/json',
      'accept-encoding': 'identity',
    })
  })

  it('that creates work sends the body byte for byte, with its key', async () => {
    rig.service.on(POST_GENERATION, json(GENERATION, { status: 202, headers: { 'idempotent-replayed': 'true' } }))
    expect(await generate()).toMatchObject({ value: GENERATION, status: 202, replayed: true })
    const [request] = rig.service.to(POST_GENERATION)
    expect(request?.body.toString()).toBe(BODY)
    expect(request?.headers).toMatchObject({ 'idempotency-key': KEY, 'content-type': 'application/json' })
  })

  it('reads each record of the service', async () => {
    const dataset = { dataset_id: 'ds_1', status: 'ready', display_name: 'Tracker' }
    const schema = { schema: [{ name: 'region', levels: ['North', 'South'] }] }
    rig.service.on('GET /v1/datasets/ds_1', json(dataset))
    rig.service.on('GET /v1/datasets/ds_1/schema', json(schema))
    rig.service.on('GET /v1/generations/gen_1', json(GENERATION))
    expect((await rig.client.getDataset('ds_1')).value).toEqual(dataset)
    expect((await rig.client.getDatasetSchema('ds_1')).value).toEqual(schema)
    expect((await rig.client.getGeneration('gen_1')).value).toEqual(GENERATION)
  })

  it('ignores fields that a newer service adds', async () => {
    rig.service.on(GET_JOB, json({ job_id: 'job_1', status: 'paused', lane: 'express', error: null }))
    expect((await getJob()).value).toEqual({ job_id: 'job_1', status: 'unknown', unknown_status: 'paused' })
  })

  it('is sent below the path of the base address', async () => {
    rig.service.on('GET /api/v2/v1/jobs/job_1', json(JOB))
    const client = rig.connect({ baseUrl: `${rig.service.url}/api/v2/` })
    expect((await client.getJob('job_1')).value).toEqual(JOB)
    expect(client.origin).toBe(rig.service.url)
  })

  it.each(['', '.', '..'])('is not made for the identifier "%s"', async (id) => {
    expect(await failure(rig.client.getJob(id))).toMatchObject({ kind: 'rejected', attempts: 0 })
    expect(rig.service.requests).toEqual([])
  })

  it('escapes identifiers that would change the path', async () => {
    await failure(rig.client.getJob('../../operator?x=1#y'))
    expect(rig.service.requests.at(-1)?.path).toBe('/v1/jobs/..%2F..%2Foperator%3Fx%3D1%23y')
  })

  it('with a malformed key is not made', async () => {
    const call = rig.client.createGeneration({ datasetId: 'ds_1', body: BODY, idempotencyKey: 'a key' })
    expect(await failure(call)).toMatchObject({ kind: 'rejected', attempts: 0 })
    expect(rig.service.requests).toEqual([])
  })
})

describe('a temporary failure', () => {
  const faults: { name: string; step: Step; reason: string }[] = [
    { name: '429', step: problem(429, 'svc_rate_limited'), reason: '429 svc_rate_limited' },
    { name: '500', step: problem(500, 'svc_internal'), reason: '500 svc_internal' },
    { name: '502 with a page of a proxy', step: badGateway, reason: '502' },
    { name: '503', step: problem(503, null), reason: '503' },
    { name: '504', step: problem(504, null), reason: '504' },
    { name: '408', step: problem(408, null), reason: '408' },
    { name: 'a connection reset before the service acted', step: resetAtOnce, reason: 'the connection was' },
    { name: 'a connection reset after the service acted', step: resetAfterActing, reason: 'the connection was' },
    {
      name: 'half a body',
      step: halfOf(JSON.stringify(GENERATION), { headers: JSON_TYPE }),
      reason: 'the connection was',
    },
    { name: 'an empty body', step: answer('', { headers: JSON_TYPE }), reason: '200 with an empty body' },
    { name: 'a 202 without a body', step: answer('', { status: 202 }), reason: '202 with an empty body' },
    {
      name: 'invalid JSON',
      step: answer('{"generation_id":', { headers: JSON_TYPE }),
      reason: '200 with a body that is not JSON',
    },
    {
      name: 'bytes that are not UTF-8',
      step: answer(Buffer.from([0x22, 0xff, 0x22]), { headers: JSON_TYPE }),
      reason: 'not JSON',
    },
    {
      name: 'a page with status 200',
      step: answer('<html>sign in</html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      reason: '200 with a body of type text/html',
    },
    {
      name: 'an answer that is not HTTP',
      step: ({ request }) => void request.socket.end('SMTP ready\r\n\r\n'),
      reason: 'not HTTP',
    },
  ]

  it.each(faults)('is repeated after $name, with the same key and bytes', async ({ step, reason }) => {
    rig.service.on(POST_GENERATION, step, json(GENERATION, { status: 202 }))
    const reasons: string[] = []
    const reply = await rig.client.createGeneration(
      { datasetId: 'ds_1', body: BODY, idempotencyKey: KEY },
      { onRetry: (retry) => reasons.push(retry.reason) },
    )
    expect(reply).toMatchObject({ value: GENERATION, attempts: 2 })
    expect(rig.clock.waits).toEqual([375])
    expect(reasons).toEqual([expect.stringContaining(reason)])
    const [first, second] = rig.service.to(POST_GENERATION)
    expect(second?.headers['idempotency-key']).toBe(KEY)
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(second?.body.toString()).toBe(BODY)
  })

  it.each(faults)('is repeated for a read after $name', async ({ step }) => {
    rig.service.on(GET_JOB, step, json(JOB))
    expect(await getJob()).toMatchObject({ value: JOB, attempts: 2 })
  })

  it('is repeated after longer and longer waits, with six tries in all', async () => {
    rig.service.on(GET_JOB, badGateway)
    const error = await failure(getJob())
    expect(error.message).toBe(
      'GET /v1/jobs/job_1 was answered with 502: a body of type text/html (6 tries in 12 s). ' +
        'The service has a fault; run again later, nothing is done twice.',
    )
    expect(error).toMatchObject({ kind: 'server', status: 502, code: 'server', problem: null, attempts: 6 })
    expect(rig.clock.waits).toEqual([375, 750, 1500, 3000, 6000])
    expect(rig.service.to(GET_JOB)).toHaveLength(6)
  })

  it('reports each retry before it waits', async () => {
    rig.service.on(GET_JOB, problem(503, 'svc_unavailable'), resetAtOnce, json(JOB))
    const retries: unknown[] = []
    await rig.client.getJob('job_1', { onRetry: (retry) => retries.push(retry) })
    const asked = { operation: 'GET /v1/jobs/job_1', origin: rig.service.url }
    expect(retries).toEqual([
      { attempt: 1, delayMs: 375, reason: '503 svc_unavailable', requestId: 'srv-1', ...asked },
      {
        attempt: 2,
        delayMs: 750,
        reason: expect.stringMatching(/\((?:ECONNRESET|CONNECTION_CLOSED)\)$/),
        requestId: null,
        ...asked,
      },
    ])
  })

  it.each([
    { header: { 'retry-after': '7' }, waits: [7375] },
    {
      header: { 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT', date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
      waits: [9375],
    },
    { header: { 'retry-after': 'later' }, waits: [375] },
  ])('is repeated at the time that $header states', async ({ header, waits }) => {
    rig.service.on(GET_JOB, problem(503, 'svc_unavailable', { headers: header }), json(JOB))
    await getJob()
    expect(rig.clock.waits).toEqual(waits)
  })

  it('is not waited for beyond the deadline', async () => {
    rig.service.on(GET_JOB, problem(503, 'svc_unavailable', { headers: { 'retry-after': '600' } }))
    const error = await failure(rig.client.getJob('job_1', { deadlineMs: rig.clock.now() + 60_000 }))
    expect(error).toMatchObject({
      kind: 'deadline',
      status: 503,
      code: 'svc_unavailable',
      requestId: 'srv-1',
      attempts: 1,
    })
    expect(error.message).toContain('the next try would be after the deadline')
    expect(rig.clock.waits).toEqual([])
  })

  it('fails early if the service replays a stored failure', async () => {
    rig.service.on(POST_GENERATION, problem(500, 'svc_internal', { requestId: 'srv-stored' }))
    const error = await failure(generate())
    expect(error).toMatchObject({ kind: 'server', attempts: 2, requestId: 'srv-stored' })
    expect(error.message).toContain('the same failure came back under the same request id')
    expect(error.hint).toContain('a new key')
  })

  it('is recognised as replayed by the id in the body, although each reply has an id of its own', async () => {
    let n = 0
    const step: Step = (exchange) =>
      problem(500, 'svc_internal', { requestId: 'srv-stored', headers: { 'x-request-id': `srv-own-${++n}` } })(exchange)
    rig.service.on(POST_GENERATION, step)
    expect(await failure(generate())).toMatchObject({ attempts: 2, requestId: 'srv-own-2' })
  })

  it('is a network error when nothing listens', async () => {
    const { url } = rig.service
    const client = rig.connect()
    rig.service.on(GET_JOB, json(JOB))
    await client.getJob('job_1')
    await rig.service.close()
    const error = await failure(client.getJob('job_1'))
    expect(error).toMatchObject({ kind: 'network', status: null, requestId: null, attempts: 6 })
    expect(error.message).toBe(
      'GET /v1/jobs/job_1 failed: connection refused (ECONNREFUSED) (6 tries in 12 s). ' +
        'Check that something listens there, and that host and port are right.',
    )
    expect(error.located).toBe(error.message.replace('job_1 failed', `job_1 at ${url} failed`))
    expect(url).toMatch(/^http:\/\/127/)
  })
})

describe('a refusal', () => {
  it.each([
    [400, 'svc_invalid_field', 'rejected'],
    [402, 'svc_quota_exceeded', 'quota'],
    [403, 'svc_forbidden', 'forbidden'],
    [404, 'svc_not_found', 'not_found'],
    [405, 'svc_method_not_allowed', 'rejected'],
    [409, 'svc_something_else', 'conflict'],
    [410, 'svc_artifact_url_expired', 'gone'],
    [413, 'svc_body_too_large', 'too_large'],
    [415, 'svc_unsupported_content_type', 'rejected'],
    [422, null, 'rejected'],
    [501, null, 'server'],
  ])('%i %s is never repeated, and is of kind %s', async (status, code, kind) => {
    rig.service.on(POST_GENERATION, problem(status, code))
    expect(await failure(generate())).toMatchObject({
      kind,
      status,
      code: code ?? kind,
      requestId: 'srv-1',
      attempts: 1,
    })
    expect(rig.clock.waits).toEqual([])
    expect(rig.service.to(POST_GENERATION)).toHaveLength(1)
  })

  it('names the request, the reply, the request id and the remedy', async () => {
    rig.service.on(
      POST_GENERATION,
      problem(400, 'svc_unknown_condition_column', {
        detail: 'Two names are not in the cleaned schema.',
        errors: [
          { field: 'conditions.categorical.region_code', message: 'is no column', suggestion: 'region.code' },
          { field: 'conditions.categorical.sex.Femal', message: 'is no level' },
        ],
        schema_hint: { columns: ['region.code'] },
      }),
    )
    const error = await failure(generate())
    expect(error.message).toBe(
      'POST /v1/datasets/ds_1/generations was answered with 400 svc_unknown_condition_column: ' +
        'Two names are not in the cleaned schema; ' +
        'conditions.categorical.region_code: is no column (did you mean "region.code"?); ' +
        'conditions.categorical.sex.Femal: is no level. Request id: srv-1. ' +
        'Build conditions from GET /v1/datasets/{dataset_id}/schema, never from the headers of the uploaded file. ' +
        '`schema_hint` lists the nearest names.',
    )
    expect(error.problem?.schema_hint).toEqual({ columns: ['region.code'] })
  })

  it.each([
    ['row_count is 2000; one request may ask for at most 1000 rows.', 'must be at most 1000', ''],
    ['row_count is 2000; the subscription has 10 of 9000 rows left.', 'must be at most 10', ''],
    ['Too many rows.', 'must be at most 1000', '; row_count: must be at most 1000'],
    ['row_count is 10000.', 'must be at most 1000', '; row_count: must be at most 1000'],
  ])('states a limit once: %s', async (detail, message, more) => {
    rig.service.on(
      POST_GENERATION,
      problem(402, 'svc_quota_exceeded', { detail, errors: [{ field: 'row_count', message }] }),
    )
    expect((await failure(generate())).message).toContain(
      `402 svc_quota_exceeded: ${detail.replace(/\.$/, '')}${more}. Request id`,
    )
  })

  it('states a fault once if the whole and its only field share it', async () => {
    const detail = 'The file is empty.'
    rig.service.on(
      POST_GENERATION,
      problem(400, 'svc_unreadable_file', { detail, errors: [{ field: 'seed_file', message: detail }] }),
    )
    expect((await failure(generate())).message).toContain(
      '400 svc_unreadable_file: The file is empty. Request id: srv-1.',
    )
  })

  it('gives advice for codes with another prefix', async () => {
    rig.service.on(POST_GENERATION, problem(402, 'acme_quota_exceeded'))
    expect((await failure(generate())).hint).toContain('fewer rows')
  })

  it('with plain text shows it, cut and without control characters', async () => {
    const text = `\u001b[31mno\u0007${'x'.repeat(2000)}`
    rig.service.on(GET_JOB, answer(text, { status: 400, headers: { 'content-type': 'text/plain' } }))
    const error = await failure(getJob())
    expect(error.message).toContain('was answered with 400: [31mno xxx')
    expect(error.message.length).toBeLessThan(700)
  })

  it('is not read to its end when its body has 50 MB', async () => {
    let sentWhole = false
    const step: Step = async (exchange) => {
      exchange.response.on('finish', () => {
        sentWhole = true
      })
      await hugeBody(50 * 1024 * 1024, { status: 400, headers: { 'content-type': 'text/plain' } })(exchange)
    }
    rig.service.on(GET_JOB, step)
    const before = process.memoryUsage().arrayBuffers
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'rejected', status: 400 })
    expect(error.message.length).toBeLessThan(700)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024)
    expect(sentWhole).toBe(false)
  })

  it('has its status even if the problem record has another shape', async () => {
    rig.service.on(
      GET_JOB,
      json({ detail: ['a'], code: 7, errors: 'b', schema_hint: 3 }, { status: 404 }),
      json([1], { status: 404 }),
      json(null, { status: 404 }),
    )
    for (let n = 0; n < 3; n++) expect(await failure(getJob())).toMatchObject({ kind: 'not_found', code: 'not_found' })
  })

  it('by redirect is not followed', async () => {
    rig.service.on(GET_JOB, answer('', { status: 307, headers: { location: 'https://elsewhere.example/secret?x=1' } }))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'reply', status: 307, attempts: 1 })
    expect(error.message).toContain('307, a redirect to https://elsewhere.example')
    expect(error.message).not.toContain('x=1')
    expect(rig.service.requests.filter(({ path }) => path !== '/oauth/token')).toHaveLength(1)
  })
})

describe('a conflict', () => {
  it('about a key in flight is waited out, eight tries in all', async () => {
    const conflict = problem(409, 'svc_idempotency_conflict', { headers: { 'retry-after': '1' } })
    rig.service.on(POST_GENERATION, ...Array.from({ length: 7 }, () => conflict), json(GENERATION))
    expect(await generate()).toMatchObject({ value: GENERATION, attempts: 8 })
    expect(rig.clock.waits).toEqual(Array.from({ length: 7 }, () => 1375))
    expect(new Set(rig.service.to(POST_GENERATION).map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([KEY]),
    )
  })

  it('about a key that stays in flight is explained by both possible causes', async () => {
    rig.service.on(POST_GENERATION, problem(409, 'svc_idempotency_conflict'))
    const error = await failure(generate())
    expect(error).toMatchObject({ kind: 'conflict', code: 'svc_idempotency_conflict', attempts: 8 })
    expect(error.hint).toMatch(/still in progress .* used with another body/)
    expect(rig.clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000)
  })

  it('about a dataset in training is repeated after the Retry-After of the service', async () => {
    rig.service.on(
      'GET /v1/datasets/ds_1/schema',
      problem(409, 'svc_dataset_not_ready', { headers: { 'retry-after': '2' } }),
      json({ schema: [] }),
    )
    expect(await rig.client.getDatasetSchema('ds_1')).toMatchObject({ attempts: 2 })
    expect(rig.clock.waits).toEqual([2375])
  })

  it('about a dataset in training is final without Retry-After', async () => {
    rig.service.on('GET /v1/datasets/ds_1/schema', problem(409, 'svc_dataset_not_ready'))
    expect(await failure(rig.client.getDatasetSchema('ds_1'))).toMatchObject({ kind: 'conflict', attempts: 1 })
  })
})

describe('a reply', () => {
  it.each([
    [
      'an identifier in an array',
      { job_id: ['job_1'], status: 'completed' },
      /job_id: .*expected string, received array/,
    ],
    ['a number as identifier', { job_id: 1, status: 'completed' }, /job_id: .*expected string/],
    ['no status', { job_id: 'job_1' }, /status: .*expected string/],
    ['an array', [JOB], /expected object, received array/],
    ['null', null, /expected object, received null/],
  ])('with %s breaks the contract and is not requested again', async (_name, body, message) => {
    rig.service.on(GET_JOB, json(body, { headers: { 'x-request-id': 'srv-1' } }))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'reply', status: 200, requestId: 'srv-1', attempts: 1 })
    expect(error.message).toMatch(message)
  })

  it('beyond 8 MiB is refused, announced or not', async () => {
    const big = 9 * 1024 * 1024
    rig.service.on(GET_JOB, hugeBody(big, { headers: JSON_TYPE }))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'reply', status: 200 })
    expect(error.message).toContain('a body of 9437184 bytes, more than the 8388608 that are read')
    const chunked: Step = async ({ response, received }) => {
      await received()
      response.writeHead(200, JSON_TYPE)
      for (let sent = 0; sent < big && !response.destroyed; sent += 65536) {
        if (!response.write(Buffer.alloc(65536, 32))) await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }
    rig.service.on('GET /v1/jobs/job_2', chunked)
    expect((await failure(rig.client.getJob('job_2'))).message).toContain('more than the 8388608 bytes that are read')
  })

  it('that a proxy compressed is read, within the same bound', async () => {
    const encoded = { ...JSON_TYPE, 'content-encoding': 'gzip' }
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 32))
    rig.service.on(
      GET_JOB,
      answer(gzipSync(JSON.stringify(JOB)), { headers: encoded }),
      answer(bomb, { headers: encoded }),
    )
    expect((await getJob()).value).toEqual(JOB)
    expect(bomb.length).toBeLessThan(100_000)
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'reply' })
    expect(error.message).toContain('a body in gzip that is broken or unpacks to more than 8388608 bytes')
  })

  it('in an unknown encoding is refused', async () => {
    rig.service.on(GET_JOB, answer('x', { headers: { ...JSON_TYPE, 'content-encoding': 'toString' } }))
    expect((await failure(getJob())).message).toContain('a body in the encoding tostring, which was not asked for')
  })

  it('without a content type is read, with problem+json too', async () => {
    rig.service.on(
      GET_JOB,
      answer(JSON.stringify(JOB)),
      json(JOB, { headers: { 'content-type': 'application/vnd.acme+json' } }),
    )
    expect((await getJob()).value).toEqual(JOB)
    expect((await getJob()).value).toEqual(JOB)
  })

  it('shows no request id with unprintable characters', async () => {
    rig.service.on(GET_JOB, json(JOB, { headers: { 'x-request-id': 'x'.repeat(300) } }))
    expect((await getJob()).requestId).toBe(null)
  })
})

describe('time limits', () => {
  // These limits are so short that a correct try may exceed them on a busy machine. It is repeated as well.
  it.each<[string, Partial<ClientTimeouts>, Step, string]>([
    ['whose answer does not come', { headersMs: 60 }, silence, 'no answer within the time limit (HEADERS_TIMEOUT)'],
    ['that stops half-way', { bodyIdleMs: 60 }, stall, 'the answer stopped half-way (BODY_TIMEOUT)'],
  ])('end a try %s', async (_name, timeouts, step, expected) => {
    const client = rig.connect({ timeouts })
    rig.service.on(GET_JOB, step, json(JOB))
    const reasons: string[] = []
    const reply = await client.getJob('job_1', { onRetry: ({ reason }) => reasons.push(reason) })
    expect(reply.value).toEqual(JOB)
    expect(new Set(reasons)).toEqual(new Set([expected]))
  })

  it('end the wait for a handshake that is not answered', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const client = rig.connect({ baseUrl: `https://127.0.0.1:${port}`, timeouts: { connectMs: 60 } })
    const { message } = await failure(client.getJob('job_1'))
    expect(message).toContain('no connection within the time limit (CONNECT_TIMEOUT)')
    await client.close()
    silent.close()
  })

  it('end a body that comes byte by byte', async () => {
    const client = rig.connect({ timeouts: { bodyMs: 100 } })
    const drip: Step = async ({ response, received }) => {
      await received()
      response.writeHead(200, JSON_TYPE)
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    }
    rig.service.on(GET_JOB, drip, json(JOB))
    expect((await client.getJob('job_1')).attempts).toBeGreaterThan(1)
  })

  it.each([
    { name: 'headers that come byte by byte', begin: 'HTTP/1.1 200 OK\r\nx-endless: ', more: 'x' },
    { name: 'word after word that an answer will come', begin: '', more: 'HTTP/1.1 102 Processing\r\n\r\n' },
  ])('end $name', async ({ begin, more }) => {
    const client = rig.connect({ timeouts: { headersMs: 100 } })
    const drip: Step = async ({ request, received }) => {
      await received()
      request.socket.write(begin)
      const timer = setInterval(() => request.socket.write(more), 10)
      request.socket.on('close', () => clearInterval(timer)).on('error', () => {})
    }
    rig.service.on(GET_JOB, drip, json(JOB))
    expect((await client.getJob('job_1')).attempts).toBeGreaterThan(1)
  })

  it('abort a try that is running at the deadline', async () => {
    rig.service.on(GET_JOB, silence)
    const error = await failure(rig.client.getJob('job_1', { deadlineMs: rig.clock.now() + 100 }))
    expect(error).toMatchObject({ kind: 'deadline', status: null })
    expect(error.message).toContain('GET /v1/jobs/job_1: no answer before the deadline.')
  })

  it('that end a call are reported with its failures and the time without an answer', async () => {
    const { url } = rig.service
    const asked = new Promise<void>((resolve) => {
      const quiet: Step = () => {
        rig.clock.advance(8_000)
        resolve()
      }
      rig.service.on(GET_JOB, problem(503, 'svc_unavailable', { detail: 'Back soon.' }), quiet)
    })
    const control = new AbortController()
    const ledger = new CallLedger()
    const call = rig.client.getJob('job_1', { ledger, signal: control.signal })
    await asked
    control.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    const [trouble, ...more] = ledger.troubles()
    expect(more).toEqual([])
    expect(troubleText(trouble!, { withAddress: true })).toBe(
      `GET /v1/jobs/job_1 at ${url} failed: 503 svc_unavailable: Back soon [request srv-1]; the next try had no answer in 8 s`,
    )
  })

  it('name the failure of the previous call as cause until the service answers again', async () => {
    const ledger = new CallLedger()
    rig.service.on(GET_JOB, problem(429, 'svc_rate_limited', { detail: 'Too fast.', requestId: 'srv-9' }))
    await failure(rig.client.getJob('job_1', { ledger }))
    expect(ledger.troubles().map((trouble) => troubleText(trouble, { withAddress: false }))).toEqual([
      'GET /v1/jobs/job_1 failed 6 times in 12 s; the last answer was 429 svc_rate_limited: Too fast [request srv-9]',
    ])
    rig.service.on('GET /v1/datasets/ds_1', json({ dataset_id: 'ds_1', status: 'ready' }))
    await rig.client.getDataset('ds_1', { ledger })
    expect(ledger.troubles()).toEqual([])
  })

  it('name no cause where the service was asked to hold its answer', async () => {
    const asked = new Promise<void>((resolve) => {
      const held: Step = ({ request }) => {
        rig.clock.advance(Number(/^wait=(\d+)$/.exec(request.headers.prefer as string)?.[1]) * 1000)
        resolve()
      }
      rig.service.on(GET_JOB, json({ ...JOB, status: 'running' }), held)
    })
    const control = new AbortController()
    const ledger = new CallLedger()
    const call = rig.client.waitForJob('job_1', { ledger, signal: control.signal })
    await asked
    control.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(ledger.troubles()).toEqual([])
  })

  it('that have passed prevent any request', async () => {
    const call = rig.client.getJob('job_1', { deadlineMs: rig.clock.now() - 1 })
    expect(await failure(call)).toMatchObject({ kind: 'deadline' })
    expect(rig.service.to(GET_JOB)).toHaveLength(0)
  })
})

describe('an abort', () => {
  const reason = new Error('the user pressed a key')

  it('ends a running try with its own reason', async () => {
    rig.service.on(GET_JOB, silence)
    const control = new AbortController()
    const call = rig.client.getJob('job_1', { signal: control.signal })
    await rig.service.asked(GET_JOB)
    control.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('ends a wait between tries with its own reason', async () => {
    rig.service.on(GET_JOB, badGateway)
    const control = new AbortController()
    const client = rig.connect({
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const call = client.getJob('job_1', {
      signal: control.signal,
      onRetry: () => setImmediate(() => control.abort(reason)),
    })
    await expect(call).rejects.toBe(reason)
    expect(rig.service.to(GET_JOB)).toHaveLength(1)
  })

  it('before the call prevents any request', async () => {
    await expect(rig.client.getJob('job_1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(rig.service.requests).toEqual([])
  })

  it('of one caller does not affect the others', async () => {
    rig.service.on(GET_JOB, silence, json(JOB))
    const control = new AbortController()
    const first = rig.client.getJob('job_1', { signal: control.signal })
    await rig.service.asked(GET_JOB)
    const second = rig.client.getJob('job_1')
    control.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect((await second).value).toEqual(JOB)
  })

  it('leaves no listener on a long-lived signal', async () => {
    rig.service.on(GET_JOB, json(JOB))
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners++
      add(...parameters)
    }
    signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners--
      remove(...parameters)
    }
    await Promise.all(Array.from({ length: 20 }, () => rig.client.getJob('job_1', { signal })))
    expect(listeners).toBe(0)
  })

  it('by closing the client ends running calls', async () => {
    rig.service.on(GET_JOB, silence)
    const client = rig.connect()
    const call = failure(client.getJob('job_1'))
    await rig.service.asked(GET_JOB)
    await client.close()
    expect(await call).toMatchObject({ kind: 'network', message: expect.stringContaining('the client was closed') })
    expect(await failure(client.getJob('job_1'))).toMatchObject({ kind: 'network' })
  })
})

describe('a secret', () => {
  const echo: Step = async ({ request, response, received }) => {
    const body = (await received()).toString()
    const seen = `${JSON.stringify(request.headers)} ${body} ${encodeURIComponent(SECRET_CANARY)} ${SECRET_CANARY}`
    const id = request.headers.authorization?.slice('Bearer '.length) ?? 'srv-1'
    response.writeHead(400, { 'content-type': 'application/problem+json', 'x-request-id': id })
    response.end(
      JSON.stringify({
        title: seen,
        detail: seen,
        code: SECRET_CANARY,
        errors: [{ field: seen, message: seen, suggestion: seen }],
        schema_hint: { columns: [seen], column: seen, levels: [seen] },
      }),
    )
  }
  const echoText: Step = async ({ request, response, received }) => {
    const body = (await received()).toString()
    response
      .writeHead(403, { 'content-type': 'text/plain' })
      .end(`${'-'.repeat(440)}${request.headers.authorization} ${body}`)
  }
  const parts = ['canary', 'token-c', 'eyJ']

  it.each([
    ['of a token', GET_JOB, echo],
    ['of a token in plain text, where it is cut', GET_JOB, echoText],
    ['of the identity provider', TOKEN_ROUTE, echo],
    ['of the identity provider in plain text', TOKEN_ROUTE, echoText],
  ])('that comes back in an answer %s is in no error', async (_name, route, step) => {
    if (route !== TOKEN_ROUTE) rig.service.on(TOKEN_ROUTE, token('token-canary.eyJhbGciOi.eyJzdWIiOi.sig'))
    rig.service.on(route, step)
    const error = await failure(getJob())
    for (const part of parts) expect(everythingIn(error)).not.toContain(part)
  })

  it('is in no error about an answer that stops being HTTP', async () => {
    const broken: Step = async ({ request, received }) => {
      await received()
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
      request.socket.end(`${head}5\r\n{"acc\r\nnot a chunk: ${SECRET_CANARY} token-canary\r\n`)
    }
    rig.service.on(TOKEN_ROUTE, broken)
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'network', attempts: 6 })
    for (const part of parts) expect(everythingIn(error)).not.toContain(part)
  })

  it('is in no error of the network or of a reply', async () => {
    rig.service.on(TOKEN_ROUTE, token('token-canary'))
    const steps = [
      resetAfterActing,
      silence,
      badGateway,
      answer('token-canary'),
      json({ job_id: ['token-canary'] }),
      stall,
    ]
    const client = rig.connect({ timeouts: { bodyMs: 50 } })
    for (const [index, step] of steps.entries()) {
      rig.service.on(`GET /v1/jobs/job_${index}`, step)
      // The silent step is ended by the deadline, the others by running out of tries.
      const limit = step === silence ? { deadlineMs: rig.clock.now() + 50 } : {}
      const error = await failure(client.getJob(`job_${index}`, limit))
      for (const part of parts) expect(everythingIn(error)).not.toContain(part)
    }
  })
})

describe('estimates', () => {
  const POST_ESTIMATES = 'POST /v1/datasets/ds_1/estimates'
  const REQUEST = {
    scenario: { categorical: { region: { North: 0.7 } } },
    outcomes: [{ column: 'intent' }, { column: 'spend' }],
  }
  const LEVEL = { level: 'Yes', scenario: 0.47, baseline: 0.35, difference: 0.12, standard_error: 0.02 }
  const MEAN = { scenario: 51, baseline: 48, difference: 3, standard_error: 1, scenario_sd: 40, baseline_sd: 39 }
  const SIDE = { status: 'estimated', effective_rows: 810, low_support: false }
  const INTENT = { column: 'intent', statistic: 'shares', levels: [LEVEL] }
  const SPEND = { column: 'spend', statistic: 'mean', mean: MEAN }
  const ANSWER = {
    dataset_id: 'ds_1',
    seed_rows: 4903,
    sampled_share: 1,
    scenario: SIDE,
    baseline: SIDE,
    outcomes: [INTENT, SPEND],
  }
  const estimate = () => rig.client.estimateDifferences({ datasetId: 'ds_1', request: REQUEST })

  it('are requested by a POST without a key, which may be repeated', async () => {
    rig.service.on(POST_ESTIMATES, resetAfterActing, json(ANSWER))
    expect(await estimate()).toMatchObject({ value: ANSWER, status: 200, attempts: 2 })
    const [request] = rig.service.to(POST_ESTIMATES)
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual(REQUEST)
    expect(request?.headers).toMatchObject({ authorization: 'Bearer token-1', 'content-type': 'application/json' })
    expect(request?.headers).not.toHaveProperty('idempotency-key')
  })

  it('may say that they have too few rows', async () => {
    const none = { status: 'too_few_rows', low_support: true }
    const outcomes = [
      { ...INTENT, levels: [] },
      { ...SPEND, mean: null },
    ]
    rig.service.on(POST_ESTIMATES, json({ ...ANSWER, scenario: none, outcomes }))
    const { value } = await estimate()
    expect(value.scenario).toEqual(none)
    expect(value.outcomes).toEqual([
      { ...INTENT, levels: [] },
      { column: 'spend', statistic: 'mean' },
    ])
  })

  it('are absent at a service that does not have the operation', async () => {
    rig.service.on(POST_ESTIMATES, problem(404, 'svc_not_found'))
    expect(await failure(estimate())).toMatchObject({ kind: 'not_found', status: 404, attempts: 1 })
  })

  it.each([
    ['of another dataset', { ...ANSWER, dataset_id: 'ds_2' }],
    ['of other columns', { ...ANSWER, outcomes: [INTENT, { ...SPEND, column: 'age' }] }],
    ['in another order', { ...ANSWER, outcomes: [SPEND, INTENT] }],
    ['of fewer columns', { ...ANSWER, outcomes: [INTENT] }],
    ['of more columns', { ...ANSWER, outcomes: [INTENT, SPEND, SPEND] }],
    ['with a share above 1', { ...ANSWER, outcomes: [{ ...INTENT, levels: [{ ...LEVEL, scenario: 1.1 }] }, SPEND] }],
    [
      'with a standard error below 0',
      { ...ANSWER, outcomes: [INTENT, { ...SPEND, mean: { ...MEAN, standard_error: -1 } }] },
    ],
    ['with more levels than can be', { ...ANSWER, outcomes: [{ ...INTENT, levels: Array(501).fill(LEVEL) }, SPEND] }],
    ['without sides', { ...ANSWER, scenario: undefined }],
  ])('%s are refused', async (_name, answer) => {
    rig.service.on(POST_ESTIMATES, json(answer))
    expect(await failure(estimate())).toMatchObject({ kind: 'reply' })
  })
})
