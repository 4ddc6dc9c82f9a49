import PgBoss from 'pg-boss'
import type { Database, Queryable } from '../store/database.ts'
import { orderedUuids } from './ordered-uuid.ts'
import { QUEUE_NAMES, type QueueName, type WorkQueue } from './work-queue.ts'

/** Schema that pg-boss keeps its tables in. */
const SCHEMA = 'pgboss'

/** A queue is looked at this often even when nobody wakes it: another process may have filled it. */
const POLL_MS = 2_000
/** A worker that has not renewed for so long is taken for dead and its job handed out again. */
const LEASE_SECONDS = 60
const RENEW_MS = 20_000
/** How often dead workers' jobs are looked for. */
const MAINTENANCE_SECONDS = 30
/** Pause before a job whose handler failed is handed out again. */
const RETRY_SECONDS = 5
/** Jobs have a deadline of their own; the queue alone never gives one up. */
const RETRY_LIMIT = 100_000

export interface WorkQueueOptions {
  /** Told of failures that no caller sees: of a handler, of polling, of maintenance. */
  readonly onError: (error: unknown) => void
}

/**
 * A work queue on pg-boss in the service's own database. Jobs are fetched by our own loop, not by `boss.work`: that one
 * would end a handler when the lease it was fetched with has passed, and it cannot be renewed.
 */
export async function openWorkQueue(db: Database, options: WorkQueueOptions): Promise<WorkQueue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(db, text, values) },
    schema: SCHEMA,
    schedule: false,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', options.onError)
  await boss.start()
  try {
    for (const name of QUEUE_NAMES) {
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name)
    }
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return new BossWorkQueue(boss, db, options)
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
  /** Counts calls of `wake`: one that comes while a fetch is under way must not be lost. */
  wakes: number
  rouse: (() => void) | null
}

class BossWorkQueue implements WorkQueue {
  readonly #boss: PgBoss
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #lanes = new Map<QueueName, Lane>()
  /** Queue entries being worked on, by their id in pg-boss. */
  readonly #active = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #renewal: NodeJS.Timeout
  /**
   * pg-boss hands out by time of creation, then by id. Jobs of one transaction share their time, and PGlite's clock only
   * has milliseconds: ids that ascend keep them in the order in which they were put in.
   */
  readonly #newId = orderedUuids()

  constructor(boss: PgBoss, db: Database, options: WorkQueueOptions) {
    this.#boss = boss
    this.#db = db
    this.#onError = options.onError
    this.#renewal = setInterval(() => void this.#renewLeases(), RENEW_MS)
    this.#renewal.unref()
  }

  async enqueue(tx: Queryable, queue: QueueName, jobId: string): Promise<void> {
    const sent = await this.#boss.send(
      queue,
      { jobId },
      {
        id: this.#newId(),
        db: { executeSql: (text, values) => executeSql(tx, text, values) },
        expireInSeconds: LEASE_SECONDS,
        retryLimit: RETRY_LIMIT,
        retryDelay: RETRY_SECONDS,
        retentionDays: 30,
      },
    )
    if (sent === null) throw new Error(`The queue ${queue} did not take job ${jobId}.`)
  }

  wake(queue: QueueName): void {
    const lane = this.#lanes.get(queue)
    if (lane === undefined) return
    lane.wakes++
    lane.rouse?.()
  }

  work(queue: QueueName, concurrency: number, handle: Handler): void {
    if (this.#lanes.has(queue)) throw new Error(`The queue ${queue} has its workers already.`)
    const lane: Lane = { queue, concurrency, handle, wakes: 0, rouse: null }
    this.#lanes.set(queue, lane)
    this.#loops.push(this.#run(lane))
  }

  async replaceAll(jobs: readonly { readonly queue: QueueName; readonly jobId: string }[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.query(`delete from ${SCHEMA}.job where name = any($1)`, [[...QUEUE_NAMES]])
      for (const { queue, jobId } of jobs) await this.enqueue(tx, queue, jobId)
    })
    for (const queue of QUEUE_NAMES) this.wake(queue)
  }

  announce(jobId: string): void {
    const listeners = this.#listeners.get(jobId)
    this.#listeners.delete(jobId)
    for (const listener of listeners ?? []) listener()
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

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort(new Error('The service is stopping.'))
    clearInterval(this.#renewal)
    for (const lane of this.#lanes.values()) lane.rouse?.()
    await Promise.all(this.#loops)
    await Promise.all(this.#active.values())
    await this.#boss.stop({ graceful: false })
  }

  /** Fetches jobs for as many workers as are idle, until stopped. */
  async #run(lane: Lane): Promise<void> {
    let busy = 0
    while (!this.#stopping.signal.aborted) {
      const wakes = lane.wakes
      let fetched: { id: string; data: { jobId: string } }[] = []
      if (busy < lane.concurrency) {
        fetched = await this.#boss
          .fetch<{ jobId: string }>(lane.queue, { batchSize: lane.concurrency - busy })
          .catch((error: unknown) => {
            this.#onError(error)
            return []
          })
      }
      // An update returns its rows in any order.
      for (const { id, data } of [...fetched].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        busy++
        const done = this.#handle(lane, id, data.jobId).finally(() => {
          busy--
          this.#active.delete(id)
          lane.wakes++
          lane.rouse?.()
        })
        this.#active.set(id, done)
      }
      if (fetched.length === 0 && lane.wakes === wakes) await this.#sleep(lane)
    }
  }

  async #handle(lane: Lane, id: string, jobId: string): Promise<void> {
    try {
      await lane.handle(jobId, this.#stopping.signal)
      await this.#boss.deleteJob(lane.queue, id)
    } catch (error) {
      // Whoever stops the queue expects its handlers to break off for this reason.
      if (error !== this.#stopping.signal.reason) this.#onError(error)
      await this.#boss.fail(lane.queue, id).catch(this.#onError)
    }
  }

  async #sleep(lane: Lane): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      lane.rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    lane.rouse = null
  }

  async #renewLeases(): Promise<void> {
    if (this.#active.size === 0) return
    await this.#db
      .query(`update ${SCHEMA}.job set started_on = now() where id = any($1::uuid[]) and state = 'active'`, [
        [...this.#active.keys()],
      ])
      .catch(this.#onError)
  }
}
