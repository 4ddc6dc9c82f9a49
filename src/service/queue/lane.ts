import type { JobKind } from '../records/job-records.ts'
import type { Filled } from './queue-entries.ts'
import type { Workers } from './turn.ts'

/** How long a tenant whose small job was not small is kept from the reserve, in milliseconds. */
const KEPT_FROM_RESERVE_MS = 10 * 60_000
const MOST_KEPT_FROM_RESERVE = 1_000

/** The workers that one process has for one queue: who is busy, for whom, and what wakes the others. */
export class Lane {
  readonly queue: JobKind
  readonly workers: Workers
  /** Counts reasons to read the queue: one that comes while it is being read must not be lost. */
  wakes = 0
  /** The answer to the last attempt at taking a job did not come: the database may have handed one out all the same. */
  mayHoldUnheard = false
  #busy = 0
  #isReserveBusy = false
  /** Tenants of the jobs that are being worked on here, as often as they have one. */
  readonly #tenants: string[] = []
  /** Tenants that are kept from the reserve: until when, by `performance.now`. */
  readonly #keptUntil = new Map<string, number>()
  #wakeUp: (() => void) | null = null

  constructor(queue: JobKind, workers: Workers) {
    this.queue = queue
    this.workers = workers
  }

  /** Which worker would take the next job; null: all are busy. */
  idlePlace(): 'worker' | 'reserve' | null {
    if (this.#busy < this.workers.concurrency) return 'worker'
    return this.workers.hasReserve && !this.#isReserveBusy ? 'reserve' : null
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

  /** Notes a worker as busy; what it returns notes the end. */
  enter(isReserve: boolean, tenantId: string): () => void {
    if (isReserve) this.#isReserveBusy = true
    else this.#busy++
    this.#tenants.push(tenantId)
    return () => {
      if (isReserve) this.#isReserveBusy = false
      else this.#busy--
      this.#tenants.splice(this.#tenants.indexOf(tenantId), 1)
      this.wakeUp()
    }
  }

  /** Wakes the idle worker if it may take the job that came; null: any job may have come. */
  wake(filled: Filled | null): void {
    if (filled !== null) {
      if (filled.queue !== this.queue) return
      const isForReserve = filled.isSmall && !this.#tenants.includes(filled.tenantId)
      if (this.idlePlace() === 'reserve' && !isForReserve) return
    }
    this.wakeUp()
  }

  wakeUp(): void {
    this.wakes++
    this.#wakeUp?.()
  }

  /** Resolves at the next reason to read the queue, and after `ms` at the latest. */
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
