import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { loadMasterKey, readSecretFile } from './access/master-key.ts'
import { loadServiceKeys } from './access/service-keys.ts'
import { openBlobStore } from './blobs/open-blob-store.ts'
import type { ServiceContext } from './context.ts'
import type { QueueTiming } from './queue/boss-work-queue.ts'
import type { Settings } from './settings.ts'
import { migrate } from './store/migrate.ts'
import { MIGRATIONS } from './store/migrations.ts'
import { openDatabase } from './store/open-database.ts'

/** File in the data folder, mode 600, whose content is the operator token. */
export const OPERATOR_TOKEN_FILE = 'operator.token'

/** What an `Authorization: Bearer` header can carry (RFC 6750, 2.1), and long enough not to be guessed. */
const OPERATOR_TOKEN_PATTERN = /^[A-Za-z0-9._~+/-]{16,}=*$/

/** Requests still under way when the service closes are given this long, in milliseconds; then their connections end. */
const CLOSING_GRACE_MS = 5_000

export interface RunningService {
  /** `{base_url}`, without a trailing slash. */
  readonly baseUrl: string
  /** `{auth_url}`, without a trailing slash. */
  readonly authUrl: string
  /** Where this process listens; `baseUrl` may be the address of something before it. Without a trailing slash. */
  readonly listenUrl: string
  /** Present when the operator routes are on. */
  readonly operatorToken?: string
  /**
   * Stops accepting requests, lets those under way finish (at most 5 s), hands unfinished jobs back to the queue and
   * closes the database. Harmless when repeated.
   */
  close(): Promise<void>
}

/**
 * Starts the service on a data folder: database, keys, storage, workers, and listens. Settings that are left out are
 * read from the environment (`WHATIF_MASTER_KEY`, `WHATIF_OPERATOR_TOKEN`) or the data folder (`master.key`,
 * `operator.token`); host 127.0.0.1, any free port, rate limits on, no log. Where anything fails, what was opened is
 * closed again. With a PostgreSQL server for a database any number of processes can share it.
 *
 * @throws DataFolderInUseError when another process has the folder of an embedded database; DatabaseUnavailableError
 * when the database server is not reached.
 */
export async function startService(
  options: Partial<Settings> & { readonly dataDir: string },
  timing: QueueTiming = {},
): Promise<RunningService> {
  // Closed in the reverse order of opening.
  const closers: (() => Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }
  try {
    const settings = completeSettings(options)
    const isAlone = settings.databaseUrl === null
    let app: FastifyInstance | null = null
    const onError = (error: unknown): void => app?.log.error({ err: error }, 'work failed')
    const opening = openDatabase(settings, onError)
    const loading = loadParts()
    const db = await opening
    closers.push(() => db.close())
    const { createApp, openWorkQueue, startWork } = await loading
    await migrate(db, MIGRATIONS)
    const keys = await loadServiceKeys(db, loadMasterKey(settings.dataDir, settings.masterKey))
    const blobs = await openBlobStore(settings, { isShared: !isAlone })
    closers.push(() => blobs.close())
    const queue = await openWorkQueue(db, { ...timing, onError })
    closers.push(() => queue.stop())
    // With a port of its own choice the address is known only when it listens; else before the first request can come.
    const baseUrl = settings.publicUrl ?? (settings.port === 0 ? '' : addressOf(settings.host, settings.port))
    const addresses = { baseUrl, authUrl: baseUrl }
    const context: ServiceContext = { settings, db, blobs, queue, keys, addresses, now: Date.now }
    if (settings.role !== 'api') {
      const work = await startWork(context, { isAlone, onError })
      closers.push(() => work.stop())
    }
    app = createApp(context)
    closers.push(() => closeApp(app as FastifyInstance))
    await app.listen({ host: settings.host, port: settings.port })
    const listenUrl = addressOf(settings.host, (app.server.address() as AddressInfo).port)
    if (addresses.baseUrl === '') {
      addresses.baseUrl = listenUrl
      addresses.authUrl = listenUrl
    }
    let closing: Promise<void> | null = null
    return {
      ...addresses,
      listenUrl,
      ...(settings.operatorToken !== null && { operatorToken: settings.operatorToken }),
      close: async () => {
        closing ??= closeAll()
        await closing
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** What works on an open database. Not imported above: it is loaded while the opening waits for files and compilation. */
async function loadParts() {
  const [{ createApp }, { openWorkQueue }, { startWork }] = await Promise.all([
    import('./app.ts'),
    import('./queue/boss-work-queue.ts'),
    import('./work/start-work.ts'),
  ])
  return { createApp, openWorkQueue, startWork }
}

/** Fills in what was left out; null turns a secret from the environment or a file off. */
export function completeSettings(options: Partial<Settings> & { readonly dataDir: string }): Settings {
  const { WHATIF_MASTER_KEY: masterKey, WHATIF_OPERATOR_TOKEN: operatorToken } = process.env
  const settings: Settings = {
    host: '127.0.0.1',
    port: 0,
    authUrl: null,
    identityProvider: null,
    databaseUrl: null,
    objectStorage: null,
    role: 'all',
    trustedProxies: [],
    masterKey: masterKey || null,
    threads: availableParallelism(),
    workers: 1,
    rateLimits: true,
    lockTimeoutMs: 10_000,
    log: false,
    ...options,
    version: options.version ?? packageVersion(),
    publicUrl: options.publicUrl == null ? null : checkPublicUrl(options.publicUrl),
    operatorToken:
      options.operatorToken !== undefined
        ? options.operatorToken
        : operatorToken || readSecretFile(join(options.dataDir, OPERATOR_TOKEN_FILE)),
  }
  if (settings.operatorToken !== null && !OPERATOR_TOKEN_PATTERN.test(settings.operatorToken)) {
    throw new Error('The operator token must have at least 16 characters, all of them letters, digits or one of -._~+/')
  }
  if (settings.role !== 'all' && settings.databaseUrl === null) {
    throw new Error(
      `The role ${settings.role} needs a database that other processes can share: set DATABASE_URL to a PostgreSQL server.`,
    )
  }
  return settings
}

function checkPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error(`The public address ${text} must be an http or https address without query, fragment or user.`)
  }
  return text.replace(/\/+$/, '')
}

/** An address that reaches the server from this machine; one that listens on all interfaces is reached by loopback. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSING_GRACE_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

/** Two folders up, from `src/service` and `dist/service` alike. */
function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
