import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWholeService, type WholeService } from './whole-service.ts'

const HOUR_MS = 60 * 60_000

let service: WholeService
beforeAll(async () => {
  service = await startWholeService({ work: false })
})
afterAll(async () => {
  await service?.close()
})

const claim = async (token: string) =>
  await service.post('/v1/credential-claims', { claim_token: token }, { tenant: null })

/** Approved, with an unused claim token. */
async function unclaimed(email: string): Promise<{ clientId: string; token: string }> {
  const signup = { company_name: 'Roast & Co', contact_email: email }
  const { request_id: requestId } = (await service.post('/v1/signup', signup, { tenant: null })).body
  await service.operator(`/signups/${requestId}/approve`, {})
  const { client_id: clientId, credential_claim_token: token } = (
    await service.get(`/v1/signup/${requestId}`, { tenant: null })
  ).body
  return { clientId, token }
}

describe('POST /v1/credential-claims', () => {
  it('[POST /v1/credential-claims 1] accepts the claim_token, a string, and nothing else', async () => {
    const { token } = await unclaimed('claims1@example.com')
    for (const body of [{}, { claim_token: 1 }, { claim_token: [token] }, { claim_token: token, client_id: 'x' }]) {
      const refused = await service.post('/v1/credential-claims', body, { tenant: null })
      expect(refused.body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
    }
    expect((await claim(token)).status).toBe(200)
  })

  it(`[POST /v1/credential-claims 2] [Credential claim result: client_id] [Credential claim result: client_secret] [Credential claim result: token_url] [Credential claim result: audience] [Credential claim result: grant_type] returns everything that minting a token needs`, async () => {
    const { clientId, token } = await unclaimed('claims2@example.com')
    const { status, body } = await claim(token)
    expect(status).toBe(200)
    expect(body).toEqual({
      client_id: clientId,
      client_secret: expect.stringMatching(/^.{32,}$/),
      token_url: `${service.baseUrl}/oauth/token`,
      audience: service.baseUrl,
      grant_type: 'client_credentials',
    })
    const { token_url: tokenUrl, ...request } = body
    expect((await service.post(tokenUrl, request, { tenant: null })).body.access_token).toMatch(/^ey/)
  })

  it('[States and transitions 5] [Credential claim result: client_secret] returns the secret once: the token cannot be reused', async () => {
    const { token } = await unclaimed('claims3@example.com')
    expect((await claim(token)).body).toHaveProperty('client_secret')
    const again = await claim(token)
    expect(again.status).toBe(400)
    expect(again.text).not.toContain('secret')
  })
})

describe('POST /v1/credential-rotations', () => {
  const rotate = async (bearer: string, key?: string) =>
    await service.post('/v1/credential-rotations', undefined, { bearer, ...(key !== undefined && { key }) })

  it('[POST /v1/credential-rotations 1] gives a one-time claim token for a new secret', async () => {
    const client = await service.newClient()
    const rotated = await rotate(client.bearer)
    expect(rotated.status).toBe(200)
    const claimed = await claim(rotated.body.credential_claim_token)
    expect(claimed.body).toMatchObject({ client_id: client.clientId, grant_type: 'client_credentials' })
    expect(claimed.body.client_secret).not.toBe(client.secret)
    expect((await claim(rotated.body.credential_claim_token)).status).toBe(400)
    expect((await service.mint(client.clientId, claimed.body.client_secret)).status).toBe(200)
    expect((await service.mint(client.clientId, client.secret)).status).toBe(401)
  })

  it('[POST /v1/credential-rotations 1] requires a bearer token', async () => {
    expect((await service.post('/v1/credential-rotations', undefined, { tenant: null })).status).toBe(401)
  })

  it.each([
    ['no body', undefined, {}],
    ['no body though it names its type', undefined, { 'content-type': 'application/json' }],
    ['an empty object', {}, {}],
  ])('[POST /v1/credential-rotations 1] needs nothing in its body: %s', async (_name, body, headers) => {
    const { bearer } = await service.newClient()
    const reply = await service.post('/v1/credential-rotations', body, {
      bearer,
      headers: headers as Record<string, string>,
    })
    expect(reply.status).toBe(200)
  })

  it('[POST /v1/credential-rotations 2] with the same key gives the same token without rotating again', async () => {
    const { bearer } = await service.newClient()
    const first = await rotate(bearer, 'k')
    const second = await rotate(bearer, 'k')
    expect(second.body.credential_claim_token).toBe(first.body.credential_claim_token)
    expect((await rotate(bearer, 'l')).body.credential_claim_token).not.toBe(first.body.credential_claim_token)
  })

  it('[POST /v1/credential-rotations 3] [Limits: Credential rotations] answers 200 three times in 24 hours per client, then 429', async () => {
    const { bearer } = await service.newClient()
    const other = await service.newClient()
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await rotate(bearer)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await rotate(other.bearer)).status).toBe(200)
    service.clock.aheadMs += 24 * HOUR_MS - 60_000
    expect((await rotate(bearer)).body).toMatchObject({ status: 429, code: 'svc_rate_limited' })
  })

  it('[POST /v1/credential-rotations 3] answers 200 again when 24 hours have passed', async () => {
    const client = await service.newClient()
    for (let i = 0; i < 3; i++) await rotate(client.bearer)
    service.clock.aheadMs += 24 * HOUR_MS
    const { body } = await service.mint(client.clientId, client.secret)
    expect((await rotate(body.access_token)).status).toBe(200)
  })
})
