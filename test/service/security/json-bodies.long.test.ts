import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, startTestService, type TestService, type TestStore } from '../http/test-service.ts'

let store: TestStore
let service: TestService

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store, {
    extend: (app) => {
      app.post('/v1/test/echo', async (request) => ({ body: request.body }))
    },
  })
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

const echo = async (body: string) =>
  await service.post('/v1/test/echo', body, { authorization: `Bearer ${await service.token()}` })

describe('a JSON body', () => {
  it.each([
    ['U+0000 in a value', '{"a":"b\\u0000"}', /text with U\+0000/],
    ['U+0000 in a key', '{"a\\u0000":1}', /text with U\+0000/],
    ['U+0000 deep within', '[{"a":[{"b":"\\u0000"}]}]', /text with U\+0000/],
    ['the first half of a surrogate pair', '{"a":"\\ud800"}', /half of a surrogate pair/],
    ['the second half', '{"a":"\\uDC00"}', /half of a surrogate pair/],
    ['two halves in the wrong order', '{"a":"\\udc00\\ud800"}', /half of a surrogate pair/],
    ['half a pair as a key', '{"\\ud83d":1}', /half of a surrogate pair/],
    ['NaN', '{"a":NaN}', /not valid JSON/],
    ['Infinity', '{"a":-Infinity}', /not valid JSON/],
    ['a number with a leading zero', '{"a":01}', /not valid JSON/],
    ['a comment', '{"a":1/**/}', /not valid JSON/],
    ['a comma too much', '{"a":1,}', /not valid JSON/],
    ['single quotes', "{'a':1}", /not valid JSON/],
    ['a raw line end in text', '{"a":"\n"}', /not valid JSON/],
    ['a raw U+0000', '{"a":"\0"}', /not valid JSON/],
    ['two byte order marks', '\ufeff\ufeff{"a":1}', /not valid JSON/],
    ['a key twice, one of them escaped', '{"a":1,"\\u0061":2}', /twice/],
    ['a key three levels down twice', '{"a":{"b":{"c":1,"c":1}}}', /twice/],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', /__proto__/],
  ])('with %s is 400', async (_name, body, detail) => {
    const answer = await echo(body)
    expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field', errors: [{ field: 'body' }] })
    expect(answer.body.detail).toMatch(detail)
  })

  it.each([
    ['a whole surrogate pair', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}', { a: '\\u0000' }],
    [
      'constructor and prototype as keys',
      '{"constructor":{"prototype":{"x":1}}}',
      { constructor: { prototype: { x: 1 } } },
    ],
    ['names of methods as keys', '{"toString":1,"hasOwnProperty":2}', { toString: 1, hasOwnProperty: 2 }],
  ])('with %s is read as it is written', async (_name, body, value) => {
    const answer = await echo(body)
    expect(answer.text).toBe(JSON.stringify({ body: value }))
  })

  it.each(['1e400', '-1e400', '9'.repeat(400), '1e-400', '123456789012345678901234567890'])(
    'with the number %.20s is answered',
    async (number) => {
      expect((await echo(`{"a":${number}}`)).status).toBe(200)
    },
  )

  it('does not change any object, for any key', async () => {
    const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'polluted']
    for (const outer of keys) {
      for (const inner of keys) {
        const body = `{"${outer}":{"${inner}":{"polluted":true},"polluted":true}}`
        await echo(body)
        await service.post('/v1/signup', body)
        await service.post('/oauth/token', body)
        await service.get(`/v1/signup/req_x?${outer}[${inner}]=1&${outer}.${inner}=1&${outer}=1`)
      }
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('with another e-mail is another signup: no two texts become one', async () => {
    const signUp = async (email: string) =>
      (await service.post('/v1/signup', `{"company_name":"C","contact_email":"${email}"}`)).body
    expect((await signUp('\\ud800@example.com')).code).toBe('svc_invalid_field')
    const [first, second] = [await signUp('\\ud83d\\ude00@example.com'), await signUp('\\ud83d\\ude01@example.com')]
    expect(first.request_id).not.toBe(second.request_id)
  })
})

describe('a body without a token', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`
  const OPEN = ['/v1/signup', '/v1/credential-claims', '/oauth/token']

  it.each(OPEN)('to %s is read up to 8 KiB', async (path) => {
    const large = JSON.stringify({ text: 'x'.repeat(8 * 1024) })
    const answer = await service.post(path, large)
    if (path === '/oauth/token') expect(answer.body.error_description).toContain('8192 bytes')
    else expect(answer.body).toMatchObject({ status: 413, code: 'svc_body_too_large' })
    const small = JSON.stringify({ text: 'x'.repeat(8 * 1024 - 11) })
    expect((await service.post(path, small)).text).not.toContain('bytes')
  })

  it.each(OPEN)('to %s is read up to 1,000 keys', async (path) => {
    expect((await service.post(path, keys(1001))).text).toContain('has more than 1000 keys')
    expect((await service.post(path, keys(1000))).text).not.toContain('more than 1000 keys')
  })

  it('as a form is read up to 8 KiB', async () => {
    const body = new URLSearchParams({ grant_type: 'x'.repeat(8 * 1024) })
    const response = await fetch(`${service.baseUrl}/oauth/token`, { method: 'POST', body })
    expect(((await response.json()) as { error_description: string }).error_description).toContain('8192 bytes')
  })

  it('with a token may hold the largest scenario, and no more', async () => {
    const scenario = `{"row_count":1,"conditions":{"categorical":{"c":${keys(19_996)}}}}`
    expect((await echo(scenario)).status).toBe(200)
    expect((await echo(scenario.replace('1,', '1,"seed":1,'))).body.detail).toBe(
      'The request body has more than 20000 keys.',
    )
  })
})

describe('a form, and a header, at the token mint', () => {
  const ask = async (parameters: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.baseUrl}/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'client_credentials', audience: service.baseUrl, ...parameters }),
    })
    return { status: response.status, body: await response.json() }
  }

  it.each(['\0', 'cli_\0x', '\r\n', '\u007f'])('with control characters (%j) are refused', async (text) => {
    const answer = await ask({ client_id: text, client_secret: 'x' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const basic = Buffer.from(`${encodeURIComponent(text)}:x`).toString('base64')
    const inHeader = await ask({}, { authorization: `Basic ${basic}` })
    expect(inHeader).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })
})
