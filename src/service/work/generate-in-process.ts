import type { GenerateResult, GenerateTask } from '../workers/generate-worker.ts'
import type { WorkProcesses } from '../workers/process-pool.ts'
import type { TaskControl } from '../workers/task-protocol.ts'
import { ProcessDeath } from '../workers/work-process.ts'
import { WorkFailure } from './work-failure.ts'

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
