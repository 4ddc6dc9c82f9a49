// The whole way of a client that knows only the OpenAPI document: from signup to a deleted dataset. `service.ts` is made
// from the document by openapi-typescript and lies beside this file when the walk is checked and run (walk.test.ts).

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './service.ts'

const baseUrl = variable('BASE_URL')
const service = createClient<paths>({ baseUrl })

const { dataset, token } = await train(await getToken())
await generate(dataset, token)
await end(dataset, token)

/** Signup, the operator's decision, the one-time claim, a bearer token. */
async function getToken(): Promise<string> {
  const signup = await service.POST('/v1/signup', {
    body: { company_name: 'Generated Client Ltd', contact_email: 'client@generated.example' },
  })
  const { request_id } = expectData(signup)
  const operator = { authorization: `Bearer ${variable('OPERATOR_TOKEN')}` }
  const approval = await service.POST('/operator/v1/signups/{request_id}/approve', {
    params: { path: { request_id } },
    headers: operator,
  })
  is(expectData(approval).status, 'approved')
  const status = expectData(await service.GET('/v1/signup/{request_id}', { params: { path: { request_id } } }))
  const credentials = expectData(
    await service.POST('/v1/credential-claims', { body: { claim_token: present(status.credential_claim_token) } }),
  )
  const { client_id, client_secret, audience, grant_type } = credentials
  const minted = await service.POST('/oauth/token', { body: { client_id, client_secret, audience, grant_type } })
  say('access', client_id)
  return expectData(minted).access_token
}

/** Upload, the job, the record, the list, the cleaned schema. */
async function train(token: string) {
  const seed = new Blob([await readFile(variable('SEED_FILE'))])
  const upload = await service.POST('/v1/datasets', {
    params: { header: { 'Idempotency-Key': 'walk-upload' } },
    headers: bearer(token),
    body: {
      seed_file: seed,
      display_name: 'Coffee tracker',
      auto_clean: true,
      wait_seconds: 0,
    },
    bodySerializer: ({ seed_file, display_name, auto_clean, wait_seconds }) => {
      const form = new FormData()
      if (display_name !== undefined) form.append('display_name', display_name)
      if (auto_clean !== undefined) form.append('auto_clean', String(auto_clean))
      if (wait_seconds !== undefined) form.append('wait_seconds', String(wait_seconds))
      form.append('seed_file', seed_file, 'tracker.csv')
      return form
    },
  })
  const { dataset_id, job_id } = expectData(upload)
  is((await pollJob(present(job_id), token)).dataset_id, dataset_id)
  const path = { dataset_id }
  const record = expectData(
    await service.GET('/v1/datasets/{dataset_id}', { params: { path }, headers: bearer(token) }),
  )
  is(record.display_name, 'Coffee tracker')
  is(record.cleaning_summary?.input_rows, 6000)
  const list = await service.GET('/v1/datasets', { params: { query: { limit: 10 } }, headers: bearer(token) })
  is(expectData(list).datasets[0]?.dataset_id, dataset_id)
  const { schema } = expectData(
    await service.GET('/v1/datasets/{dataset_id}/schema', { params: { path }, headers: bearer(token) }),
  )
  say('trained', `${schema.length} columns`)
  return { token, dataset: { dataset_id, schema } }
}

interface Trained {
  readonly dataset_id: string
  readonly schema: readonly components['schemas']['SchemaColumn'][]
}

/** A scenario built from the cleaned schema; its rows; and what a wrong one is told. */
async function generate({ dataset_id, schema }: Trained, token: string): Promise<void> {
  const region = present(schema.find(({ name }) => name === 'region'))
  const level = present(region.type === 'categorical' ? region.levels[1] : undefined)
  const request: components['schemas']['GenerationRequest'] = {
    row_count: 500,
    output_format: 'csv',
    seed: 7,
    conditions: { categorical: { [region.name]: { [level]: 0.7 } }, numeric: { age: { min: 18, max: 34 } } },
  }
  const post = async (key: string, body: components['schemas']['GenerationRequest']) =>
    await service.POST('/v1/datasets/{dataset_id}/generations', {
      params: { path: { dataset_id }, header: { 'Idempotency-Key': key } },
      headers: bearer(token),
      body,
    })
  const { generation_id, job_id } = expectData(await post('walk-generation', request))
  is((await pollJob(present(job_id), token)).generation_id, generation_id)
  const replay = await post('walk-generation', request)
  is(expectData(replay).generation_id, generation_id)
  is(replay.response.headers.get('Idempotent-Replayed'), 'true')

  const generation = expectData(
    await service.GET('/v1/generations/{generation_id}', {
      params: { path: { generation_id } },
      headers: bearer(token),
    }),
  )
  is(generation.status, 'ready')
  is(generation.targets?.[0]?.count, 350)
  await download(generation, token)

  const refused = await post('walk-refused', {
    row_count: 10,
    conditions: { categorical: { loyalty_member: { Yes: 0.5 } } },
  })
  const problem = present(refused.error)
  is(refused.response.status, 400)
  is(problem.code, 'svc_unknown_condition_column')
  is(problem.errors?.[0]?.suggestion, 'loyalty.member')
  is(problem.schema_hint?.columns?.[0], 'loyalty.member')
  is(problem.request_id, refused.response.headers.get('X-Request-Id'))
  say('refused', problem.detail)
}

/** The artifact's address as it stands, and the same by the operation of the document. */
async function download(generation: components['schemas']['Generation'], token: string): Promise<void> {
  const address = new URL(present(generation.artifact_url), baseUrl)
  const whole = await fetch(address, { headers: bearer(token) })
  const bytes = Buffer.from(await whole.arrayBuffer())
  is(createHash('sha256').update(bytes).digest('hex'), generation.artifact?.sha256)
  is(bytes.toString('utf8').trimEnd().split('\n').length, 1 + present(generation.rows_generated))
  const { generation_id } = generation
  const [expires, signature] = ['expires', 'signature'].map((name) => present(address.searchParams.get(name)))
  const part = await service.GET('/v1/artifacts/{generation_id}', {
    params: {
      path: { generation_id },
      query: { expires: present(expires), signature: present(signature) },
      header: { Range: 'bytes=0-99' },
    },
    headers: bearer(token),
    parseAs: 'arrayBuffer',
  })
  is(part.response.status, 206)
  is(Buffer.from(expectData(part)).equals(bytes.subarray(0, 100)), true)
  say('downloaded', `${generation.rows_generated} rows`)
}

/** Deletes the dataset; then it is not there. */
async function end({ dataset_id }: Trained, token: string): Promise<void> {
  const params = { path: { dataset_id } }
  const deleted = await service.DELETE('/v1/datasets/{dataset_id}', { params, headers: bearer(token) })
  is(deleted.response.status, 204)
  const gone = await service.GET('/v1/datasets/{dataset_id}', { params, headers: bearer(token) })
  is(gone.error?.code, 'svc_not_found')
  const code = present(gone.error?.code)
  const entry = expectData(await service.GET('/errors/{code}', { params: { path: { code } } }))
  is(entry.retryable, false)
  say('deleted', dataset_id)
}

async function pollJob(job_id: string, token: string): Promise<components['schemas']['Job']> {
  for (;;) {
    const job = expectData(
      await service.GET('/v1/jobs/{job_id}', { params: { path: { job_id } }, headers: bearer(token) }),
    )
    switch (job.status) {
      case 'completed':
        return job
      case 'failed':
      case 'expired':
      case 'cancelled':
        throw new Error(`Job ${job_id} ended ${job.status}: ${job.error?.detail}`)
      case 'queued':
      case 'running':
        await new Promise((resume) => setTimeout(resume, 200))
    }
  }
}

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** The body of a reply that went well. */
function expectData<Data>(reply: { data?: Data; error?: unknown; response: Response }): Data {
  if (reply.data === undefined) throw new Error(`${reply.response.url}: ${JSON.stringify(reply.error)}`)
  return reply.data
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A field that should be there is not.')
  return value
}

function is<Value>(actual: Value, expected: Value): void {
  if (actual !== expected) throw new Error(`Expected ${String(expected)}, found ${String(actual)}.`)
}

function variable(name: string): string {
  return present(process.env[name])
}

function say(step: string, words: string): void {
  process.stdout.write(`${step}: ${words}\n`)
}
