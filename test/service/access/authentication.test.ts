import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CONTENT_TYPE } from '../../../src/contract/problem.ts'
import {
  ask,
  OPERATOR_TOKEN,
  openTestStore,
  sendRaw,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

let store: TestStore
let service: TestService

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store, {
    extend: (app) => {
      app.get('/v1/test/who', async (request) => request.identity)
      app.post('/v1/test/body', async (request) => ({ body: request.body ?? null }))
    },
  })
})

afterAll(async () => {
  await service?.close()
  await store?.close()
})

const HOUR_MS = 3_600_000
const who = (authorization?: string) =>
  service.get('/v1/test/who', authorization === undefined ? {} : { authorization })

/** A token like ours but for what `change` does to it. */
async function forge(change: {
  readonly claims?: Record<string, unknown>
  readonly algorithm?: string
  readonly key?: Parameters<SignJWT['sign']>[0]
}): Promise<string> {
  const nowS = Math.floor(service.clock.nowMs / 1000)
  const claims = {
    iss: service.baseUrl,
    aud: service.baseUrl,
    sub: 'cli_test',
    tenant_id: 'ten_test',
    jti: 'x',
    iat: nowS,
    exp: nowS + 3600,
    ...change.claims,
  }
  const algorithm = change.algorithm ?? 'ES256'
  if (algorithm === 'none') return new UnsecuredJWT(claims).encode()
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: service.context.keys.signing.keyId })
    .sign(change.key ?? service.context.keys.signing.privateKey)
}

describe('a bearer token', () => {
  it('names tenant and client', async () => {
    const token = await service.token({ tenantId: 'ten_a', clientId: 'cli_b' })
    expect((await who(`Bearer ${token}`)).body).toEqual({ tenantId: 'ten_a', clientId: 'cli_b' })
  })

  it('is accepted in the form from which the refused ones below are made', async () => {
    expect((await who(`Bearer ${await forge({})}`)).status).toBe(200)
  })

  it('may follow the scheme in any letter case', async () => {
    expect((await who(`bearer  ${await service.token()}`)).status).toBe(200)
  })

  it('is valid for exactly 24 hours, whether or not the service has cached it', async () => {
    const own = await startTestService(store, {
      extend: (app) => {
        app.get('/v1/test/who', async (request) => request.identity)
      },
    })
    try {
      own.clock.nowMs = Math.ceil(Date.now() / 1000) * 1000
      const authorization = `Bearer ${await own.token()}`
      const early = await own.get('/v1/test/who', { authorization })
      own.clock.nowMs += 24 * HOUR_MS - 1
      const late = await own.get('/v1/test/who', { authorization })
      own.clock.nowMs += 1
      const tooLate = await own.get('/v1/test/who', { authorization })
      const again = await own.get('/v1/test/who', { authorization })
      expect([early, late, tooLate, again].map((answer) => answer.status)).toEqual([200, 200, 401, 401])
    } finally {
      await own.close()
    }
  })

  it('of one service is refused by another one with the same keys', async () => {
    const other = await startTestService(store)
    try {
      expect((await who(`Bearer ${await other.token()}`)).status).toBe(401)
    } finally {
      await other.close()
    }
  })
})

describe('a failed authentication', () => {
  const publicPem = () => service.context.keys.signing.publicKey.export({ type: 'spki', format: 'pem' }) as string
  const strangerKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  const CASES: [string, () => Promise<string | undefined> | string | undefined][] = [
    ['no token', () => undefined],
    ['an empty header', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['another scheme', async () => `Basic ${await service.token()}`],
    ['two tokens', async () => `Bearer ${await service.token()} ${await service.token()}`],
    ['no JWT', () => 'Bearer abc'],
    ['a very long token', () => `Bearer ${'a'.repeat(9000)}`],
    ['alg none', async () => `Bearer ${await forge({ algorithm: 'none' })}`],
    [
      'HS256 with the public key as its secret',
      async () => `Bearer ${await forge({ algorithm: 'HS256', key: new TextEncoder().encode(publicPem()) })}`,
    ],
    [
      'HS256 made by hand with the published coordinates',
      () => {
        const { publicJwk, keyId } = service.context.keys.signing
        const nowS = Math.floor(Date.now() / 1000)
        const head = encode({ alg: 'HS256', kid: keyId })
        const claims = {
          iss: service.baseUrl,
          aud: service.baseUrl,
          sub: 'c',
          tenant_id: 't',
          jti: 'j',
          exp: nowS + 60,
        }
        const signed = `${head}.${encode(claims)}`
        const secret = Buffer.from(publicJwk.x as string, 'base64url')
        return `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
      },
    ],
    ['the key of a stranger', async () => `Bearer ${await forge({ key: strangerKey })}`],
    ['a wrong issuer', async () => `Bearer ${await forge({ claims: { iss: 'https://elsewhere.example' } })}`],
    ['a wrong audience', async () => `Bearer ${await forge({ claims: { aud: 'https://elsewhere.example' } })}`],
    ['no audience', async () => `Bearer ${await forge({ claims: { aud: undefined } })}`],
    [
      'an expired token',
      async () => `Bearer ${await forge({ claims: { exp: Math.floor(service.clock.nowMs / 1000) - 10 } })}`,
    ],
    ['no expiry', async () => `Bearer ${await forge({ claims: { exp: undefined } })}`],
    ['no tenant', async () => `Bearer ${await forge({ claims: { tenant_id: undefined } })}`],
    ['a tenant that is no string', async () => `Bearer ${await forge({ claims: { tenant_id: ['ten_test'] } })}`],
    ['no subject', async () => `Bearer ${await forge({ claims: { sub: undefined } })}`],
    [
      'changed claims',
      async () => {
        const [head, , signature] = (await service.token()).split('.')
        return `Bearer ${head}.${encode({ iss: service.baseUrl, aud: service.baseUrl, sub: 'other' })}.${signature}`
      },
    ],
    [
      'a changed signature',
      async () => {
        const token = await service.token()
        const middle = token.length - 40
        return `Bearer ${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`
      },
    ],
    ['no signature', async () => `Bearer ${(await service.token()).replace(/[^.]*$/, '')}`],
    ['the operator token', () => `Bearer ${OPERATOR_TOKEN}`],
  ]

  it.each(CASES)('for %s is 401 with the same bytes', async (_name, make) => {
    const answer = await who(await make())
    const requestId = answer.headers.get('x-request-id')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('content-type')).toBe(PROBLEM_CONTENT_TYPE)
    expect(answer.text).toBe(
      `{"type":"about:blank","title":"Unauthorized","status":401,"detail":"Invalid credentials.","request_id":"${requestId}"}`,
    )
  })
})

describe('authentication comes first', () => {
  it.each([
    ['an unknown route', 'GET', '/v1/nowhere', {}],
    ['the root of /v1', 'GET', '/v1', {}],
    ['a wrong method', 'DELETE', '/v1/test/who', {}],
    ['a wrong content type', 'POST', '/v1/test/body', { 'content-type': 'text/plain' }],
    ['a bad body', 'POST', '/v1/test/body', { 'content-type': 'application/json' }],
  ])('before %s', async (_name, method, path, headers) => {
    const answer = await ask(`${service.baseUrl}${path}`, { method, headers, ...(method === 'POST' && { body: '{' }) })
    expect(answer.status).toBe(401)
  })

  it.each([
    '/%76%31/test/who',
    '/v%31/test/who',
    'http://elsewhere.example/v1/test/who',
    '/v1/test/who?x=/v2',
    '/v1/test/who#x',
  ])('and cannot be avoided by writing the path as %s', async (target) => {
    const reply = await sendRaw(service.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 401 /)
  })

  it.each(['/V1/test/who', '//v1/test/who', '/v1/test/who/', '/x/../v1/test/who'])(
    'and no other spelling of a path reaches the route (%s)',
    async (target) => {
      const reply = await sendRaw(service.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(reply).toMatch(/^HTTP\/1\.1 40[14] /)
    },
  )

  it('is not required by public routes, with any method', async () => {
    expect((await service.get('/v1/signup/req_unknown')).status).toBe(404)
    expect((await service.get('/v1/signup')).status).toBe(405)
  })

  it('then an unknown route is 404', async () => {
    const answer = await service.get('/v1/nowhere', { authorization: `Bearer ${await service.token()}` })
    expect(answer.status).toBe(404)
  })

  it('lets a large upload without a token read its 401', async () => {
    const answer = await ask(`${service.baseUrl}/v1/test/body`, {
      method: 'POST',
      body: new Uint8Array(8 * 1024 * 1024),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(401)
  })
})

describe('the operator token', () => {
  it.each(['/operator/v1/signups', '/operator/v1/nowhere', '/operator', '/%6fperator/v1/signups'])(
    'is required at %s',
    async (path) => {
      const answers = [
        await service.get(path),
        await service.get(path, { authorization: 'Bearer wrong' }),
        await service.get(path, { authorization: `Bearer ${await service.token()}` }),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401])
      expect(answers.map((answer) => answer.body.detail)).toEqual(Array(3).fill('Invalid credentials.'))
    },
  )

  it('opens the operator routes', async () => {
    const authorization = `Bearer ${OPERATOR_TOKEN}`
    expect((await service.get('/operator/v1/signups', { authorization })).status).toBe(200)
    expect((await service.get('/operator/v1/nowhere', { authorization })).status).toBe(404)
  })

  it('opens nothing where none is set: the operator routes do not exist', async () => {
    const closed = await startTestService(store, { settings: { operatorToken: null } })
    try {
      const authorization = `Bearer ${OPERATOR_TOKEN}`
      expect((await closed.get('/operator/v1/signups', { authorization })).status).toBe(404)
      expect((await closed.get('/operator/v1/signups')).status).toBe(404)
    } finally {
      await closed.close()
    }
  })
})
