import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endOfWait } from '../../../src/service/http/closing.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

let store: TestStore
let service: TestService
let log = ''
/** Aborts when a request waits. */
const waits = new AbortController()

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    log += String(chunk)
    return true
  })
  store = await openTestStore()
  service = await startTestService(store, {
    settings: { logLevel: 'info' },
    extend: (app) => {
      app.get('/test/failure', async () => {
        const cause = Object.assign(new Error('statement failed'), { code: '22P02', params: ['canary-parameter'] })
        throw new Error('could not look', { cause })
      })
      app.get('/test/wait', async (_request, reply) => {
        const end = endOfWait(reply)
        waits.abort()
        await once(end, 'abort')
        throw end.reason
      })
    },
  })
})
afterAll(async () => {
  await service?.close()
  await store?.close()
  vi.restoreAllMocks()
})

describe('the log', () => {
  it('has every request with its route, and no secret, token or signed address', async () => {
    const signup = await service.post('/v1/signup', { company_name: 'A', contact_email: 'canary@b.example' })
    const requestId: string = signup.body.request_id
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const approved = await service.post(`/operator/v1/signups/${requestId}/approve`, {}, operator)
    const status = await service.get(`/v1/signup/${requestId}`)
    const claimed = await service.post('/v1/credential-claims', { claim_token: status.body.credential_claim_token })
    const minted = await service.post('/oauth/token', claimed.body)
    expect(minted.status).toBe(200)
    const authorization = `Bearer ${minted.body.access_token}`
    await service.get('/v1/nowhere?canary-query', { authorization })
    await service.get('/v1/datasets/%zz-canary-path', { authorization })

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const requests = lines.filter((line) => line.msg === 'request')
    expect(requests.map(({ operation, method, route, status }) => [operation, method, route, status])).toEqual([
      ['signup', 'POST', '/v1/signup', 202],
      ['approveSignup', 'POST', '/operator/v1/signups/:request_id/approve', 200],
      ['getSignup', 'GET', '/v1/signup/:request_id', 200],
      ['claimCredentials', 'POST', '/v1/credential-claims', 200],
      ['mintToken', 'POST', '/oauth/token', 200],
      [null, 'GET', null, 404],
    ])
    for (const { durationMs } of requests) expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(requests[4]).toMatchObject({ level: 30, reqId: minted.headers.get('x-request-id') })
    expect(requests[5]).toMatchObject({ tenantId: expect.stringMatching(/^ten_/), clientId: claimed.body.client_id })
    expect(approved.status).toBe(200)
    for (const secret of [
      requestId,
      status.body.credential_claim_token,
      claimed.body.client_secret,
      minted.body.access_token,
      OPERATOR_TOKEN,
      'canary',
    ]) {
      expect(log).not.toContain(secret)
    }
  })

  it('has a failure of the service with its causes, but without the parameters of statements', async () => {
    const answer = await service.get('/test/failure')
    const line = log
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
      .find((entry) => entry.reqId === answer.headers.get('x-request-id') && entry.err !== undefined)
    expect(line).toMatchObject({
      msg: 'request failed',
      err: { type: 'Error', message: 'could not look', cause: { message: 'statement failed', code: '22P02' } },
    })
    expect(log).not.toContain('canary-parameter')
  })

  it('has a request without a status, and no failure, for a client that disconnects while it waits', async () => {
    await expect(fetch(`${service.baseUrl}/test/wait`, { signal: waits.signal })).rejects.toThrow('aborted')
    const lines = () =>
      log
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text))
    const request = () => lines().find(({ msg, route }) => msg === 'request' && route === '/test/wait')
    await vi.waitFor(() => expect(request()).toMatchObject({ status: null }))
    // An exception after the wait is rendered before the answer to a later request.
    await service.get('/healthz')
    expect(lines().filter(({ reqId, err }) => reqId === request().reqId && err !== undefined)).toEqual([])
  })
})
