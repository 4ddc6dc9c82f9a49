/**
 * Jobs for worker threads: many tasks of one kind over one context. Jobs that share a crew share its threads: a thread that one job
 * leaves idle serves another.
 *
 * Results do not depend on the number of threads or on which thread runs what: tasks share nothing that is written.
 */

import { type Crew, type CrewJob, type JobKind, LocalCrew } from './crew.ts'
import { ThreadedCrew } from './threaded-crew.ts'

export interface JobOptions {
  /**
   * At least 1. With 1 the tasks run in the calling thread, which handles other work between tasks; a server that must answer
   * meanwhile should ask for 2.
   */
  readonly threads: number
  /** Aborting rejects all tasks with the signal's reason; results of tasks that are already running in threads are ignored. */
  readonly signal?: AbortSignal | undefined
  /** The threads that the job uses; without a crew it starts `threads` of its own. */
  readonly crew?: Crew | undefined
  /** Its tasks precede those of jobs that are not urgent: for chains of short jobs beside one of many tasks. */
  readonly isUrgent?: boolean | undefined
}

export interface ThreadJob<Task, Result> {
  /** Tasks start in the order of the calls. Rejects with what the task threw, or with the reason of the abort. */
  run(task: Task): Promise<Result>
  /** Must be called once. Unfinished tasks are rejected. */
  close(): void
}

let jobs = 0

/** @throws RangeError when `threads` is not a whole number of at least 1. */
export function openCrew({ threads }: Pick<JobOptions, 'threads'>): Crew {
  if (!(Number.isInteger(threads) && threads >= 1)) throw new RangeError(`threads must be 1 or more, got ${threads}`)
  return threads === 1 ? new LocalCrew() : new ThreadedCrew(threads)
}

/** @throws RangeError as `openCrew`; the signal's reason when aborted. */
export function openJob<Context, Task, Result>(
  kind: JobKind<Context, Task, Result>,
  context: Context,
  options: JobOptions,
): ThreadJob<Task, Result> {
  const { signal } = options
  signal?.throwIfAborted()
  const crew = options.crew ?? openCrew(options)
  const job: CrewJob = { id: jobs++, kind, context, isUrgent: options.isUrgent ?? false, stopped: null }
  const abort = () => crew.stop(job, signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  return {
    run: (task) => new Promise((resolve, reject) => crew.add({ job, task, resolve, reject })),
    close() {
      signal?.removeEventListener('abort', abort)
      crew.stop(job, new Error('the job was closed'))
      if (options.crew === undefined) crew.close()
    },
  }
}
