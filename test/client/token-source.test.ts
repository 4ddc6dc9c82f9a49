import { describe, expect, it } from 'vitest'
import { failure, SECRET_CANARY, useRig } from './client-rig.ts'
import {
  answer,
  badGateway,
  json,
  problem,
  resetAfterActing,
  type Step,
  silence,
  TOKEN_ROUTE,
  token,
} from './scripted-service.ts'

const rig = useRig()

const JOB = { job_id: 'job_1', status: 'running' }
const GET_JOB = 'GET /v1/jobs/job_1'
const getJob = () => rig.client.getJob('job_1')
const tokensSent = () => rig.service.to(GET_JOB).map(({ headers }) => headers.authorization)

/** Answers like a service that accepts only `accepted`. */
const accepting =
  (accepted: string): Step =>
  (exchange) =>
    (exchange.request.headers.authorization === `Bearer ${accepted}` ? json(JOB) : problem(401, null))(exchange)

describe('a token', () => {
  it('is requested as the specification says', async () => {
    rig.service.on(GET_JOB, json(JOB))
    await getJob()
    const [mint] = rig.service.to(TOKEN_ROUTE)
    expect(mint?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(String(mint?.body))).toEqual({
      client_id: 'cli_1',
      client_secret: SECRET_CANARY,
      audience: rig.service.url,
      grant_type: 'client_credentials',
    })
  })

  it('is requested at the given address for the given audience', async () => {
    rig.service.on(GET_JOB, json(JOB))
    rig.service.on('POST /tenant/token', token('t'))
    const client = rig.connect({ tokenUrl: `${rig.service.url}/tenant/token`, audience: 'https://audience.example/' })
    await client.getJob('job_1')
    const [mint] = rig.service.to('POST /tenant/token')
    expect(JSON.parse(String(mint?.body)).audience).toBe('https://audience.example/')
  })

  it('is used until nine tenths of its lifetime have passed', async () => {
    rig.service.on(GET_JOB, json(JOB))
    rig.service.on(TOKEN_ROUTE, token('first', 1000), token('second', 1000))
    await getJob()
    rig.clock.advance(899_999)
    await getJob()
    rig.clock.advance(1)
    await getJob()
    expect(tokensSent()).toEqual(['Bearer first', 'Bearer first', 'Bearer second'])
  })

  it.each([undefined, null, 'soon', -5, 0])('with a lifetime of %s is used for most of an hour', async (life) => {
    rig.service.on(GET_JOB, json(JOB))
    rig.service.on(TOKEN_ROUTE, json({ access_token: 'first', expires_in: life }), token('second'))
    await getJob()
    rig.clock.advance(3_239_999)
    await getJob()
    rig.clock.advance(1)
    await getJob()
    expect(tokensSent()).toEqual(['Bearer first', 'Bearer first', 'Bearer second'])
  })

  it('is minted once for all simultaneous calls', async () => {
    rig.service.on(GET_JOB, json(JOB))
    await Promise.all(Array.from({ length: 25 }, getJob))
    expect(rig.service.to(TOKEN_ROUTE)).toHaveLength(1)
    expect(new Set(tokensSent())).toEqual(new Set(['Bearer token-1']))
  })

  it('that is refused is replaced once, by one mint for all', async () => {
    rig.service.on(TOKEN_ROUTE, token('old'), token('new'))
    rig.service.on(GET_JOB, accepting('new'))
    const replies = await Promise.all(Array.from({ length: 10 }, getJob))
    expect(replies.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 10 }, () => 2))
    expect(rig.service.to(TOKEN_ROUTE)).toHaveLength(2)
    expect(rig.clock.waits).toEqual([])
  })

  it('that is refused twice ends the call', async () => {
    rig.service.on(GET_JOB, accepting('none'))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'auth', status: 401, attempts: 2, requestId: 'srv-2' })
    expect(error.hint).toContain('audience')
    expect(rig.service.to(TOKEN_ROUTE)).toHaveLength(2)
  })

  it('that is refused is replaced for a POST too, with the same key', async () => {
    const route = 'POST /v1/datasets/ds_1/generations'
    rig.service.on(route, problem(401, null), json({ generation_id: 'gen_1', status: 'processing' }, { status: 202 }))
    await rig.client.createGeneration({ datasetId: 'ds_1', body: '{}', idempotencyKey: 'k1' })
    expect(rig.service.to(route).map(({ headers }) => headers['idempotency-key'])).toEqual(['k1', 'k1'])
  })
})

describe('a mint', () => {
  it.each([
    { name: '503', step: problem(503, null) },
    { name: '429', step: problem(429, null) },
    { name: 'a page of a proxy', step: badGateway },
    { name: 'a reset', step: resetAfterActing },
    { name: 'an empty answer', step: answer('') },
  ])('is repeated after $name', async ({ step }) => {
    rig.service.on(TOKEN_ROUTE, step, token('t'))
    rig.service.on(GET_JOB, json(JOB))
    const retries: string[] = []
    await rig.client.getJob('job_1', { onRetry: ({ reason }) => retries.push(reason) })
    expect(tokensSent()).toEqual(['Bearer t'])
    expect(retries).toHaveLength(1)
  })

  it.each([400, 401, 403, 404])('that is refused with %i is about credentials', async (status) => {
    const refusal = { error: 'invalid_client', error_description: 'Client authentication failed.' }
    rig.service.on(TOKEN_ROUTE, json(refusal, { status, headers: { 'x-request-id': 'idp-1' } }))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'auth', status, code: 'invalid_client', requestId: 'idp-1', attempts: 1 })
    const answer = `gave no token: ${status} invalid_client: Client authentication failed.`
    expect(error.message).toContain(`The identity provider ${answer}`)
    expect(error.located).toContain(`The identity provider at ${rig.service.url}/oauth/token ${answer}`)
    expect(rig.service.to(GET_JOB)).toHaveLength(0)
  })

  it.each([404, 405, 308])(
    'that finds no token operation (%i) says which variable names the right address',
    async (status) => {
      rig.service.on(TOKEN_ROUTE, json({}, { status }))
      const { message, located } = await failure(getJob())
      expect(message).toMatch(/^The identity provider .*gave no token/)
      expect(located).toContain(`${rig.service.url}/oauth/token`)
      expect(message).toContain(` ${status}`)
      expect(message).toContain('If tokens are minted at another address, set WHATIF_AUTH_URL')
    },
  )

  it('that is refused for its credentials does not suggest another address', async () => {
    rig.service.on(TOKEN_ROUTE, json({}, { status: 401 }))
    expect((await failure(getJob())).message).not.toContain('WHATIF_AUTH_URL')
  })

  it('that fails is tried again by the next call', async () => {
    rig.service.on(TOKEN_ROUTE, json({}, { status: 401 }), token('t'))
    rig.service.on(GET_JOB, json(JOB))
    await failure(getJob())
    await getJob()
    expect(tokensSent()).toEqual(['Bearer t'])
  })

  it.each([
    ['is missing', { token: 'x' }],
    ['is no text', { access_token: 7 }],
    ['has a line break', { access_token: 'a\r\nx-injected: 1' }],
    ['is empty', { access_token: '' }],
    ['is very long', { access_token: 'x'.repeat(20_000) }],
  ])('is refused when its token %s', async (_name, reply) => {
    rig.service.on(TOKEN_ROUTE, json(reply))
    const error = await failure(getJob())
    expect(error).toMatchObject({ kind: 'auth', status: 200, attempts: 1 })
    expect(error.message).toContain('The identity provider gave no token.')
    expect(error.message).toContain('a record that breaks the contract (access_token:')
  })

  it('is never redirected', async () => {
    rig.service.on(TOKEN_ROUTE, answer('', { status: 308, headers: { location: `${rig.service.url}/elsewhere` } }))
    expect(await failure(getJob())).toMatchObject({ kind: 'auth', status: 308 })
    expect(rig.service.requests).toHaveLength(1)
  })

  it('continues when one of its waiting callers leaves, and ends when the last one does', async () => {
    let brokenOff = () => {}
    const ended = new Promise<void>((resolve) => {
      brokenOff = resolve
    })
    rig.service.on(TOKEN_ROUTE, ({ response }) => void response.on('close', brokenOff))
    const reason = new Error('enough')
    const [one, two] = [new AbortController(), new AbortController()]
    const first = rig.client.getJob('job_1', { signal: one.signal })
    const second = rig.client.getJob('job_1', { signal: two.signal })
    await rig.service.asked(TOKEN_ROUTE)
    one.abort(reason)
    await expect(first).rejects.toBe(reason)
    two.abort(reason)
    await expect(second).rejects.toBe(reason)
    await ended
    rig.service.on(TOKEN_ROUTE, token('t'))
    rig.service.on(GET_JOB, json(JOB))
    await getJob()
    expect(rig.service.to(TOKEN_ROUTE)).toHaveLength(2)
    expect(tokensSent()).toEqual(['Bearer t'])
  })

  it('ends at the deadline of the call', async () => {
    rig.service.on(TOKEN_ROUTE, silence)
    const error = await failure(rig.client.getJob('job_1', { deadlineMs: rig.clock.now() + 50 }))
    expect(error).toMatchObject({ kind: 'deadline', attempts: 0 })
  })
})
