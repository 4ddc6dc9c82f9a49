/** Those who run the tasks of jobs: what a job and a task are to them, and which task is next. */

import type { JobKind } from './thread-tasks.ts'

/** A job as a crew sees it. */
export interface CrewJob {
  readonly id: number
  readonly kind: JobKind
  readonly context: unknown
  readonly isUrgent: boolean
  /** Set when its tasks are not wanted any more. */
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
  /** Rejects what is unfinished of the job, now and later. */
  stop(job: CrewJob, reason: unknown): void
  /** Gives the threads back; must be called once. Unfinished tasks are rejected. */
  close(): void
}

/** Takes the task that is next out of a crew's queue, which is in order of arrival: the first urgent one, else the first. */
export function takeNext(queue: Pending[]): Pending | undefined {
  const urgent = queue.findIndex(({ job }) => job.isUrgent)
  return queue.splice(Math.max(0, urgent), 1)[0]
}
