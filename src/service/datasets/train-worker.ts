/**
 * A process that trains models. Only such processes parse seed files, so a file that crashes a parser or takes too much
 * costs its job and not the service. Runs compiled, from dist.
 */

import { ProcessLimits } from '../jobs/processes/process-limits.ts'
import { answerTasks, processPort } from '../jobs/processes/task-protocol.ts'
import { type TrainResult, type TrainTask, trainFile } from './train-file.ts'

// A process starts when an upload begins. Most seeds are CSV, so the CSV reader is loaded while the bytes still arrive.
// If loading fails, the task will report it.
import('../../formats/csv/read-csv.ts').catch(() => undefined)

const limits = new ProcessLimits(Number(process.argv[2]))

answerTasks<TrainTask, TrainResult>(processPort(), async (task, control) => {
  return await trainFile(task, control, limits)
})
