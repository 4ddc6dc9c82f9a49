import { rm } from 'node:fs/promises'
import type { ServiceContext } from '../context.ts'
import type { Turn } from '../queue/work-queue.ts'
import type { GenerateResult, GenerateTask } from '../workers/generate-worker.ts'
import { writePracticePlan } from '../workers/practice.ts'
import { workMemoryBytes } from '../workers/process-limits.ts'
import { WorkProcesses } from '../workers/process-pool.ts'
import { type RunOptions, WorkThreads } from '../workers/thread-pool.ts'
import type { TrainResult, TrainTask } from '../workers/train-file.ts'
import { trainInProcess } from '../workers/train-in-process.ts'
import { workerEntry } from '../workers/worker-entry.ts'
import { generateInProcess } from './generate-in-process.ts'
import { runWhileSmall } from './small-work.ts'

/** Memory of the process that trains small tables: what passes it was not small. */
const SMALL_MEMORY_BYTES = 2 ** 30

/** Where tasks of one kind are run, for a job as it was handed out. */
export interface WorkPlace<Task, Result> {
  /** Threads that the task may use there. */
  readonly threads: number
  run(task: Task, options: RunOptions): Promise<Result>
}

/**
 * The threads and processes of a worker: those for all jobs, one thread and one process for small jobs that would wait
 * behind large ones, and a process for generations that may have killed the service. All but the first are started when
 * first needed.
 */
export class WorkPlaces {
  /** Trainings at once. */
  readonly trainings: number
  /** Generations at once. */
  readonly generations: number
  readonly #threads: number
  readonly #training: WorkProcesses<TrainTask, TrainResult>
  readonly #smallTraining: WorkProcesses<TrainTask, TrainResult>
  readonly #generating: WorkThreads<GenerateTask, GenerateResult>
  readonly #smallGenerating: WorkThreads<GenerateTask, GenerateResult>
  readonly #aloneGenerating: WorkProcesses<GenerateTask, GenerateResult>
  readonly #practiceFolder: string

  constructor({ settings, blobs }: Pick<ServiceContext, 'settings' | 'blobs'>) {
    const { threads, quality, standby, workers } = settings
    this.#threads = threads
    this.trainings = Math.max(1, workers >> 1)
    this.generations = workers
    const memoryBytes = workMemoryBytes(this.trainings)
    const trainEntry = workerEntry('train-worker.js')
    this.#training = new WorkProcesses(trainEntry, { memoryBytes })
    this.#smallTraining = new WorkProcesses(trainEntry, { memoryBytes: Math.min(memoryBytes, SMALL_MEMORY_BYTES) })
    const generateEntry = workerEntry('generate-worker.js')
    this.#generating = new WorkThreads(generateEntry, workers)
    this.#smallGenerating = new WorkThreads(generateEntry, 1)
    this.#aloneGenerating = new WorkProcesses(generateEntry, { memoryBytes: workMemoryBytes(1) })
    this.#practiceFolder = blobs.scratchPath()
    // At once: the first upload may be the first thing that a client does.
    if (standby) this.#training.standBy([writePracticePlan({ folder: this.#practiceFolder, threads, quality })])
  }

  warmTraining(): void {
    this.#training.warm()
  }

  warmGeneration(): void {
    this.#generating.warm()
  }

  trainingFor({ isReserve }: Pick<Turn, 'isReserve'>): WorkPlace<TrainTask, TrainResult> {
    if (!isReserve) {
      const run = async (task: TrainTask, options: RunOptions) => await trainInProcess(this.#training, task, options)
      return { threads: this.#threads, run }
    }
    return {
      // The others are at work on all cores.
      threads: 1,
      run: async (task, options) =>
        await runWhileSmall(
          options.signal,
          async (signal) => await trainInProcess(this.#smallTraining, task, { ...options, signal }),
        ),
    }
  }

  generationFor({ isReserve }: Pick<Turn, 'isReserve'>, isSuspect: boolean): WorkPlace<GenerateTask, GenerateResult> {
    if (isSuspect) {
      const run = async (task: GenerateTask, options: RunOptions) =>
        await generateInProcess(this.#aloneGenerating, task, options)
      return { threads: this.#threads, run }
    }
    if (!isReserve) {
      return { threads: this.#threads, run: async (task, options) => await this.#generating.run(task, options) }
    }
    return {
      threads: 1,
      run: async (task, options) =>
        await runWhileSmall(
          options.signal,
          async (signal) => await this.#smallGenerating.run(task, { ...options, signal }),
        ),
    }
  }

  /** Ends all threads and processes; tasks that are running reject. */
  async close(): Promise<void> {
    const places = [this.#training, this.#smallTraining, this.#generating, this.#smallGenerating, this.#aloneGenerating]
    await Promise.all(places.map(async (place) => await place.close()))
    // A process that was ended leaves it behind.
    await rm(this.#practiceFolder, { recursive: true, force: true })
  }
}
