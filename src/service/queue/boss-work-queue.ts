import PgBoss from 'pg-boss'
import type { Database, Queryable } from '../store/database.ts'
import { HeldEntries } from './held-entries.ts'
import { orderedUuids } from './ordered-uuid.ts'
import { ENDED_JOBS_CHANNEL, QUEUE_NAMES, type QueueName, type WorkQueue } from './work-queue.ts'

/** Schema that pg-boss keeps its tables in. */
const SCHEMA = 'pgboss'
/** Channel that says which queue has something to do. */
const FILLED_CHANNEL = 'whatif_filled_queues'
/** Number of the advisory lock under which the queues are made. */
const MAKING_LOCK = 7_203_114_908

const DEFAULT_POLL_MS = 2_000
const DEFAULT_LEASE_MS = 30_000
/** How often pg-boss puts its tables in order. */
const MAINTENANCE_SECONDS = 60
/** Jobs have a deadline of their own; the queue alone never gives one up. */
const RETRY_LIMIT = 100_000

/** How soon a queue notices what nobody told it. */
export interface QueueTiming {
  /** A queue is looked at this often even when nobody says that it was filled; default 2,000 ms. */
  readonly pollMs?: number
  /** A worker that has not renewed for so long is taken for dead and its job handed out again; default 30,000 ms. */
  readonly leaseMs?: number
}

export interface WorkQueueOptions extends QueueTiming {
  /** Told of failures that no caller sees: of a handler, of polling, of maintenance. */
  readonly onError: (error: unknown) => void
}

/**
 * A work queue on pg-boss in the service's own database. Jobs are fetched by our own loop, not by `boss.work`: that one
 * would end a handler when the lease it was fetched with has passed, and it cannot be renewed.
 */
export async function openWorkQueue(db: Database, options: WorkQueueOptions): Promise<WorkQueue> {
  let isOpen = true
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(db, text, values) },
    schema: SCHEMA,
    schedule: false,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', (error) => {
    if (isOpen) options.onError(error)
  })
  const stoppers = [
    async () => {
      isOpen = false
      await boss.stop({ graceful: false })
    },
  ]
  const stop = async (): Promise<void> => {
    for (let stopper = stoppers.pop(); stopper !== undefined; stopper = stoppers.pop()) await stopper()
  }
  try {
    // Two that make the same queue at the same moment wait for each other in a circle.
    await db.exclusively(MAKING_LOCK, async () => {
      await boss.start()
      for (const name of QUEUE_NAMES) {
        if ((await boss.getQueue(name)) === null) await boss.createQueue(name)
      }
    })
    const queue = new BossWorkQueue(boss, db, options, stop)
    stoppers.push(await db.listen(FILLED_CHANNEL, (name) => queue.wake(name)))
    stoppers.push(await db.listen(ENDED_JOBS_CHANNEL, (jobId) => queue.tellEnded(jobId)))
    return queue
  } catch (error) {
    await stop()
    throw error
  }
}

/** pg-boss sends several statements at once only without parameters, and then does not look at rows it would need. */
async function executeSql(db: Database | Queryable, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  if (values !== undefined && values.length > 0) return { rows: [...(await db.query(text, values))] }
  if (!/;\s*\S/.test(text) || !('exec' in db)) return { rows: [...(await db.query(text))] }
  await db.exec(text)
  return { rows: [] }
}

type Handler = (jobId: string, signal: AbortSignal) => Promise<void>

interface Lane {
  readonly queue: QueueName
  readonly concurrency: number
  readonly handle: Handler
  readonly prepare: () => void
  /** Counts calls of `wake`: one that comes while a fetch is under way must not be lost. */
  wakes: number
  rouse: (() => void) | null
}

class BossWorkQueue implements WorkQueue {
  readonly pollMs: number
  readonly #boss: PgBoss
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #stopOthers: () => Promise<void>
  readonly #leaseSeconds: number
  readonly #lanes = new Map<QueueName, Lane>()
  readonly #held: HeldEntries
  readonly #handlers = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  readonly #listeners = new Map<string, Set<() => void>>()
  #keeping: NodeJS.Timeout | null = null
  /**
   * pg-boss hands out by time of creation, then by id. Jobs of one transaction share their time, and PGlite's clock only
   * has milliseconds: ids that ascend keep them in the order in which they were put in.
   */
  readonly #newId = orderedUuids()

  constructor(boss: PgBoss, db: Database, options: WorkQueueOptions, stopOthers: () => Promise<void>) {
    this.pollMs = options.pollMs ?? DEFAULT_POLL_MS
    this.#leaseSeconds = Math.max(1, Math.round((options.leaseMs ?? DEFAULT_LEASE_MS) / 1000))
    this.#boss = boss
    this.#db = db
    this.#onError = options.onError
    this.#stopOthers = stopOthers
    this.#held = new HeldEntries(db, SCHEMA, FILLED_CHANNEL)
  }

  async enqueue(tx: Queryable, queue: QueueName, jobId: string): Promise<void> {
    const sent = await this.#boss.send(
      queue,
      { jobId },
      {
        id: this.#newId(),
        db: { executeSql: (text, values) => executeSql(tx, text, values) },
        expireInSeconds: this.#leaseSeconds,
        retryLimit: RETRY_LIMIT,
        retentionDays: 30,
      },
    )
    if (sent === null) throw new Error(`The queue ${queue} did not take job ${jobId}.`)
    await tx.query('select pg_notify($1, $2)', [FILLED_CHANNEL, queue])
  }

  /** Lets idle workers of this process look at a queue now instead of at their next poll; null: at all of them. */
  wake(queue: string | null): void {
    for (const lane of this.#lanes.values()) {
      if (queue !== null && queue !== lane.queue) continue
      lane.wakes++
      lane.rouse?.()
    }
  }

  expect(queue: QueueName): void {
    if (!this.#stopping.signal.aborted) this.#lanes.get(queue)?.prepare()
  }

  work(queue: QueueName, concurrency: number, handle: Handler, prepare: () => void = () => undefined): void {
    if (this.#lanes.has(queue)) throw new Error(`The queue ${queue} has its workers already.`)
    const lane: Lane = { queue, concurrency, handle, prepare, wakes: 0, rouse: null }
    this.#lanes.set(queue, lane)
    this.#loops.push(this.#run(lane))
    // Only who works can lose a lease or take over from one who did.
    if (this.#keeping !== null) return
    this.#keeping = setInterval(() => void this.#keepLeases(), (this.#leaseSeconds * 1000) / 3)
    this.#keeping.unref()
  }

  async replaceAll(jobs: readonly { readonly queue: QueueName; readonly jobId: string }[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.query(`delete from ${SCHEMA}.job where name = any($1)`, [[...QUEUE_NAMES]])
      for (const { queue, jobId } of jobs) await this.enqueue(tx, queue, jobId)
    })
  }

  onAnnounced(jobId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(jobId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(jobId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(jobId) === listeners) this.#listeners.delete(jobId)
    }
  }

  /** Tells those who listen for a job; null: all of them, because an end may have been missed. */
  tellEnded(jobId: string | null): void {
    const told = jobId === null ? [...this.#listeners.values()] : [this.#listeners.get(jobId) ?? []]
    for (const listeners of told) for (const listener of [...listeners]) listener()
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort(new Error('The service is stopping.'))
    for (const lane of this.#lanes.values()) lane.rouse?.()
    await Promise.all(this.#loops)
    await Promise.all(this.#handlers)
    if (this.#keeping !== null) clearInterval(this.#keeping)
    await this.#stopOthers()
  }

  /** Fetches jobs for as many workers as are idle, until stopped. */
  async #run(lane: Lane): Promise<void> {
    let busy = 0
    while (!this.#stopping.signal.aborted) {
      const wakes = lane.wakes
      let fetched: { id: string; retryCount: number; data: { jobId: string } }[] = []
      if (busy < lane.concurrency) {
        fetched = await this.#boss
          .fetch<{ jobId: string }>(lane.queue, { batchSize: lane.concurrency - busy, includeMetadata: true })
          .catch((error: unknown) => {
            this.#onError(error)
            return []
          })
      }
      // An update returns its rows in any order.
      for (const { id, retryCount, data } of [...fetched].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        busy++
        const done = this.#handle(lane, { id, retryCount }, data.jobId).finally(() => {
          busy--
          this.#handlers.delete(done)
          lane.wakes++
          lane.rouse?.()
        })
        this.#handlers.add(done)
      }
      if (fetched.length === 0 && lane.wakes === wakes) await this.#sleep(lane)
    }
  }

  async #handle(lane: Lane, entry: { id: string; retryCount: number }, jobId: string): Promise<void> {
    const stopping = this.#stopping.signal
    const hold = this.#held.add({ queue: lane.queue, ...entry })
    try {
      await lane.handle(jobId, AbortSignal.any([stopping, hold.lost]))
      await hold.finish()
    } catch (error) {
      // Whoever stops the queue expects its handlers to break off for this reason.
      if (error !== stopping.reason) this.#onError(error)
      await hold.giveBack({ isAtOnce: stopping.aborted }).catch(this.#onError)
    } finally {
      hold.forget()
    }
  }

  async #sleep(lane: Lane): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.pollMs)
      lane.rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    lane.rouse = null
  }

  async #keepLeases(): Promise<void> {
    try {
      await this.#held.renew()
      await this.#held.takeOver([...this.#lanes.keys()])
    } catch (error) {
      this.#onError(error)
    }
  }
}
