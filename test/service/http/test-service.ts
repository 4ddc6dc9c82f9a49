import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Deprecation } from '../../../src/contract/operation.ts'
import { mintBearerToken } from '../../../src/service/access/bearer-tokens.ts'
import type { Identity } from '../../../src/service/access/verified-token.ts'
import { createApp } from '../../../src/service/app.ts'
import { openFileBlobStore } from '../../../src/service/blobs/file-blob-store.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { closeApp } from '../../../src/service/http/closing.ts'
import type { HttpLimits } from '../../../src/service/http/http-limits.ts'
import { loadServiceKeys } from '../../../src/service/keys/service-keys.ts'
import type { WorkQueue } from '../../../src/service/queue/work-queue.ts'
import { loadMasterKey } from '../../../src/service/settings/master-key.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import type { Database } from '../../../src/service/store/database.ts'
import type { ServiceEvents } from '../../../src/service/telemetry/service-events.ts'
import { watchStatuses } from '../documented-statuses.ts'
import { openTestDatabase } from '../test-database.ts'
import { testSettings } from '../test-settings.ts'

export const OPERATOR_TOKEN = 'operator-token-for-tests'

/** A migrated database in a temporary folder, for one test file: opening it takes seconds. */
export interface TestStore {
  readonly dataDir: string
  readonly db: Database
  close(): Promise<void>
}

export async function openTestStore(): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whatif-service-'))
  const db = await openTestDatabase()
  return {
    dataDir,
    db,
    close: async () => {
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface TestService {
  readonly baseUrl: string
  readonly port: number
  readonly app: FastifyInstance
  readonly context: ServiceContext
  /** The service's time in ms since 1970; set it to travel. */
  clock: { nowMs: number }
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  token(identity?: Identity): Promise<string>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

export interface TestServiceOptions {
  readonly settings?: Partial<Settings>
  readonly limits?: Partial<HttpLimits>
  readonly events?: ServiceEvents
  readonly endOfV1?: Deprecation
  /** Adds routes of the test's own before the app starts. */
  readonly extend?: (app: FastifyInstance) => void
}

/** These routes make no jobs: a request to the queue fails the test. */
const NO_QUEUE = {
  stop: async () => undefined,
  expect: () => undefined,
} as unknown as WorkQueue

/** The real app on a free port over a test store. */
export async function startTestService(store: TestStore, options: TestServiceOptions = {}): Promise<TestService> {
  const clock = { nowMs: Date.now() }
  const context: ServiceContext = {
    settings: testSettings({ dataDir: store.dataDir, operatorToken: OPERATOR_TOKEN, ...options.settings }),
    db: store.db,
    blobs: await openFileBlobStore(join(store.dataDir, 'blobs')),
    queue: NO_QUEUE,
    keys: await loadServiceKeys(store.db, loadMasterKey(store.dataDir, null)),
    addresses: { baseUrl: '', authUrl: '' },
    ...(options.events !== undefined && { events: options.events }),
    ...(options.endOfV1 !== undefined && { endOfV1: options.endOfV1 }),
    now: () => clock.nowMs,
  }
  const app = createApp(context, options.limits)
  const checkStatuses = watchStatuses(app)
  options.extend?.(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  context.addresses.baseUrl = baseUrl
  context.addresses.authUrl = baseUrl
  return {
    baseUrl,
    port,
    app,
    context,
    clock,
    post: (path, body, headers = {}) =>
      ask(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    get: (path, headers = {}) => ask(`${baseUrl}${path}`, { headers }),
    token: (identity = { tenantId: 'ten_test', clientId: 'cli_test' }) => mintBearerToken(context, identity),
    close: async () => {
      await closeApp(app)
      checkStatuses()
    },
  }
}

export async function ask(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  const text = await response.text()
  let body: unknown = null
  if (text !== '' && /json/.test(response.headers.get('content-type') ?? '')) body = JSON.parse(text)
  return { status: response.status, headers: response.headers, text, body }
}

/** Sends bytes as they are over a socket of its own and returns all that comes back until the server ends it. */
export async function sendRaw(port: number, request: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let reply = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.on('end', () => resolve(reply))
    socket.on('error', reject)
  })
}
