/**
 * Worker threads for training and sampling. Threads are kept for the next job when one ends, and never keep the process
 * alive on their own.
 *
 * Results do not depend on the number of threads or on which thread runs what: tasks share nothing that is written.
 */

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Context, JOB_KINDS, type JobKind, type Task, type TaskResult } from './thread-tasks.ts'
import type { FromThread, ToThread } from './thread-worker.ts'

export interface JobOptions {
  /**
   * At least 1. With 1 the tasks run in the calling thread, giving other work a turn between tasks; a server that has to
   * answer meanwhile should ask for 2.
   */
  readonly threads: number
  /** Aborting rejects all tasks with the signal's reason; tasks already running in threads end unheard. */
  readonly signal?: AbortSignal | undefined
}

export interface Job<K extends JobKind> {
  /** Tasks start in the order of the calls. Rejects with what the task threw, or with the reason of the abort. */
  run(task: Task<K>): Promise<TaskResult<K>>
  /** Gives the threads back; must be called once. Unfinished tasks are rejected. */
  close(): void
}

interface Pending {
  readonly task: unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** @throws RangeError when `threads` is not a whole number of at least 1. */
export function openJob<K extends JobKind>(kind: K, context: Context<K>, options: JobOptions): Job<K> {
  const { threads, signal } = options
  if (!(Number.isInteger(threads) && threads >= 1)) throw new RangeError(`threads must be 1 or more, got ${threads}`)
  signal?.throwIfAborted()
  const job: PooledJob = threads === 1 ? new LocalJob(kind, context) : new ThreadedJob(kind, context, threads)
  const abort = () => job.stop(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  return {
    run: (task) => new Promise((resolve, reject) => job.add({ task, resolve, reject })),
    close() {
      signal?.removeEventListener('abort', abort)
      job.stop(new Error('the job was closed'))
    },
  }
}

interface PooledJob {
  add(pending: Pending): void
  /** Rejects what is unfinished, now and later. */
  stop(reason: unknown): void
}

class LocalJob implements PooledJob {
  readonly #queue: Pending[] = []
  readonly #kind: JobKind
  readonly #context: unknown
  #handle: ((task: never) => unknown) | null = null
  #scheduled = false
  #stopped: { readonly reason: unknown } | null = null

  constructor(kind: JobKind, context: unknown) {
    this.#kind = kind
    this.#context = context
  }

  add(pending: Pending): void {
    if (this.#stopped) return pending.reject(this.#stopped.reason)
    this.#queue.push(pending)
    this.#schedule()
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason }
    for (const pending of this.#queue.splice(0)) pending.reject(this.#stopped.reason)
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const pending = this.#queue.shift()
      if (!pending) return
      try {
        this.#handle ??= (JOB_KINDS[this.#kind] as (context: unknown) => (task: never) => unknown)(this.#context)
        pending.resolve(this.#handle(pending.task as never) as never)
      } catch (error) {
        pending.reject(error)
      }
      if (this.#queue.length > 0) this.#schedule()
    })
  }
}

class ThreadedJob implements PooledJob {
  readonly #queue: Pending[] = []
  readonly #threads = new Map<Worker, Pending | null>()
  readonly #kind: JobKind
  readonly #context: unknown
  readonly #limit: number
  #stopped: { readonly reason: unknown } | null = null

  constructor(kind: JobKind, context: unknown, limit: number) {
    this.#kind = kind
    this.#context = context
    this.#limit = limit
  }

  add(pending: Pending): void {
    if (this.#stopped) return pending.reject(this.#stopped.reason)
    this.#queue.push(pending)
    for (const [thread, busy] of this.#threads) {
      if (!busy) return this.#next(thread)
    }
    if (this.#threads.size < this.#limit) this.#next(this.#engage())
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason }
    for (const pending of this.#queue.splice(0)) pending.reject(this.#stopped.reason)
    for (const [thread, busy] of this.#threads) {
      if (busy) busy.reject(this.#stopped.reason)
      else this.#release(thread)
    }
  }

  #engage(): Worker {
    const thread = idle.pop() ?? startThread()
    thread.ref()
    this.#threads.set(thread, null)
    thread.on('message', (message: FromThread) => {
      const pending = this.#threads.get(thread)
      this.#threads.set(thread, null)
      if (message.type === 'done') pending?.resolve(message.result as never)
      else pending?.reject(message.error)
      if (this.#stopped) this.#release(thread)
      else this.#next(thread)
    })
    const lost = (error: unknown) => {
      const pending = this.#threads.get(thread)
      if (!this.#threads.delete(thread)) return
      pending?.reject(error)
      this.stop(error)
    }
    thread.on('error', lost)
    thread.on('messageerror', lost)
    thread.on('exit', (code) => lost(new Error(`a worker thread ended with exit code ${code}`)))
    send(thread, { type: 'open', kind: this.#kind, context: this.#context })
    return thread
  }

  #next(thread: Worker): void {
    const pending = this.#queue.shift()
    if (!pending) return
    this.#threads.set(thread, pending)
    send(thread, { type: 'run', task: pending.task })
  }

  #release(thread: Worker): void {
    if (!this.#threads.delete(thread)) return
    for (const event of ['message', 'error', 'messageerror', 'exit'] as const) thread.removeAllListeners(event)
    send(thread, { type: 'close' })
    thread.unref()
    if (idle.length >= availableParallelism()) {
      void thread.terminate()
      return
    }
    idle.push(thread)
    const lost = () => {
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
    }
    thread.once('error', lost)
    thread.once('exit', lost)
  }
}

const idle: Worker[] = []

function send(thread: Worker, message: ToThread): void {
  thread.postMessage(message)
}

/** Threads need compiled code: beside this file when it is compiled itself, in the package's dist when it runs as source. */
function startThread(): Worker {
  const compiled = import.meta.url.endsWith('.js')
  const entry = new URL(
    compiled ? './thread-worker.js' : '../../../dist/engine/threads/thread-worker.js',
    import.meta.url,
  )
  if (!existsSync(entry)) throw new Error(`${fileURLToPath(entry)} is missing: run "npm run build" first`)
  return new Worker(entry, { execArgv: [], name: 'whatif-engine' })
}
