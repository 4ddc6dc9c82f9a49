import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

let store: TestStore
let service: TestService
let clientId = ''
let clientSecret = ''

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store, {
    extend: (app) => {
      app.get('/v1/test/who', async (request) => request.identity)
    },
  })
  const signup = await service.post('/v1/signup', { company_name: 'A', contact_email: 'a@b.example' })
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  await service.post(`/operator/v1/signups/${signup.body.request_id}/approve`, undefined, operator)
  const status = await service.get(`/v1/signup/${signup.body.request_id}`)
  const claimed = await service.post('/v1/credential-claims', { claim_token: status.body.credential_claim_token })
  clientId = claimed.body.client_id
  clientSecret = claimed.body.client_secret
})

afterAll(async () => {
  await service?.close()
  await store?.close()
})

const request = (change: Record<string, unknown> = {}) => ({
  client_id: clientId,
  client_secret: clientSecret,
  audience: service.baseUrl,
  grant_type: 'client_credentials',
  ...change,
})
const form = (fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
  ask(`${service.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields), headers })
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

describe('the token mint', () => {
  it('gives a bearer token that opens the protected routes', async () => {
    const answer = await service.post('/oauth/token', request())
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400 })
    const who = await service.get('/v1/test/who', { authorization: `Bearer ${answer.body.access_token}` })
    expect(who.body).toEqual({ clientId, tenantId: expect.stringMatching(/^ten_[A-Za-z0-9]{22}$/) })
  })

  it('forbids storing any of its answers', async () => {
    const answers = [
      await service.post('/oauth/token', request()),
      await service.post('/oauth/token', request({ client_secret: 'wrong' })),
      await service.post('/oauth/token', '{'),
      await service.post('/oauth/token', 'x', { 'content-type': 'text/plain' }),
    ]
    expect(answers.map((answer) => answer.headers.get('cache-control'))).toEqual(Array(4).fill('no-store'))
  })

  it('signs tokens that the published keys verify: ES256, issuer, audience, subject, tenant, 24 hours, an id of their own', async () => {
    const [first, second] = [
      await service.post('/oauth/token', request()),
      await service.post('/oauth/token', request()),
    ]
    const metadata = (await service.get('/.well-known/oauth-authorization-server')).body
    expect(metadata).toMatchObject({ issuer: service.baseUrl, token_endpoint: `${service.baseUrl}/oauth/token` })
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
    const { payload, protectedHeader } = await jwtVerify(first.body.access_token, keys, {
      issuer: metadata.issuer,
      audience: service.baseUrl,
      algorithms: ['ES256'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) })
    expect(payload).toMatchObject({ sub: clientId, tenant_id: expect.stringMatching(/^ten_/) })
    expect((payload.exp as number) - (payload.iat as number)).toBe(86_400)
    const { payload: other } = await jwtVerify(second.body.access_token, keys)
    expect(other.jti).not.toBe(payload.jti)
  })

  it('accepts a form', async () => {
    expect((await form(request())).status).toBe(200)
  })

  it('accepts HTTP Basic with a form or JSON', async () => {
    const authorization = basic(clientId, clientSecret)
    const rest = { audience: service.baseUrl, grant_type: 'client_credentials' }
    expect((await form(rest, { authorization })).status).toBe(200)
    expect((await form({ ...rest, client_id: clientId }, { authorization })).status).toBe(200)
    expect((await service.post('/oauth/token', rest, { authorization })).status).toBe(200)
    const encoded = basic(encodeURIComponent(clientId).replace('_', '%5f'), clientSecret)
    expect((await form(rest, { authorization: encoded })).status).toBe(200)
  })

  it('ignores unknown parameters', async () => {
    expect((await service.post('/oauth/token', request({ scope: 'all', nonce: 7 }))).status).toBe(200)
  })

  it.each([
    ['an unknown client', () => ({ client_id: 'cli_unknown' })],
    ['a wrong secret', () => ({ client_secret: 'wrong' })],
    ['the secret in another case', () => ({ client_secret: clientSecret.toUpperCase() })],
  ])('answers %s with invalid_client, in the same bytes', async (_name, change) => {
    const answer = await service.post('/oauth/token', request(change()))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.body).toEqual({ error: 'invalid_client', error_description: 'Invalid credentials.' })
  })

  it.each([
    ['a wrong secret', () => basic(clientId, 'wrong')],
    ['no colon', () => `Basic ${Buffer.from('abc').toString('base64')}`],
    ['no base64', () => 'Basic ***'],
    ['another scheme', () => `Bearer ${clientSecret}`],
  ])('answers a header with %s by naming the scheme', async (_name, authorization) => {
    const answer = await form(
      { audience: service.baseUrl, grant_type: 'client_credentials' },
      { authorization: authorization() },
    )
    expect(answer.status).toBe(401)
    expect(answer.body.error).toBe('invalid_client')
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="token"')
  })

  it('refuses credentials in header and body at once', async () => {
    const answer = await form(request(), { authorization: basic(clientId, clientSecret) })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it.each([
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['unsupported_grant_type', { grant_type: 'authorization_code', code: 'x' }],
    ['invalid_request', { grant_type: undefined }],
    ['invalid_request', { client_id: undefined }],
    ['invalid_request', { client_secret: '' }],
    ['invalid_request', { audience: undefined }],
    ['invalid_request', { client_secret: 7 }],
    ['invalid_request', { client_id: ['x'] }],
    ['invalid_request', { client_secret: 'x'.repeat(1025) }],
    ['invalid_target', { audience: 'https://elsewhere.example' }],
  ])('answers %s to %j', async (error, change) => {
    const answer = await service.post('/oauth/token', request(change))
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(answer.text).not.toContain(clientSecret)
  })

  it('refuses a parameter sent twice in a form', async () => {
    const answer = await form([...Object.entries(request()), ['audience', 'x']])
    expect(answer.body).toEqual({
      error: 'invalid_request',
      error_description: 'audience must not be sent more than once.',
    })
  })

  it.each([
    ['bad JSON', 'application/json', '{'],
    ['an empty body', 'application/json', ''],
    ['no object', 'application/json', '[]'],
    ['another type', 'text/plain', 'grant_type=client_credentials'],
    ['too much', 'application/x-www-form-urlencoded', `x=${'y'.repeat(1024 * 1024)}`],
  ])('answers %s in OAuth form', async (_name, contentType, body) => {
    const answer = await service.post('/oauth/token', body, { 'content-type': contentType })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('reads no parameter from the query', async () => {
    const query = new URLSearchParams(request()).toString()
    expect((await service.post(`/oauth/token?${query}`, {})).body.error).toBe('invalid_request')
  })

  it('gives no token to a client that has not claimed its secret', async () => {
    await store.db.query(
      `insert into clients (client_id, tenant_id, created_at)
       select 'cli_unclaimed', tenant_id, now() from tenants limit 1`,
    )
    for (const secret of ['x', 'null', 'A'.repeat(43)]) {
      const answer = await service.post('/oauth/token', request({ client_id: 'cli_unclaimed', client_secret: secret }))
      expect(answer.body.error).toBe('invalid_client')
    }
  })
})

describe('the published keys', () => {
  it('have no private part', async () => {
    const { keys } = (await service.get('/.well-known/jwks.json')).body
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: decodeProtectedHeader(await service.token()).kid,
        alg: 'ES256',
        use: 'sig',
      },
    ])
  })
})
