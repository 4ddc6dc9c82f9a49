/**
 * A crew of worker threads, started as they are needed, and of the calling thread where that has nothing else to do: what it runs
 * needs no thread to be started and no code to be compiled once more. Threads are kept for the next crew when one closes, and
 * never keep the process alive on their own.
 */

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { LocalCrew } from './local-crew.ts'
import type { Crew, CrewJob, Pending } from './thread-pool.ts'
import type { FromThread, ToThread } from './thread-worker.ts'

/**
 * Tasks that a thread has at once where the calling thread works too: it can hand over the next one only when it has ended one of
 * its own.
 */
const TASKS_AHEAD = 2

/** A thread at work for a crew. */
interface Member {
  readonly thread: Worker
  /** What it is running, and what it will run then. */
  readonly tasks: Pending[]
  /** The jobs that are open in it. */
  readonly jobs: Set<CrewJob>
}

export class ThreadedCrew implements Crew {
  #queue: Pending[] = []
  readonly #members = new Set<Member>()
  readonly #limit: number
  /** The calling thread; null where it does not work. */
  readonly #caller: LocalCrew | null
  #isCallerBusy = false
  #isClosed = false

  constructor(threads: number, isCallerFree: boolean) {
    this.#limit = isCallerFree ? threads - 1 : threads
    this.#caller = isCallerFree ? new LocalCrew() : null
  }

  add(pending: Pending): void {
    if (this.#isClosed) pending.job.stopped ??= { reason: new Error('the crew was closed') }
    if (pending.job.stopped) return pending.reject(pending.job.stopped.reason)
    this.#queue.push(pending)
    this.#handOut()
  }

  stop(job: CrewJob, reason: unknown): void {
    job.stopped ??= { reason }
    const unfinished = this.#queue.filter((pending) => pending.job === job)
    this.#queue = this.#queue.filter((pending) => pending.job !== job)
    this.#caller?.stop(job, reason)
    for (const { thread, tasks, jobs } of this.#members) {
      unfinished.push(...tasks.filter((pending) => pending.job === job))
      if (jobs.delete(job)) send(thread, { type: 'close', job: job.id })
    }
    for (const pending of unfinished) pending.reject(job.stopped.reason)
  }

  close(): void {
    this.#isClosed = true
    const open = new Set(this.#queue.map(({ job }) => job))
    for (const { jobs } of this.#members) for (const job of jobs) open.add(job)
    for (const job of open) this.stop(job, new Error('the crew was closed'))
    for (const member of this.#members) if (member.tasks.length === 0) this.#release(member)
  }

  #handOut(): void {
    while (this.#queue.length > 0) {
      const member = this.#memberWith(0) ?? (this.#members.size < this.#limit ? this.#engage() : null)
      if (member) this.#give(member, this.#queue.shift()!)
      else if (this.#caller && !this.#isCallerBusy) this.#runHere(this.#caller, this.#queue.shift()!)
      else {
        const ahead = this.#caller ? this.#memberWith(TASKS_AHEAD - 1) : null
        if (!ahead) return
        this.#give(ahead, this.#queue.shift()!)
      }
    }
  }

  #memberWith(tasks: number): Member | null {
    for (const member of this.#members) if (member.tasks.length === tasks) return member
    return null
  }

  #runHere(caller: LocalCrew, { job, task, resolve, reject }: Pending): void {
    this.#isCallerBusy = true
    const ended = () => {
      this.#isCallerBusy = false
      this.#handOut()
    }
    const settled = new Promise((resolve, reject) => caller.add({ job, task, resolve, reject }))
    settled.then((result) => resolve(result as never), reject).finally(ended)
  }

  #engage(): Member {
    const thread = idle.pop() ?? startThread()
    thread.ref()
    const member: Member = { thread, tasks: [], jobs: new Set() }
    this.#members.add(member)
    thread.on('message', (message: FromThread) => {
      const pending = member.tasks.shift()
      if (message.type === 'done') pending?.resolve(message.result as never)
      else pending?.reject(message.error)
      if (!this.#isClosed) this.#handOut()
      else if (member.tasks.length === 0) this.#release(member)
    })
    const lost = (error: unknown) => {
      if (!this.#members.delete(member)) return
      // The others go on with the other jobs.
      for (const { job, reject } of member.tasks) {
        this.stop(job, error)
        reject(error)
      }
      this.#handOut()
    }
    thread.on('error', lost)
    thread.on('messageerror', lost)
    thread.on('exit', (code) => lost(new Error(`a worker thread ended with exit code ${code}`)))
    return member
  }

  #give(member: Member, pending: Pending): void {
    const { job, task } = pending
    member.tasks.push(pending)
    if (!member.jobs.has(job)) {
      member.jobs.add(job)
      send(member.thread, { type: 'open', job: job.id, kind: job.kind, context: job.context })
    }
    send(member.thread, { type: 'run', job: job.id, task })
  }

  #release(member: Member): void {
    if (!this.#members.delete(member)) return
    const { thread } = member
    for (const event of ['message', 'error', 'messageerror', 'exit'] as const) thread.removeAllListeners(event)
    keep(thread)
  }
}

const idle: Worker[] = []

/** Starts threads ahead of the jobs that will need them, where fewer are idle; they load their code meanwhile. */
export function startThreads(count: number): void {
  while (idle.length < Math.min(count, availableParallelism())) keep(startThread())
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
