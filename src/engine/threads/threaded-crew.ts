/**
 * A crew of worker threads, started on demand. When a crew closes, its threads are kept for the next one. They never keep the
 * process alive on their own.
 */

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Crew, type CrewJob, type Pending, takeNext } from './crew.ts'

/** `job` is the number of a job. */
export type ToThread =
  | { readonly type: 'open'; readonly job: number; readonly kind: string; readonly context: unknown }
  | { readonly type: 'run'; readonly job: number; readonly task: unknown }
  | { readonly type: 'close'; readonly job: number }

export type FromThread =
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: unknown }

/** A thread at work for a crew. */
interface Member {
  readonly thread: Worker
  /** The running task; null while it is idle. */
  busy: Pending | null
  /** The jobs that are open in it. */
  readonly jobs: Set<CrewJob>
}

export class ThreadedCrew implements Crew {
  #queue: Pending[] = []
  readonly #members = new Set<Member>()
  readonly #limit: number
  #isClosed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  add(pending: Pending): void {
    if (this.#isClosed) pending.job.stopped ??= { reason: new Error('the crew was closed') }
    if (pending.job.stopped) return pending.reject(pending.job.stopped.reason)
    this.#queue.push(pending)
    for (const member of this.#members) {
      if (!member.busy) return this.#next(member)
    }
    if (this.#members.size < this.#limit) this.#next(this.#engage())
  }

  stop(job: CrewJob, reason: unknown): void {
    job.stopped ??= { reason }
    const unfinished = this.#queue.filter((pending) => pending.job === job)
    this.#queue = this.#queue.filter((pending) => pending.job !== job)
    for (const pending of unfinished) pending.reject(job.stopped.reason)
    for (const { thread, busy, jobs } of this.#members) {
      if (busy?.job === job) busy.reject(job.stopped.reason)
      if (jobs.delete(job)) send(thread, { type: 'close', job: job.id })
    }
  }

  close(): void {
    this.#isClosed = true
    const open = new Set(this.#queue.map(({ job }) => job))
    for (const { jobs } of this.#members) for (const job of jobs) open.add(job)
    for (const job of open) this.stop(job, new Error('the crew was closed'))
    for (const member of this.#members) if (!member.busy) this.#release(member)
  }

  #engage(): Member {
    const thread = idle.pop() ?? startThread()
    engaged.add(thread)
    thread.ref()
    const member: Member = { thread, busy: null, jobs: new Set() }
    this.#members.add(member)
    thread.on('message', (message: FromThread) => {
      const pending = member.busy
      member.busy = null
      if (message.type === 'done') pending?.resolve(message.result as never)
      else pending?.reject(message.error)
      if (this.#isClosed) this.#release(member)
      else this.#next(member)
    })
    const lost = (error: unknown) => {
      if (!this.#members.delete(member)) return
      engaged.delete(thread)
      // The other threads continue with the other jobs.
      if (member.busy) this.stop(member.busy.job, error)
      member.busy?.reject(error)
      if (this.#queue.length > 0 && this.#members.size === 0) this.#next(this.#engage())
    }
    thread.on('error', lost)
    thread.on('messageerror', lost)
    thread.on('exit', (code) => lost(new Error(`a worker thread ended with exit code ${code}`)))
    return member
  }

  #next(member: Member): void {
    const pending = takeNext(this.#queue)
    if (!pending) return
    const { job, task } = pending
    member.busy = pending
    if (!member.jobs.has(job)) {
      member.jobs.add(job)
      send(member.thread, { type: 'open', job: job.id, kind: job.kind.name, context: job.context })
    }
    send(member.thread, { type: 'run', job: job.id, task })
  }

  #release(member: Member): void {
    if (!this.#members.delete(member)) return
    const { thread } = member
    engaged.delete(thread)
    for (const event of ['message', 'error', 'messageerror', 'exit'] as const) thread.removeAllListeners(event)
    keep(thread)
  }
}

const idle: Worker[] = []
/** Threads of crews. */
const engaged = new Set<Worker>()

/**
 * Starts missing threads ahead of the jobs that will need them, so that they load their code meanwhile. Threads that work for a
 * crew count, because it may be about to close.
 */
export function startThreads(count: number): void {
  while (idle.length + engaged.size < Math.min(count, availableParallelism())) keep(startThread())
}

function keep(thread: Worker): void {
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

function send(thread: Worker, message: ToThread): void {
  thread.postMessage(message)
}

/**
 * Threads need compiled code: next to this file when it is compiled itself, in the package's dist when it runs as
 * source.
 */
function startThread(): Worker {
  const compiled = import.meta.url.endsWith('.js')
  const entry = new URL(compiled ? '../thread-worker.js' : '../../../dist/engine/thread-worker.js', import.meta.url)
  if (!existsSync(entry)) throw new Error(`${fileURLToPath(entry)} is missing: run "npm run build" first`)
  return new Worker(entry, { execArgv: [], name: 'whatif-engine' })
}
