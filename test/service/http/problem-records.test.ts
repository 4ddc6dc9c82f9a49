import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CONTENT_TYPE } from '../../../src/contract/problem.ts'
import { ask, openTestStore, sendRaw, startTestService, type TestService, type TestStore } from './test-service.ts'

const REQUEST_ID = /^req_[A-Za-z0-9]{22}$/

let store: TestStore
let service: TestService
/** Times out at once. */
let hasty: TestService

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store, {
    extend: (app) => {
      app.get('/test/failure', async () => {
        throw Object.assign(new Error('secret canary-in-message'), { parameters: ['canary'] })
      })
      app.get('/test/no-database', async () => {
        throw Object.assign(new Error('terminating connection'), { code: '57P01' })
      })
      app.get('/test/thrown-text', async () => {
        throw 'text'
      })
      app.post('/v1/test/echo', async (request) => ({ body: request.body, client: request.identity.clientId }))
    },
  })
  hasty = await startTestService(store, {
    limits: { bodyTimeoutMs: 50, headersTimeoutMs: 50, timeoutCheckMs: 20 },
  })
})

afterAll(async () => {
  await hasty?.close()
  await service?.close()
  await store?.close()
})

describe('every reply', () => {
  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/v1/jobs/x', 401],
    ['GET', '/test/failure', 500],
    ['PUT', '/healthz', 405],
    ['GET', '/%ff', 400],
  ])('to %s %s carries its own X-Request-Id, not the one sent', async (method, path, status) => {
    const answer = await ask(`${service.baseUrl}${path}`, { method, headers: { 'x-request-id': 'req_mine' } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(REQUEST_ID)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has an id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await service.get('/healthz')).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(20)
  })
})

describe('a problem record', () => {
  it('has type, title, status, detail, code and the request id of the header', async () => {
    const answer = await service.get('/nowhere')
    expect(answer.headers.get('content-type')).toBe(PROBLEM_CONTENT_TYPE)
    expect(answer.body).toEqual({
      type: `${service.baseUrl}/errors/svc_not_found`,
      title: 'Not Found',
      status: 404,
      detail: 'There is no such route.',
      code: 'svc_not_found',
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it.each(['/test/failure', '/test/thrown-text'])(
    'says nothing about a failure of the service itself (%s)',
    async (path) => {
      const answer = await service.get(path)
      expect(answer.body).toMatchObject({ status: 500, code: 'svc_internal', title: 'Internal Server Error' })
      expect(answer.text).not.toContain('canary')
    },
  )

  it('is 503 with Retry-After while the database is going down', async () => {
    const answer = await service.get('/test/no-database')
    expect(answer.body).toMatchObject({ status: 503, code: 'svc_unavailable' })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('answers HEAD without a body', async () => {
    const answer = await ask(`${service.baseUrl}/nowhere`, { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 404, text: '' })
    expect(answer.headers.get('content-type')).toBe(PROBLEM_CONTENT_TYPE)
  })
})

describe('a wrong method', () => {
  it.each([
    ['GET', '/v1/credential-claims', 'POST'],
    ['DELETE', '/v1/signup/req_1', 'GET, HEAD'],
    ['PUT', '/v1/signup', 'POST'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
    ['GET', '/oauth/token', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await ask(`${service.baseUrl}${path}`, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(answer.body).toMatchObject({ code: 'svc_method_not_allowed', status: 405 })
  })

  it('counts before the content type', async () => {
    const answer = await ask(`${service.baseUrl}/healthz`, {
      method: 'POST',
      body: '<x/>',
      headers: { 'content-type': 'application/xml' },
    })
    expect(answer.status).toBe(405)
  })

  it('counts after authentication', async () => {
    const url = `${service.baseUrl}/v1/test/echo`
    expect((await ask(url, { method: 'DELETE' })).status).toBe(401)
    const authorization = `Bearer ${await service.token()}`
    expect((await ask(url, { method: 'DELETE', headers: { authorization } })).status).toBe(405)
  })
})

describe('a JSON body', () => {
  const send = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    await ask(`${service.baseUrl}/v1/test/echo`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${await service.token()}`,
        'content-type': 'application/json',
        ...headers,
      },
    })

  it('is read', async () => {
    expect((await send('{"a":[1,"é",null]}')).body).toEqual({ body: { a: [1, 'é', null] }, client: 'cli_test' })
  })

  it('may begin with a byte order mark', async () => {
    expect((await send('\ufeff{"a":1}')).body.body).toEqual({ a: 1 })
  })

  it.each([
    ['is empty', '', /is empty/],
    ['is not JSON', '{"a":', /is not valid JSON/],
    ['is followed by more', '{} {}', /is not valid JSON/],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /is not valid UTF-8/],
    ['has a key twice', '{"a":{"b":1,"b":2}}', /has the key "b" twice/],
    ['has a key twice in two spellings', '{"ab":1,"\\u0061b":2}', /has the key "ab" twice/],
    ['has the key __proto__', '{"a":[{"__proto__":{"x":1}}]}', /has the key "__proto__"/],
    ['has the key __proto__ in disguise', '{"\\u005f_proto__":{"x":1}}', /has the key "__proto__"/],
    [
      'has the key __proto__ beside names of columns',
      '{"conditions":{"__proto__":{"a":{"b":1}}}}',
      /has the key "__proto__"/,
    ],
    [
      'has the name __proto__ twice',
      '{"categorical":{"a":{"__proto__":1,"\\u005f_proto__":0}}}',
      /has the key "__proto__" twice/,
    ],
    ['has the key __proto__ below levels', '{"categorical":{"a":{"b":{"__proto__":1}}}}', /has the key "__proto__"/],
    ['has the key __proto__ in a range', '{"numeric":{"a":{"__proto__":1}}}', /has the key "__proto__"/],
    ['is nested too deep', `${'['.repeat(33)}${']'.repeat(33)}`, /nested deeper than 32/],
    ['is nested a hundred thousand deep', '{"a":'.repeat(100_000), /nested deeper than 32/],
  ])('that %s is 400', async (_name, body, detail) => {
    const answer = await send(body)
    expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
    expect(answer.body.detail).toMatch(detail)
    expect(answer.body.errors).toHaveLength(1)
  })

  it('may hold brackets, quotes and equal keys in different objects', async () => {
    const value = { 'a"[{': ['[[[{{{"\\'], b: { x: 1 }, c: { x: 1, constructor: 2 }, d: [{ x: 1 }, { x: 2 }] }
    expect((await send(JSON.stringify(value))).body.body).toEqual(value)
  })

  it('may be nested 32 levels deep', async () => {
    expect((await send(`${'['.repeat(32)}${']'.repeat(32)}`)).status).toBe(200)
  })

  it.each([
    ['text/plain', '{}'],
    ['application/xml', '<a/>'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json; charset=iso-8859-1', '{}'],
    ['nonsense', '{}'],
  ])('of type %s is 415, with the right type in the answer', async (contentType, body) => {
    const answer = await send(body, { 'content-type': contentType })
    expect(answer.body).toMatchObject({ status: 415, code: 'svc_unsupported_content_type' })
    expect(answer.body.detail).toMatch(/application\/json|JSON is UTF-8/)
  })

  it('of type application/json; charset="UTF-8" is read', async () => {
    expect((await send('{}', { 'content-type': 'application/json; charset="UTF-8"' })).status).toBe(200)
  })

  it('that is compressed is 415', async () => {
    expect((await send('{}', { 'content-encoding': 'gzip' })).body).toMatchObject({ status: 415 })
  })

  it('above 1 MiB is 413, and the whole of it can be sent before the answer is read', async () => {
    const answer = await send(JSON.stringify('x'.repeat(1024 * 1024)))
    expect(answer.body).toMatchObject({ status: 413, code: 'svc_body_too_large' })
  })

  it('of 1 MiB is read', async () => {
    expect((await send(JSON.stringify('x'.repeat(1024 * 1024 - 2)))).status).toBe(200)
  })
})

describe('a malformed HTTP request', () => {
  it.each([
    ['/%zz', 400],
    ['/v1/signup/%', 400],
    ['/%c3%28', 400],
    [`/v1/signup/req_${'a'.repeat(2000)}`, 404],
  ])('%.20s is a problem record', async (path, status) => {
    const reply = await sendRaw(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/content-type: application\/problem\+json\r\n/)
    expect(problemIn(reply)).toMatchObject({ status, request_id: expect.stringMatching(REQUEST_ID) })
  })

  it('is checked for its token first', async () => {
    const path = '/v1/datasets/%zz'
    expect((await service.get(path)).status).toBe(401)
    expect((await service.get(path, { authorization: `Bearer ${await service.token()}` })).status).toBe(400)
  })

  it.each([
    ['no request line', 'nonsense\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header: y\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two lengths', 'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'length and chunks',
      'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of 20 kB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\n\r\n', 417],
  ])('%s is a problem record too', async (_name, request, status) => {
    const reply = await sendRaw(service.port, request)
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(reply).toMatch(/content-type: application\/problem\+json\r\n/)
    const id = /x-request-id: (\S+)/.exec(reply)?.[1]
    expect(id).toMatch(REQUEST_ID)
    expect(problemIn(reply)).toMatchObject({ type: 'about:blank', status, request_id: id })
  })
})

describe('a request that does not arrive in time', () => {
  it.each([
    ['its headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    [
      'its JSON body',
      'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a"',
    ],
    [
      'its form',
      'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('because %s is missing is 408, and the connection ends', async (_name, request) => {
    const reply = await sendRaw(hasty.port, request)
    expect(reply).toMatch(/^HTTP\/1\.1 408 /)
    expect(problemIn(reply)).toMatchObject({ type: 'about:blank', title: 'Request Timeout', status: 408 })
  })
})

function problemIn(reply: string): unknown {
  return JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1))
}
