import { WorkFailure } from '../jobs/job-failure.ts'
import type { WorkProcesses } from '../jobs/processes/process-pool.ts'
import type { TaskControl } from '../jobs/processes/task-protocol.ts'
import { ProcessDeath } from '../jobs/processes/work-process.ts'
import type { TrainResult, TrainTask } from './train-file.ts'

/**
 * Trains in a process and says what its death means. One that crashes or runs out of memory while it reads is tried again in
 * a new process, since what went before may have left it short; twice, and it is the file. Being killed by others, or dying of
 * anything later, says nothing of the file: it is thrown as it is, and the attempt may be repeated.
 *
 * @throws {WorkFailure}
 */
export async function trainInProcess(
  processes: WorkProcesses<TrainTask, TrainResult>,
  task: TrainTask,
  control: TaskControl,
): Promise<TrainResult> {
  try {
    return await processes.run(task, control)
  } catch (error) {
    if (!(error instanceof ProcessDeath) || !isWorthRetrying(error)) throw inWords(error)
  }
  try {
    return await processes.run(task, control, true)
  } catch (error) {
    throw inWords(error)
  }
}

function isWorthRetrying({ stage, deathCause }: ProcessDeath): boolean {
  return stage === null || (stage === 'reading' && (deathCause === 'crash' || deathCause === 'memory'))
}

function inWords(error: unknown): unknown {
  if (!(error instanceof ProcessDeath) || error.deathCause === 'killed' || error.stage === null) return error
  const { deathCause } = error
  if (deathCause === 'starved') return error
  if (error.stage === 'reading') return new WorkFailure('svc_unreadable_file', READING[deathCause], { cause: error })
  if (deathCause === 'crash') return error
  const detail = `The table was read, but training on it takes more ${TRAINING[deathCause]} than this service gives to one dataset. Send fewer columns, or a sample of the rows.`
  return new WorkFailure('svc_untrainable_dataset', detail, { cause: error })
}

const TRAINING = { memory: 'memory', time: 'processor time', space: 'room on the disk' } as const

const READING = {
  crash:
    'The file makes the program that reads it crash, each time it is tried: it is damaged in a way that is not understood. ' +
    'Write it again, or export the table as CSV.',
  memory:
    'Reading the file takes more memory than this service gives to one file: it holds far more than its size shows, or is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
  space:
    'Reading the file takes more room on the disk than this service gives to one file: it holds far more than its size shows, or is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
  time:
    'Reading the file takes longer than this service gives to a file of its size: it holds far more than its size shows, or is damaged. ' +
    'Export the table as CSV, with fewer rows or columns.',
} as const
