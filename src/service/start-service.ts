import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { openBlobStore } from './blobs/open-blob-store.ts'
import { openClock } from './clock/open-clock.ts'
import { type CheckedClock, clockFault } from './clock/service-clock.ts'
import type { ServiceContext } from './context/context.ts'
import { openPrivateFolder } from './disk/private-folder.ts'
import { closeApp } from './http/closing.ts'
import { loadServiceKeys } from './keys/service-keys.ts'
import type { QueueTiming } from './queue/work-queue.ts'
import { noteTime } from './retention/sweep-brake.ts'
import { completeSettings } from './settings/complete-settings.ts'
import { loadMasterKey } from './settings/master-key.ts'
import type { GivenSettings } from './settings/read-settings.ts'
import type { Settings } from './settings/settings.ts'
import { agreeOnInstallation } from './store/installation.ts'
import { migrate } from './store/migrate.ts'
import { requireMigrated } from './store/migrate-database.ts'
import { MIGRATIONS } from './store/migrations.ts'
import { openDatabase } from './store/open-database.ts'
import { startFaultOf } from './store/start-faults.ts'
import { openTraces } from './telemetry/open-traces.ts'
import { ServiceEvents } from './telemetry/service-events.ts'
import type { WebhookTiming } from './webhooks/webhook-sender.ts'

/** How often processes that do not sweep record that they have watched time pass. */
const NOTE_MS = 60_000

/** How soon the workers notice what is to be done; for tests. */
export interface ServiceTiming extends QueueTiming {
  readonly webhooks?: WebhookTiming
}

/** A service that listens, and how to close it. */
export interface RunningService {
  /** `{base_url}`, without a trailing slash. */
  readonly baseUrl: string
  /** `{auth_url}`, without a trailing slash. */
  readonly authUrl: string
  /** Where this process listens; `baseUrl` may be the address of a proxy before it. Without a trailing slash. */
  readonly listenUrl: string
  /** Present when the operator routes are on. */
  readonly operatorToken?: string
  /**
   * Shows load balancers that this process is about to close, and serves requests for the configured time. Resolves at
   * once if there is nothing to wait for: a worker alone has no requests.
   */
  drain(): Promise<void>
  /**
   * Stops accepting requests, answers those that wait for a job, lets the others finish (at most 5 s), hands unfinished
   * jobs back to the queue and closes the database. May be called more than once.
   */
  close(): Promise<void>
}

/**
 * Starts the service on a data folder: opens database, keys and storage, starts workers, and listens. The environment
 * is not read; omitted secrets come from the data folder (`master.key`, `operator.token`). Other defaults: host
 * 127.0.0.1, any free port, rate limits on, no log. If anything fails, everything opened is closed again. Any number of
 * processes can share a PostgreSQL server.
 *
 * @throws UnusableError for invalid settings, for the folder of an embedded database that another process uses, and for
 * a database server that is not set up as the service needs; DatabaseUnavailableError if the database server cannot be
 * reached.
 */
export async function startService(options: GivenSettings, timing: ServiceTiming = {}): Promise<RunningService> {
  // Closed in reverse sequence of opening.
  const closers: (() => Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }
  try {
    const settings = completeSettings(options)
    // Before anything in it is used: the content of a folder that others can enter is not trusted.
    openPrivateFolder(settings.dataDir, { ifOpen: settings.ifDataOpen })
    const isAlone = settings.databaseUrl === null
    let app: FastifyInstance | null = null
    let isOpen = true
    const onError = (error: unknown): void => app?.log.error({ err: error }, 'work failed')
    const opening = openDatabase(settings, onError)
    const loading = loadParts()
    const db = await opening
    closers.push(() => db.close())
    const clock = await openClock(db, { isAlone })
    closers.push(async () => clock.stop())
    const { BlobRemover, createApp, openWorkQueue, startWork } = await loading
    if (settings.migrate) await migrate(db, MIGRATIONS)
    else await requireMigrated(db)
    const keys = await loadServiceKeys(db, loadMasterKey(settings.dataDir, settings.masterKey))
    const blobs = await openBlobStore(settings, { isShared: !isAlone, now: clock.now })
    closers.push(() => blobs.close())
    await agreeOnInstallation(db, blobs, settings)
    const mayTake = () => isOpen && clock.mayWork
    const { webhooks = {}, ...queueTiming } = timing
    const queue = await openWorkQueue(db, { ...queueTiming, tenantJobs: settings.tenantJobs, onError, mayTake })
    closers.push(() => queue.stop())
    // With port 0 the address is known only after listening; otherwise before the first request can arrive.
    const baseUrl = settings.publicUrl ?? (settings.port === 0 ? '' : addressOf(settings.host, settings.port))
    const addresses = { baseUrl, authUrl: authUrlOf(settings, baseUrl) }
    const events = new ServiceEvents()
    const traces = await openTraces(settings, onError)
    if (traces !== null) {
      traces.listenTo(events)
      closers.push(() => traces.close())
    }
    const { now } = clock
    const remover = new BlobRemover({ db: db.forRemoval, blobs, now, clock }, { onError })
    const context: ServiceContext = {
      ...{ settings, db, blobs, queue, keys, addresses, events, now, clock, remover },
      ...(traces !== null && { traces }),
    }
    if (settings.role !== 'api') {
      const work = await startWork(context, { isAlone, onError, webhooks })
      closers.push(() => work.stop())
    }
    app = createApp(context)
    closers.push(() => closeApp(app as FastifyInstance))
    await app.listen({ host: settings.host, port: settings.port })
    watchClock(clock, events)
    if (settings.role === 'api') closers.push(noteTimeMinutely(context, clock, onError))
    const listenUrl = addressOf(settings.host, (app.server.address() as AddressInfo).port)
    if (addresses.baseUrl === '') {
      addresses.baseUrl = listenUrl
      addresses.authUrl = authUrlOf(settings, listenUrl)
    }
    let closing: Promise<void> | null = null
    return {
      ...addresses,
      listenUrl,
      ...(settings.operatorToken !== null && { operatorToken: settings.operatorToken }),
      drain: async () => {
        if (settings.role === 'worker' || settings.drainSeconds === 0) return
        if (app !== null) app.draining.isOn = true
        await new Promise((resolve) => setTimeout(resolve, settings.drainSeconds * 1000))
      },
      close: async () => {
        // A job that begins now would only be handed back.
        isOpen = false
        closing ??= closeAll()
        await closing
      },
    }
  } catch (error) {
    await closeAll()
    throw startFaultOf(error)
  }
}

/** Compares the clocks every minute, and reports faults to log and metrics. */
function watchClock(clock: CheckedClock, events: ServiceEvents): void {
  clock.watch((wrongByMs) => {
    if (wrongByMs === null) events.emit({ type: 'clock.right' })
    else events.emit({ type: 'clock.wrong', wrongByMs, message: clockFault(clock) ?? '' })
  })
}

/** A sweeping process records time anyway. */
function noteTimeMinutely(
  { db, now }: ServiceContext,
  clock: CheckedClock,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const timer = setInterval(() => {
    if (!clock.maySweep) return
    void noteTime(db, { nowMs: now(), watchedSinceMs: clock.watchedSinceMs }).catch(onError)
  }, NOTE_MS)
  timer.unref()
  return async () => clearInterval(timer)
}

/** The parts that need an open database. They are imported while opening waits for files and compilation. */
async function loadParts() {
  const [{ createApp }, { openWorkQueue }, { BlobRemover }, { startWork }] = await Promise.all([
    import('./app.ts'),
    import('./queue/work-queue.ts'),
    import('./retention/blob-remover.ts'),
    import('./start-workers.ts'),
  ])
  return { BlobRemover, createApp, openWorkQueue, startWork }
}

/** Where clients get tokens. A foreign provider's address is under its issuer by convention, not by any standard. */
function authUrlOf({ authUrl, identityProvider }: Settings, baseUrl: string): string {
  return identityProvider?.issuer.replace(/\/+$/, '') ?? authUrl ?? baseUrl
}

/** An address that reaches the server from this machine; loopback if it listens on all interfaces. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
