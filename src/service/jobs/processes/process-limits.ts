import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { Worker } from 'node:worker_threads'

/** What a stage of work may take. CPU time counts all threads, and is the same on a busy machine. */
export interface TimeLimit {
  readonly cpuMs: number
  readonly wallMs: number
}

/** What files in a folder may take, in bytes on the disk. */
export interface SpaceLimit {
  readonly folder: string
  readonly bytes: number
}

/** Limits of the task that a process runs; null lifts one. */
export interface TaskLimits {
  /** Counts from now on. */
  limitTime(limit: TimeLimit | null): void
  limitSpace(limit: SpaceLimit | null): void
}

/** What the watching thread is sent. */
export type LimitMessage = { readonly time: TimeLimit | null } | { readonly space: SpaceLimit | null }

/** How the watching thread says on stderr which limit was passed, before it ends the process. */
export const LIMIT_PASSED = {
  memory: '[limit passed: memory]',
  time: '[limit passed: time]',
  space: '[limit passed: space]',
} as const

const GIB = 2 ** 30
const MIN_MEMORY_BYTES = 1.5 * GIB
const MAX_MEMORY_BYTES = 4 * GIB

/** Resident memory in bytes that each of `processes` may have: a share of half the machine, or of the container. */
export function workMemoryBytes(processes: number): number {
  const constrained = constrainedMemory() ?? 0
  const total = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.min(MAX_MEMORY_BYTES, Math.max(MIN_MEMORY_BYTES, Math.floor(total / 2 / processes)))
}

/** What `limits-worker.ts` starts with. */
export interface Watched {
  readonly memoryBytes: number
  readonly parentPid: number
}

/**
 * Watches this process from a thread of its own, which native code and endless loops cannot block. SIGKILL ends the process
 * when its resident memory passes `memoryBytes`, when it passes a limit of time or space, and when its parent has gone.
 */
export class ProcessLimits implements TaskLimits {
  readonly #watch: Worker

  constructor(memoryBytes: number) {
    const workerData: Watched = { memoryBytes, parentPid: process.ppid }
    this.#watch = new Worker(new URL('./limits-worker.js', import.meta.url), { workerData, execArgv: [] })
    this.#watch.unref()
  }

  limitTime(limit: TimeLimit | null): void {
    this.#tell({ time: limit })
  }

  limitSpace(limit: SpaceLimit | null): void {
    this.#tell({ space: limit })
  }

  #tell(message: LimitMessage): void {
    this.#watch.postMessage(message)
  }
}
