import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deprecationHeaders } from '../../../src/contract/deprecation.ts'
import { Components } from '../../../src/contract/openapi/components.ts'
import { operationObject } from '../../../src/contract/openapi/openapi.ts'
import type { Deprecation } from '../../../src/contract/operation.ts'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

const END: Deprecation = { since: '2027-01-01T00:00:00Z', sunset: '2027-03-01T00:00:00Z', guide: '/docs/v2' }

let store: TestStore
let ending: TestService
let lasting: TestService
beforeAll(async () => {
  store = await openTestStore()
  ending = await startTestService(store, { endOfV1: END })
  lasting = await startTestService(store)
})
afterAll(async () => {
  await ending?.close()
  await lasting?.close()
  await store?.close()
})

const announced = ({ headers }: { headers: Headers }) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))

describe('while the end of /v1 is announced', () => {
  it('replies below /v1 say since when, until when and where to read on', async () => {
    const reply = await ending.get('/v1/datasets', { authorization: `Bearer ${await ending.token()}` })
    expect(reply.status).toBe(200)
    expect(announced(reply)).toEqual([
      '@1798761600',
      'Mon, 01 Mar 2027 00:00:00 GMT',
      `<${ending.baseUrl}/docs/v2>; rel="deprecation"; type="text/html"`,
    ])
  })

  it.each([
    ['without a token', '/v1/usage', 401],
    ['of what is not there', '/v1/jobs/job_none', 404],
  ])('refusals %s say so, too', async (_, path, status) => {
    const token = status === 401 ? {} : { authorization: `Bearer ${await ending.token()}` }
    const reply = await ending.get(path, token)
    expect([reply.status, announced(reply)[0]]).toEqual([status, '@1798761600'])
  })

  it('other addresses say nothing', async () => {
    for (const path of ['/healthz', '/v1/nowhere', '/errors'])
      expect(announced(await ending.get(path))).toEqual([null, null, null])
  })
})

it('no reply announces an end before one is planned', async () => {
  expect(announced(await lasting.get('/v1/usage'))).toEqual([null, null, null])
})

it('the document marks a deprecated operation, and lists its headers', () => {
  const usage = OPERATIONS.find(({ operationId }) => operationId === 'getUsage')!
  const addresses = { baseUrl: 'https://data.example', authUrl: 'https://data.example' }
  const document = (deprecation?: Deprecation) =>
    operationObject({ ...usage, ...(deprecation && { deprecation }) }, new Components(addresses.baseUrl), {}, addresses)
  expect(document(END)).toMatchObject({
    deprecated: true,
    responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
  })
  expect(document()).not.toHaveProperty('deprecated')
})

it('an end without 30 days of notice is refused', () => {
  const end = (sunset: string) => deprecationHeaders({ since: '2027-01-01T00:00:00Z', sunset }, '')
  expect(end('2027-01-31T00:00:00Z')).toHaveProperty('Sunset')
  for (const sunset of ['2027-01-30T23:59:59Z', '2026-12-01T00:00:00Z', 'soon'])
    expect(() => end(sunset)).toThrow(RangeError)
})
