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
 * The generating threads: those for all jobs, one of them for a guest, and one for small jobs that would otherwise wait
 * for large ones.
 * Generations that may have killed the service run in a process. Each starts when first needed.
 */
export class GeneratingPlaces {
  /** Generations at once, without those of the guest and the reserve. */
  readonly size: number
  readonly #threads: number
  readonly #workers: WorkThreads<GenerateTask, GenerateResult>
  readonly #smallWorkers: WorkThreads<GenerateTask, GenerateResult>
  readonly #ownProcesses: WorkProcesses<GenerateTask, GenerateResult>

  constructor({ threads, workers, givesWay }: Pick<Settings, 'threads' | 'workers' | 'givesWay'>) {
    this.#threads = threads
    this.size = workers
    const entry = workerEntry('generations/generate-worker.js')
    this.#workers = new WorkThreads(entry, workers + 1, { givesWay })
    this.#smallWorkers = new WorkThreads(entry, 1)
    this.#ownProcesses = new WorkProcesses(entry, { memoryBytes: workMemoryBytes(1), givesWay })
  }

  /** Starts a thread before a generation if there is none. */
  warm(): void {
    this.#workers.warm()
  }

  /** @param isSuspect whether the job may have killed its process: it then runs in a separate one. */
  placeFor({ place }: Pick<Turn, 'place'>, isSuspect: boolean): WorkPlace<GenerateTask, GenerateResult> {
    if (isSuspect) {
      return {
        threads: this.#threads,
        run: async (task, options) => await generateInProcess(this.#ownProcesses, task, options),
      }
    }
    if (place === 'reserve') return smallWorkPlace(async (task, options) => await this.#smallWorkers.run(task, options))
    return { threads: this.#threads, run: async (task, options) => await this.#workers.run(task, options) }
  }

  /** Ends all threads and processes; tasks that are running reject. */
  async close(): Promise<void> {
    await Promise.all([this.#workers.close(), this.#smallWorkers.close(), this.#ownProcesses.close()])
  }
}

/**
 * Generates in a separate process and turns its death into an error of the job: if it exceeds the limit of memory or
 * crashes, this generation is the cause. If the process is killed from outside, the error is thrown unchanged.
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
      throw new JobFailedError('svc_internal', 'The work crashes its program on every try.', {
        cause: error,
      })
    }
    throw error
  }
}
