import type { TaskControl } from './task-protocol.ts'
import { WorkProcess, type WorkProcessOptions } from './work-process.ts'

/** How long an idle process waits for its next task, in milliseconds: starting one takes about 0.1 s and 60 MB. */
const IDLE_MS = 60_000
/** Most tasks of one process: native libraries that read damaged files leak memory. */
const MAX_USES = 20

/**
 * Processes that run one kind of task each, for files from clients. If a task crashes its process, or takes too much
 * memory or time, the service continues. Processes start when needed and end with the service.
 */
export class WorkProcesses<Task, Result> {
  readonly #entry: URL
  readonly #options: WorkProcessOptions
  readonly #idle: { readonly worker: WorkProcess<Task, Result>; readonly timer: NodeJS.Timeout }[] = []
  readonly #all = new Set<WorkProcess<Task, Result>>()
  #isClosed = false

  /** `entry` is compiled code that answers tasks at `processPort`. */
  constructor(entry: URL, options: WorkProcessOptions) {
    this.#entry = entry
    this.#options = options
  }

  /** Starts a process before its task if there is none. An idle one stays as long as if it had just finished a task. */
  warm(): void {
    for (const { timer } of this.#idle) timer.refresh()
    if (this.#all.size === 0 && !this.#isClosed) this.#keep(this.#start())
  }

  /** Runs a task in an idle or a new process; `isFresh` requires a new one. Rejects as `WorkProcess.run` does. */
  async run(task: Task, control: TaskControl, isFresh = false): Promise<Result> {
    if (this.#isClosed) throw new Error('The work processes are closed.')
    const worker = (isFresh ? null : this.#takeIdle()) ?? this.#start()
    try {
      return await worker.run(task, control)
    } finally {
      if (!this.#isClosed && worker.isAlive && worker.uses < MAX_USES) this.#keep(worker)
      else await this.#end(worker)
    }
  }

  /** Ends all processes; tasks that are running reject. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
    await Promise.all([...this.#all].map(async (worker) => await this.#end(worker)))
  }

  #start(): WorkProcess<Task, Result> {
    const worker = new WorkProcess<Task, Result>(this.#entry, this.#options)
    this.#all.add(worker)
    return worker
  }

  #takeIdle(): WorkProcess<Task, Result> | null {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.timer)
      if (kept.worker.isAlive) return kept.worker
      this.#all.delete(kept.worker)
    }
    return null
  }

  #keep(worker: WorkProcess<Task, Result>): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((kept) => kept.worker === worker),
        1,
      )
      void this.#end(worker)
    }, IDLE_MS)
    timer.unref()
    this.#idle.push({ worker, timer })
  }

  async #end(worker: WorkProcess<Task, Result>): Promise<void> {
    await worker.end()
    this.#all.delete(worker)
  }
}
