import type { JobKind } from '../records/job-records.ts'
import type { Filled, TakenEntry } from './queue-entries.ts'
import { isSmallWork, type Place, type Workers } from './turn.ts'

/** How long a tenant whose small job was not small is kept from the reserve, in milliseconds. */
const KEPT_FROM_RESERVE_MS = 10 * 60_000
const MOST_KEPT_FROM_RESERVE = 1_000

/** The workers of one process for one queue: which are busy, for whom, and what wakes the others. */
export class Lane {
  readonly queue: JobKind
  readonly workers: Workers
  /** Counts reasons to read the queue. A reason that comes during a read must not be lost. */
  wakes = 0
  /** The reply to the last attempt to take a job was lost: the database may still have assigned one. */
  mayHoldUnheard = false
  readonly #busy: Record<Place, number> = { worker: 0, guest: 0, reserve: 0 }
  /** Tenants of the jobs in progress here, once per job. */
  readonly #tenants: string[] = []
  /** Tenants that are kept from the reserve: until when, by `performance.now`. */
  readonly #keptUntil = new Map<string, number>()
  #wakeUp: (() => void) | null = null

  constructor(queue: JobKind, workers: Workers) {
    this.queue = queue
    this.workers = workers
  }

  /** Which worker would take the next job; null: all are busy. */
  idlePlace(): Place | null {
    if (this.#busy.worker < this.workers.concurrency) return 'worker'
    if (!this.workers.hasExtra) return null
    if (this.#busy.guest === 0) return 'guest'
    return this.#busy.reserve === 0 ? 'reserve' : null
  }

  /** The worker for a job that was taken for `place`: the guest leaves a small job to the reserve. */
  placeFor(place: Place, { tenantId, workMs }: Pick<TakenEntry, 'tenantId' | 'workMs'>): Place {
    const isForReserve =
      isSmallWork({ workMs }) && this.#busy.reserve === 0 && !this.keptFromReserve().includes(tenantId)
    return place === 'guest' && isForReserve ? 'reserve' : place
  }

  /**
   * Keeps a tenant from the reserve, which is there for jobs of a moment: the size of a file says little about its work, and
   * one tenant's long jobs in all places would make the others wait.
   */
  keepFromReserve(tenantId: string): void {
    this.#keptUntil.delete(tenantId)
    this.#keptUntil.set(tenantId, performance.now() + KEPT_FROM_RESERVE_MS)
    for (const first of this.#keptUntil.keys()) {
      if (this.#keptUntil.size <= MOST_KEPT_FROM_RESERVE) break
      this.#keptUntil.delete(first)
    }
  }

  keptFromReserve(): readonly string[] {
    const now = performance.now()
    for (const [tenantId, until] of this.#keptUntil) if (until <= now) this.#keptUntil.delete(tenantId)
    return [...this.#keptUntil.keys()]
  }

  /** Marks a worker as busy; the returned function marks it as idle. */
  enter(place: Place, tenantId: string): () => void {
    this.#busy[place]++
    this.#tenants.push(tenantId)
    return () => {
      this.#busy[place]--
      this.#tenants.splice(this.#tenants.indexOf(tenantId), 1)
      this.wakeUp()
    }
  }

  /** Wakes the idle worker if it may take the new job; null: any job may have come. */
  wake(filled: Filled | null): void {
    if (filled !== null) {
      if (filled.queue !== this.queue) return
      const place = this.idlePlace()
      if (place === 'reserve' && !filled.isSmall) return
      if (place !== 'worker' && this.#tenants.includes(filled.tenantId)) return
    }
    this.wakeUp()
  }

  wakeUp(): void {
    this.wakes++
    this.#wakeUp?.()
  }

  /** Resolves at the next reason to read the queue, or after `ms`. */
  async sleep(ms: number, stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wakeUp = null
  }
}
