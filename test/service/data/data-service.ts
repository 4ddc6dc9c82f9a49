import { createSecretKey } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintBearerToken } from '../../../src/service/access/bearer-tokens.ts'
import { createApp } from '../../../src/service/app.ts'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import { openBlobStore } from '../../../src/service/blobs/open-blob-store.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { closeApp } from '../../../src/service/http/closing.ts'
import type { HttpLimits } from '../../../src/service/http/http-limits.ts'
import { loadServiceKeys } from '../../../src/service/keys/service-keys.ts'
import { openWorkQueue } from '../../../src/service/queue/work-queue.ts'
import { BlobRemover } from '../../../src/service/retention/blob-remover.ts'
import { loadMasterKey } from '../../../src/service/settings/master-key.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { startWork, type WorkOptions } from '../../../src/service/start-workers.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { watchStatuses } from '../documented-statuses.ts'
import { openTestDatabase } from '../test-database.ts'
import { testSettings } from '../test-settings.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

export interface DataService {
  readonly baseUrl: string
  readonly port: number
  readonly dataDir: string
  readonly db: Database
  readonly context: ServiceContext
  /** The service's time in ms since 1970, plus this. */
  readonly clock: { aheadMs: number }
  /** Failures that no caller saw. */
  readonly errors: unknown[]
  token(tenantId: string): Promise<string>
  /** A request of tenant A, or of the tenant named. */
  ask(path: string, init?: RequestInit & { tenant?: string }): Promise<Answer>
  /** Names of all files that blobs are kept in on this machine, scratch files included. */
  blobs(): Promise<string[]>
  /** From now on jobs that have begun wait before they read their files, until the returned function is called. */
  hold(): () => void
  /** The next job that reads its files waits before that, until the returned function is called; others continue. */
  holdNext(): () => void
  /** Ends the workers and the sweeper once they have stored their work. */
  stopWork(): Promise<void>
  close(): Promise<void>
}

export interface DataServiceOptions {
  /** False: jobs stay queued, and nothing is swept. */
  readonly work?: boolean
  readonly limits?: Partial<HttpLimits>
  readonly settings?: Partial<Settings>
  readonly webhooks?: WorkOptions['webhooks']
}

export const TENANT_A = 'ten_A'
export const TENANT_B = 'ten_B'

/** The whole data side of the service over a temporary folder, listening on a free port, with two tenants. */
export async function startDataService(options: DataServiceOptions = {}): Promise<DataService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whatif-data-'))
  const db = await openTestDatabase()
  for (const tenantId of [TENANT_A, TENANT_B]) {
    await db.query('insert into tenants (tenant_id, name, created_at) values ($1, $1, now())', [tenantId])
  }
  const errors: unknown[] = []
  const onError = (error: unknown): void => {
    errors.push(error)
  }
  const queue = await openWorkQueue(db, { onError })
  const clock = { aheadMs: 0 }
  const settings = testSettings({ dataDir, threads: 2, ...options.settings })
  const stored = await openBlobStore(settings)
  const now = (): number => Date.now() + clock.aheadMs
  const context: ServiceContext = {
    settings,
    db,
    blobs: stored,
    queue,
    // The noise is the same in every run.
    keys: {
      ...(await loadServiceKeys(db, loadMasterKey(dataDir, null))),
      rowKeys: createSecretKey(Buffer.alloc(32, 1)),
    },
    addresses: { baseUrl: '', authUrl: '' },
    now,
    remover: new BlobRemover({ db, blobs: stored, now }, { onError }),
  }
  const app = createApp(context, options.limits)
  const checkStatuses = watchStatuses(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  context.addresses.baseUrl = baseUrl
  context.addresses.authUrl = baseUrl
  let held: Promise<void> = Promise.resolve()
  let release = (): void => undefined
  const toRelease: (() => void)[] = []
  const releaseAll = (): void => {
    release()
    for (const releaseOne of toRelease) releaseOne()
  }
  let heldNext: Promise<void> | null = null
  const blobs = behindGate(context.blobs, async () => {
    const next = heldNext
    heldNext = null
    await Promise.all([held, next])
  })
  // Orphaned blobs are removed, with or without workers.
  if (options.work === false) context.remover?.start()
  const work =
    options.work === false
      ? null
      : await startWork(
          { ...context, blobs },
          { isAlone: true, onError, ...(options.webhooks && { webhooks: options.webhooks }) },
        )
  const token = async (tenantId: string): Promise<string> =>
    await mintBearerToken(context, { tenantId, clientId: 'cli_test' })
  return {
    baseUrl,
    port,
    dataDir,
    db,
    context,
    clock,
    errors,
    token,
    async ask(path, init = {}) {
      const { tenant = TENANT_A, ...rest } = init
      const headers = new Headers(rest.headers)
      headers.set('authorization', `Bearer ${await token(tenant)}`)
      const response = await fetch(`${baseUrl}${path}`, { ...rest, headers })
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    },
    async blobs() {
      const folder = join(dataDir, settings.objectStorage === null ? 'blobs' : 'scratch')
      for (;;) {
        try {
          const entries = await readdir(folder, { recursive: true, withFileTypes: true })
          return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
        } catch (error) {
          // A folder went while it was listed.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        }
      }
    },
    hold() {
      held = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    holdNext() {
      let releaseOne = (): void => undefined
      heldNext = new Promise((resolve) => {
        releaseOne = resolve
      })
      toRelease.push(releaseOne)
      return releaseOne
    },
    async stopWork() {
      releaseAll()
      await work?.stop()
    },
    async close() {
      releaseAll()
      await closeApp(app)
      await work?.stop()
      await context.remover?.stop()
      await queue.stop()
      await context.blobs.close()
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
      checkStatuses()
    },
  }
}

/** The same blobs for the workers, whose files are read when `mayRead` has resolved. */
function behindGate(blobs: BlobStore, mayRead: () => Promise<void>): BlobStore {
  return new Proxy(blobs, {
    get: (target, name: keyof BlobStore) => {
      if (name !== 'withLocalFile') return target[name].bind(target)
      return async (...given: Parameters<BlobStore['withLocalFile']>) => {
        await mayRead()
        return await target.withLocalFile(...given)
      }
    },
  })
}

export interface FormParts {
  readonly [name: string]: string | Blob
}

/** A multipart body with the parts in their order. */
export function form(parts: FormParts): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, 'seed.csv')
  }
  return data
}

/** A small survey of `rows` respondents: three categorical columns, two numeric ones, a date, an id, missing values. */
export function surveyCsv(rows: number): string {
  const lines = ['respondent_id,region,loyalty_member,satisfaction,monthly_spend,age,joined_on']
  let state = 12345
  const draw = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  for (let i = 0; i < rows; i++) {
    const region = ['north', 'south', 'east', 'west'][draw(4)]
    const member = draw(3) === 0 ? 'yes' : 'no'
    const spend = draw(10) === 0 ? '' : (draw(5) === 0 ? 0 : 5 + draw(2000) / 10).toFixed(1)
    const day = new Date(Date.UTC(2020, 0, 1 + draw(1500))).toISOString().slice(0, 10)
    lines.push(`R${100000 + i},${region},${member},${1 + draw(5)},${spend},${18 + draw(60)},${day}`)
  }
  return `${lines.join('\n')}\n`
}
