import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWholeService, type WholeService } from './whole-service.ts'

const DAY_MS = 24 * 60 * 60_000

let service: WholeService
let email = ''
let counter = 0
beforeAll(async () => {
  service = await startWholeService({ work: false })
})
beforeEach(() => {
  email = `access${++counter}@example.com`
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const anybody = { tenant: null }
const signup = async (contactEmail = email) =>
  await service.post('/v1/signup', { company_name: 'Roast & Co', contact_email: contactEmail }, anybody)
const status = async (requestId: string) => (await service.get(`/v1/signup/${requestId}`, anybody)).body
const decide = async (requestId: string, decision: string, body: object = {}) =>
  await service.operator(`/signups/${requestId}/${decision}`, body)
const claim = async (token: string) => await service.post('/v1/credential-claims', { claim_token: token }, anybody)
const rotate = async (bearer: string, key?: string) =>
  await service.post('/v1/credential-rotations', undefined, { bearer, ...(key !== undefined && { key }) })
const approved = async () => {
  const requestId: string = (await signup()).body.request_id
  await decide(requestId, 'approve')
  return requestId
}
/** Everything that is stored of access, as text. */
const stored = async () => {
  const tables = ['signups', 'clients', 'claim_tokens', 'credential_rotations', 'service_keys']
  return JSON.stringify(await Promise.all(tables.map((table) => service.db.query(`select * from ${table}`))))
}

describe('Decisions, Access', () => {
  it('[Decisions, Access: Contact email] is trimmed and lower-cased before comparison', async () => {
    const first = await signup()
    const again = await signup(`\t ${email.toUpperCase()}  `)
    expect([again.status, again.body.request_id]).toEqual([200, first.body.request_id])
  })

  it.each([
    '',
    'nobody',
    'a@b',
    '@b.example',
    'a b@c.example',
    'a@b..example',
    'a@b.example, c@d.example',
    'a\u0007b@c.example',
  ])('[Decisions, Access: Contact email] must look like an address: %j does not', async (contactEmail) => {
    expect((await signup(contactEmail)).body).toMatchObject({ status: 400, errors: [{ field: 'contact_email' }] })
  })

  it('[Decisions, Access: Signup after a decline] is a new pending request, 202', async () => {
    const declined = (await signup()).body.request_id
    await decide(declined, 'decline')
    const next = await signup()
    expect([next.status, await status(next.body.request_id)]).toMatchObject([202, { status: 'pending' }])
    expect(next.body.request_id).not.toBe(declined)
    expect((await status(declined)).status).toBe('declined')
  })

  it('[Decisions, Access: Claim token] is shown while unclaimed and unexpired, for 7 days; then repeating the signup issues a new one', async () => {
    const requestId = await approved()
    const { credential_claim_token: first } = await status(requestId)
    service.clock.aheadMs += 7 * DAY_MS - 60_000
    await signup()
    expect((await status(requestId)).credential_claim_token).toBe(first)
    service.clock.aheadMs += 60_000
    expect(await status(requestId)).not.toHaveProperty('credential_claim_token')
    expect((await signup()).text).not.toContain('claim_token')
    const { credential_claim_token: second } = await status(requestId)
    expect(second).not.toBe(first)
    expect((await claim(first)).body.code).toBe('svc_invalid_claim')
    expect((await claim(second)).status).toBe(200)
    service.clock.aheadMs += 8 * DAY_MS
    await signup()
    expect(await status(requestId)).not.toHaveProperty('credential_claim_token')
  })

  it("[Decisions, Access: Claim token] [Decisions, General: Codes beyond the specification's] unknown, expired and used ones have the same answer", async () => {
    const used = (await status(await approved())).credential_claim_token
    await claim(used)
    email = `expired-${email}`
    const expired = (await status(await approved())).credential_claim_token
    service.clock.aheadMs += 7 * DAY_MS
    const answers = await Promise.all(['clm_unknown', used, expired].map(claim))
    const same = answers.map(({ body }) => ({ ...body, request_id: '' }))
    expect(same[0]).toMatchObject({ status: 400, code: 'svc_invalid_claim' })
    expect(same).toEqual([same[0], same[0], same[0]])
  })

  it('[Decisions, Access: Claim token] [Decisions, Access: Secret] [Decisions, Access: Keys of the service] no secret, token or key is stored in clear text', async () => {
    const requestId = await approved()
    const { credential_claim_token: token } = await status(requestId)
    expect(await stored()).not.toContain(token)
    const { client_id: clientId, client_secret: secret } = (await claim(token)).body
    const { access_token: bearer } = (await service.mint(clientId, secret)).body
    const { credential_claim_token: rotated } = (await rotate(bearer)).body
    const text = await stored()
    expect(text).toContain(clientId)
    for (const clear of [token, secret, bearer, rotated, 'PRIVATE KEY']) expect(text).not.toContain(clear)
    const [{ secret_hash: hash } = { secret_hash: '' }] = await service.db.query<{ secret_hash: string }>(
      'select secret_hash from clients where client_id = $1',
      [clientId],
    )
    expect(hash).toMatch(/scrypt/)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  })

  it('[Decisions, Access: Tenant] an approved request makes its own tenant, unless the operator names an existing one', async () => {
    const first = await service.newClient()
    const second = await service.newClient()
    const third = await service.newClient(first.tenantId)
    expect(second.tenantId).not.toBe(first.tenantId)
    expect(third.tenantId).toBe(first.tenantId)
    const requestId: string = (await signup()).body.request_id
    expect((await decide(requestId, 'approve', { tenant_id: 'ten_none' })).status).toBe(400)
    expect((await status(requestId)).status).toBe('pending')
  })

  it('[Decisions, Access: Rotation] the old secret works until the new one is claimed; bearer tokens stay valid to their expiry', async () => {
    const client = await service.newClient()
    const { credential_claim_token: token } = (await rotate(client.bearer)).body
    expect((await service.mint(client.clientId, client.secret)).status).toBe(200)
    const { client_secret: secret } = (await claim(token)).body
    expect((await service.mint(client.clientId, client.secret)).body.error).toBe('invalid_client')
    expect((await service.mint(client.clientId, secret)).status).toBe(200)
    expect((await service.get('/v1/datasets', { bearer: client.bearer })).status).toBe(200)
  })

  it('[Decisions, Access: Rotation] the operator can revoke a client’s tokens at once', async () => {
    const client = await service.newClient()
    await service.operator(`/clients/${client.clientId}/revoke-tokens`, {})
    expect((await service.get('/v1/datasets', { bearer: client.bearer })).status).toBe(401)
    const { access_token: fresh } = (await service.mint(client.clientId, client.secret)).body
    expect((await service.get('/v1/datasets', { bearer: fresh })).status).toBe(200)
  })

  it('[Decisions, Access: Rotation] a newer rotation invalidates older unclaimed tokens; the fourth is 429; replays do not count and are still answered', async () => {
    const { bearer } = await service.newClient()
    const first = await rotate(bearer, 'a')
    expect((await rotate(bearer, 'a')).body).toEqual(first.body)
    await rotate(bearer, 'b')
    const third = await rotate(bearer, 'c')
    expect((await claim(first.body.credential_claim_token)).body.code).toBe('svc_invalid_claim')
    const fourth = await rotate(bearer, 'd')
    expect(fourth.body).toMatchObject({ status: 429, code: 'svc_rate_limited' })
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    expect((await rotate(bearer, 'a')).body).toEqual(first.body)
    expect((await claim(third.body.credential_claim_token)).status).toBe(200)
  })

  it('[Decisions, Access: Tokens] are ES256 JWTs with issuer, audience, subject, tenant, a day to live and an id, verified by the published keys', async () => {
    const client = await service.newClient()
    const [head, payload] = client.bearer
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    const { keys } = (await service.get('/.well-known/jwks.json', anybody)).body
    expect(head).toMatchObject({ alg: 'ES256', kid: keys[0].kid })
    expect(payload).toMatchObject({
      iss: service.baseUrl,
      aud: service.baseUrl,
      sub: client.clientId,
      tenant_id: client.tenantId,
      jti: expect.any(String),
    })
    expect(payload.exp - payload.iat).toBe(24 * 3600)
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    expect(keys[0]).not.toHaveProperty('d')
  })

  it('[Decisions, Access: Tokens] the authorization server’s metadata names the addresses of mint and keys', async () => {
    const { body } = await service.get('/.well-known/oauth-authorization-server', anybody)
    expect(body).toMatchObject({
      issuer: service.baseUrl,
      token_endpoint: `${service.baseUrl}/oauth/token`,
      jwks_uri: `${service.baseUrl}/.well-known/jwks.json`,
    })
  })

  it('[Decisions, Access: Tokens] the mint accepts forms and HTTP Basic, forbids storing, and answers faults in OAuth form', async () => {
    const { clientId, secret } = await service.newClient()
    const parameters = { audience: service.baseUrl, grant_type: 'client_credentials' }
    const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      await service.call('POST', '/oauth/token', {
        json: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        tenant: null,
      })
    const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    const good = [
      await send({ ...parameters, client_id: clientId, client_secret: secret }),
      await send(parameters, { authorization: basic }),
    ]
    const bad = [
      await send({ ...parameters, client_id: clientId, client_secret: 'wrong' }),
      await send({ ...parameters, grant_type: 'password', client_id: clientId, client_secret: secret }),
      await send({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
    ]
    expect(good.map(({ body }) => body.token_type)).toEqual(['Bearer', 'Bearer'])
    expect(bad.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [400, 'unsupported_grant_type'],
      [400, 'invalid_request'],
    ])
    for (const { headers } of [...good, ...bad]) expect(headers.get('cache-control')).toBe('no-store')
  })

  it('[Decisions, Access: Operator] lists and decides signups, lists tenants, sets quota and retention', async () => {
    const requestId: string = (await signup()).body.request_id
    const pending = await service.operator('/signups?status=pending&limit=100')
    expect(pending.body.signups).toContainEqual(
      expect.objectContaining({ request_id: requestId, contact_email: email }),
    )
    expect((await decide(requestId, 'approve')).body).toMatchObject({
      status: 'approved',
      client_id: expect.any(String),
    })
    const client = await service.newClient()
    await service.operator(`/tenants/${client.tenantId}/quota`, { request_row_cap: 10, subscription_rows: 20 })
    await service.operator(`/tenants/${client.tenantId}/retention`, { retention_hours: 48 })
    const { tenants } = (await service.operator('/tenants?limit=100')).body
    expect(tenants).toContainEqual(
      expect.objectContaining({
        tenant_id: client.tenantId,
        request_row_cap: 10,
        subscription_rows: 20,
        retention_hours: 48,
        rows_used: 0,
      }),
    )
  })

  it('[Decisions, Access: Operator] must send the operator token, and has no routes unless one is set', async () => {
    expect((await service.get('/operator/v1/signups', anybody)).status).toBe(401)
    expect((await service.get('/operator/v1/signups')).status).toBe(401)
    const closed = await startWholeService({ work: false, settings: { operatorToken: null } })
    try {
      expect((await closed.operator('/signups')).status).toBe(404)
    } finally {
      await closed.close()
    }
  })
})
