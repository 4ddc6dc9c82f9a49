import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeClient, mint, request } from '../served-client.ts'
import { lastingPort, OPERATOR_TOKEN } from '../served-process.ts'
import { S3Server } from '../storage/s3-server.ts'
import { newTestDatabase } from '../test-database.ts'

const BINARY = resolve(import.meta.dirname, '../../../bin/whatif.js')
const COMPOSE = resolve(import.meta.dirname, '../../../deploy/compose/compose.yaml')

interface ComposeService {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly deploy?: { readonly replicas: number }
}

let folder: string
let storage: S3Server
let database: Awaited<ReturnType<typeof newTestDatabase>>
let services: Readonly<Record<string, ComposeService>>
const running: { readonly url: string; stop(): Promise<number | null> }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-compose-'))
  storage = await S3Server.start()
  database = await newTestDatabase()
  const secrets: Record<string, string> = {
    database_url: `${database.databaseUrl}`,
    master_key: 'a-master-key-of-at-least-32-characters',
    operator_token: OPERATOR_TOKEN,
    storage_key_id: `${storage.storage.accessKeyId}`,
    storage_key: `${storage.storage.secretAccessKey}`,
  }
  for (const [name, secret] of Object.entries(secrets)) await writeFile(join(folder, name), `${secret}\n`)
  services = parse(await readFile(COMPOSE, 'utf8'), { merge: true }).services
})
afterAll(async () => {
  for (const { stop } of running) await stop()
  await database?.remove()
  await storage?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The file's environment, with the places of this machine. */
function environmentOf({ environment }: ComposeService, publicUrl: string): Record<string, string> {
  const here: Record<string, string> = {
    WHATIF_SERVE_PUBLIC_URL: publicUrl,
    WHATIF_S3_ENDPOINT: storage.storage.endpoint,
    WHATIF_S3_PUBLIC_ENDPOINT: storage.storage.endpoint,
    WHATIF_S3_BUCKET: storage.storage.bucket,
  }
  const { PATH = '' } = process.env
  const set = Object.entries(environment).map(([name, value]) => [
    name,
    here[name] ?? value.replace('/run/secrets', folder),
  ])
  return { PATH, ...Object.fromEntries(set) }
}

function start(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = once(child, 'exit') as Promise<[number | null]>
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = `${log}${text}`.slice(-20_000)
  })
  return { child, gone, log: () => log }
}

/** One replica of a service, on a port of its own. */
async function startReplica(name: string, port: number, publicUrl: string): Promise<void> {
  const service = services[name] as ComposeService
  const args = service.command.map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg))
  args[args.indexOf('/data')] = join(folder, `data-${name}-${port}`)
  const { child, gone, log } = start([...args, '--port', String(port), '--json'], environmentOf(service, publicUrl))
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    gone.then(([code]) => {
      throw new Error(`${name} ended with ${code}: ${log()}`)
    }),
  ])) as [string]
  expect(JSON.parse(line)).toMatchObject({ base_url: publicUrl })
  running.push({
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM')
      return (await gone)[0]
    },
  })
}

/** Whoever knows an e-mail address finds the request, and no token in its status after the approval. */
async function tryTakeover(url: string): Promise<void> {
  const signup = { company_name: 'Company', contact_email: 'victim@example.test' }
  const { request_id: id } = (await request(url, 'POST', '/v1/signup', { body: signup })).body
  await request(url, 'POST', `/operator/v1/signups/${id}/approve`, { bearer: OPERATOR_TOKEN, body: {} })
  const found = await request(url, 'POST', '/v1/signup', { body: { ...signup, company_name: 'Attacker' } })
  expect(found.body).toEqual({ request_id: id, status: 'approved' })
  const status = await request(url, 'GET', `/v1/signup/${id}`)
  expect(status.body).toMatchObject({ status: 'approved' })
  expect(status.body).not.toHaveProperty('credential_claim_token')
}

/** A neighbour that is not the proxy invents a new address for each guess: all are counted as its own. */
async function forgeAddresses(url: string): Promise<void> {
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) {
    const headers = { authorization: `Bearer ${i}-wrong-operator-token`, 'x-forwarded-for': `192.0.2.${i}` }
    statuses.push((await fetch(`${url}/operator/v1/signups`, { headers })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
}

it('the processes of the compose file start after their migration, work together, and stop regularly', async () => {
  const ports = [await lastingPort(), await lastingPort(), await lastingPort(), await lastingPort()] as const
  // Clients speak to the first; in the containers a proxy has the address.
  const publicUrl = `http://127.0.0.1:${ports[0]}`
  expect([services.api?.deploy?.replicas, services.worker?.deploy?.replicas]).toEqual([2, 2])

  await expect(startReplica('api', ports[0], publicUrl)).rejects.toThrow('Run whatif migrate-database')
  const migrate = services.migrate as ComposeService
  const migration = start(migrate.command, environmentOf(migrate, publicUrl))
  expect({ code: (await migration.gone)[0], log: migration.log() }).toEqual({ code: 0, log: '' })
  await Promise.all([
    startReplica('api', ports[0], publicUrl),
    startReplica('api', ports[1], publicUrl),
    startReplica('worker', ports[2], publicUrl),
    startReplica('worker', ports[3], publicUrl),
  ])
  for (const { url } of running) {
    expect((await request(url, 'GET', '/livez')).status).toBe(200)
    expect((await request(url, 'GET', '/readyz')).status).toBe(200)
  }

  await tryTakeover(publicUrl)
  await forgeAddresses(publicUrl)
  const bearer = (await mint(publicUrl, await makeClient(publicUrl, 'team@example.test'))) as string
  const [one, other] = [publicUrl, `http://127.0.0.1:${ports[1]}`]
  const form = new FormData()
  form.append('wait_seconds', '60')
  const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 === 0 ? 'tea' : 'coffee'},${i % 5}`)
  form.append('seed_file', new Blob([['drink,cups', ...rows].join('\n')]))
  const dataset = await request(one, 'POST', '/v1/datasets', { bearer, key: 'seed', body: form })
  expect(dataset).toMatchObject({ status: 200, body: { status: 'ready' } })
  const order = { row_count: 100, output_format: 'csv', wait_seconds: 60 }
  const path = `/v1/datasets/${dataset.body.dataset_id}/generations`
  const generation = await request(other, 'POST', path, { bearer, key: 'rows', body: order })
  expect(generation).toMatchObject({ status: 200, body: { status: 'ready', rows_generated: 100 } })
  const artifact = await fetch(generation.body.artifact_url)
  expect((await artifact.text()).trimEnd().split('\n')).toHaveLength(101)

  expect(await Promise.all(running.splice(0).map(async ({ stop }) => await stop()))).toEqual([0, 0, 0, 0])
})
