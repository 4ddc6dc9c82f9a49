/** A crew that is the calling thread. Other work of the thread has a turn between tasks. */

import { type Crew, type CrewJob, type Pending, takeNext } from './crew.ts'
import { JOB_KINDS } from './thread-tasks.ts'

export class LocalCrew implements Crew {
  #queue: Pending[] = []
  /** What runs the tasks of open jobs, by job. */
  readonly #handlers = new Map<CrewJob, (task: never) => unknown>()
  #scheduled = false
  #isClosed = false

  add(pending: Pending): void {
    if (this.#isClosed) pending.job.stopped ??= { reason: new Error('the crew was closed') }
    if (pending.job.stopped) return pending.reject(pending.job.stopped.reason)
    this.#queue.push(pending)
    this.#schedule()
  }

  stop(job: CrewJob, reason: unknown): void {
    job.stopped ??= { reason }
    this.#handlers.delete(job)
    const unfinished = this.#queue.filter((pending) => pending.job === job)
    this.#queue = this.#queue.filter((pending) => pending.job !== job)
    for (const pending of unfinished) pending.reject(job.stopped.reason)
  }

  close(): void {
    this.#isClosed = true
    for (const { job } of this.#queue) this.stop(job, new Error('the crew was closed'))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const pending = takeNext(this.#queue)
      if (!pending) return
      try {
        pending.resolve(this.#handlerOf(pending.job)(pending.task as never) as never)
      } catch (error) {
        pending.reject(error)
      }
      if (this.#queue.length > 0) this.#schedule()
    })
  }

  #handlerOf(job: CrewJob): (task: never) => unknown {
    const known = this.#handlers.get(job)
    if (known) return known
    const made = (JOB_KINDS[job.kind] as (context: unknown) => (task: never) => unknown)(job.context)
    this.#handlers.set(job, made)
    return made
  }
}
