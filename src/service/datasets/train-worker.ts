/**
 * A process that trains models. Seed files are parsed nowhere else, so that one that crashes a parser or takes too much costs
 * its job and not the service. Runs compiled, from dist.
 */

import { ProcessLimits } from '../jobs/processes/process-limits.ts'
import { answerTasks, processPort } from '../jobs/processes/task-protocol.ts'
import { type TrainResult, type TrainTask, trainFile } from './train-file.ts'

// A process is started when an upload begins. Most seeds are CSV, so the reader of CSV is loaded while the bytes still arrive.
// If it cannot be loaded, the task will report that.
import('../../formats/csv/read-csv.ts').catch(() => undefined)

const limits = new ProcessLimits(Number(process.argv[2]))

answerTasks<TrainTask, TrainResult>(processPort(), async (task, control) => {
  return await trainFile(task, control, limits)
})
