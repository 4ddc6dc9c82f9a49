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
  email = `signup${++counter}@example.com`
})
afterAll(async () => {
  await service?.close()
})

const anybody = { tenant: null }
const signup = async (body: object = { company_name: 'Roast & Co', contact_email: email }) =>
  await service.post('/v1/signup', body, anybody)
const status = async (requestId: string) => await service.get(`/v1/signup/${requestId}`, anybody)
const decide = async (requestId: string, decision: 'approve' | 'decline') =>
  await service.operator(`/signups/${requestId}/${decision}`, {})
const claim = async (token: string) => await service.post('/v1/credential-claims', { claim_token: token }, anybody)

describe('POST /v1/signup', () => {
  it('[POST /v1/signup 1] [Signup request: company_name] [Signup request: contact_email] accepts company and e-mail, both strings', async () => {
    expect((await signup()).status).toBe(202)
    for (const body of [
      {},
      { company_name: 'A' },
      { contact_email: email },
      { company_name: 1, contact_email: email },
      { company_name: 'A', contact_email: 1 },
    ]) {
      const refused = await signup(body)
      expect(refused.body).toMatchObject({ status: 400, code: 'svc_invalid_field' })
    }
  })

  it('[States and transitions 1] [POST /v1/signup 2] for a new e-mail is 202 with a request_id, and pending', async () => {
    const reply = await signup()
    expect(reply.status).toBe(202)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await status(reply.body.request_id)).body).toEqual({
      request_id: reply.body.request_id,
      status: 'pending',
    })
  })

  it.each(['pending', 'approved'])(
    '[States and transitions 2] [POST /v1/signup 2] [Signup request: contact_email] for an e-mail with a request that is %s is 200 with that request, and makes no other',
    async (state) => {
      const { request_id: requestId } = (await signup()).body
      if (state === 'approved') await decide(requestId, 'approve')
      const before = (await status(requestId)).body
      const again = await signup({ company_name: 'Another name', contact_email: email })
      expect([again.status, again.body.request_id]).toEqual([200, requestId])
      expect((await status(requestId)).body).toEqual(before)
      const { signups } = (await service.operator('/signups?limit=100')).body
      expect(signups.filter((one: { contact_email: string }) => one.contact_email === email)).toHaveLength(1)
    },
  )

  it('[Signup request: request_id] gives a request_id that fits into a path unchanged', async () => {
    const { request_id: requestId } = (await signup()).body
    expect(requestId).toMatch(/^req_[A-Za-z0-9]{1,64}$/)
    expect((await status(requestId)).body.request_id).toBe(requestId)
  })
})

describe('GET /v1/signup/{request_id}', () => {
  it.each(['req_', 'req_a.b', 'req_a-b', 'req_a%20b', `req_${'a'.repeat(65)}`, 'ds_aaaa', `req_${'a'.repeat(64)}`])(
    '[GET /v1/signup/{request_id} 1] finds nothing under %s',
    async (requestId) => {
      expect((await status(requestId)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
    },
  )

  it.each<['approve' | 'decline', string]>([
    ['approve', 'approved'],
    ['decline', 'declined'],
  ])(
    '[GET /v1/signup/{request_id} 2] [Signup request: status] is pending until the operator decides, here to %s',
    async (decision, decided) => {
      const { request_id: requestId } = (await signup()).body
      expect((await status(requestId)).body.status).toBe('pending')
      await decide(requestId, decision)
      expect((await status(requestId)).body.status).toBe(decided)
    },
  )

  it('[States and transitions 3] [Signup request: client_id] [Signup request: credential_claim_token] has client_id and claim token once approved', async () => {
    const { request_id: requestId } = (await signup()).body
    expect(Object.keys((await status(requestId)).body)).toEqual(['request_id', 'status'])
    await decide(requestId, 'approve')
    expect((await status(requestId)).body).toEqual({
      request_id: requestId,
      status: 'approved',
      client_id: expect.any(String),
      credential_claim_token: expect.any(String),
    })
  })

  it('[States and transitions 4] has neither of them once declined', async () => {
    const { request_id: requestId } = (await signup()).body
    await decide(requestId, 'decline')
    expect((await status(requestId)).body).toEqual({ request_id: requestId, status: 'declined' })
  })

  it('[GET /v1/signup/{request_id} 3] shows no claim token once claimed, however often the signup is repeated', async () => {
    const { request_id: requestId } = (await signup()).body
    await decide(requestId, 'approve')
    const { credential_claim_token: token } = (await status(requestId)).body
    expect((await claim(token)).status).toBe(200)
    service.clock.aheadMs += 8 * DAY_MS
    expect([(await signup()).status, (await signup()).status]).toEqual([200, 200])
    expect((await status(requestId)).body).not.toHaveProperty('credential_claim_token')
  })

  it('[Signup request: credential_claim_token] shows a claim token that works once and expires', async () => {
    const { request_id: requestId } = (await signup()).body
    await decide(requestId, 'approve')
    const { credential_claim_token: expired } = (await status(requestId)).body
    service.clock.aheadMs += 7 * DAY_MS
    expect((await claim(expired)).status).toBe(400)
    await signup()
    const { credential_claim_token: fresh } = (await status(requestId)).body
    expect([(await claim(fresh)).status, (await claim(fresh)).status]).toEqual([200, 400])
  })
})
