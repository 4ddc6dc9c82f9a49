import { WorkFailure } from '../jobs/job-failure.ts'
import type { WorkProcesses } from '../jobs/processes/process-pool.ts'
import type { TaskControl } from '../jobs/processes/task-protocol.ts'
import { ProcessDeath } from '../jobs/processes/work-process.ts'
import type { GenerateResult, GenerateTask } from './generate-worker.ts'

/**
 * Generates in a process of its own and says what its death means: one that passes the limit of memory, or crashes, does so
 * by this very generation. Being killed by others is thrown as it is.
 *
 * @throws {WorkFailure}
 */
export async function generateInProcess(
  processes: WorkProcesses<GenerateTask, GenerateResult>,
  task: GenerateTask,
  control: TaskControl,
): Promise<GenerateResult> {
  try {
    return await processes.run(task, control, true)
  } catch (error) {
    if (!(error instanceof ProcessDeath)) throw error
    if (error.deathCause === 'memory') {
      throw new WorkFailure('svc_internal', 'The work needed more memory than this service has.', { cause: error })
    }
    if (error.deathCause === 'crash') {
      throw new WorkFailure('svc_internal', 'The work makes the program crash that does it, each time it is tried.', {
        cause: error,
      })
    }
    throw error
  }
}
