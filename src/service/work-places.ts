import { rm } from 'node:fs/promises'
import type { ServiceContext } from './context.ts'
import { writePracticePlan } from './datasets/practice.ts'
import type { TrainResult, TrainTask } from './datasets/train-file.ts'
import { trainInProcess } from './datasets/train-in-process.ts'
import { generateInProcess } from './generations/generate-in-process.ts'
import type { GenerateResult, GenerateTask } from './generations/generate-worker.ts'
import { LargeWork } from './jobs/large-work.ts'
import { workMemoryBytes } from './jobs/processes/process-limits.ts'
import { WorkProcesses } from './jobs/processes/process-pool.ts'
import { type RunOptions, WorkThreads } from './jobs/processes/thread-pool.ts'
import { workerEntry } from './jobs/processes/worker-entry.ts'
import type { Turn } from './jobs/queue/work-queue.ts'
import { runWhileSmall } from './jobs/small-work.ts'

/** Memory of the process that trains small tables: what passes it was not small. */
const SMALL_MEMORY_BYTES = 2 ** 30

/** Of a small job: others are at work on all cores. */
const SMALL_WORK_THREADS = 1

/** Where tasks of one kind are run, for a job as it was handed out. */
export interface WorkPlace<Task, Result> {
  /** Threads that the task may use there. */
  readonly threads: number
  run(task: Task, options: RunOptions): Promise<Result>
}

/**
 * The threads and processes of a worker: those for all jobs, one thread and one process for small jobs that would wait
 * behind large ones, and a process for generations that may have killed the service. All but the first are started when
 * first needed, or, with `standby`, when large jobs have been at work for a while.
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
  readonly #largeTraining: LargeWork
  readonly #largeGenerating: LargeWork
  readonly #practiceFolder: string

  constructor({ settings, blobs }: Pick<ServiceContext, 'settings' | 'blobs'>) {
    const { threads, quality, standby, workers, givesWay } = settings
    this.#threads = threads
    this.trainings = Math.max(1, workers >> 1)
    this.generations = workers
    const memoryBytes = workMemoryBytes(this.trainings)
    const trainEntry = workerEntry('datasets/train-worker.js')
    this.#training = new WorkProcesses(trainEntry, { memoryBytes, givesWay })
    this.#smallTraining = new WorkProcesses(trainEntry, { memoryBytes: Math.min(memoryBytes, SMALL_MEMORY_BYTES) })
    const generateEntry = workerEntry('generations/generate-worker.js')
    this.#generating = new WorkThreads(generateEntry, workers, { givesWay })
    this.#smallGenerating = new WorkThreads(generateEntry, 1)
    this.#aloneGenerating = new WorkProcesses(generateEntry, { memoryBytes: workMemoryBytes(1), givesWay })
    this.#practiceFolder = blobs.scratchPath()
    const practice = (count: number) => [writePracticePlan({ folder: this.#practiceFolder, threads: count, quality })]
    const nothing = () => undefined
    this.#largeTraining = new LargeWork(
      standby ? () => this.#smallTraining.warm(practice(SMALL_WORK_THREADS)) : nothing,
    )
    this.#largeGenerating = new LargeWork(standby ? () => this.#smallGenerating.warm() : nothing)
    // At once: the first upload may be the first thing that a client does.
    if (standby) this.#training.standBy(practice(threads))
  }

  warmTraining(): void {
    this.#training.warm()
  }

  warmGeneration(): void {
    this.#generating.warm()
  }

  trainingFor({ isReserve, isSmall }: Pick<Turn, 'isReserve' | 'isSmall'>): WorkPlace<TrainTask, TrainResult> {
    const run = async (task: TrainTask, options: RunOptions) => await trainInProcess(this.#training, task, options)
    if (!isReserve) return { threads: this.#threads, run: isSmall ? run : watchedBy(this.#largeTraining, run) }
    return {
      threads: SMALL_WORK_THREADS,
      run: async (task, options) =>
        await runWhileSmall(
          options.signal,
          async (signal) => await trainInProcess(this.#smallTraining, task, { ...options, signal }),
        ),
    }
  }

  generationFor(
    { isReserve, isSmall }: Pick<Turn, 'isReserve' | 'isSmall'>,
    isSuspect: boolean,
  ): WorkPlace<GenerateTask, GenerateResult> {
    if (isSuspect) {
      const run = async (task: GenerateTask, options: RunOptions) =>
        await generateInProcess(this.#aloneGenerating, task, options)
      return { threads: this.#threads, run }
    }
    const run = async (task: GenerateTask, options: RunOptions) => await this.#generating.run(task, options)
    if (!isReserve) return { threads: this.#threads, run: isSmall ? run : watchedBy(this.#largeGenerating, run) }
    return {
      threads: SMALL_WORK_THREADS,
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

function watchedBy<Task, Result>(
  large: LargeWork,
  run: WorkPlace<Task, Result>['run'],
): WorkPlace<Task, Result>['run'] {
  return async (task, options) => await large.watch(async () => await run(task, options))
}
