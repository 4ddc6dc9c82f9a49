import { OPERATOR_TOKEN } from './served-process.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

export interface ClientSecret {
  readonly client_id: string
  readonly client_secret: string
}

/** A request to a served process; rejects when the connection breaks. A body that is no string or form is sent as JSON. */
export async function request(
  baseUrl: string,
  method: string,
  path: string,
  options: { readonly bearer?: string; readonly key?: string; readonly body?: unknown } = {},
): Promise<Reply> {
  const { bearer, key, body } = options
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  })
  const text = await response.text()
  const hasJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: hasJson ? JSON.parse(text) : text }
}

/** Walks signup, approval and claim; into `tenantId` when it is given. */
export async function makeClient(baseUrl: string, email: string, tenantId?: string): Promise<ClientSecret> {
  const signup = { company_name: 'Company', contact_email: email }
  const { request_id: id } = (await request(baseUrl, 'POST', '/v1/signup', { body: signup })).body
  const approval = tenantId === undefined ? {} : { tenant_id: tenantId }
  const way = `/operator/v1/signups/${id}/approve`
  const approved = (await request(baseUrl, 'POST', way, { bearer: OPERATOR_TOKEN, body: approval })).body
  // With `--claims operator` the operator has it, otherwise the status of the request.
  const token =
    approved.credential_claim_token ?? (await request(baseUrl, 'GET', `/v1/signup/${id}`)).body.credential_claim_token
  const { body } = await request(baseUrl, 'POST', '/v1/credential-claims', { body: { claim_token: token } })
  return { client_id: body.client_id, client_secret: body.client_secret }
}

/** A bearer token; null when the secret is refused. */
export async function mint(baseUrl: string, client: ClientSecret): Promise<string | null> {
  const body = { ...client, audience: baseUrl, grant_type: 'client_credentials' }
  const reply = await request(baseUrl, 'POST', '/oauth/token', { body })
  if (reply.status === 401) return null
  if (reply.status !== 200) throw new Error(`The token mint answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body.access_token
}
