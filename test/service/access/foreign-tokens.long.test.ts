import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Settings } from '../../../src/service/settings/settings.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'
import { type ForeignProvider, startForeignProvider } from './foreign-provider.ts'

const TENANT = 'ten_foreign'
const OTHER = 'ten_other'
const UNAUTHORIZED = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'Invalid credentials.' }

let store: TestStore
let provider: ForeignProvider
let service: TestService
let opened = 0

beforeAll(async () => {
  store = await openTestStore()
  for (const tenant of [TENANT, OTHER]) {
    await store.db.query('insert into tenants (tenant_id, name, created_at) values ($1, $1, now())', [tenant])
  }
})
afterAll(async () => {
  await store?.close()
})
// Each test has a provider and a service of its own: keys are kept for minutes.
beforeEach(async () => {
  provider = await startForeignProvider()
  service = await start()
  return async () => {
    await service.close()
    await provider.shut()
  }
})

async function start(settings: Partial<Settings> = {}): Promise<TestService> {
  opened++
  return await startTestService(store, {
    settings: {
      identityProvider: {
        issuer: provider.issuer,
        audience: 'whatif-tests',
        jwksUrl: provider.jwksUrl,
        algorithms: ['RS256', 'ES256'],
        tenantClaim: 'org',
      },
      ...settings,
    },
    extend: (app) => {
      app.get('/v1/test/who', async (request) => request.identity)
    },
  })
}

const seconds = () => Math.floor(service.clock.nowMs / 1000)
const claims = (change: Record<string, unknown> = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: 'whatif-tests',
  sub: `service-account-${opened}`,
  iat: seconds(),
  exp: seconds() + 3600,
  org: TENANT,
  ...change,
})
const who = (token: string, from = service) => from.get('/v1/test/who', { authorization: `Bearer ${token}` })

async function expectRefused(token: string): Promise<void> {
  const { status, headers, body } = await who(token)
  expect({ status, body }).toEqual({ status: 401, body: { ...UNAUTHORIZED, request_id: headers.get('x-request-id') } })
}

describe('a token of a foreign identity provider', () => {
  it('opens the protected routes for its client and tenant', async () => {
    const answer = await who(await provider.token(claims()))
    expect(answer.body).toEqual({ clientId: `service-account-${opened}`, tenantId: TENANT })
    expect((await who(await provider.token(claims({ aud: ['x', 'whatif-tests'] })))).status).toBe(200)
  })

  it.each([
    ['client_id', { client_id: 'a', azp: 'b', sub: 'c' }, 'a'],
    ['azp', { azp: 'b', sub: 'c' }, 'b'],
    ['sub', { sub: 'c' }, 'c'],
  ])('names its client by %s', async (_name, change, clientId) => {
    expect((await who(await provider.token(claims(change)))).body).toEqual({ clientId, tenantId: TENANT })
  })

  it.each<[string, (token: ForeignProvider) => Promise<string>]>([
    ['another issuer', (p) => p.token(claims({ iss: 'https://elsewhere.example/' }))],
    ['an issuer without its slash', (p) => p.token(claims({ iss: p.issuer.slice(0, -1) }))],
    ['another audience', (p) => p.token(claims({ aud: 'another' }))],
    ['no audience', (p) => p.token(claims({ aud: undefined }))],
    ['an end that has passed', (p) => p.token(claims({ exp: seconds() - 31 }))],
    ['no end', (p) => p.token(claims({ exp: undefined }))],
    ['no time of issue', (p) => p.token(claims({ iat: undefined }))],
    ['a beginning to come', (p) => p.token(claims({ nbf: seconds() + 31 }))],
    ['no tenant', (p) => p.token(claims({ org: undefined }))],
    ['a tenant that is a list', (p) => p.token(claims({ org: [TENANT] }))],
    ['an unknown tenant', (p) => p.token(claims({ org: 'ten_unknown' }))],
    ['a tenant with a zero byte', (p) => p.token(claims({ org: `${TENANT}\u0000` }))],
    ['no client', (p) => p.token(claims({ sub: undefined }))],
    ['a client with a line feed', (p) => p.token(claims({ sub: 'a\nb' }))],
    ['a client of endless length', (p) => p.token(claims({ sub: 'a'.repeat(256) }))],
    ['a key that the provider does not publish', (p) => p.token(claims(), { kid: 'key-0' })],
    ['a changed payload', async (p) => tampered(await p.token(claims()))],
    ['no signature', async (p) => unsigned(await p.token(claims()))],
    ['an HMAC by the public key', async (p) => confused(await p.publicPem())],
    ['our own signature', () => service.token({ tenantId: TENANT, clientId: 'cli_x' })],
  ])('is refused with %s, by the same answer as any bad token', async (_name, make) => {
    await expectRefused(await make(provider))
  })

  it('is refused with an algorithm that is not accepted, though the provider publishes its key', async () => {
    await provider.rollOver('PS256')
    await expectRefused(await provider.token(claims()))
  })

  it('belongs to the tenant in the first accepted token of its client', async () => {
    expect((await who(await provider.token(claims({ sub: 'steady' })))).status).toBe(200)
    await expectRefused(await provider.token(claims({ sub: 'steady', org: OTHER })))
  })

  it('does not make the service ask the provider when it names another issuer', async () => {
    await expectRefused(await service.token())
    await expectRefused(await provider.token(claims({ iss: 'https://elsewhere.example/' })))
    expect(provider.asked).toBe(0)
  })

  it('is refused after the operator revoked the tokens of its client; newer tokens are accepted', async () => {
    const token = await provider.token(claims({ client_id: 'revoked-app' }))
    expect((await who(token)).status).toBe(200)
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const revoked = await service.post('/operator/v1/clients/revoked-app/revoke-tokens', undefined, operator)
    expect(revoked.status).toBe(200)
    await expectRefused(token)
    service.clock.nowMs += 1000
    expect((await who(await provider.token(claims({ client_id: 'revoked-app' })))).status).toBe(200)
  })

  it('counts against the rate of its client', async () => {
    const limited = await start({ rateLimits: true, clientRate: { perSecond: 1, burst: 2 } })
    try {
      limited.clock.nowMs = service.clock.nowMs
      const statuses = []
      for (const sub of ['busy', 'busy', 'busy', 'calm']) {
        statuses.push((await who(await provider.token(claims({ sub, iat: seconds() })), limited)).status)
      }
      expect(statuses).toEqual([200, 200, 429, 200])
    } finally {
      await limited.close()
    }
  })
})

describe('the keys of a foreign identity provider', () => {
  it('are fetched once, not with every token', async () => {
    for (let n = 0; n < 3; n++) expect((await who(await provider.token(claims({ sub: `c${n}` })))).status).toBe(200)
    expect(provider.asked).toBe(1)
  })

  it('are fetched again for an unknown key, and the withdrawn key is no longer accepted', async () => {
    // The pause between two requests follows this clock, which is stopped.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const old = await provider.token(claims({ sub: 'before' }))
      expect((await who(old)).status).toBe(200)
      await provider.rollOver('ES256')
      const young = await provider.token(claims({ sub: 'after' }))
      // A client that sends tokens with unknown keys does not cause more requests.
      await expectRefused(young)
      expect(provider.asked).toBe(1)
      vi.setSystemTime(Date.now() + 5_000)
      expect((await who(young)).status).toBe(200)
      expect(provider.asked).toBe(2)
      expect((await who(old)).status).toBe(200)
      service.clock.nowMs += 5 * 60_000
      await expectRefused(old)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[string, (reply: ServerResponse) => void]>([
    ['500', (reply) => reply.writeHead(500).end('{}')],
    ['a redirect', (reply) => reply.writeHead(302, { location: '/elsewhere' }).end()],
    ['a page instead of JSON', (reply) => reply.end('<html>')],
    ['JSON that is no key set', (reply) => reply.end('{"keys": 7}')],
    ['more than anybody would publish', (reply) => reply.end(JSON.stringify({ keys: [], pad: 'x'.repeat(300_000) }))],
    [
      'half of an answer',
      (reply) => reply.writeHead(200, { 'content-length': '100' }).write('{', () => reply.destroy()),
    ],
  ])('that come as %s are answered with 503, not as a bad token', async (_name, answer) => {
    provider.answer = answer
    const token = await provider.token(claims())
    const refused = await who(token)
    expect(refused).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    // A client cannot cause another request immediately.
    expect((await who(token)).status).toBe(503)
    expect(provider.asked).toBe(1)
    provider.answer = null
    service.clock.nowMs += 5_000
    expect((await who(token)).status).toBe(200)
  })

  it('still verify known tokens and keys while the provider is down; others get 503', async () => {
    const token = await provider.token(claims())
    expect((await who(token)).status).toBe(200)
    await provider.shut()
    expect((await who(token)).status).toBe(200)
    expect((await who(await provider.token(claims({ sub: 'another' })))).status).toBe(200)
    await expectRefused(await provider.token(claims({ iss: 'https://elsewhere.example/' })))

    const next = await start()
    try {
      expect((await who(token, next)).status).toBe(503)
      await provider.open()
      next.clock.nowMs += 5_000
      expect((await who(token, next)).status).toBe(200)
    } finally {
      await next.close()
    }
  })
})

describe('a service with a foreign identity provider', () => {
  it.each([
    ['POST', '/oauth/token'],
    ['POST', '/v1/credential-claims'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ])('answers %s %s with 503 and the reason', async (method, path) => {
    const answer = method === 'POST' ? await service.post(path, {}) : await service.get(path)
    expect(answer).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
    expect(answer.body.detail).toBe(
      `Credentials and tokens of this service come from the identity provider ${provider.issuer}; it issues none itself.`,
    )
    expect(answer.headers.get('retry-after')).toBe('3600')
  })

  it('rotates no secret', async () => {
    const authorization = `Bearer ${await provider.token(claims())}`
    const answer = await service.post('/v1/credential-rotations', undefined, { authorization })
    expect(answer).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } })
    expect((await service.post('/v1/credential-rotations')).status).toBe(401)
  })

  it('does not say where tokens are minted', async () => {
    expect((await service.get('/', { accept: 'application/json' })).body).not.toHaveProperty('token_url')
  })
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tampered(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), org: OTHER }
  return [header, encode(changed), signature].join('.')
}

function unsigned(token: string): string {
  return `${encode({ alg: 'none' })}.${token.split('.')[1]}.`
}

/** RFC 8725, 2.1: the attacker takes the public key for a shared secret. */
function confused(publicPem: string): string {
  const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(claims())}`
  return `${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`
}
