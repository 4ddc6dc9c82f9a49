import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { workMemoryBytes } from '../jobs/processes/process-limits.ts'
import { WorkProcesses } from '../jobs/processes/process-pool.ts'
import type { TaskControl } from '../jobs/processes/task-protocol.ts'
import { WorkThreads } from '../jobs/processes/thread-pool.ts'
import { ProcessDeathError } from '../jobs/processes/work-process.ts'
import { workerEntry } from '../jobs/processes/worker-entry.ts'
import { smallWorkPlace, type WorkPlace } from '../jobs/work-place.ts'
import type { Turn } from '../queue/turn.ts'
import type { Settings } from '../settings/settings.ts'
import type { GenerateResult, GenerateTask } from './generate-worker.ts'

/**
 * The threads that generate: those for all jobs, one for small jobs that would wait behind large ones, and a process for
 * generations that may have killed the service. Each is started when first needed.
 */
export class GeneratingPlaces {
  /** Generations at once. */
  readonly size: number
  readonly #threads: number
  readonly #workers: WorkThreads<GenerateTask, GenerateResult>
  readonly #smallWorkers: WorkThreads<GenerateTask, GenerateResult>
  readonly #ownProcesses: WorkProcesses<GenerateTask, GenerateResult>

  constructor({ threads, workers, givesWay }: Pick<Settings, 'threads' | 'workers' | 'givesWay'>) {
    this.#threads = threads
    this.size = workers
    const entry = workerEntry('generations/generate-worker.js')
    this.#workers = new WorkThreads(entry, workers, { givesWay })
    this.#smallWorkers = new WorkThreads(entry, 1)
    this.#ownProcesses = new WorkProcesses(entry, { memoryBytes: workMemoryBytes(1), givesWay })
  }

  /** Starts a thread ahead of a generation, where there is none. */
  warm(): void {
    this.#workers.warm()
  }

  /** @param isSuspect whether the job may have killed its process: it gets one of its own. */
  placeFor({ isReserve }: Pick<Turn, 'isReserve'>, isSuspect: boolean): WorkPlace<GenerateTask, GenerateResult> {
    if (isSuspect) {
      return {
        threads: this.#threads,
        run: async (task, options) => await generateInProcess(this.#ownProcesses, task, options),
      }
    }
    if (isReserve) return smallWorkPlace(async (task, options) => await this.#smallWorkers.run(task, options))
    return { threads: this.#threads, run: async (task, options) => await this.#workers.run(task, options) }
  }

  /** Ends all threads and processes; tasks that are running reject. */
  async close(): Promise<void> {
    await Promise.all([this.#workers.close(), this.#smallWorkers.close(), this.#ownProcesses.close()])
  }
}

/**
 * Generates in a process of its own and turns its death into an error of the job: if it passes the limit of memory, or
 * crashes, this very generation is the cause. A process that others kill is thrown as it is.
 *
 * @throws {JobFailedError}
 */
async function generateInProcess(
  processes: WorkProcesses<GenerateTask, GenerateResult>,
  task: GenerateTask,
  control: TaskControl,
): Promise<GenerateResult> {
  try {
    return await processes.run(task, control, true)
  } catch (error) {
    if (!(error instanceof ProcessDeathError)) throw error
    if (error.deathCause === 'memory') {
      throw new JobFailedError('svc_internal', 'The work needed more memory than this service has.', { cause: error })
    }
    if (error.deathCause === 'crash') {
      throw new JobFailedError(
        'svc_internal',
        'The work makes the program crash that does it, each time it is tried.',
        {
          cause: error,
        },
      )
    }
    throw error
  }
}
