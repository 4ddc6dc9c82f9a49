import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

let store: TestStore
const services: TestService[] = []

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => {
  for (const service of services) await service.close()
  await store?.close()
})

/** Two requests of one address at once; the clock is stopped, so no allowance returns. */
async function start(trustedProxies: readonly string[]): Promise<TestService> {
  const service = await startTestService(store, {
    settings: { trustedProxies, rateLimits: true, addressRate: { perSecond: 1, burst: 2 } },
  })
  services.push(service)
  return service
}

const claim = async (service: TestService, forwardedFor: string) =>
  (await service.post('/v1/credential-claims', { claim_token: 'x' }, { 'x-forwarded-for': forwardedFor })).status

describe('the rate per address', () => {
  it('counts each client behind a trusted proxy separately', async () => {
    const service = await start(['127.0.0.0/24'])
    const statuses = []
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1']) {
      statuses.push(await claim(service, client))
    }
    expect(statuses).toEqual([400, 400, 429, 400, 400])
  })

  it('believes what the trusted proxy added, not what the client wrote before it', async () => {
    const service = await start(['127.0.0.1'])
    const statuses = []
    for (const invented of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      statuses.push(await claim(service, `${invented}, 192.0.2.1`))
    }
    expect(statuses).toEqual([400, 400, 429])
  })

  it.each([
    ['no proxy is trusted', []],
    ['another one is', ['10.0.0.0/24']],
  ])('ignores the header when %s', async (_name, trusted) => {
    const service = await start(trusted)
    const statuses = []
    for (const invented of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) statuses.push(await claim(service, invented))
    expect(statuses).toEqual([400, 400, 429])
  })
})
