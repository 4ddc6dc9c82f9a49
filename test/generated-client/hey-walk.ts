// The way of a client that @hey-api/openapi-ts makes from the OpenAPI document: from signup to a download. `service/` is
// made from the document and lies beside this file when the walk is checked and run.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { client } from './service/client.gen.ts'
import {
  approveSignup,
  claimCredentials,
  createDataset,
  createGeneration,
  deleteDataset,
  downloadArtifact,
  getDatasetSchema,
  getError,
  getGeneration,
  getJob,
  getSignup,
  mintToken,
  signup,
} from './service/sdk.gen.ts'
import type { GenerationRequest, Job, SchemaColumn } from './service/types.gen.ts'

const baseUrl = variable('BASE_URL')
client.setConfig({ baseUrl })

const bearer = await getToken()
client.setConfig({ auth: bearer })
const dataset_id = await train()
await generate(await levelsOf('region'))
await end()

/** Signup, the operator's decision, the one-time claim, a bearer token. */
async function getToken(): Promise<string> {
  const body = { company_name: 'Hey Client Ltd', contact_email: 'hey@generated.example' }
  const { request_id } = dataOf(await signup({ body }))
  const path = { request_id }
  is(dataOf(await approveSignup({ path, auth: variable('OPERATOR_TOKEN') })).status, 'approved')
  const { credential_claim_token } = dataOf(await getSignup({ path }))
  const claimed = await claimCredentials({ body: { claim_token: present(credential_claim_token) } })
  const { client_id, client_secret, audience, grant_type } = dataOf(claimed)
  say('access', client_id)
  return dataOf(await mintToken({ body: { client_id, client_secret, audience, grant_type } })).access_token
}

/** Upload, with a boolean as the types want it, and the job. */
async function train(): Promise<string> {
  const uploaded = await createDataset({
    headers: { 'Idempotency-Key': 'hey-upload' },
    body: {
      seed_file: new Blob([await readFile(variable('SEED_FILE'))]),
      display_name: 'Coffee tracker',
      auto_clean: true,
      wait_seconds: 0,
    },
  })
  const { dataset_id, job_id } = dataOf(uploaded)
  is((await pollJob(present(job_id))).dataset_id, dataset_id)
  say('trained', dataset_id)
  return dataset_id
}

/** What a column of either type has is known from its type. */
async function levelsOf(name: string): Promise<readonly string[]> {
  const { schema } = dataOf(await getDatasetSchema({ path: { dataset_id } }))
  is(rangeOf(present(schema.find((column) => column.name === 'age'))), 'whole')
  const column = present(schema.find((candidate) => candidate.name === name))
  if (column.type !== 'categorical') throw new Error(`${name} is ${column.type}.`)
  return column.levels
}

function rangeOf(column: SchemaColumn): string {
  switch (column.type) {
    case 'categorical':
      return `${column.levels.length} levels`
    case 'numeric':
      return column.integer && column.min < column.max ? 'whole' : 'not whole'
  }
}

/** A scenario, its rows, and the bytes that the generation names. */
async function generate(levels: readonly string[]): Promise<void> {
  const level = present(levels[1])
  const body: GenerationRequest = {
    row_count: 500,
    output_format: 'csv',
    seed: 7,
    conditions: { categorical: { region: { [level]: 0.7 } } },
  }
  const headers = { 'Idempotency-Key': 'hey-generation' }
  const { generation_id, job_id } = dataOf(await createGeneration({ path: { dataset_id }, headers, body }))
  is((await pollJob(present(job_id))).generation_id, generation_id)
  const path = { generation_id }
  const generation = dataOf(await getGeneration({ path }))
  is(generation.status, 'ready')
  is(generation.targets?.[0]?.count, 350)
  const address = new URL(present(generation.artifact_url), baseUrl)
  const query = {
    expires: present(address.searchParams.get('expires')),
    signature: present(address.searchParams.get('signature')),
  }
  const file = dataOf(await downloadArtifact({ path, query, parseAs: 'blob' }))
  if (!(file instanceof Blob)) throw new Error('The download is no file.')
  const bytes = Buffer.from(await file.arrayBuffer())
  is(createHash('sha256').update(bytes).digest('hex'), generation.artifact?.sha256)
  is(bytes.toString('utf8').trimEnd().split('\n').length, 1 + present(generation.rows_generated))
  say('downloaded', `${generation.rows_generated} rows`)
}

/** Deletes the dataset; then it is not there, and the catalogue says what that means. */
async function end(): Promise<void> {
  const path = { dataset_id }
  is((await deleteDataset({ path })).response?.status, 204)
  const gone = await getDatasetSchema({ path })
  const code = present(gone.error?.code)
  is(code, 'svc_not_found')
  is(dataOf(await getError({ path: { code } })).retryable, false)
  say('deleted', dataset_id)
}

async function pollJob(job_id: string): Promise<Job> {
  for (;;) {
    const job = dataOf(await getJob({ path: { job_id }, headers: { Prefer: 'wait=10' } }))
    switch (job.status) {
      case 'completed':
        return job
      case 'failed':
      case 'expired':
      case 'cancelled':
        throw new Error(`Job ${job_id} ended ${job.status}: ${job.error?.detail}`)
      case 'queued':
      case 'running':
    }
  }
}

/** The body of a reply that went well. */
function dataOf<Data>(reply: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (reply.data === undefined || reply.data === null) throw new Error(JSON.stringify(reply.error))
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
