import { randomUUID } from 'node:crypto'
import { ENDED_JOBS_CHANNEL, type JobKind } from '../records/job-records.ts'
import { type Database, DatabaseUnavailableError, type Queryable } from '../store/database.ts'
import { Lane } from './lane.ts'
import { Leases } from './leases.ts'
import {
  correctWork,
  FILLED_CHANNEL,
  type Filled,
  freeAllEntries,
  freeUnheard,
  insertEntry,
  type Return,
  type TakenEntry,
  takeEntry,
} from './queue-entries.ts'
import { isAttemptEnd, isSmallWork, type NewEntry, type Place, pauseMs, SMALL_WORK_MS, type Workers } from './turn.ts'

const DEFAULT_POLL_MS = 2_000
const DEFAULT_LEASE_MS = 30_000
/** Work that differs by less from what was expected stays as it was counted, in milliseconds. */
const CORRECTED_MS = 1_000

/** How soon a queue notices jobs and lost workers without a notification. */
export interface QueueTiming {
  /** How often a queue is read without a notification; default 2,000 ms. */
  readonly pollMs?: number
  /** A worker that has not renewed for this long counts as dead, and its job is tried again; default 30,000 ms. */
  readonly leaseMs?: number
}

export interface WorkQueueOptions extends QueueTiming {
  /** Most jobs of one tenant that run at once, in each queue; null or left out: any number. */
  readonly tenantJobs?: number | null
  /** Receives failures that no caller sees: of a handler, of taking jobs, of renewing leases. */
  readonly onError: (error: unknown) => void
  /** Whether jobs may be taken now; omitted: always. Checked at every read. */
  readonly mayTake?: () => boolean
}

export async function openWorkQueue(db: Database, options: WorkQueueOptions): Promise<WorkQueue> {
  const queue = new WorkQueue(db, options)
  try {
    queue.onStop(await db.listen(FILLED_CHANNEL, (filled) => queue.wake(filled)))
    queue.onStop(await db.listen(ENDED_JOBS_CHANNEL, (jobId) => queue.announceEnd(jobId)))
    return queue
  } catch (error) {
    await queue.stop()
    throw error
  }
}

/**
 * Hands job ids to workers of any process, at least once each, with its own tables in the service's database. It
 * carries only ids: the table `jobs` has the work and its progress, and a worker reads that row first.
 *
 * The next job belongs to the waiting tenant with the fewest running jobs; among equals, to the one that has had the
 * least work done. A tenant's own jobs run in the sequence in which they were queued.
 */
export class WorkQueue {
  /** How often a waiting caller reads for itself, in milliseconds: notifications can be lost. */
  readonly pollMs: number
  readonly #db: Database
  readonly #options: WorkQueueOptions
  readonly #holder = randomUUID()
  readonly #leaseMs: number
  readonly #lanes = new Map<JobKind, Lane>()
  readonly #leases: Leases
  readonly #handlers = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #stoppers: (() => Promise<void>)[] = []
  #keeping: NodeJS.Timeout | null = null

  constructor(db: Database, options: WorkQueueOptions) {
    this.pollMs = options.pollMs ?? DEFAULT_POLL_MS
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS
    this.#db = db
    this.#options = options
    const term = { holder: this.#holder, leaseMs: this.#leaseMs }
    this.#leases = new Leases(db, term, this.#stopping.signal)
  }

  onStop(stopper: () => Promise<void>): void {
    this.#stoppers.push(stopper)
  }

  /** Puts a job into its queue as part of the transaction that records it; its commit wakes an idle worker. */
  async enqueue(tx: Queryable, entry: NewEntry): Promise<void> {
    await insertEntry(tx, entry)
  }

  /** Makes idle workers of this process read a queue now instead of at their next poll; null: all queues. */
  wake(filled: string | null): void {
    const about = filled === null ? null : (JSON.parse(filled) as Filled)
    for (const lane of this.#lanes.values()) lane.wake(about)
    // The connection was broken: the database may have been unavailable for longer than a lease.
    if (filled === null) void this.#keepLeases()
  }

  /** Announces a job: workers of this process, if any, prepare for it. */
  expect(queue: JobKind): void {
    if (!this.#stopping.signal.aborted) this.#lanes.get(queue)?.workers.prepare?.()
  }

  /**
   * Starts workers. A job leaves the queue when `handle` resolves. If it rejects, or this process dies, the job is
   * tried again. A killed worker's job waits for the end of its lease, which is renewed while the worker lives.
   */
  work(queue: JobKind, workers: Workers): void {
    if (this.#lanes.has(queue)) throw new Error(`The queue ${queue} has its workers already.`)
    const lane = new Lane(queue, workers)
    this.#lanes.set(queue, lane)
    this.#loops.push(this.#run(lane))
    // Only a process with workers can lose a lease.
    if (this.#keeping !== null) return
    this.#keeping = setInterval(() => void this.#keepLeases(), this.#leaseMs / 3)
    this.#keeping.unref()
  }

  /**
   * Makes all entries available at once. Only for a database that no other process uses: the work of the last process
   * has ended.
   */
  async recover(): Promise<void> {
    await freeAllEntries(this.#db.forRemoval)
  }

  /**
   * Calls `listener` when a job may have ended, in this process or another one, until the returned function is called.
   * This is a hint: read the job's row, and read it again after `pollMs` without a hint.
   */
  onJobEnded(jobId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(jobId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(jobId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(jobId) === listeners) this.#listeners.delete(jobId)
    }
  }

  /** Notifies the listeners for a job; null: all of them, because an end may have been missed. */
  announceEnd(jobId: string | null): void {
    const notified = jobId === null ? [...this.#listeners.values()] : [this.#listeners.get(jobId) ?? []]
    for (const listeners of notified) for (const listener of [...listeners]) listener()
  }

  /** Stops assigning jobs, aborts the signals of running ones and waits for their handlers. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort(new Error('The service is stopping.'))
    for (const lane of this.#lanes.values()) lane.wakeUp()
    await Promise.all(this.#loops)
    await Promise.all(this.#handlers)
    if (this.#keeping !== null) clearInterval(this.#keeping)
    for (const stopper of this.#stoppers.splice(0)) await stopper()
  }

  /** Takes jobs for all idle workers until stopped. */
  async #run(lane: Lane): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const { wakes } = lane
      const place = this.#options.mayTake?.() === false ? null : lane.idlePlace()
      const taken = place === null ? null : await this.#take(lane, place)
      if (taken === 'raced') continue
      if (place === null || taken === null) {
        if (lane.wakes === wakes) await lane.sleep(this.pollMs, signal)
        continue
      }
      const given = lane.placeFor(place, taken)
      const leave = lane.enter(given, taken.tenantId)
      const done = this.#handle(lane, taken, given).finally(() => {
        this.#handlers.delete(done)
        leave()
      })
      this.#handlers.add(done)
      if (!taken.hasMore && lane.wakes === wakes) await lane.sleep(this.pollMs, signal)
    }
  }

  async #take(lane: Lane, place: Place): Promise<TakenEntry | 'raced' | null> {
    try {
      if (lane.mayHoldUnheard) {
        await freeUnheard(this.#db, { queue: lane.queue, holder: this.#holder, known: this.#leases.jobIds() })
        lane.mayHoldUnheard = false
      }
      return await takeEntry(this.#db, {
        queue: lane.queue,
        holder: this.#holder,
        leaseMs: this.#leaseMs,
        tenantJobs: place === 'worker' ? (this.#options.tenantJobs ?? null) : 1,
        smallExcept: place === 'reserve' ? lane.keptFromReserve() : null,
      })
    } catch (error) {
      lane.mayHoldUnheard ||= error instanceof DatabaseUnavailableError
      this.#options.onError(error)
      return null
    }
  }

  async #handle(lane: Lane, entry: TakenEntry, place: Place): Promise<void> {
    const stopping = this.#stopping.signal
    const { jobId, tenantId, workMs, setbacks, wasLost } = entry
    const isSmall = isSmallWork(entry)
    const reportLarge = () => lane.keepFromReserve(tenantId)
    const lease = this.#leases.add(entry)
    const begun = performance.now()
    try {
      // Another stopping process may have released a job that was then taken at the last moment.
      stopping.throwIfAborted()
      await lane.workers.handle({ jobId, signal: lease.signal, place, isSmall, reportLarge, setbacks, wasLost })
      await lease.finish()
    } catch (error) {
      const isNotSmall = isAttemptEnd(error, 'too_large')
      if (isNotSmall) reportLarge()
      // A stopping queue expects its handlers to end for this reason.
      if (error !== stopping.reason && !isNotSmall) this.#options.onError(error)
      await lease.giveBack(this.#returnAfter(error, setbacks)).catch(this.#options.onError)
    } finally {
      lease.forget()
      const furtherMs = performance.now() - begun - workMs
      if (Math.abs(furtherMs) > CORRECTED_MS && !stopping.aborted) {
        await correctWork(this.#db, { queue: lane.queue, tenantId }, furtherMs).catch(this.#options.onError)
      }
    }
  }

  /** How to release a job whose handler rejected. */
  #returnAfter(error: unknown, setbacks: number): Return {
    const leastWorkMs = isAttemptEnd(error, 'too_large') ? SMALL_WORK_MS + 1 : null
    if (leastWorkMs !== null || this.#stopping.signal.aborted) {
      return { pauseMs: 0, trouble: null, isSetback: false, leastWorkMs }
    }
    const trouble = error instanceof Error ? error.message : String(error)
    const isSetback = !isAttemptEnd(error, 'lost_again')
    return { pauseMs: pauseMs(isSetback ? setbacks + 1 : setbacks), trouble, isSetback, leastWorkMs }
  }

  async #keepLeases(): Promise<void> {
    try {
      await this.#leases.renew()
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
