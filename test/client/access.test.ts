import { describe, expect, it } from 'vitest'
import { claimCredentials, getSignupStatus, signUp } from '../../src/client/access.ts'
import { approveSignup, listSignups } from '../../src/client/operator.ts'
import { everythingIn, failure, useRig } from './client-rig.ts'
import { answer, badGateway, json, problem, resetAfterActing, resetAtOnce, silence } from './scripted-service.ts'

const rig = useRig()

const options = () => {
  const { now, random, sleep } = rig.clock
  return { baseUrl: rig.service.url, now, random, sleep }
}
const operator = () => ({ ...options(), operatorToken: 'canary-operator-token' })
const COMPANY = { companyName: 'Acme', contactEmail: 'a@acme.example' }
const CLAIM = 'POST /v1/credential-claims'
const CREDENTIALS = {
  client_id: 'cli_1',
  client_secret: 's3cret',
  token_url: 'https://idp.example/oauth/token',
  audience: 'https://service.example',
}
const APPROVE = 'POST /operator/v1/signups/req_A1/approve'

describe('signing up', () => {
  it('sends company and contact without a token', async () => {
    rig.service.on('POST /v1/signup', json({ request_id: 'req_A1', next: 'wait' }, { status: 202 }))
    const reply = await signUp(options(), COMPANY)
    expect(reply).toMatchObject({ value: { request_id: 'req_A1' }, status: 202 })
    const [request] = rig.service.requests
    expect(JSON.parse(String(request?.body))).toEqual({ company_name: 'Acme', contact_email: 'a@acme.example' })
    expect(request?.headers).not.toHaveProperty('authorization')
  })

  it('is repeated when the answer is lost: the same email gives the same request', async () => {
    rig.service.on('POST /v1/signup', resetAfterActing, badGateway, json({ request_id: 'req_A1' }))
    expect(await signUp(options(), COMPANY)).toMatchObject({ status: 200, attempts: 3 })
  })

  it.each(['req_a.b', 'req_', 'REQ_a', '../v1', 'req_a b', ['req_a']])(
    'refuses the request id %j, which goes into a path',
    async (id) => {
      rig.service.on('POST /v1/signup', json({ request_id: id }))
      expect(await failure(signUp(options(), COMPANY))).toMatchObject({ kind: 'reply' })
    },
  )
})

describe('the status of a signup', () => {
  it.each([
    { record: { request_id: 'req_A1', status: 'pending' }, read: { status: 'pending' } },
    {
      record: { status: 'approved', client_id: 'cli_1', credential_claim_token: 'clm' },
      read: { status: 'approved', client_id: 'cli_1', credential_claim_token: 'clm' },
    },
    {
      record: { status: 'approved', client_id: 'cli_1', credential_claim_token: null },
      read: { status: 'approved', client_id: 'cli_1' },
    },
    { record: { status: 'on_hold' }, read: { status: 'unknown' } },
  ])('is read from $record', async ({ record, read }) => {
    rig.service.on('GET /v1/signup/req_A1', json(record))
    expect((await getSignupStatus(options(), 'req_A1')).value).toEqual(read)
  })

  it('is refused without showing the request id, which gives access to the claim token', async () => {
    rig.service.on('GET /v1/signup/req_A1', problem(404, 'svc_not_found', { detail: 'No signup req_A1.' }))
    const error = await failure(getSignupStatus(options(), 'req_A1'))
    expect(error.message).toContain(
      'GET /v1/signup/{request_id} was answered with 404 svc_not_found: No signup [secret].',
    )
    expect(everythingIn(error)).not.toContain('req_A1')
  })
})

describe('a credential claim', () => {
  it('returns the credentials once', async () => {
    rig.service.on(CLAIM, json({ ...CREDENTIALS, grant_type: 'client_credentials' }))
    expect((await claimCredentials(options(), 'clm_1')).value).toEqual(CREDENTIALS)
    expect(JSON.parse(String(rig.service.requests[0]?.body))).toEqual({ claim_token: 'clm_1' })
  })

  it.each([
    { name: 'a reset after the service may have acted', step: resetAfterActing, kind: 'network' },
    { name: 'a 503', step: problem(503, 'svc_unavailable'), kind: 'server' },
    { name: 'a page of a proxy', step: badGateway, kind: 'server' },
    { name: 'an empty answer', step: answer(''), kind: 'reply' },
    { name: 'a used token', step: problem(400, 'svc_invalid_claim'), kind: 'rejected' },
  ])('is not repeated after $name', async ({ step, kind }) => {
    rig.service.on(CLAIM, step)
    expect(await failure(claimCredentials(options(), 'clm_1'))).toMatchObject({ kind, attempts: 1 })
    expect(rig.service.to(CLAIM)).toHaveLength(1)
  })

  it('is repeated when the service refused it before it began', async () => {
    rig.service.on(CLAIM, problem(429, 'svc_rate_limited', { headers: { 'retry-after': '1' } }), json(CREDENTIALS))
    expect((await claimCredentials(options(), 'clm_1')).attempts).toBe(2)
  })

  it('is repeated when no service listens, because nothing can have happened', async () => {
    await rig.service.close()
    expect(await failure(claimCredentials(options(), 'clm_1'))).toMatchObject({ kind: 'network', attempts: 6 })
  })

  it('keeps the claim token out of errors', async () => {
    rig.service.on(CLAIM, problem(400, 'svc_invalid_claim', { detail: 'Bad token canary-claim-token' }))
    const error = await failure(claimCredentials(options(), 'canary-claim-token'))
    expect(everythingIn(error)).not.toContain('canary')
  })

  it('ends with the reason of an abort', async () => {
    rig.service.on(CLAIM, silence)
    const control = new AbortController()
    const call = claimCredentials({ ...options(), signal: control.signal }, 'clm_1')
    await rig.service.asked(CLAIM)
    const reason = new Error('enough')
    control.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('is sent only to addresses that may get a secret', async () => {
    const error = await failure(claimCredentials({ ...options(), baseUrl: 'http://service.example' }, 'clm_1'))
    expect(error).toMatchObject({ kind: 'forbidden', attempts: 0 })
  })
})

describe('an operator', () => {
  it('approves a signup with the operator token', async () => {
    const record = { request_id: 'req_A1', status: 'approved', tenant_id: 'ten_1', client_id: 'cli_1' }
    rig.service.on(APPROVE, json(record))
    expect((await approveSignup(operator(), 'req_A1')).value).toEqual(record)
    expect((await approveSignup(operator(), 'req_A1', 'ten_2')).value).toEqual(record)
    expect(rig.service.to(APPROVE).map(({ body }) => body.toString())).toEqual(['{}', '{"tenant_id":"ten_2"}'])
    expect(rig.service.to(APPROVE)[0]?.headers.authorization).toBe('Bearer canary-operator-token')
  })

  it('lists the signups of a status, page by page', async () => {
    const signup = { request_id: 'req_A1', company_name: 'Acme', contact_email: 'a@acme.example', status: 'pending' }
    rig.service.on(
      'GET /operator/v1/signups',
      json({ signups: [signup], next_cursor: 'req_A1' }),
      json({ signups: [], next_cursor: null }),
    )
    expect((await listSignups(operator(), { status: 'pending' })).value).toEqual({
      signups: [signup],
      next_cursor: 'req_A1',
    })
    expect((await listSignups(operator(), { status: 'pending', cursor: 'req_A1' })).value).toEqual({ signups: [] })
    expect(rig.service.requests.map(({ query }) => query)).toEqual(['status=pending', 'status=pending&cursor=req_A1'])
  })

  it('approves only once, and with the operator token only', async () => {
    rig.service.on(APPROVE, resetAfterActing, problem(401, null))
    expect(await failure(approveSignup(operator(), 'req_A1'))).toMatchObject({ kind: 'network', attempts: 1 })
    expect(await failure(approveSignup(operator(), 'req_A1'))).toMatchObject({ kind: 'auth', attempts: 1 })
  })

  it('has a token that no error shows', async () => {
    rig.service.on(APPROVE, problem(403, null, { detail: 'Bearer canary-operator-token' }), resetAtOnce)
    for (let n = 0; n < 2; n++) {
      expect(everythingIn(await failure(approveSignup(operator(), 'req_A1')))).not.toContain('canary')
    }
  })
})
