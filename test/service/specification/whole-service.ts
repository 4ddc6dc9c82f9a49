import type { Settings } from '../../../src/service/settings/settings.ts'
import { type DataService, type DataServiceOptions, form, startDataService, TENANT_A } from '../data/data-service.ts'

export { surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'

export const OPERATOR_TOKEN = 'operator-token-for-tests'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

export interface Call {
  /** JSON: text is sent as it is, anything else written as JSON. */
  readonly json?: unknown
  readonly form?: FormData
  readonly headers?: Record<string, string>
  readonly key?: string
  /** Whose bearer token goes along; null: none. */
  readonly tenant?: string | null
  /** A token of the test's own, instead. */
  readonly bearer?: string
}

/** An approved client with its secret. */
export interface ApprovedClient {
  readonly requestId: string
  readonly email: string
  readonly clientId: string
  readonly tenantId: string
  readonly secret: string
  readonly bearer: string
}

/** The whole service on a free port: routes, workers, storage, operator. */
export interface WholeService extends DataService {
  call(method: string, target: string, call?: Call): Promise<Reply>
  get(target: string, call?: Call): Promise<Reply>
  post(target: string, json?: unknown, call?: Call): Promise<Reply>
  upload(file: string | Buffer, parts?: Record<string, string>, call?: Call): Promise<Reply>
  /** A dataset that is ready; its id. */
  train(file: string | Buffer, parts?: Record<string, string>, call?: Call): Promise<string>
  generate(datasetId: string, body: unknown, call?: Call): Promise<Reply>
  /** The job once its status is terminal. */
  ended(jobId: string): Promise<Reply>
  operator(path: string, json?: unknown): Promise<Reply>
  /** Signs up, is approved and claims. */
  newClient(tenantId?: string): Promise<ApprovedClient>
  mint(clientId: string, secret: string): Promise<Reply>
}

const TERMINAL = ['completed', 'failed', 'expired', 'cancelled']
let emails = 0

export async function startWholeService(options: DataServiceOptions = {}): Promise<WholeService> {
  const settings: Partial<Settings> = { operatorToken: OPERATOR_TOKEN, ...options.settings }
  const service = await startDataService({ ...options, settings })
  const call = async (method: string, target: string, { json, form, headers, key, tenant, bearer }: Call = {}) => {
    const token = bearer ?? (tenant === null ? null : await service.token(tenant ?? TENANT_A))
    const body = form ?? (json === undefined || typeof json === 'string' ? json : JSON.stringify(json))
    const response = await fetch(new URL(target, service.baseUrl), {
      method,
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
    return { status: response.status, headers: response.headers, bytes, text, body: isJson ? JSON.parse(text) : null }
  }
  const get: WholeService['get'] = async (target, options) => await call('GET', target, options)
  const post: WholeService['post'] = async (target, json, options) => await call('POST', target, { json, ...options })
  const upload: WholeService['upload'] = async (file, parts = {}, options = {}) => {
    const data = form({ wait_seconds: '60', ...parts, seed_file: new Blob([file]) })
    return await call('POST', '/v1/datasets', { form: data, ...options })
  }
  const operator: WholeService['operator'] = async (path, json) =>
    await call(json === undefined ? 'GET' : 'POST', `/operator/v1${path}`, { json, bearer: OPERATOR_TOKEN })
  const mint: WholeService['mint'] = async (clientId, secret) =>
    await post(
      '/oauth/token',
      {
        client_id: clientId,
        client_secret: secret,
        audience: service.baseUrl,
        grant_type: 'client_credentials',
      },
      { tenant: null },
    )
  return {
    ...service,
    call,
    get,
    post,
    upload,
    operator,
    mint,
    async train(file, parts, options) {
      const reply = await upload(file, parts, options)
      if (reply.status !== 200) throw new Error(`The upload was answered with ${reply.status}: ${reply.text}`)
      return reply.body.dataset_id
    },
    async generate(datasetId, body, options) {
      return await post(`/v1/datasets/${datasetId}/generations`, body, options)
    },
    async ended(jobId) {
      for (;;) {
        const job = await get(`/v1/jobs/${jobId}`)
        if (job.status !== 200 || TERMINAL.includes(job.body.status)) return job
      }
    },
    async newClient(tenantId) {
      const email = `person${++emails}@example.com`
      const asked = await post('/v1/signup', { company_name: 'Roast & Co', contact_email: email }, { tenant: null })
      const requestId: string = asked.body.request_id
      await operator(`/signups/${requestId}/approve`, tenantId === undefined ? {} : { tenant_id: tenantId })
      const { credential_claim_token: claimToken } = (await get(`/v1/signup/${requestId}`, { tenant: null })).body
      const claimed = await post('/v1/credential-claims', { claim_token: claimToken }, { tenant: null })
      const { client_id: clientId, client_secret: secret } = claimed.body
      const { tenants } = (await operator('/tenants?limit=100')).body as {
        tenants: { tenant_id: string; client_ids: string[] }[]
      }
      const tenant = tenants.find(({ client_ids: ids }) => ids.includes(clientId))
      if (tenant === undefined) throw new Error(`No tenant has the client ${clientId}.`)
      const bearer: string = (await mint(clientId, secret)).body.access_token
      return { requestId, email, clientId, tenantId: tenant.tenant_id, secret, bearer }
    },
  }
}
