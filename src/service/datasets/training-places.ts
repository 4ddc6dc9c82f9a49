import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { workMemoryBytes } from '../jobs/processes/process-limits.ts'
import { WorkProcesses } from '../jobs/processes/process-pool.ts'
import type { TaskControl } from '../jobs/processes/task-protocol.ts'
import { ProcessDeathError } from '../jobs/processes/work-process.ts'
import { workerEntry } from '../jobs/processes/worker-entry.ts'
import { smallWorkPlace, type WorkPlace } from '../jobs/work-place.ts'
import type { Turn } from '../queue/turn.ts'
import type { Settings } from '../settings/settings.ts'
import type { TrainResult, TrainTask } from './train-file.ts'

/** Memory limit of the process for small tables: a table that exceeds it was not small. */
const SMALL_MEMORY_BYTES = 2 ** 30

/** A training that takes longer than this may make others wait: the process for small ones is started, in milliseconds. */
const LONG_MS = 1_000

/**
 * The training processes: those for all jobs, one of them for a guest, and one for small jobs that would otherwise wait
 * for large ones.
 */
export class TrainingPlaces {
  /** Trainings at once, without those of the guest and the reserve. */
  readonly size: number
  readonly #threads: number
  readonly #givesWay: boolean
  readonly #processes: WorkProcesses<TrainTask, TrainResult>
  readonly #smallProcesses: WorkProcesses<TrainTask, TrainResult>

  constructor({ threads, workers, givesWay }: Pick<Settings, 'threads' | 'workers' | 'givesWay'>) {
    this.#threads = threads
    this.#givesWay = givesWay
    this.size = Math.max(1, workers >> 1)
    // Where there is only one tenant, there are no guests.
    const memoryBytes = workMemoryBytes(this.size + (givesWay ? 1 : 0))
    const entry = workerEntry('datasets/train-worker.js')
    this.#processes = new WorkProcesses(entry, { memoryBytes, givesWay })
    this.#smallProcesses = new WorkProcesses(entry, { memoryBytes: Math.min(memoryBytes, SMALL_MEMORY_BYTES) })
  }

  /** Starts a process before a training if there is none. */
  warm(): void {
    this.#processes.warm()
  }

  placeFor({ place }: Pick<Turn, 'place'>): WorkPlace<TrainTask, TrainResult> {
    if (place === 'reserve') {
      return smallWorkPlace(async (task, options) => await trainInProcess(this.#smallProcesses, task, options))
    }
    return {
      threads: this.#threads,
      run: async (task, options) => {
        const timer = this.#givesWay ? setTimeout(() => this.#smallProcesses.warm(), LONG_MS) : undefined
        try {
          return await trainInProcess(this.#processes, task, options)
        } finally {
          clearTimeout(timer)
        }
      },
    }
  }

  /** Ends all processes; tasks that are running reject. */
  async close(): Promise<void> {
    await Promise.all([this.#processes.close(), this.#smallProcesses.close()])
  }
}

/**
 * Trains in a process and turns its death into an error of the job. A process that crashes or runs out of memory while
 * reading is tried once more in a new one, because earlier tasks may have left it short of memory. The second time the
 * file is the cause. If a process is killed from outside, or dies later, the file may be innocent: the error is thrown
 * unchanged, and the attempt may be repeated.
 *
 * @throws {JobFailedError}
 */
export async function trainInProcess(
  processes: WorkProcesses<TrainTask, TrainResult>,
  task: TrainTask,
  control: TaskControl,
): Promise<TrainResult> {
  try {
    return await processes.run(task, control)
  } catch (error) {
    if (!(error instanceof ProcessDeathError) || !isWorthRetrying(error)) throw jobErrorOf(error)
  }
  try {
    return await processes.run(task, control, true)
  } catch (error) {
    throw jobErrorOf(error)
  }
}

function isWorthRetrying({ stage, deathCause }: ProcessDeathError): boolean {
  return stage === null || (stage === 'reading' && (deathCause === 'crash' || deathCause === 'memory'))
}

function jobErrorOf(error: unknown): unknown {
  if (!(error instanceof ProcessDeathError) || error.deathCause === 'killed' || error.stage === null) return error
  const { deathCause } = error
  if (deathCause === 'starved') return error
  if (error.stage === 'reading') return new JobFailedError('svc_unreadable_file', READING[deathCause], { cause: error })
  if (deathCause === 'crash') return error
  const detail = `The table was read, but training on it takes more ${TRAINING[deathCause]} than this service gives to one dataset. Send fewer columns, or a sample of the rows.`
  return new JobFailedError('svc_untrainable_dataset', detail, { cause: error })
}

const TRAINING = { memory: 'memory', time: 'processor time', space: 'room on the disk' } as const

const READING = {
  crash:
    'The file crashes the program that reads it, on every try: it is damaged in an unknown way. ' +
    'Write it again, or export the table as CSV.',
  memory:
    'Reading the file takes more memory than this service gives to one file: it contains far more data than its size suggests, or it is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
  space:
    'Reading the file takes more room on the disk than this service gives to one file: it contains far more data than its size suggests, or it is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
  time:
    'Reading the file takes longer than this service gives to a file of its size: it contains far more data than its size suggests, or it is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
} as const
