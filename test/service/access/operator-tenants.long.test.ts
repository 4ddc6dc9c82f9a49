import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TokenRevocations } from '../../../src/service/access/token-revocations.ts'
import { readTenantLimits } from '../../../src/service/records/tenant-limits.ts'
import {
  type Answer,
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

let store: TestStore
let service: TestService
let counter = 0

interface Client {
  readonly clientId: string
  readonly secret: string
  readonly tenantId: string
}

let client: Client

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
})
beforeEach(async () => {
  client = await newClient()
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

async function newClient(inTenant?: string): Promise<Client> {
  service.clock.nowMs += 1000
  const signup = { company_name: `Company ${++counter}`, contact_email: `person${counter}@example.com` }
  const requestId: string = (await service.post('/v1/signup', signup)).body.request_id
  await act(`signups/${requestId}/approve`, inTenant === undefined ? undefined : { tenant_id: inTenant })
  const token = (await service.get(`/v1/signup/${requestId}`)).body.credential_claim_token
  const claimed = await service.post('/v1/credential-claims', { claim_token: token })
  const clientId: string = claimed.body.client_id
  const tenants = (await service.get('/operator/v1/tenants?limit=100', operator)).body.tenants
  const tenant = tenants.find((entry: { client_ids: string[] }) => entry.client_ids.includes(clientId))
  return { clientId, secret: claimed.body.client_secret, tenantId: tenant.tenant_id }
}

const act = (path: string, body?: unknown) => service.post(`/operator/v1/${path}`, body, operator)
const tenants = (query = '') => service.get(`/operator/v1/tenants${query}`, operator)
const mint = async ({ clientId, secret } = client): Promise<string> => {
  const request = { client_id: clientId, client_secret: secret, grant_type: 'client_credentials' }
  return (await service.post('/oauth/token', { ...request, audience: service.baseUrl })).body.access_token
}
const use = (bearer: string, at = service) => at.get('/v1/datasets', { authorization: `Bearer ${bearer}` })

describe('the list of tenants', () => {
  it('shows clients, limits and rows used', async () => {
    const colleague = await newClient(client.tenantId)
    expect(colleague.tenantId).toBe(client.tenantId)
    for (const [id, rows] of [
      ['gen_a', 700],
      ['gen_b', 35],
    ]) {
      await store.db.query(
        `insert into ledger (generation_id, tenant_id, dataset_id, rows_generated, created_at)
         values ($1, $2, 'ds_x', $3, now())`,
        [`${id}${counter}`, client.tenantId, rows],
      )
    }
    const [first] = (await tenants('?limit=1')).body.tenants
    expect(first).toEqual({
      tenant_id: client.tenantId,
      name: `Company ${counter - 1}`,
      client_ids: [client.clientId, colleague.clientId],
      request_row_cap: 1_000_000,
      subscription_rows: null,
      rows_used: 735,
      bytes_stored: 0,
      stored_bytes_limit: null,
      artifact_bytes_limit: null,
      retention_hours: 24,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('goes from the newest to the oldest, page by page', async () => {
    await newClient()
    const all = (await tenants('?limit=100')).body
    expect(all.next_cursor).toBeNull()
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer = await tenants(`?limit=1${cursor && `&cursor=${cursor}`}`)
      walked.push(...page.body.tenants.map((tenant: { tenant_id: string }) => tenant.tenant_id))
      cursor = page.body.next_cursor
    }
    expect(walked).toEqual(all.tenants.map((tenant: { tenant_id: string }) => tenant.tenant_id))
    expect(walked[1]).toBe(client.tenantId)
  })

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=x', 'limit'],
    ["?cursor='or'1", 'cursor'],
    ['?limt=1', 'limt'],
  ])('with %s is 400', async (query, field) => {
    expect((await tenants(query)).body).toMatchObject({ status: 400, errors: [{ field }] })
  })
})

describe('the quota of a tenant', () => {
  it('is set whole or in part; null removes the limit of the subscription', async () => {
    const path = `tenants/${client.tenantId}/quota`
    const limits = async () => {
      const { requestRowCap, subscriptionRows } = await readTenantLimits(store.db, client.tenantId)
      return [requestRowCap, subscriptionRows]
    }
    expect((await act(path, { request_row_cap: 500, subscription_rows: 9_000_000_000 })).body).toMatchObject({
      tenant_id: client.tenantId,
      request_row_cap: 500,
      subscription_rows: 9_000_000_000,
    })
    expect(await limits()).toEqual([500, 9_000_000_000])
    await act(path, { request_row_cap: 600 })
    expect(await limits()).toEqual([600, 9_000_000_000])
    await act(path, { subscription_rows: 0 })
    expect(await limits()).toEqual([600, 0])
    await act(path, { subscription_rows: null })
    expect(await limits()).toEqual([600, null])
  })

  it('of one tenant leaves the quotas of others unchanged', async () => {
    const other = await newClient()
    await act(`tenants/${client.tenantId}/quota`, { request_row_cap: 5 })
    expect((await readTenantLimits(store.db, other.tenantId)).requestRowCap).toBe(1_000_000)
  })

  it.each([
    [{ request_row_cap: 0 }, 'request_row_cap'],
    [{ request_row_cap: 1.5 }, 'request_row_cap'],
    [{ request_row_cap: null }, 'request_row_cap'],
    [{ request_row_cap: '10' }, 'request_row_cap'],
    [{ request_row_cap: 2 ** 53 }, 'request_row_cap'],
    [{ subscription_rows: -1 }, 'subscription_rows'],
    [{ subscription_row: 1 }, 'subscription_row'],
    [undefined, 'body'],
  ])('%j is 400 and changes nothing', async (body, field) => {
    const answer = await act(`tenants/${client.tenantId}/quota`, body)
    expect(answer.body).toMatchObject({ status: 400, code: 'svc_invalid_field', errors: [{ field }] })
    expect(await readTenantLimits(store.db, client.tenantId)).toMatchObject({
      requestRowCap: 1_000_000,
      subscriptionRows: null,
    })
  })
})

describe('the retention of a tenant', () => {
  it.each([1, 168])('is set to %i hours', async (hours) => {
    const answer = await act(`tenants/${client.tenantId}/retention`, { retention_hours: hours })
    expect(answer.body).toMatchObject({ tenant_id: client.tenantId, retention_hours: hours })
    expect((await readTenantLimits(store.db, client.tenantId)).retentionHours).toBe(hours)
  })

  it.each([{ retention_hours: 0 }, { retention_hours: 169 }, { retention_hours: 1.5 }, { retention_hours: null }])(
    '%j is 400 and changes nothing',
    async (body) => {
      const answer = await act(`tenants/${client.tenantId}/retention`, body)
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'retention_hours' }] })
      expect((await readTenantLimits(store.db, client.tenantId)).retentionHours).toBe(24)
    },
  )
})

describe('a revocation', () => {
  it('refuses at once all tokens of the client, with one answer, and no tokens of others', async () => {
    const colleague = await newClient(client.tenantId)
    const [first, second, theirs] = [await mint(), await mint(), await mint(colleague)]
    // Known to the service already, and never shown to it: both are refused.
    expect((await use(first)).status).toBe(200)
    const answer = await act(`clients/${client.clientId}/revoke-tokens`)
    expect(answer.body).toEqual({
      client_id: client.clientId,
      revoked_at: new Date(service.clock.nowMs).toISOString(),
    })
    for (const bearer of [first, second]) {
      const refused = await use(bearer)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      expect(refused.body).toEqual({
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: 'Invalid credentials.',
        request_id: refused.headers.get('x-request-id'),
      })
    }
    expect((await use(theirs)).status).toBe(200)
  })

  it('keeps the secret: tokens minted after it are accepted, even in the same second', async () => {
    const before = await mint()
    await act(`clients/${client.clientId}/revoke-tokens`)
    const after = await mint()
    expect([(await use(before)).status, (await use(after)).status]).toEqual([401, 200])
    await act(`clients/${client.clientId}/revoke-tokens`, {})
    expect([(await use(after)).status, (await use(await mint())).status]).toEqual([401, 200])
  })

  it('keeps a revoked token from rotating the secret', async () => {
    const bearer = await mint()
    await act(`clients/${client.clientId}/revoke-tokens`)
    const answer = await service.post('/v1/credential-rotations', undefined, { authorization: `Bearer ${bearer}` })
    expect(answer.status).toBe(401)
  })

  it('holds after a restart, and in another process on the same database', async () => {
    const publicUrl = { baseUrl: service.baseUrl, authUrl: service.baseUrl }
    const before = await mint()
    await act(`clients/${client.clientId}/revoke-tokens`)
    const after = await mint()
    const other = await startTestService(store)
    try {
      Object.assign(other.context.addresses, publicUrl)
      other.clock.nowMs = service.clock.nowMs
      expect([(await use(before, other)).status, (await use(after, other)).status]).toEqual([401, 200])
    } finally {
      await other.close()
    }
  })

  it('is found by a process whose cached answer has expired', async () => {
    const here = new TokenRevocations(store.db)
    const there = new TokenRevocations(store.db, 0)
    await there.refresh()
    expect(there.isRevoked(client.clientId, { epoch: 0 })).toBe(false)
    await here.revoke(client.clientId, service.clock.nowMs)
    expect(here.isRevoked(client.clientId, { epoch: 0 })).toBe(true)
    await there.refresh()
    expect(there.isRevoked(client.clientId, { epoch: 0 })).toBe(true)
    expect(there.isRevoked(client.clientId, { epoch: 1 })).toBe(false)
  })

  it('accepts no fields', async () => {
    const answer = await act(`clients/${client.clientId}/revoke-tokens`, { until: 'tomorrow' })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'until' }] })
    expect((await use(await mint())).status).toBe(200)
  })
})

describe("the operator's routes", () => {
  it.each([
    ['tenants/ten_unknown/quota', { request_row_cap: 1 }],
    ['tenants/ten_unknown/retention', { retention_hours: 1 }],
    ['clients/cli_unknown/revoke-tokens', undefined],
  ])('%s is 404', async (path, body) => {
    expect((await act(path, body)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
  })

  it('are closed to bearer tokens of clients', async () => {
    const bearer = { authorization: `Bearer ${await mint()}` }
    const path = `/operator/v1/clients/${client.clientId}/revoke-tokens`
    expect((await service.post(path, undefined, bearer)).status).toBe(401)
    expect((await service.get('/operator/v1/tenants', bearer)).status).toBe(401)
    expect((await use(await mint())).status).toBe(200)
  })
})
