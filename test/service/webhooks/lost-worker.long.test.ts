import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { form, surveyCsv } from '../data/data-service.ts'
import { SHORT_LIVED } from '../served-process.ts'
import { isGenuine, type Receiver, startReceiver } from './receiver.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-webhook-test'
const CHILD = join(import.meta.dirname, '../data/serve-child.js')
const ROUNDS = 4

let dataDir: string
let receiver: Receiver
let child: ChildProcess | null = null
let baseUrl = ''
let bearer = ''
let credentials: { client_id: string; client_secret: string }

/** @param webhooks `none`: jobs end and their messages are committed, and nobody sends them. */
async function start(webhooks: 'none' | 'private'): Promise<void> {
  const settings = JSON.stringify({ webhooks })
  const timing = JSON.stringify({ webhooks: { pollMs: 50, answerMs: 2000, pausesMs: [50, 50, 50, 50, 50] } })
  const started = spawn(process.execPath, [SHORT_LIVED, CHILD, dataDir, OPERATOR_TOKEN, settings, timing], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  for await (const line of createInterface({ input: started.stdout })) {
    baseUrl = line
    break
  }
  expect(baseUrl).not.toBe('')
  if (credentials === undefined) return
  const audience = { audience: baseUrl, grant_type: 'client_credentials' }
  bearer = (await post('/oauth/token', { ...credentials, ...audience }, '')).access_token
}

async function kill(): Promise<void> {
  const victim = child as ChildProcess
  const gone = once(victim, 'exit')
  victim.kill('SIGKILL')
  await gone
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Body = any

async function call(path: string, init: RequestInit, authorization: string): Promise<Body> {
  const headers = new Headers(init.headers)
  if (authorization !== '') headers.set('authorization', `Bearer ${authorization}`)
  return await (await fetch(`${baseUrl}${path}`, { ...init, headers })).json()
}

async function post(path: string, body: unknown, authorization = bearer): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  return await call(path, { method: 'POST', headers, body: JSON.stringify(body) }, authorization)
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whatif-webhooks-'))
  receiver = await startReceiver()
  await start('private')
  const { request_id: id } = await post('/v1/signup', { company_name: 'Hooks', contact_email: 'hooks@example.com' }, '')
  await post(`/operator/v1/signups/${id}/approve`, {}, OPERATOR_TOKEN)
  const { credential_claim_token: token } = await call(`/v1/signup/${id}`, {}, '')
  credentials = await post('/v1/credential-claims', { claim_token: token }, '')
  const audience = { audience: baseUrl, grant_type: 'client_credentials' }
  const { client_id, client_secret } = credentials
  bearer = (await post('/oauth/token', { client_id, client_secret, ...audience }, '')).access_token
  credentials = { client_id, client_secret }
})
afterAll(async () => {
  if (child !== null && child.exitCode === null && child.signalCode === null) await kill()
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('tells of every job although its process is killed between the commit and the call, or during the call', async () => {
  const body = form({ seed_file: new Blob([surveyCsv(200)]), wait_seconds: '60' })
  const { dataset_id: dataset } = await call('/v1/datasets', { method: 'POST', body }, bearer)
  const { secret } = await post('/v1/webhooks', { url: receiver.url, events: ['job.completed'] })
  const jobs: string[] = []
  const heard = (job: string) => receiver.deliveries.filter(({ event }) => event.data.job_id === job)
  for (let round = 0; round < ROUNDS; round++) {
    // In odd rounds the receiver never answers: the process dies while it waits for the answer.
    const duringCall = round % 2 === 1
    await kill()
    await start(duringCall ? 'private' : 'none')
    if (duringCall) receiver.answer = () => undefined
    const made = await post(`/v1/datasets/${dataset}/generations`, { row_count: 10, seed: round, wait_seconds: 30 })
    expect(made.status).toBe('ready')
    jobs.push(made.job_id)
    if (duringCall) while (heard(made.job_id).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    else expect(heard(made.job_id)).toEqual([])
    await kill()
    receiver.answer = (_delivery, reply) => reply.writeHead(204).end()
    await start('private')
    const least = duringCall ? 2 : 1
    while (heard(made.job_id).length < least) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const [round, job] of jobs.entries()) {
    const got = heard(job)
    // Once, and once more only where the first answer did not come.
    expect(got).toHaveLength(round % 2 === 1 ? 2 : 1)
    expect(new Set(got.map(({ id, body: text }) => `${id} ${text}`)).size).toBe(1)
    for (const delivery of got) expect(isGenuine(delivery, secret)).toBe(true)
  }
})
