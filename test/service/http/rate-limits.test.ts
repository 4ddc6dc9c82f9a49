import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TokenBuckets } from '../../../src/service/http/rate-limits.ts'
import { OPERATOR_TOKEN, openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

describe('a token bucket', () => {
  it('grants its burst, and then as many as time restores', () => {
    let nowMs = 0
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, () => nowMs)
    const take = () => buckets.take('a')
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
    nowMs += 499
    expect(take()).toBe(1)
    nowMs += 1
    expect([take(), take()]).toEqual([0, 1])
    nowMs += 3_600_000
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
  })

  it('says how many whole seconds to wait', () => {
    const buckets = new TokenBuckets({ perSecond: 0.1, burst: 1 }, () => 0)
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 10])
  })

  it('never tells more requests a second than its rate, nor less time than a refusal asks to wait', () => {
    let nowMs = 0
    const rate = { perSecond: 0.3, burst: 7 }
    const buckets = new TokenBuckets(rate, () => nowMs)
    for (let i = 0; i < 40; i++) {
      const waitSeconds = buckets.take('a')
      const { left, windowSeconds } = buckets.left('a')
      expect(left / windowSeconds).toBeLessThanOrEqual(rate.perSecond)
      if (waitSeconds > 0) expect([left, windowSeconds]).toEqual([0, waitSeconds])
      nowMs += 700
    }
  })

  it('belongs to one key', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, () => 0)
    expect([buckets.take('a'), buckets.take('b'), buckets.take('a')]).toEqual([0, 0, 1])
  })

  it('loses nothing when the clock is set back', () => {
    let nowMs = 10_000
    const buckets = new TokenBuckets({ perSecond: 1, burst: 2 }, () => nowMs)
    buckets.take('a')
    nowMs = 0
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 1])
  })

  it('is forgotten only after 10,000 others were used later', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, () => 0)
    buckets.take('first')
    for (let i = 0; i < 9_999; i++) buckets.take(`other ${i}`)
    expect(buckets.take('first')).toBe(1)
    for (let i = 0; i < 10_000; i++) buckets.take(`more ${i}`)
    expect(buckets.take('first')).toBe(0)
  })
})

describe('rate limits', () => {
  const rate = { perSecond: 1, burst: 3 }
  let store: TestStore
  let service: TestService

  beforeAll(async () => {
    store = await openTestStore()
    service = await startTestService(store, {
      settings: { rateLimits: true, clientRate: rate, addressRate: rate },
      extend: (app) => {
        app.get('/v1/test/who', async (request) => request.identity)
      },
    })
  })
  afterAll(async () => {
    await service?.close()
    await store?.close()
  })

  it('count authenticated requests per client, unknown routes included, and answer 429 with Retry-After', async () => {
    const busy = { authorization: `Bearer ${await service.token({ tenantId: 't', clientId: 'busy' })}` }
    const calm = { authorization: `Bearer ${await service.token({ tenantId: 't', clientId: 'calm' })}` }
    const statuses: number[] = []
    const left: (string | null)[] = []
    for (const path of ['/v1/test/who', '/v1/nowhere', '/v1/test/who', '/v1/nowhere']) {
      const { status, headers } = await service.get(path, busy)
      statuses.push(status)
      left.push(headers.get('ratelimit'))
      expect(headers.get('ratelimit-policy')).toBe('"client";q=3;w=3')
    }
    expect(statuses).toEqual([200, 404, 200, 429])
    expect(left).toEqual(['"client";r=2;t=2', '"client";r=1;t=1', '"client";r=0;t=1', '"client";r=0;t=1'])
    const refused = await service.get('/v1/test/who', busy)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body).toMatchObject({ status: 429, code: 'svc_rate_limited', title: 'Too Many Requests' })
    expect((await service.get('/v1/test/who', calm)).status).toBe(200)
    service.clock.nowMs += 1000
    expect((await service.get('/v1/test/who', busy)).status).toBe(200)
  })

  it('do not count requests without a valid token against any client', async () => {
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await service.get('/v1/test/who')
      expect([status, headers.get('ratelimit')]).toEqual([401, null])
    }
  })

  it('count signup, claims and tokens per address', async () => {
    service.clock.nowMs += 60_000
    const claim = () => service.post('/v1/credential-claims', { claim_token: 'x' })
    expect((await service.post('/v1/signup', {})).status).toBe(400)
    expect((await service.get('/v1/signup/req_unknown')).status).toBe(404)
    expect((await claim()).status).toBe(400)
    expect((await claim()).status).toBe(429)
    const minted = await service.post('/oauth/token', {})
    expect(minted.status).toBe(429)
    expect(minted.headers.get('retry-after')).toBe('1')
    expect((await service.get('/healthz')).status).toBe(200)
  })

  describe.each(['/operator/v1/signups', '/operator/v1/nowhere', '/metrics'])('of guesses, at %s', (path) => {
    let guarded: TestService
    const guess = async (token: string, address = '192.0.2.1') =>
      await guarded.get(path, { authorization: `Bearer ${token}`, 'x-forwarded-for': address })
    const passes = path === '/operator/v1/nowhere' ? 404 : 200

    beforeAll(async () => {
      guarded = await startTestService(store, { settings: { rateLimits: true, trustedProxies: ['127.0.0.1'] } })
    })
    afterAll(async () => await guarded?.close())

    it('refuse an address after ten wrong operator tokens until time has passed', async () => {
      const statuses: number[] = []
      for (let i = 0; i < 10; i++) statuses.push((await guess(`${i}-wrong-token-of-16`)).status)
      expect(statuses).toEqual(Array(10).fill(401))
      const refused = await guess('x-wrong-token-of-16')
      expect(refused.body).toMatchObject({ status: 429, code: 'svc_rate_limited' })
      expect(refused.headers.get('retry-after')).toBe('10')
      guarded.clock.nowMs += 10_000
      expect((await guess('y-wrong-token-of-16')).status).toBe(401)
      expect((await guess('z-wrong-token-of-16')).status).toBe(429)
    })

    it('let the right token pass for those who share an address with a guesser', async () => {
      for (let i = 0; i < 11; i++) await guess(`${i}-other-wrong-token`, '192.0.2.4')
      expect((await guess('x-other-wrong-token', '192.0.2.4')).status).toBe(429)
      expect((await guess(OPERATOR_TOKEN, '192.0.2.4')).status).toBe(passes)
    })

    it('refuse tokens that begin alike after ten wrong ones, whatever address they come from', async () => {
      const statuses: number[] = []
      for (let i = 0; i < 11; i++) statuses.push((await guess(`same-beginning-${i}`, `198.51.100.${i}`)).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
      const begunRight = OPERATOR_TOKEN.slice(0, 4)
      for (let i = 0; i < 10; i++) await guess(`${begunRight}-wrong-token-${i}`, `203.0.113.${i}`)
      expect((await guess(OPERATOR_TOKEN, '203.0.113.99')).status).toBe(429)
      guarded.clock.nowMs += 10_000
      expect((await guess(OPERATOR_TOKEN, '203.0.113.99')).status).toBe(passes)
    })

    it('do not count right tokens', async () => {
      for (let i = 0; i < 20; i++) expect((await guess(OPERATOR_TOKEN, '192.0.2.3')).status).toBe(passes)
    })

    it('count an IPv6 host once, whichever of its addresses it uses', async () => {
      for (let i = 0; i < 10; i++) await guess(`${i}-wrong-operator-token`, `2001:db8::${i}`)
      expect((await guess('x-wrong-operator-token', '2001:db8::ffff')).status).toBe(429)
      expect((await guess('y-wrong-operator-token', '2001:db8:0:1::1')).status).toBe(401)
    })
  })

  it('can be turned off', async () => {
    const free = await startTestService(store, { settings: { clientRate: rate, addressRate: rate } })
    try {
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async () => (await free.post('/v1/credential-claims', { claim_token: 'x' })).status),
      )
      expect(new Set(statuses)).toEqual(new Set([400]))
    } finally {
      await free.close()
    }
  })
})
