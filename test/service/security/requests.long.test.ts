import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { METHODS } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

let store: TestStore
let service: TestService
let token: string

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
  token = await service.token()
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

interface RawReply {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Replaces `once` of events, for which a connection that is reset after the reply is an error. */
async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

/** Sends bytes as they are and returns the replies until the server ends the connection. */
async function raw(port: number, request: string | Buffer): Promise<RawReply[]> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // A connection that is reset has ended, too.
  socket.on('error', () => undefined)
  socket.write(request)
  await closed(socket)
  return repliesIn(Buffer.concat(chunks).toString('latin1'))
}

function repliesIn(text: string): RawReply[] {
  const replies: RawReply[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length)
    replies.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return replies
}

const bearer = (): string => `Authorization: Bearer ${token}\r\n`
const get = (target: string, headers = bearer()): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
const one = async (request: string | Buffer): Promise<RawReply> => (await raw(service.port, request))[0] as RawReply

/** Holds a reply to be a problem record with the request id of its header. */
function expectProblem(reply: RawReply, status: number | readonly number[]): void {
  expect([status].flat()).toContain(reply.status)
  expect(reply.head).toMatch(/^content-type: application\/problem\+json$/im)
  const id = /^x-request-id: (\S+)$/im.exec(reply.head)?.[1]
  expect(id).toMatch(/^req_[A-Za-z0-9]{22}$/)
  expect(JSON.parse(reply.body)).toMatchObject({ status: reply.status, request_id: id })
}

describe('a path that leads elsewhere', () => {
  it.each([
    '/v1/datasets/../../etc/passwd',
    '/v1/datasets/..%2f..%2f..%2fetc%2fpasswd',
    '/v1/datasets/%2e%2e%2f%2e%2e%2fmaster.key',
    '/v1/datasets/%252e%252e%252f%252e%252e',
    '/v1/datasets/..\\..\\master.key',
    '/v1/datasets/%5c..%5c..',
    '/v1/artifacts/..%2f..%2fseeds%2fds_x',
    '/v1/artifacts/%2e%2e?expires=9999999999&signature=x',
    '/v1/jobs/.',
    '/v1/jobs/..',
    '/v1/jobs/./../datasets',
    '/v1//datasets',
    '//v1/datasets',
    '/v1/datasets/',
    '/v1/datasets;x=1',
    '/V1/DATASETS',
    '/v1/datasets%00',
    '/v1/datasets%20',
    '/v1%2fdatasets',
    '/.env',
    '/master.key',
    '/__proto__',
    '/constructor',
  ])('%s is 404', async (target) => {
    expectProblem(await one(get(target)), 404)
  })

  it.each([
    ['an overlong slash', '/v1/datasets/%c0%af..%c0%af'],
    ['an overlong NUL', '/v1/datasets/%c0%80'],
    ['half of a surrogate pair', '/v1/datasets/%ed%a0%80'],
    ['a byte that is no UTF-8', '/v1/datasets/%ff'],
    ['half an escape', '/v1/datasets/%2'],
    ['no escape', '/v1/datasets/%zz'],
  ])('that holds %s is 400', async (_name, target) => {
    expectProblem(await one(get(target)), 400)
  })

  it.each(['http://elsewhere.example/v1/jobs/x', 'https://elsewhere.example:1/v1/jobs/x', 'HTTP://x/v1/jobs/x'])(
    'in absolute form (%s) is read as a path of the service, whatever the host: 404 with a token, 401 without',
    async (target) => {
      expectProblem(await one(get(target)), 404)
      expectProblem(await one(get(target, '')), 401)
    },
  )

  it.each(['ftp://x/v1/jobs/x', 'file:///etc/passwd', '*v1/jobs/x', '/v1/jobs/x?a=/../..', '/v1/jobs/x#/../'])(
    'in another form (%s) leads to no route',
    async (target) => {
      expectProblem(await one(get(target, '')), [400, 401, 404])
    },
  )

  it('is not a path at all (*) is 400, and not the index', async () => {
    expectProblem(await one(get('*', '')), 400)
  })
})

describe('a path parameter with a control character', () => {
  const targets = OPERATIONS.filter(({ path }) => path.includes('{')).map(
    ({ method, path }) => [method, path] as [string, string],
  )
  it.each(targets)('is 404: %s %s', async (method, path) => {
    const secret = path.startsWith('/operator') ? OPERATOR_TOKEN : token
    for (const character of ['%00', 'a%00b', '%0d%0aX:%201', '%7f', '%c2%80']) {
      const target = path.replace(/\{\w+\}/, character)
      const headers = `Host: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n`
      const reply = await one(`${method} ${target} HTTP/1.1\r\n${headers}\r\n`)
      expectProblem(reply, 404)
      expect(reply.head).not.toMatch(/^X: 1/m)
    }
  })
})

describe('a method', () => {
  const unknown = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'DELETE', 'CONNECT'].includes(method))
  it.each(unknown)('%s is 405', async (method) => {
    const reply = await one(`${method} /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expectProblem(reply, 405)
    expect(reply.head).toMatch(/^allow: GET, HEAD$/im)
  })

  it('CONNECT is 405: the service is no proxy', async () => {
    expectProblem(await one('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n'), 405)
  })

  it.each(['get', 'FOO', 'GET\t', ' GET', 'G\0T'])('%j is 400', async (method) => {
    expectProblem(await one(`${method} /healthz HTTP/1.1\r\nHost: x\r\n\r\n`), 400)
  })

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is not overridden by %s',
    async (header) => {
      const reply = await one(get('/healthz', `${header}: DELETE\r\n`))
      expect(reply.status).toBe(200)
    },
  )
})

describe('headers', () => {
  it.each([
    ['a bare LF in a value', 'X: a\nY: b\r\n'],
    ['a bare CR in a value', 'X: a\rY: b\r\n'],
    ['a NUL in a value', 'X: a\0b\r\n'],
    ['a NUL in a name', 'X\0: a\r\n'],
    ['a space before the colon', 'X : a\r\n'],
    ['a continuation line', 'X: a\r\n b\r\n'],
    ['a name that is empty', ': a\r\n'],
    ['no colon', 'X\r\n'],
    ['two hosts', 'Host: elsewhere.example\r\n'],
    ['two equal hosts', 'Host: x\r\n'],
    ['two lengths that differ', 'Content-Length: 1\r\nContent-Length: 2\r\n'],
    ['two equal lengths', 'Content-Length: 1\r\nContent-Length: 1\r\n'],
    ['a list of lengths', 'Content-Length: 1, 1\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['a length with a sign', 'Content-Length: +1\r\n'],
    ['a length in hexadecimal', 'Content-Length: 0x1\r\n'],
    ['a length beyond all numbers', 'Content-Length: 99999999999999999999\r\n'],
    ['length and chunks', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'],
    ['chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 1\r\n'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n'],
    ['chunks behind a tab', 'Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n'],
    ['chunks in disguise', 'Transfer-Encoding : chunked\r\n'],
  ])(
    'with %s are 400, and the connection ends: the bytes after them are not read as a request',
    async (_name, headers) => {
      const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
      const replies = await raw(
        service.port,
        `POST /v1/signup HTTP/1.1\r\nHost: x\r\n${headers}\r\n0\r\n\r\n${smuggled}`,
      )
      expect(replies).toHaveLength(1)
      expectProblem(replies[0] as RawReply, 400)
    },
  )

  it('with an unknown transfer encoding are refused, because the end of such a body is unknown', async () => {
    const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const head = 'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: xchunked'
    const replies = await raw(service.port, `${head}\r\n\r\n{}${smuggled}`)
    expect(replies).toHaveLength(1)
    expectProblem(replies[0] as RawReply, 400)
  })

  it.each([
    ['one of 20 kB', `X: ${'x'.repeat(20_000)}\r\n`],
    ['a thousand of 100 bytes', 'X: '.padEnd(100, 'x').concat('\r\n').repeat(1000)],
    ['ten thousand short ones', 'X:y\r\n'.repeat(10_000)],
  ])('as large as %s are 431', async (_name, headers) => {
    expectProblem(await one(`GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`), 431)
  })

  it('with a request target of 20 kB are 431', async () => {
    expectProblem(await one(get(`/v1/jobs/${'x'.repeat(20_000)}`)), 431)
  })

  it.each([
    ['X-Request-Id: req_mine\r\n', /req_mine/],
    ['Host: evil.example\r\n', /evil\.example/],
    ['X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\nForwarded: host=evil.example\r\n', /evil|gopher/],
    ['Origin: https://evil.example\r\n', /evil|access-control/i],
    ['X-Original-URL: /operator/v1/signups\r\nX-Rewrite-URL: /operator/v1/signups\r\n', /operator/],
  ])('are repeated in no reply (%j)', async (headers, traces) => {
    const host = headers.startsWith('Host') ? '' : 'Host: x\r\n'
    const reply = await one(`GET /nowhere HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`)
    expectProblem(reply, 404)
    expect(reply.head + reply.body).not.toMatch(traces)
  })

  it('with two tokens are refused: neither the first nor the second counts', async () => {
    const stranger = 'Authorization: Bearer abc\r\n'
    for (const headers of [stranger + bearer(), bearer() + stranger, bearer() + bearer()]) {
      expectProblem(await one(get('/v1/datasets', headers)), 401)
    }
    const operator = `Authorization: Bearer ${OPERATOR_TOKEN}\r\n`
    expectProblem(await one(get('/operator/v1/tenants', operator + operator)), 401)
    expect((await one(get('/operator/v1/tenants', operator))).status).toBe(200)
  })

  it.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked', 'gzip,chunked'])(
    'with the transfer encoding %s are 400: only chunks are decoded',
    async (coding) => {
      const head = `POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n`
      const body = '{"company_name":"C","contact_email":"coded@example.com"}'
      const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
      const text = `${head}\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n${smuggled}`
      const replies = await raw(service.port, text)
      expect(replies).toHaveLength(1)
      expectProblem(replies[0] as RawReply, 400)
    },
  )

  it('with two Idempotency-Keys are refused', async () => {
    const headers = `${bearer()}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 0\r\n`
    const reply = await one(`POST /v1/credential-rotations HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`)
    // The client of the test's token does not exist; the key is checked before.
    expectProblem(reply, 400)
  })
})

describe('a chunked body', () => {
  const post = (chunks: string): string =>
    `POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`

  it.each([
    ['a size that is no number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a size beyond all numbers', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a negative size', '-1\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '1\r\n{}\r\n0\r\n\r\n'],
    ['a bare LF after the size', '2\n{}\r\n0\r\n\r\n'],
  ])('with %s is 400, and the connection ends', async (_name, chunks) => {
    const replies = await raw(service.port, `${post(chunks)}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(replies).toHaveLength(1)
    expectProblem(replies[0] as RawReply, 400)
  })

  it('with extensions of 100 kB is 413', async () => {
    expectProblem(await one(post(`2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`)), 413)
  })

  it('with trailers gets no further headers from them', async () => {
    const body = '{"company_name":"C","contact_email":"trailer@example.com"}'
    const text = post(`${body.length.toString(16)}\r\n${body}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`)
    const reply = await one(text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    expect(reply.status).toBe(202)
  })
})

describe('a peer that is slow', () => {
  const LIMITS = {
    headersTimeoutMs: 200,
    bodyTimeoutMs: 200,
    requestTimeoutMs: 400,
    idleTimeoutMs: 1000,
    timeoutCheckMs: 20,
    discardMs: 200,
  }
  let hasty: TestService
  beforeAll(async () => {
    hasty = await startTestService(store, {
      limits: LIMITS,
      extend: (app) => {
        app.get('/v1/test/large', async (_request, reply) => await reply.send(hasty.context.blobs.read('seeds/large')))
      },
    })
    await hasty.context.blobs.put('seeds/large', Readable.from([Buffer.alloc(64 << 20)]))
  })
  afterAll(async () => await hasty?.close())

  /** Sends a byte every few milliseconds, for as long as the server listens. */
  async function drip(head: string, byte: string, port = hasty.port): Promise<RawReply[]> {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => undefined)
    socket.write(head)
    const timer = setInterval(() => socket.write(byte), 20)
    await closed(socket)
    clearInterval(timer)
    return repliesIn(text)
  }

  it('in sending its headers, byte by byte, gets 408', async () => {
    const [reply] = await drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ', 'x')
    expectProblem(reply as RawReply, 408)
  })

  it('in sending its JSON, byte by byte, gets 408', async () => {
    const head = 'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8000\r\n\r\n'
    const [reply] = await drip(head, ' ')
    expectProblem(reply as RawReply, 408)
  })

  it('in sending its file, byte by byte, is not waited for, and leaves nothing', async () => {
    await store.db.query(`insert into tenants (tenant_id, name, created_at) values ('ten_test', 'Test', now())`)
    const head = [
      'POST /v1/datasets HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${await hasty.token()}`,
      'Idempotency-Key: slow',
      'Content-Type: multipart/form-data; boundary=b',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n')
    const part = '--b\r\nContent-Disposition: form-data; name="seed_file"\r\n\r\n'
    const [reply] = await drip(`${head}${part.length.toString(16)}\r\n${part}\r\n`, '1\r\na\r\n')
    expectProblem(reply as RawReply, [400, 408])
    await expect.poll(async () => await store.db.query('select key from idempotency_keys')).toEqual([])
    expect(await store.db.query('select dataset_id from datasets')).toEqual([])
    // Nothing removes blobs here: the received part is orphaned, and due at once.
    const kept = `select blob_key from doomed_blobs where due_at > now() + interval '1 minute'`
    await expect.poll(async () => await store.db.query(kept)).toEqual([])
  })

  it('in sending a body that is not needed is not waited for', async () => {
    // Patient with the head: a machine that takes its time for it would make this a 408.
    const patient = await startTestService(store, { limits: { discardMs: LIMITS.discardMs } })
    try {
      const head = 'POST /v1/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'
      const [reply] = await drip(head, 'x', patient.port)
      expectProblem(reply as RawReply, 401)
    } finally {
      await patient.close()
    }
  })

  it('in sending anything at all gets 408', async () => {
    const [reply] = await raw(hasty.port, '')
    expectProblem(reply as RawReply, 408)
  })

  it('in reading a download is disconnected, and its file is closed', async () => {
    const socket = connect(hasty.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const accepted = once(hasty.app.server, 'connection')
    socket.write(get('/v1/test/large', `Authorization: Bearer ${await hasty.token()}\r\n`))
    const [server] = await accepted
    const given = closed(server)
    await once(socket, 'readable')
    // From here on no further byte is read.
    await given
    socket.destroy()
    await expect.poll(() => openFiles().filter((path) => path.endsWith('/large'))).toEqual([])
  })
})

/** The open descriptors of this process, where the system reports them. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      // Closed since.
      return []
    }
  })
}

describe('connections', () => {
  it('of HTTP/1.0 are answered once and closed, and need no Host header', async () => {
    const replies = await raw(service.port, 'GET /healthz HTTP/1.0\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n')
    expect(replies.map(({ status }) => status)).toEqual([200])
  })

  it('of HTTP/2 with prior knowledge and of other protocols are 400', async () => {
    expectProblem(await one('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400)
    expectProblem(await one(Buffer.from('16030100a5010000a10303', 'hex')), 400)
    expectProblem(await one('GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n'), 400)
  })

  it('are not upgraded', async () => {
    const reply = await one(
      'GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
    )
    expect(reply.status).toBe(200)
  })

  it('carry pipelined requests, which are answered in sequence', async () => {
    const targets = ['/healthz', '/nowhere', '/v1/jobs/x', '/healthz', '/v1/datasets?limit=0']
    const requests = targets.map((target) => get(target).replace('Connection: close\r\n', ''))
    const replies = await raw(service.port, `${requests.join('')}${get('/healthz')}`)
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 200, 400, 200])
  })

  it('answer a request before they answer the malformed bytes after it, and end', async () => {
    const good = get('/healthz').replace('Connection: close\r\n', '')
    const replies = await raw(service.port, `${good}nonsense\r\n\r\n${good}`)
    expect(replies.map(({ status }) => status)).toEqual([200, 400])
    const closed = await raw(service.port, `${get('/healthz')}nonsense\r\n\r\n`)
    expect(closed.map(({ status }) => status)).toEqual([200])
  })

  it('are kept alive after a problem that leaves them usable', async () => {
    const bad = 'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
    const replies = await raw(service.port, `${bad}${get('/healthz')}`)
    expect(replies.map(({ status }) => status)).toEqual([400, 200])
  })

  it('get 100 Continue when they wait for it before they send a body', async () => {
    const body = '{"company_name":"C","contact_email":"continue@example.com"}'
    const socket = connect(service.port, '127.0.0.1').setEncoding('latin1')
    const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`
    socket.write(`POST /v1/signup HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`)
    const [first] = await once(socket, 'data')
    expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    const [second] = await once(socket, 'data')
    expect(second).toMatch(/^HTTP\/1\.1 202 /)
    socket.destroy()
  })

  it('in a burst of 200 are all answered', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, async () => await one(get('/v1/datasets'))))
    expect(replies.map(({ status }) => status)).toEqual(Array(200).fill(200))
  })

  it('answer HEAD like GET without a body, and OPTIONS with the allowed methods', async () => {
    const head = await one(get('/v1/datasets').replace('GET', 'HEAD'))
    expect([head.status, head.body]).toEqual([200, ''])
    const options = await one(get('/v1/datasets').replace('GET', 'OPTIONS'))
    expectProblem(options, 405)
    expect(options.head).toMatch(/^allow: GET, HEAD, POST$/im)
    expect(options.head).not.toMatch(/access-control/i)
  })
})
