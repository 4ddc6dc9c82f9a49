import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../../src/contract/errors.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_A } from '../data/data-service.ts'

const OPERATOR_TOKEN = 'operator-token-for-properties'
/** Rows that a generation of these tests may have: more is a 402. */
const ROW_CAP = 40
/** The growth that is allowed over all requests. The process holds server, clients, cases and a database; a leak of bodies shows. */
const MAX_GROWTH_BYTES = 400 << 20

let service: DataService
let token: string
let datasetId: string
let rssBefore: number

beforeAll(async () => {
  service = await startDataService({
    settings: { operatorToken: OPERATOR_TOKEN, threads: 1 },
    // Beyond what a busy machine takes for a request: a 408 would be none of the answers that are waited for.
    limits: { headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000, requestTimeoutMs: 20_000, timeoutCheckMs: 50 },
  })
  await service.db.query('update tenants set request_row_cap = $1', [ROW_CAP])
  await service.db.query("insert into clients (client_id, tenant_id, created_at) values ('cli_test', $1, now())", [
    TENANT_A,
  ])
  token = await service.token(TENANT_A)
  const made = await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ seed_file: new Blob([surveyCsv(80)]), wait_seconds: '60' }),
  })
  datasetId = made.body.dataset_id
  rssBefore = process.memoryUsage.rss()
})
afterAll(async () => await service?.close())

interface Reply {
  readonly status: number
  readonly type: string
  readonly requestId: string | null
  readonly text: string
}

/** The only 5xx is a declared 503, and every refusal is a problem record with its request id. */
function expectDeclared(reply: Reply): void {
  if (reply.status >= 500) expect(JSON.parse(reply.text)).toMatchObject({ status: 503, code: 'svc_unavailable' })
  if (reply.status < 400) return
  expect(reply.type).toBe('application/problem+json')
  expect(reply.requestId).toMatch(/^req_[A-Za-z0-9]{22}$/)
  expect(JSON.parse(reply.text)).toMatchObject({ status: reply.status, request_id: reply.requestId })
}

async function send(path: string, init: RequestInit, bearer = token): Promise<Reply> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${bearer}`)
  const response = await fetch(`${service.baseUrl}${path}`, { ...init, headers })
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    requestId: response.headers.get('x-request-id'),
    text: await response.text(),
  }
}

/** Replaces `once` of events, for which a connection that is reset after the reply is an error. */
async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

/** Sends bytes as they are; the first final reply. The server ends the connection, by its time limits at the latest. */
async function sendRaw(bytes: Buffer): Promise<Reply> {
  const socket = connect(service.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.end(bytes)
  await closed(socket)
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const [head = ''] = text.split('\r\n\r\n', 1)
  const header = (name: string): string | null => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? null
  const body = Buffer.from(text.slice(head.length + 4)).subarray(0, Number(header('content-length') ?? 0))
  return {
    status: Number(head.slice(9, 12)),
    type: header('content-type') ?? '',
    requestId: header('x-request-id'),
    text: body.toString('utf8'),
  }
}

/** Holds a property over requests; the service is well afterwards. */
async function holds<Case>(cases: fc.Arbitrary<Case>, numRuns: number, check: (one: Case) => Promise<void>) {
  await fc.assert(fc.asyncProperty(cases, check), { numRuns })
  expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200)
}

const bytes = fc.uint8Array({ maxLength: 2000 })

/** JSON as text, and objects with the fields of an operation of which any may hold anything. */
function bodies(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<string> {
  const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.bigInt().map(Number))
  const near = fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, good]) => [
        name,
        fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: anything }),
      ]),
    ),
    { requiredKeys: [] },
  )
  const extended = fc
    .tuple(near, fc.dictionary(fc.string(), anything, { maxKeys: 2 }))
    .map(([body, more]) => ({ ...more, ...body }))
  return fc.oneof(
    { weight: 1, arbitrary: fc.json() },
    { weight: 4, arbitrary: fc.oneof(near, extended).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )
}

describe('any bytes as an upload', () => {
  /** Pieces that multipart bodies are made of, in any order, with any bytes between. */
  const piece = fc.oneof(
    bytes,
    fc.constantFrom(
      '--x\r\n',
      '\r\n--x\r\n',
      '\r\n--x--\r\n',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="seed_file"; filename="a"\r\n\r\n',
      'Content-Disposition: form-data; name="display_name"\r\n\r\n',
      'Content-Disposition: form-data; name="',
      'Content-Type: text/plain; charset=',
      "Content-Disposition: form-data; name*=utf-8''",
      'a,b\r\n1,2\r\n',
    ),
  )
  const body = fc.array(piece, { maxLength: 12 }).map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))))

  it('as the whole body is answered, with a problem record when refused', async () => {
    await holds(body, 300, async (raw) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      expectDeclared(await send('/v1/datasets', { method: 'POST', headers, body: new Uint8Array(raw) }))
    })
  })

  it('with any content type is answered, too', async () => {
    const type = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.string().map((text) => `multipart/form-data; boundary=${text.replace(/[^ -~]/g, '')}`),
    )
    await holds(fc.tuple(type, body), 200, async ([contentType, raw]) => {
      const headers = { 'content-type': contentType }
      expectDeclared(await send('/v1/datasets', { method: 'POST', headers, body: new Uint8Array(raw) }))
    })
  })

  it('as the seed file is trained or refused with a reason, never with a failure of the service', async () => {
    const magic = fc.constantFrom(
      '',
      'PAR1',
      'PK\u0003\u0004',
      '$FL2',
      '$FL3',
      '\u00d0\u00cf\u0011\u00e0',
      'a,b\n1,2\n',
    )
    const file = fc
      .tuple(magic, bytes, fc.constantFrom('', 'PAR1'))
      .map(([start, middle, end]) => Buffer.concat([Buffer.from(start, 'latin1'), middle, Buffer.from(end)]))
    const jobs: string[] = []
    await holds(file, 60, async (raw) => {
      const reply = await send('/v1/datasets', {
        method: 'POST',
        body: form({ seed_file: new Blob([new Uint8Array(raw)]) }),
      })
      expectDeclared(reply)
      if (reply.status === 202) jobs.push(JSON.parse(reply.text).job_id)
    })
    for (const id of jobs) {
      const job = async () => (await service.ask(`/v1/jobs/${id}`)).body
      await expect.poll(async () => (await job()).status).toMatch(/completed|failed/)
      expect(['svc_unreadable_file', 'svc_untrainable_dataset', undefined]).toContain((await job()).error?.code)
    }
  })
})

describe('any JSON', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const column = fc.oneof(fc.constantFrom('region', 'loyalty.member', 'age', 'monthly.spend'), fc.string())
  const level = fc.oneof(fc.constantFrom('north', 'south', 'yes', 'no'), fc.string({ unit: 'binary' }))
  const bound = fc.oneof(fc.double(), fc.constantFrom('2021-01-01', '2021-02-30', ''), fc.integer())
  const generation = bodies({
    row_count: fc.integer({ min: -1, max: 2 * ROW_CAP }),
    output_format: fc.constantFrom('csv', 'parquet', 'arrow', 'xlsx'),
    seed: fc.maxSafeInteger(),
    wait_seconds: fc.constantFrom(0, 0, 0, 61),
    conditions: fc.record(
      {
        categorical: fc.dictionary(column, fc.dictionary(level, share, { maxKeys: 3 }), { maxKeys: 2 }),
        numeric: fc.dictionary(column, fc.record({ min: bound, max: bound }), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
  })
  const word = fc.string({ unit: 'binary' })

  it('as a generation request is answered, and accepted work ends', async () => {
    const jobs: string[] = []
    await holds(generation, 300, async (body) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await send(`/v1/datasets/${datasetId}/generations`, { method: 'POST', headers, body })
      expectDeclared(reply)
      if (reply.status < 300) jobs.push(JSON.parse(reply.text).job_id)
    })
    for (const id of jobs) {
      const job = async () => (await service.ask(`/v1/jobs/${id}`)).body
      await expect.poll(async () => (await job()).status).toMatch(/completed|failed/)
      expect(['svc_infeasible_scenario', undefined]).toContain((await job()).error?.code)
    }
  })

  it.each<[string, fc.Arbitrary<string>]>([
    ['/v1/signup', bodies({ company_name: word, contact_email: word.map((text) => `${text}@example.com`) })],
    ['/v1/credential-claims', bodies({ claim_token: word })],
    ['/v1/credential-rotations', bodies({})],
    ['/operator/v1/signups/req_x/approve', bodies({ tenant_id: word })],
    ['/operator/v1/signups/req_x/decline', bodies({})],
    [
      `/operator/v1/tenants/${TENANT_A}/quota`,
      bodies({ request_row_cap: fc.constant(ROW_CAP), subscription_rows: fc.constant(null) }),
    ],
    [`/operator/v1/tenants/${TENANT_A}/retention`, bodies({ retention_hours: fc.integer() })],
    ['/operator/v1/clients/cli_x/revoke-tokens', bodies({})],
    ['/operator/v1/sweeps/resume', bodies({})],
    ['/operator/v1/sweeps/restore', bodies({ hours: fc.integer(), tenant_id: word })],
  ])('at %s is answered, with a problem record when refused', async (path, body) => {
    const bearer = path.startsWith('/operator') ? OPERATOR_TOKEN : token
    await holds(body, 120, async (text) => {
      const headers = { 'content-type': 'application/json' }
      expectDeclared(await send(path, { method: 'POST', headers, body: text }, bearer))
    })
    // A wild quota may have been a good one.
    await service.db.query('update tenants set request_row_cap = $1, subscription_rows = null', [ROW_CAP])
  })

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'at the token mint is answered in the words of OAuth (%s)',
    async (type) => {
      const body = bodies({
        client_id: word,
        client_secret: word,
        audience: word,
        grant_type: fc.constant('client_credentials'),
      })
      const asForm = (text: string): string => {
        try {
          return String(new URLSearchParams(JSON.parse(text)))
        } catch {
          return text
        }
      }
      await holds(body, 100, async (text) => {
        const response = await fetch(`${service.baseUrl}/oauth/token`, {
          method: 'POST',
          headers: { 'content-type': type },
          body: type === 'application/json' ? text : asForm(text),
        })
        expect([400, 401]).toContain(response.status)
        expect(await response.json()).toMatchObject({ error: expect.any(String) })
      })
    },
  )
})

describe('anything in the head of a request', () => {
  const ROUTES = ['/v1/datasets', '/v1/jobs/x', '/v1/signup/req_x', '/healthz', '/', '/openapi.json', '/nowhere']
  const HEADERS = [
    'Authorization',
    'Idempotency-Key',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Transfer-Encoding',
    'Range',
    'If-None-Match',
    'If-Range',
    'Accept',
    'Expect',
    'Connection',
    'Cookie',
    'Host',
    'Upgrade',
    'X-Request-Id',
    'X-Forwarded-For',
  ]
  /** Any bytes but an empty line, which would end the head. */
  const value = fc.uint8Array({ maxLength: 60 }).map((raw) =>
    Buffer.from(
      Buffer.from(raw)
        .toString('latin1')
        .replace(/\n\r?\n/g, '\n'),
      'latin1',
    ),
  )
  const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'OPTIONS')
  const authorized = (): string => `Authorization: Bearer ${token}\r\n`

  it('as the value of a header is answered', async () => {
    const request = fc.tuple(method, fc.constantFrom(...ROUTES), fc.constantFrom(...HEADERS), value, fc.boolean())
    await holds(request, 400, async ([verb, path, name, raw, hasToken]) => {
      const head = Buffer.from(`${verb} ${path} HTTP/1.1\r\nHost: x\r\n${hasToken ? authorized() : ''}${name}: `)
      expectDeclared(await sendRaw(Buffer.concat([head, raw, Buffer.from('\r\nConnection: close\r\n\r\n')])))
    })
  })

  it('as a path is answered', async () => {
    const segment = fc.oneof(
      fc.constantFrom('v1', 'datasets', 'jobs', 'signup', 'operator', '..', '.', '%2e%2e', '%00', '%', '%ff', '*', ':'),
      fc.string(),
      fc.webSegment(),
    )
    const path = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`)
    await holds(fc.tuple(method, path, fc.boolean()), 400, async ([verb, target, hasToken]) => {
      const head = `${verb} ${target} HTTP/1.1\r\nHost: x\r\n${hasToken ? authorized() : ''}Connection: close\r\n\r\n`
      expectDeclared(await sendRaw(Buffer.from(head)))
    })
  })

  it('as a query is answered', async () => {
    const name = fc.oneof(
      fc.constantFrom('limit', 'cursor', 'expires', 'signature', 'status', '__proto__'),
      fc.string(),
    )
    const query = fc
      .array(fc.tuple(name, fc.oneof(fc.string({ unit: 'binary' }), fc.nat().map(String))), { maxLength: 4 })
      .chain((pairs) =>
        fc.constantFrom(
          pairs.map(([key, text]) => `${percentEncode(key)}=${percentEncode(text)}`).join('&'),
          pairs.join('&'),
        ),
      )
    const paths = ['/v1/datasets', '/v1/artifacts/gen_x', '/operator/v1/signups', '/operator/v1/tenants', '/healthz']
    await holds(fc.tuple(fc.constantFrom(...paths), query), 300, async ([path, text]) => {
      const bearer = path.startsWith('/operator') ? OPERATOR_TOKEN : token
      const head = `GET ${path}?${text} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\nConnection: close\r\n\r\n`
      expectDeclared(await sendRaw(Buffer.from(head)))
    })
  })

  it('as the whole head is answered', async () => {
    await holds(fc.uint8Array({ minLength: 1, maxLength: 200 }), 200, async (raw) => {
      const reply = await sendRaw(Buffer.concat([Buffer.from('x'), raw, Buffer.from('\r\n\r\n')]))
      expectDeclared(reply)
      expect(reply.status).toBeGreaterThanOrEqual(400)
    })
  })
})

describe('after all these requests', () => {
  it('jobs have failed with declared codes only, and no failure is unreported', async () => {
    const codes = await service.db.query<{ code: string }>(
      'select distinct error_code as code from jobs where error_code is not null',
    )
    for (const { code } of codes) expect(Object.keys(ERROR_CATALOGUE)).toContain(code)
    expect(service.errors).toEqual([])
  })

  it('the process uses no more memory than its bound', () => {
    expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(MAX_GROWTH_BYTES)
  })
})

/** Percent-encodes what it can; halves of surrogate pairs become the replacement character. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
