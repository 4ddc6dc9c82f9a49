import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { Worker } from 'node:worker_threads'

/** Limit of a stage of work. CPU time counts all threads, and does not depend on other load. */
export interface TimeLimit {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Limit of files in a folder, in bytes on the disk. */
export interface SpaceLimit {
  readonly folder: string
  readonly bytes: number
}

/** Limits of a process's current task; null lifts one. */
export interface TaskLimits {
  /** Counts from now on. */
  limitTime(limit: TimeLimit | null): void
  limitSpace(limit: SpaceLimit | null): void
}

/** Message to the watching thread. */
export type LimitMessage = { readonly time: TimeLimit | null } | { readonly space: SpaceLimit | null }

/** Text that the watching thread writes to stderr before it ends the process: which limit was exceeded. */
export const LIMIT_PASSED = {
  memory: '[limit passed: memory]',
  time: '[limit passed: time]',
  space: '[limit passed: space]',
} as const

const GIB = 2 ** 30
const MIN_MEMORY_BYTES = 1.5 * GIB
const MAX_MEMORY_BYTES = 4 * GIB

/** Resident memory in bytes for each of `processes`: a share of half the machine, or of the container. */
export function workMemoryBytes(processes: number): number {
  const constrained = constrainedMemory() ?? 0
  const total = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.min(MAX_MEMORY_BYTES, Math.max(MIN_MEMORY_BYTES, Math.floor(total / 2 / processes)))
}

/** Initial data of `limits-worker.ts`. */
export interface Watched {
  readonly memoryBytes: number
  readonly parentPid: number
}

/**
 * Watches this process from a separate thread, which native code and endless loops cannot block. SIGKILL ends the
 * process when it exceeds `memoryBytes` of resident memory, exceeds a limit of time or space, or has lost its parent.
 */
export class ProcessLimits implements TaskLimits {
  readonly #watch: Worker

  constructor(memoryBytes: number) {
    const workerData: Watched = { memoryBytes, parentPid: process.ppid }
    this.#watch = new Worker(new URL('./limits-worker.js', import.meta.url), { workerData, execArgv: [] })
    this.#watch.unref()
  }

  limitTime(limit: TimeLimit | null): void {
    this.#send({ time: limit })
  }

  limitSpace(limit: SpaceLimit | null): void {
    this.#send({ space: limit })
  }

  #send(message: LimitMessage): void {
    this.#watch.postMessage(message)
  }
}
