import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { mintBearerToken } from '../../../src/service/access/bearer-tokens.ts'
import { loadServiceKeys } from '../../../src/service/keys/service-keys.ts'
import type { QueueTiming } from '../../../src/service/queue/work-queue.ts'
import { loadMasterKey } from '../../../src/service/settings/master-key.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { type RunningService, startService } from '../../../src/service/start-service.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import { newTestDatabase } from '../test-database.ts'

/** The public address of all processes. The tests use the address at which each one listens. */
const PUBLIC_URL = 'http://service.test'
export const OPERATOR_TOKEN = 'operator-token-for-tests'
export const TENANT = 'ten_shared'
export const CLIENT = 'cli_shared'

/** A queue that only notifications wake: a test that waits for its next poll waits for ever. */
export const NEVER_POLLS: QueueTiming = { pollMs: 2 ** 31 - 1 }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

/** An empty database with several processes of the service on it, which share a data folder too. */
export class SharedDatabase {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly #remove: () => Promise<void>
  readonly #services: RunningService[] = []
  readonly #children: ChildProcess[] = []
  #db: Database | null = null

  private constructor(databaseUrl: string, dataDir: string, remove: () => Promise<void>) {
    this.databaseUrl = databaseUrl
    this.dataDir = dataDir
    this.#remove = remove
  }

  /** `at`: the address of an empty database; left out: one of the test run's server. */
  static async create(at?: string): Promise<SharedDatabase> {
    const made = at === undefined ? await newTestDatabase() : { databaseUrl: at, remove: async () => undefined }
    if (made.databaseUrl === null) throw new Error('These tests need PostgreSQL: run them in the project "postgres".')
    return new SharedDatabase(made.databaseUrl, await mkdtemp(join(tmpdir(), 'whatif-shared-')), made.remove)
  }

  settings(settings: Partial<Settings> = {}) {
    return {
      dataDir: this.dataDir,
      databaseUrl: this.databaseUrl,
      publicUrl: PUBLIC_URL,
      operatorToken: OPERATOR_TOKEN,
      rateLimits: false,
      threads: 1,
      ...settings,
    }
  }

  async start(settings: Partial<Settings> = {}, timing: QueueTiming = {}): Promise<RunningService> {
    const service = await startService(this.settings(settings), timing)
    this.#services.push(service)
    return service
  }

  /** A process of its own. */
  async spawn(settings: Partial<Settings>, timing: QueueTiming = {}): Promise<{ url: string; kill(): Promise<void> }> {
    const script = join(import.meta.dirname, '../data/serve-child.js')
    const child = spawn(
      process.execPath,
      [script, this.dataDir, OPERATOR_TOKEN, JSON.stringify(this.settings(settings)), JSON.stringify(timing)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#children.push(child)
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return { url, kill: async () => await kill(child) }
  }

  /** A connection of the test's own. */
  async db(): Promise<Database> {
    this.#db ??= await openPostgresDatabase(this.databaseUrl)
    return this.#db
  }

  /** Makes the tenant and the client that `ask` speaks for. */
  async addTenant(limits: { subscriptionRows?: number } = {}): Promise<void> {
    const db = await this.db()
    await db.query(
      'insert into tenants (tenant_id, name, subscription_rows, created_at) values ($1, $1, $2::bigint, now())',
      [TENANT, limits.subscriptionRows ?? null],
    )
    await db.query('insert into clients (client_id, tenant_id, created_at) values ($1, $2, now())', [CLIENT, TENANT])
  }

  /**
   * Locks a dataset's row while `act` runs: its training can begin and go on, and cannot be recorded. Whoever waits to see
   * it running does, however fast it is.
   */
  async withoutEnd<T>(datasetId: string, act: () => Promise<T>): Promise<T> {
    const db = await this.db()
    return await db.transaction(async (tx) => {
      await tx.query('select 1 from datasets where dataset_id = $1 for update', [datasetId])
      return await act()
    })
  }

  async token(): Promise<string> {
    return await this.tokenOf(null)
  }

  /** `masterKey`: the one that the processes were given; null: that of the data folder. */
  async tokenOf(masterKey: string | null): Promise<string> {
    const keys = await loadServiceKeys(await this.db(), loadMasterKey(this.dataDir, masterKey))
    const addresses = { baseUrl: PUBLIC_URL, authUrl: PUBLIC_URL }
    return await mintBearerToken({ keys, addresses, now: Date.now }, { tenantId: TENANT, clientId: CLIENT })
  }

  /** Ends the services that were started in this process. */
  async stop(): Promise<void> {
    await Promise.all(this.#services.splice(0).map(async (service) => await service.close()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map(async (service) => await service.close()))
    await Promise.all(this.#children.map(kill))
    await this.#db?.close()
    await this.#remove()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export async function ask(url: string, token: string | null, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const postJson = async (
  url: string,
  token: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  await ask(url, token, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
