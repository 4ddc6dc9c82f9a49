import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

const HOUR_MS = 3_600_000
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

let store: TestStore
let service: TestService
let counter = 0

interface Client {
  readonly requestId: string
  readonly clientId: string
  readonly secret: string
  readonly bearer: string
}

let client: Client

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
})
beforeEach(async () => {
  service.clock.nowMs = Date.now()
  client = await newClient()
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

/** A client with its first secret and a bearer token; in the named tenant, otherwise in one of its own. */
async function newClient(tenantId?: string): Promise<Client> {
  const signup = { company_name: 'Roast & Co', contact_email: `person${++counter}@example.com` }
  const requestId: string = (await service.post('/v1/signup', signup)).body.request_id
  const approval = tenantId === undefined ? undefined : { tenant_id: tenantId }
  await service.post(`/operator/v1/signups/${requestId}/approve`, approval, operator)
  const claimed = await claim((await service.get(`/v1/signup/${requestId}`)).body.credential_claim_token)
  const { client_id: clientId, client_secret: secret } = claimed.body
  return { requestId, clientId, secret, bearer: (await mint(clientId, secret)).body.access_token }
}

const claim = (token: string) => service.post('/v1/credential-claims', { claim_token: token })
const mint = (clientId: string, secret: string) =>
  service.post('/oauth/token', {
    client_id: clientId,
    client_secret: secret,
    audience: service.baseUrl,
    grant_type: 'client_credentials',
  })
const rotate = (key?: string, bearer = client.bearer, body?: unknown) =>
  service.post('/v1/credential-rotations', body, {
    authorization: `Bearer ${bearer}`,
    ...(key !== undefined && { 'idempotency-key': key }),
  })
const tokenOf = (answer: Answer): string => answer.body.credential_claim_token
const rotationsOf = async (clientId = client.clientId) =>
  (await store.db.query('select 1 from credential_rotations where client_id = $1', [clientId])).length

describe('a rotation', () => {
  it('gives a claim token for seven days, in an answer that caches may not store', async () => {
    const answer = await rotate()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      credential_claim_token: expect.stringMatching(/^clm_[A-Za-z0-9_-]{43}$/),
      expires_at: new Date(service.clock.nowMs + 7 * 24 * HOUR_MS).toISOString(),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })

  it('keeps the old secret valid until the new one is claimed; then only the new one mints tokens', async () => {
    const token = tokenOf(await rotate())
    expect((await mint(client.clientId, client.secret)).status).toBe(200)
    const claimed = await claim(token)
    expect(claimed.body).toEqual({
      client_id: client.clientId,
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_url: `${service.baseUrl}/oauth/token`,
      audience: service.baseUrl,
      grant_type: 'client_credentials',
    })
    expect((await mint(client.clientId, client.secret)).body.error).toBe('invalid_client')
    expect((await mint(client.clientId, claimed.body.client_secret)).status).toBe(200)
  })

  it('leaves bearer tokens valid to their expiry', async () => {
    await claim(tokenOf(await rotate()))
    service.clock.nowMs += 24 * HOUR_MS - 5000
    expect((await service.get('/v1/datasets', { authorization: `Bearer ${client.bearer}` })).status).toBe(200)
    service.clock.nowMs += 5000
    expect((await service.get('/v1/datasets', { authorization: `Bearer ${client.bearer}` })).status).toBe(401)
  })

  it('gives a token that can be claimed once, even by simultaneous claims', async () => {
    const token = tokenOf(await rotate())
    const answers = await Promise.all(Array.from({ length: 6 }, () => claim(token)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  })

  it('returns a token that expires after seven days; the old secret stays valid', async () => {
    const token = tokenOf(await rotate())
    service.clock.nowMs += 7 * 24 * HOUR_MS
    expect((await claim(token)).body.code).toBe('svc_invalid_claim')
    expect((await mint(client.clientId, client.secret)).status).toBe(200)
  })

  it('invalidates older claim tokens that are not claimed', async () => {
    const older = tokenOf(await rotate('older'))
    const newer = tokenOf(await rotate('newer'))
    expect((await claim(older)).body).toMatchObject({ status: 400, code: 'svc_invalid_claim' })
    expect((await mint(client.clientId, client.secret)).status).toBe(200)
    expect((await claim(newer)).status).toBe(200)
  })

  it('at the same moment as a claim of an older token ends with one valid secret', async () => {
    const older = tokenOf(await rotate())
    const [claimed, rotated] = await Promise.all([claim(older), rotate()])
    const secret = claimed.status === 200 ? claimed.body.client_secret : client.secret
    expect((await mint(client.clientId, secret)).status).toBe(200)
    expect((await claim(tokenOf(rotated))).status).toBe(200)
    expect((await mint(client.clientId, secret)).status).toBe(401)
  })

  it('does not show its claim token in the signup status, and a repeated signup makes none', async () => {
    await rotate()
    const shown = { request_id: client.requestId, status: 'approved', client_id: client.clientId }
    expect((await service.get(`/v1/signup/${client.requestId}`)).body).toEqual(shown)
    await service.post('/v1/signup', { company_name: 'Roast & Co', contact_email: `person${counter}@example.com` })
    expect((await service.get(`/v1/signup/${client.requestId}`)).body).toEqual(shown)
  })

  it('leaves no claim token and no secret in clear text in the database', async () => {
    const token = tokenOf(await rotate('stored'))
    const secret: string = (await claim(token)).body.client_secret
    const tables = ['credential_rotations', 'claim_tokens', 'clients']
    const rows = await Promise.all(tables.map((table) => store.db.query(`select * from ${table}`)))
    const text = JSON.stringify(rows)
    expect(text).toContain(client.clientId)
    for (const clear of [token, token.slice(4), secret]) expect(text).not.toContain(clear)
  })

  it('accepts an empty object as its body', async () => {
    expect((await rotate(undefined, client.bearer, {})).status).toBe(200)
  })

  it.each([
    [{ client_id: 'cli_other' }, 'client_id'],
    [[], 'body'],
    ['text', 'body'],
    [null, 'body'],
  ])('is 400 with the body %j and rotates nothing', async (body, field) => {
    const answer = await rotate(undefined, client.bearer, typeof body === 'string' ? JSON.stringify(body) : body)
    expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field', errors: [{ field }] })
    expect(await rotationsOf()).toBe(0)
  })

  it('is 401 without a bearer token, and with one of a client that does not exist', async () => {
    const without = await service.post('/v1/credential-rotations')
    const unknown = await rotate(undefined, await service.token())
    const foreign = await rotate(undefined, await service.token({ clientId: client.clientId, tenantId: 'ten_other' }))
    const uniform = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'Invalid credentials.' }
    for (const answer of [without, unknown, foreign]) {
      expect(answer.body).toEqual({ ...uniform, request_id: answer.headers.get('x-request-id') })
    }
    expect(await rotationsOf()).toBe(0)
  })
})

describe('a rotation with an Idempotency-Key', () => {
  it('repeated gives the same claim token without rotating again', async () => {
    const first = await rotate('k')
    service.clock.nowMs += HOUR_MS
    const again = await rotate('k')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await rotationsOf()).toBe(1)
    expect((await claim(tokenOf(first))).status).toBe(200)
  })

  it('repeated after the claim gives the same token, which is used up', async () => {
    const first = await rotate('k')
    const secret = (await claim(tokenOf(first))).body.client_secret
    expect((await rotate('k')).body).toEqual(first.body)
    expect((await claim(tokenOf(first))).body.code).toBe('svc_invalid_claim')
    expect((await mint(client.clientId, secret)).status).toBe(200)
  })

  it('repeated after a newer rotation gives its own token and leaves the newer one good', async () => {
    const older = await rotate('older')
    const newer = await rotate('newer')
    expect((await rotate('older')).body).toEqual(older.body)
    expect((await claim(tokenOf(newer))).status).toBe(200)
  })

  it('repeated while in flight rotates once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate('k')))
    expect(new Set(answers.map((answer) => `${answer.status} ${tokenOf(answer)}`)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await rotationsOf()).toBe(1)
  })

  it('of another client, even of the same tenant, is a rotation of its own', async () => {
    const [row] = await store.db.query<{ tenant_id: string }>('select tenant_id from clients where client_id = $1', [
      client.clientId,
    ])
    const colleague = await newClient(row?.tenant_id)
    const [mine, theirs] = [await rotate('k'), await rotate('k', colleague.bearer)]
    expect(tokenOf(theirs)).not.toBe(tokenOf(mine))
    expect((await claim(tokenOf(theirs))).body.client_id).toBe(colleague.clientId)
  })

  it.each(['', 'a b', 'é', 'x'.repeat(129), 'a,b'])('in the form %j is 400 and rotates nothing', async (key) => {
    const answer = await rotate(key)
    expect(answer.body).toMatchObject({ code: 'svc_invalid_field', errors: [{ field: 'Idempotency-Key' }] })
    expect(await rotationsOf()).toBe(0)
  })
})

describe('the limit of rotations', () => {
  it('answers the fourth in 24 hours with 429 and Retry-After', async () => {
    for (const key of ['a', 'b', 'c']) {
      expect((await rotate(key)).status).toBe(200)
      service.clock.nowMs += HOUR_MS
    }
    const fourth = await rotate('d')
    expect(fourth.body).toMatchObject({ status: 429, code: 'svc_rate_limited' })
    expect(fourth.headers.get('retry-after')).toBe(String(21 * 3600))
  })

  it('does not count replays, and answers them beyond it', async () => {
    const answers = [await rotate('a'), await rotate('a'), await rotate('a'), await rotate('b'), await rotate('c')]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect((await rotate('d')).status).toBe(429)
    expect((await rotate('a')).body).toEqual(answers[0]?.body)
  })

  it('does not use up the key of a refused rotation, and invalidates no claim token', async () => {
    const answers = [await rotate('a'), await rotate('b'), await rotate('c')]
    expect((await rotate('d')).status).toBe(429)
    expect((await claim(tokenOf(answers[2] as Answer))).status).toBe(200)
    service.clock.nowMs += 24 * HOUR_MS
    const fresh = (await mint(client.clientId, client.secret)).status
    expect(fresh).toBe(401)
    const later = await rotate('d', await service.token(await identityOf()))
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  it('holds for rotations at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => rotate(`k${i}`)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
    const claims = await Promise.all(answers.filter(({ status }) => status === 200).map((one) => claim(tokenOf(one))))
    expect(claims.map((answer) => answer.status).sort()).toEqual([200, 400, 400])
  })

  it('counts per client', async () => {
    for (const key of ['a', 'b', 'c']) await rotate(key)
    expect((await rotate('d', (await newClient()).bearer)).status).toBe(200)
  })
})

async function identityOf() {
  const [row] = await store.db.query<{ tenant_id: string }>('select tenant_id from clients where client_id = $1', [
    client.clientId,
  ])
  return { clientId: client.clientId, tenantId: row?.tenant_id ?? '' }
}
