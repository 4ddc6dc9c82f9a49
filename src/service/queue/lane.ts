import type { JobKind } from '../records/job-records.ts'
import type { Filled } from './queue-entries.ts'
import type { Workers } from './turn.ts'

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
