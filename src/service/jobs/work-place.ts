import { attemptEnd } from '../queue/turn.ts'
import { JobFailedError } from './processes/job-failed-error.ts'
import type { TaskOptions } from './processes/thread-pool.ts'
import { ProcessDeathError } from './processes/work-process.ts'

/** A small training that took more processor time than this was not small, in milliseconds. A cold one of 500 rows takes 1,500. */
export const SMALL_TRAINING_CPU_MS = 3_000
/**
 * A small job that takes longer is queued again as a large one. A file's size says little: a few kilobytes may unpack
 * to gigabytes.
 */
const SMALL_MS = 10_000

/** Chooses where a job's task runs, for one kind of task. */
export interface WorkPlace<Task, Result> {
  /** Threads that the task may use there. */
  readonly threads: number
  run(task: Task, options: TaskOptions): Promise<Result>
}

/** Threads of a small job: other jobs use all cores. */
const SMALL_WORK_THREADS = 1

/** The place reserved for small jobs. A task there has one thread, and is aborted if it proves to be large. */
export function smallWorkPlace<Task, Result>(run: WorkPlace<Task, Result>['run']): WorkPlace<Task, Result> {
  return {
    threads: SMALL_WORK_THREADS,
    run: async (task, options) =>
      await runWhileSmall(options.signal, async (signal) => await run(task, { ...options, signal })),
  }
}

/**
 * Runs a task that should be small, with a signal that aborts if it is not.
 *
 * @throws WhatifError `too_large` for work that takes too long, or that exceeds a limit of its process.
 */
export async function runWhileSmall<T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(attemptEnd('too_large')), SMALL_MS)
  try {
    return await run(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    const cause = error instanceof JobFailedError ? error.cause : error
    if (cause instanceof ProcessDeathError && cause.isOfLimit) throw attemptEnd('too_large')
    throw error
  } finally {
    clearTimeout(timer)
  }
}
