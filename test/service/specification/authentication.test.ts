import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { type ApprovedClient, startWholeService, type WholeService } from './whole-service.ts'

const HOUR_MS = 60 * 60_000

let service: WholeService
let client: ApprovedClient
beforeAll(async () => {
  service = await startWholeService({ work: false })
  client = await service.newClient()
})
afterAll(async () => {
  await service?.close()
})

describe('Authentication', () => {
  it('[Authentication 1] a JSON POST of id, secret, audience and grant type mints a JWT', async () => {
    const minted = await service.mint(client.clientId, client.secret)
    expect(minted.status).toBe(200)
    expect(minted.body.access_token.split('.')).toHaveLength(3)
    const claims = JSON.parse(Buffer.from(minted.body.access_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ aud: service.baseUrl, sub: client.clientId })
  })

  it.each([
    ['client_id', 'cli_unknown', 401],
    ['client_secret', 'wrong', 401],
    ['audience', 'https://elsewhere.example', 400],
    ['grant_type', 'password', 400],
  ])('[Authentication 1] no token is minted with another %s', async (field, value, status) => {
    const request = {
      client_id: client.clientId,
      client_secret: client.secret,
      audience: service.baseUrl,
      grant_type: 'client_credentials',
    }
    const reply = await service.post('/oauth/token', { ...request, [field]: value }, { tenant: null })
    expect(reply.status).toBe(status)
    expect(reply.body).not.toHaveProperty('access_token')
  })

  it('[Authentication 2] the header carries the token, not the secret', async () => {
    expect((await service.get('/v1/datasets', { bearer: client.bearer })).status).toBe(200)
    expect((await service.get('/v1/datasets', { bearer: client.secret })).status).toBe(401)
  })

  it('[Authentication 2] [Limits: Bearer token validity] a token is valid for 24 hours', async () => {
    const { access_token: bearer, expires_in: seconds } = (await service.mint(client.clientId, client.secret)).body
    expect(seconds).toBe(24 * 3600)
    service.clock.aheadMs += 24 * HOUR_MS - 60_000
    expect((await service.get('/v1/datasets', { bearer })).status).toBe(200)
    service.clock.aheadMs += 60_000
    expect((await service.get('/v1/datasets', { bearer })).status).toBe(401)
    client = { ...client, bearer: (await service.mint(client.clientId, client.secret)).body.access_token }
  })

  const PUBLIC = ['POST /v1/signup', 'GET /v1/signup/{request_id}', 'POST /v1/credential-claims']

  it.each(OPERATIONS.filter(({ path }) => path.startsWith('/v1/')).map(({ method, path }) => `${method} ${path}`))(
    '[Authentication 3] [Endpoints] %s requires a bearer token unless access begins there',
    async (operation) => {
      const [method = '', path = ''] = operation.split(' ')
      const reply = await service.call(method, path.replace(/\{[^}]+\}/g, 'x'), { tenant: null })
      expect(reply.status === 401).toBe(!PUBLIC.includes(operation))
    },
  )

  it('[Authentication 3] a path that does not exist requires one too', async () => {
    expect((await service.get('/v1/nowhere', { tenant: null })).status).toBe(401)
  })

  const key = () => service.context.keys.signing
  const forged = async (claims: object, signWith = key().privateKey) => {
    const nowS = Math.floor(service.context.now() / 1000)
    const all = {
      iss: service.baseUrl,
      aud: service.baseUrl,
      sub: 'cli_x',
      tenant_id: 'ten_A',
      jti: 'j',
      exp: nowS + 60,
    }
    return await new SignJWT({ ...all, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key().keyId })
      .sign(signWith)
  }

  it('[Authentication 5] [POST /v1/datasets: 401] [Errors: 401 (none)] [Problem record: type] missing, malformed, expired, wrong-audience and wrong-tenant tokens cannot be told apart', async () => {
    expect((await service.get('/v1/datasets', { bearer: await forged({}) })).status).toBe(200)
    const revoked = await service.newClient()
    await service.operator(`/clients/${revoked.clientId}/revoke-tokens`, {})
    const bad: Record<string, Record<string, string>> = {
      missing: {},
      malformed: { authorization: 'Bearer abc' },
      'another scheme': { authorization: `Basic ${client.bearer}` },
      expired: { authorization: `Bearer ${await forged({ exp: Math.floor(service.context.now() / 1000) - 1 })}` },
      'wrong audience': { authorization: `Bearer ${await forged({ aud: 'https://elsewhere.example' })}` },
      'wrong issuer': { authorization: `Bearer ${await forged({ iss: 'https://elsewhere.example' })}` },
      'no tenant': { authorization: `Bearer ${await forged({ tenant_id: undefined })}` },
      revoked: { authorization: `Bearer ${revoked.bearer}` },
      'the operator': { authorization: 'Bearer operator-token-for-tests' },
    }
    for (const [name, headers] of Object.entries(bad)) {
      for (const [method, path] of [
        ['GET', '/v1/datasets'],
        ['POST', '/v1/datasets'],
        ['GET', '/v1/datasets/ds_x'],
        ['POST', '/v1/datasets/ds_x/generations'],
        ['GET', '/v1/jobs/job_x'],
      ] as const) {
        const reply = await service.call(method, path, { tenant: null, headers })
        const requestId = reply.headers.get('x-request-id')
        expect([name, reply.status, reply.text]).toEqual([
          name,
          401,
          `{"type":"about:blank","title":"Unauthorized","status":401,"detail":"Invalid credentials.","request_id":"${requestId}"}`,
        ])
        expect(reply.headers.get('content-type')).toBe('application/problem+json')
      }
    }
  })

  it('[Authentication 5] a token of a tenant that does not exist is refused like any bad token', async () => {
    const bearer = await forged({ tenant_id: 'ten_gone' })
    const reply = await service.post('/v1/credential-rotations', undefined, { bearer })
    expect(reply.body).toMatchObject({ status: 401, detail: 'Invalid credentials.' })
  })
})
