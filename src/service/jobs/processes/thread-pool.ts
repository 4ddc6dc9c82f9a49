import { Worker } from 'node:worker_threads'
import { JobFailedError } from './job-failed-error.ts'
import type { FromWorker, TaskProgress, ToWorker } from './task-protocol.ts'

/**
 * A thread that ignores an abort is ended after this time. The time is long because ending a thread inside a native
 * call ends the process. Generations check their signal well before; estimates do not check it, but make no native
 * calls.
 */
const ABORT_GRACE_MS = 30_000

export interface TaskOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
  /** Tasks with the same affinity run on the same thread if it is idle: it may have cached data. */
  readonly affinity: string
}

interface Slot {
  thread: Worker | null
  isBusy: boolean
  affinity: string | null
  lastUsed: number
}

/**
 * Long-lived worker threads that run one kind of task each, so that the thread that answers HTTP never computes. A
 * thread starts when first needed, is replaced when it dies, and does not keep the process alive while idle.
 */
export class WorkThreads<Task, Result> {
  readonly #entry: URL
  readonly #givesWay: boolean
  readonly #slots: Slot[]
  readonly #waiting: (() => void)[] = []
  #uses = 0
  #isClosed = false

  /** @param options `givesWay`: whether the system prefers other threads to these, if it supports thread priorities. */
  constructor(entry: URL, size: number, options: { readonly givesWay?: boolean } = {}) {
    this.#entry = entry
    this.#givesWay = options.givesWay ?? false
    this.#slots = Array.from({ length: size }, () => ({ thread: null, isBusy: false, affinity: null, lastUsed: 0 }))
  }

  /** Tasks that can run at once. */
  get size(): number {
    return this.#slots.length
  }

  /** Starts one thread before its first task. */
  warm(): void {
    const [slot] = this.#slots
    if (slot !== undefined && !this.#isClosed) this.#threadOf(slot)
  }

  /**
   * Runs a task in an idle thread, and waits for one if necessary. Rejects with the signal's reason, with a
   * JobFailedError for a refused task or a thread that dies of memory, or with the task's error.
   */
  async run(task: Task, options: TaskOptions): Promise<Result> {
    const slot = await this.#idleSlot(options)
    try {
      return await this.#runIn(slot, task, options)
    } finally {
      slot.isBusy = false
      slot.thread?.unref()
      this.#waiting.shift()?.()
    }
  }

  /** Ends all threads; tasks that are running reject. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of this.#waiting.splice(0)) wake()
    await Promise.all(this.#slots.map(async (slot) => await slot.thread?.terminate()))
  }

  async #idleSlot({ affinity, signal }: TaskOptions): Promise<Slot> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#isClosed) throw new Error('The worker threads are closed.')
      const idle = this.#slots.filter((slot) => !slot.isBusy)
      const slot =
        idle.find((candidate) => candidate.affinity === affinity) ?? idle.sort((a, b) => a.lastUsed - b.lastUsed)[0]
      if (slot !== undefined) {
        slot.isBusy = true
        slot.affinity = affinity
        slot.lastUsed = ++this.#uses
        return slot
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        // Also leaves the queue: a thread that becomes idle wakes only the first waiting task.
        const leave = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(wake), 1)
          resolve()
        }
        this.#waiting.push(wake)
        signal.addEventListener('abort', leave, { once: true })
      })
    }
  }

  async #runIn(slot: Slot, task: Task, { signal, onProgress }: TaskOptions): Promise<Result> {
    const thread = this.#threadOf(slot)
    thread.ref()
    let grace: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      thread.postMessage({ type: 'abort' } satisfies ToWorker<Task>)
      grace = setTimeout(() => void thread.terminate(), ABORT_GRACE_MS)
    }
    try {
      return await new Promise<Result>((resolve, reject) => {
        thread.on('message', (message: FromWorker<Result>) => {
          if (message.type === 'progress') onProgress(message)
          else if (message.type === 'done') resolve(message.result)
          else if (message.type === 'refused') reject(new JobFailedError(message.code, message.detail))
          else reject(defect(message.error))
        })
        thread.once('error', (error: NodeJS.ErrnoException) => reject(deathOf(error)))
        thread.once('exit', (code) => reject(new Error(`The worker thread ended with code ${code}.`)))
        signal.addEventListener('abort', onAbort, { once: true })
        thread.postMessage({ type: 'run', task } satisfies ToWorker<Task>)
        if (signal.aborted) onAbort()
      })
    } catch (error) {
      // The caller's reason, whatever the thread's reaction to the abort.
      throw signal.aborted ? signal.reason : error
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
      thread.removeAllListeners('message')
      thread.removeAllListeners('error')
      thread.removeAllListeners('exit')
      this.#watchIdle(slot, thread)
    }
  }

  #threadOf(slot: Slot): Worker {
    if (slot.thread !== null) return slot.thread
    const thread = new Worker(this.#entry, {
      execArgv: [],
      name: 'whatif-work',
      workerData: { givesWay: this.#givesWay },
    })
    slot.thread = thread
    thread.unref()
    this.#watchIdle(slot, thread)
    return thread
  }

  /** Forgets a dead thread, so that the next task starts another one. */
  #watchIdle(slot: Slot, thread: Worker): void {
    if (thread.threadId === -1) {
      if (slot.thread === thread) slot.thread = null
      return
    }
    const forget = (): void => {
      if (slot.thread === thread) slot.thread = null
    }
    thread.once('error', forget)
    thread.once('exit', forget)
  }
}

/** A task that threw would throw again, so it is not repeated. */
function defect(cause: unknown): JobFailedError {
  return new JobFailedError('svc_internal', 'The service failed unexpectedly.', { cause })
}

function deathOf(error: NodeJS.ErrnoException): unknown {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new JobFailedError('svc_internal', 'The work needed more memory than this service has.', { cause: error })
}
