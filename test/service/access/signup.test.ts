import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

const DAY_MS = 24 * 3_600_000
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

let store: TestStore
let service: TestService
let counter = 0
let email = ''

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
})
beforeEach(() => {
  email = `person${++counter}@example.com`
  service.clock.nowMs = Date.now()
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

const signup = (contactEmail = email, companyName = 'Roast & Co') =>
  service.post('/v1/signup', { company_name: companyName, contact_email: contactEmail })
const statusOf = async (requestId: string) => (await service.get(`/v1/signup/${requestId}`)).body
const decide = (requestId: string, decision: 'approve' | 'decline', body?: unknown) =>
  service.post(`/operator/v1/signups/${requestId}/${decision}`, body, operator)
const claim = (token: string) => service.post('/v1/credential-claims', { claim_token: token })

/** Signs up and is approved; returns the request id. */
async function approvedSignup(): Promise<string> {
  const requestId: string = (await signup()).body.request_id
  expect((await decide(requestId, 'approve')).status).toBe(200)
  return requestId
}

describe('signup', () => {
  it('with a new e-mail is 202 and pending', async () => {
    const answer = await signup()
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ request_id: expect.stringMatching(/^req_[A-Za-z0-9]{22}$/), status: 'pending' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await statusOf(answer.body.request_id)).toEqual({ request_id: answer.body.request_id, status: 'pending' })
  })

  it('with the same e-mail in other letter case and with white space around it is 200 with the same request', async () => {
    const first = await signup()
    const again = await signup(`  ${email.toUpperCase()}\t`, 'Another Name')
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  })

  it('with the same e-mail at the same moment makes one request', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => signup()))
    expect(new Set(answers.map((answer) => answer.body.request_id)).size).toBe(1)
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(11).fill(200), 202])
  })

  it('after an approval is 200 with the approved request and without a claim token', async () => {
    const requestId = await approvedSignup()
    const again = await signup()
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ request_id: requestId, status: 'approved' })
  })

  it('after a decline is a new pending request', async () => {
    const first = await signup()
    await decide(first.body.request_id, 'decline')
    const second = await signup()
    expect(second.status).toBe(202)
    expect(second.body.request_id).not.toBe(first.body.request_id)
    expect((await statusOf(first.body.request_id)).status).toBe('declined')
  })

  it.each([
    [{}, ['company_name', 'contact_email']],
    [{ company_name: ' ', contact_email: 'a@b.example' }, ['company_name']],
    [{ company_name: 'a\u0007b', contact_email: 'a@b.example' }, ['company_name']],
    [{ company_name: 'x'.repeat(201), contact_email: 'a@b.example' }, ['company_name']],
    [{ company_name: 7, contact_email: ['a@b.example'] }, ['company_name', 'contact_email']],
    [{ company_name: 'A', contact_email: 'a@b' }, ['contact_email']],
    [{ company_name: 'A', contact_email: 'a b@c.example' }, ['contact_email']],
    [{ company_name: 'A', contact_email: 'a@@c.example' }, ['contact_email']],
    [{ company_name: 'A', contact_email: '<a@c.example>' }, ['contact_email']],
    [{ company_name: 'A', contact_email: `${'a'.repeat(320)}@c.example` }, ['contact_email']],
    [{ company_name: 'A', contact_email: 'a@c.example', admin: true }, ['admin']],
    [[], ['body']],
    ['text', ['body']],
    [null, ['body']],
  ])('with the body %j is 400 and names %j', async (body, fields) => {
    const answer = await service.post('/v1/signup', body)
    expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(fields)
  })

  it('with a misspelt field gets the right spelling', async () => {
    const answer = await service.post('/v1/signup', { company_nmae: 'A', contact_email: 'a@b.example' })
    expect(answer.body.errors).toContainEqual({
      field: 'company_nmae',
      message: 'is not a known field',
      suggestion: 'company_name',
    })
  })

  it('without a body is 400', async () => {
    expect((await service.post('/v1/signup')).body.detail).toMatch(/request body is empty/)
  })
})

describe('the status of a signup', () => {
  it.each(['req_unknown', 'req_a-b', 'other', `req_${'a'.repeat(65)}`, 'req_%20', "req_'or'1"])(
    'of %s is 404',
    async (requestId) => {
      expect((await service.get(`/v1/signup/${requestId}`)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
    },
  )

  it('once approved shows client and claim token, every time the same', async () => {
    const requestId = await approvedSignup()
    const status = await statusOf(requestId)
    expect(status).toEqual({
      request_id: requestId,
      status: 'approved',
      client_id: expect.stringMatching(/^cli_[A-Za-z0-9]{22}$/),
      credential_claim_token: expect.stringMatching(/^clm_[A-Za-z0-9_-]{43}$/),
    })
    expect(await statusOf(requestId)).toEqual(status)
  })

  it('once claimed shows no claim token, and repeating the signup makes none', async () => {
    const requestId = await approvedSignup()
    const { client_id: clientId, credential_claim_token: token } = await statusOf(requestId)
    expect((await claim(token)).status).toBe(200)
    const afterClaim = { request_id: requestId, status: 'approved', client_id: clientId }
    expect(await statusOf(requestId)).toEqual(afterClaim)
    service.clock.nowMs += 8 * DAY_MS
    await signup()
    expect(await statusOf(requestId)).toEqual(afterClaim)
  })

  it('shows the claim token for seven days; then repeating the signup makes a new one', async () => {
    const requestId = await approvedSignup()
    const { credential_claim_token: first } = await statusOf(requestId)
    service.clock.nowMs += 7 * DAY_MS - 60_000
    await signup()
    expect((await statusOf(requestId)).credential_claim_token).toBe(first)
    service.clock.nowMs += 60_001
    expect((await statusOf(requestId)).credential_claim_token).toBeUndefined()
    expect((await claim(first)).body.code).toBe('svc_invalid_claim')

    const repeats = await Promise.all(Array.from({ length: 5 }, () => signup()))
    expect(repeats.map((answer) => answer.body.request_id)).toEqual(Array(5).fill(requestId))
    const { credential_claim_token: second, client_id: clientId } = await statusOf(requestId)
    expect(second).not.toBe(first)
    const tokens = await store.db.query('select 1 from claim_tokens where client_id = $1', [clientId])
    expect(tokens).toHaveLength(2)
    expect((await claim(second)).body.client_id).toBe(clientId)
  })
})

describe('the operator', () => {
  it('approves a signup, which gets a tenant of its own and a client', async () => {
    const requestId: string = (await signup()).body.request_id
    const answer = await decide(requestId, 'approve')
    expect(answer.body).toEqual({
      request_id: requestId,
      company_name: 'Roast & Co',
      contact_email: email,
      status: 'approved',
      client_id: expect.stringMatching(/^cli_/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const tenants = await store.db.query(
      'select t.name, t.request_row_cap, t.retention_hours from clients join tenants t using (tenant_id) where client_id = $1',
      [answer.body.client_id],
    )
    expect(tenants).toEqual([{ name: 'Roast & Co', request_row_cap: 1_000_000, retention_hours: 24 }])
  })

  it('approves into an existing tenant', async () => {
    const first = await decide((await signup()).body.request_id, 'approve')
    const tenantOf = async (clientId: string) =>
      (await store.db.query<{ tenant_id: string }>('select tenant_id from clients where client_id = $1', [clientId]))[0]
        ?.tenant_id
    const tenantId = await tenantOf(first.body.client_id)
    const second = await signup(`second-${email}`)
    const answer = await decide(second.body.request_id, 'approve', { tenant_id: tenantId })
    expect(await tenantOf(answer.body.client_id)).toBe(tenantId)
    expect(answer.body.client_id).not.toBe(first.body.client_id)
  })

  it('cannot approve into a tenant that does not exist', async () => {
    const requestId: string = (await signup()).body.request_id
    const answer = await decide(requestId, 'approve', { tenant_id: 'ten_unknown' })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'tenant_id', message: 'names no tenant' }] })
    expect((await statusOf(requestId)).status).toBe('pending')
  })

  it('may repeat a decision: nothing changes', async () => {
    const requestId: string = (await signup()).body.request_id
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(requestId, 'approve')))
    expect(new Set(answers.map((answer) => answer.body.client_id)).size).toBe(1)
    const clientId = answers[0]?.body.client_id
    expect(await store.db.query('select 1 from claim_tokens where client_id = $1', [clientId])).toHaveLength(1)
  })

  it.each([
    ['approve', 'decline'],
    ['decline', 'approve'],
  ] as const)('cannot %s and then %s', async (first, second) => {
    const requestId: string = (await signup()).body.request_id
    const before = (await decide(requestId, first)).body
    expect((await decide(requestId, second)).body).toMatchObject({ status: 400, errors: [{ field: 'request_id' }] })
    expect((await statusOf(requestId)).status).toBe(before.status)
  })

  it('gets 404 for a signup that does not exist', async () => {
    expect((await decide('req_unknown', 'approve')).body).toMatchObject({ status: 404 })
  })

  it.each([[{ tenant: 'x' }], [{ tenant_id: '' }], [[]]])('gets 400 for the body %j', async (body) => {
    const requestId: string = (await signup()).body.request_id
    expect((await decide(requestId, 'approve', body)).body).toMatchObject({ status: 400 })
    expect((await statusOf(requestId)).status).toBe('pending')
  })

  it('lists signups, newest first, page by page and by status', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      // The same moment for all: the request id breaks the tie.
      ids.push((await signup(`page${i}-${email}`)).body.request_id)
    }
    service.clock.nowMs += 1000
    const last = (await signup()).body.request_id
    await decide(last, 'decline')

    const declined = await service.get('/operator/v1/signups?status=declined&limit=1', operator)
    expect(declined.body.signups[0]).toMatchObject({ request_id: last, contact_email: email })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await service.get(
        `/operator/v1/signups?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
        operator,
      )
      expect(page.body.signups.length).toBeLessThanOrEqual(2)
      seen.push(...page.body.signups.map((entry: { request_id: string }) => entry.request_id))
      cursor = page.body.next_cursor
    } while (cursor !== null)
    expect(seen[0]).toBe(last)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength((await store.db.query('select 1 from signups')).length)
    expect(seen).toEqual(expect.arrayContaining(ids))
  })

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'status=open', 'cursor=a%20b', 'page=2', 'limit=1&limit=2'])(
    'gets 400 for the query %s',
    async (query) => {
      const answer = await service.get(`/operator/v1/signups?${query}`, operator)
      expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
      expect(answer.body.errors[0].field).toBe(query.split('=')[0])
    },
  )
})

describe('a claim', () => {
  it('returns the secret with everything that minting a token needs', async () => {
    const { client_id: clientId, credential_claim_token: token } = await statusOf(await approvedSignup())
    const answer = await claim(token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      client_id: clientId,
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_url: `${service.baseUrl}/oauth/token`,
      audience: service.baseUrl,
      grant_type: 'client_credentials',
    })
  })

  it('works once, even of many at the same moment', async () => {
    const { credential_claim_token: token } = await statusOf(await approvedSignup())
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(token)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(400)])
    expect((await claim(token)).status).toBe(400)
    const won = answers.find((answer) => answer.status === 200)?.body
    const minted = await service.post('/oauth/token', { ...won, grant_type: 'client_credentials' })
    expect(minted.status).toBe(200)
  })

  it('answers unknown, expired and used tokens alike', async () => {
    const used = (await statusOf(await approvedSignup())).credential_claim_token
    await claim(used)
    email = `expired-${email}`
    const expired = (await statusOf(await approvedSignup())).credential_claim_token
    service.clock.nowMs += 7 * DAY_MS
    const answers = await Promise.all([claim('clm_unknown'), claim(expired), claim(used)])
    const bodies = answers.map(({ body: { request_id: _id, ...rest } }) => rest)
    expect(bodies).toEqual(
      Array(3).fill({
        type: `${service.baseUrl}/errors/svc_invalid_claim`,
        title: 'Bad Request',
        status: 400,
        detail: 'The claim token is unknown, expired or already used.',
        code: 'svc_invalid_claim',
      }),
    )
  })

  it.each([[{}], [{ claim_token: '' }], [{ claim_token: 1 }], [{ claim_token: 'x'.repeat(513) }], [{ token: 'x' }]])(
    'with the body %j is 400 svc_invalid_field',
    async (body) => {
      expect((await service.post('/v1/credential-claims', body)).body).toMatchObject({ code: 'svc_invalid_field' })
    },
  )
})

describe('the stored records', () => {
  it('hold no secret, claim token or key in clear text', async () => {
    const requestId = await approvedSignup()
    const { credential_claim_token: token } = await statusOf(requestId)
    const tables = ['signups', 'tenants', 'clients', 'claim_tokens', 'service_keys']
    const dump = async () => {
      const rows = await Promise.all(tables.map((table) => store.db.query(`select * from ${table}`)))
      return JSON.stringify(rows)
    }
    const before = await dump()
    const { client_secret: secret } = (await claim(token)).body
    const after = await dump()
    for (const text of [before, after]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(token.slice('clm_'.length))
      expect(text).not.toContain(secret)
      expect(text).not.toContain('PRIVATE KEY')
      expect(text).not.toContain(service.context.keys.sealing.export().toString('base64url'))
    }
    expect(
      await store.db.query('select 1 from claim_tokens where claimed_at is not null and sealed is not null'),
    ).toEqual([])
  })
})

describe('requests for access that wait', () => {
  it('are 50 of one address at once, then one a minute; repeating one is not counted', async () => {
    const limited = await startTestService(store, { settings: { rateLimits: true } })
    const ask = async (contactEmail: string) =>
      (await limited.post('/v1/signup', { company_name: 'Roast & Co', contact_email: contactEmail })).status
    try {
      const statuses: number[] = []
      for (let i = 0; i < 50; i++) statuses.push(await ask(`many${i}@example.com`))
      expect(new Set(statuses)).toEqual(new Set([202]))
      expect(await ask('one-more@example.com')).toBe(429)
      limited.clock.nowMs += 60_000
      expect(await ask('many0@example.com')).toBe(200)
      expect(await ask('one-more@example.com')).toBe(202)
      expect(await ask('two-more@example.com')).toBe(429)
    } finally {
      await limited.close()
    }
  })

  it('are declined after 30 days without a decision, and the contact may ask again', async () => {
    const { request_id: requestId } = (await signup()).body
    service.clock.nowMs += 29 * DAY_MS
    await sweep(service.context)
    expect(await statusOf(requestId)).toEqual({ request_id: requestId, status: 'pending' })
    service.clock.nowMs += 2 * DAY_MS
    await sweep(service.context)
    expect(await statusOf(requestId)).toEqual({ request_id: requestId, status: 'declined' })
    const again = await signup()
    expect(again.status).toBe(202)
    expect(again.body.request_id).not.toBe(requestId)
  })

  it('are at most 10,000; a further one is refused, and one that waits is found', async () => {
    const known = await signup()
    await store.db.query(`insert into signups (request_id, company_name, contact_email, status, created_at)
      select 'req_flood' || i, 'Flood', 'flood' || i || '@example.com', 'pending', now() from generate_series(1, 10000) i`)
    try {
      const refused = await signup('late@example.com')
      expect(refused.body).toMatchObject({
        status: 429,
        code: 'svc_rate_limited',
        detail: 'Too many requests for access wait for a decision. Ask the operator.',
      })
      expect((await signup()).body).toEqual(known.body)
    } finally {
      await store.db.query(`delete from signups where request_id like 'req_flood%'`)
    }
    expect((await signup('late@example.com')).status).toBe(202)
  })
})
