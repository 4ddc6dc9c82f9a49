/**
 * The crew that runs the tasks of jobs: the interfaces of a job and a task, the choice of the next task, and the
 * calling thread as a crew.
 */

/**
 * The kind of a job. It is sent to a thread by its name, which `thread-worker.ts` knows; a context is sent to each
 * thread once. Contexts, tasks and results are data and typed arrays (shared ones arrive without copies).
 */
export interface JobKind<Context, Task, Result> {
  readonly name: string
  /** Prepares a context for its tasks; the result is kept for all tasks of the job in this thread. */
  readonly prepare: (context: Context) => (task: Task) => Result
}

/** A kind whose types the caller has checked. */
export type AnyJobKind = JobKind<never, never, unknown>

/** A job as a crew sees it. */
export interface CrewJob {
  readonly id: number
  readonly kind: AnyJobKind
  readonly context: unknown
  readonly isUrgent: boolean
  /** Set when its tasks are no longer wanted. */
  stopped: { readonly reason: unknown } | null
}

export interface Pending {
  readonly job: CrewJob
  readonly task: unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** Threads, or the calling thread, that run the tasks of several jobs: urgent ones first, then in the order of their arrival. */
export interface Crew {
  add(pending: Pending): void
  /** Rejects the unfinished tasks of the job, now and later. */
  stop(job: CrewJob, reason: unknown): void
  /** Gives the threads back; must be called once. Unfinished tasks are rejected. */
  close(): void
}

/** Takes the next task from a crew's queue, which is in order of arrival: the first urgent one, otherwise the first. */
export function takeNext(queue: Pending[]): Pending | undefined {
  const urgent = queue.findIndex(({ job }) => job.isUrgent)
  return queue.splice(Math.max(0, urgent), 1)[0]
}

/** The calling thread as a crew. Other work of the thread runs between tasks. */
export class LocalCrew implements Crew {
  #queue: Pending[] = []
  /** Runs the tasks of open jobs, by job. */
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
    const made = job.kind.prepare(job.context as never)
    this.#handlers.set(job, made)
    return made
  }
}
