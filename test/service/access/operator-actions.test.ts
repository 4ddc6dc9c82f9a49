import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

let store: TestStore
let service: TestService

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

const act = (path: string, body?: unknown, headers: Record<string, string> = operator) =>
  service.post(`/operator/v1/${path}`, body, headers)
const log = async (query = '') => (await service.get(`/operator/v1/actions${query}`, operator)).body
const latest = async () => (await log()).actions[0]

async function signUp(email: string): Promise<string> {
  service.clock.nowMs += 1000
  return (await service.post('/v1/signup', { company_name: 'Company', contact_email: email })).body.request_id
}

describe('the log of the operator', () => {
  it('records the action, its object, its means, its origin and its outcome', async () => {
    const request = await signUp('a@example.com')
    service.clock.nowMs += 1000
    const approved = await act(`signups/${request}/approve`)
    expect(await latest()).toEqual({
      action_id: expect.stringMatching(/^act_\w{22}$/),
      at: new Date(service.clock.nowMs).toISOString(),
      operation: 'approveSignup',
      subject: request,
      parameters: null,
      request_id: approved.headers.get('x-request-id'),
      address: '127.0.0.1',
      status: 200,
    })
    const { tenant_id: tenant } = (await service.get('/operator/v1/tenants', operator)).body.tenants[0]
    service.clock.nowMs += 1000
    await act(`tenants/${tenant}/quota`, { request_row_cap: 500, subscription_rows: null })
    expect(await latest()).toMatchObject({
      operation: 'setTenantQuota',
      subject: tenant,
      parameters: { request_row_cap: 500, subscription_rows: null },
    })
  })

  it('records refusals', async () => {
    service.clock.nowMs += 1000
    expect((await act('tenants/ten_nobody/retention', { retention_hours: 5 })).status).toBe(404)
    expect(await latest()).toMatchObject({ operation: 'setTenantRetention', subject: 'ten_nobody', status: 404 })
  })

  it('records neither reads nor attempts of strangers', async () => {
    const before = (await log()).actions.length
    await service.get('/operator/v1/signups', operator)
    await act('signups/req_x/approve', undefined, { authorization: 'Bearer wrong-operator-token' })
    await act('nothing/of/that/name')
    expect((await log()).actions).toHaveLength(before)
  })

  it('is written first: without its entry no action is carried out', async () => {
    const request = await signUp('b@example.com')
    await store.db.exec('alter table operator_actions rename to away')
    try {
      expect((await act(`signups/${request}/approve`)).status).toBe(500)
    } finally {
      await store.db.exec('alter table away rename to operator_actions')
    }
    expect((await service.get(`/v1/signup/${request}`)).body.status).toBe('pending')
  })

  it('is read page by page', async () => {
    const all = (await log('?limit=100')).actions
    const pages: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await log(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(...page.actions)
      cursor = page.next_cursor
    }
    expect(pages).toEqual(all)
    expect((await service.get('/operator/v1/actions?cursor=x', operator)).status).toBe(400)
  })
})
