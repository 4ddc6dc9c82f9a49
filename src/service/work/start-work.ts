import { rm } from 'node:fs/promises'
import type { ServiceContext } from '../context.ts'
import type { QueueName } from '../queue/work-queue.ts'
import { timestampOf } from '../store/timestamps.ts'
import { foldUsage } from '../store/usage.ts'
import type { GenerateResult, GenerateTask } from '../workers/generate-worker.ts'
import { writePracticePlan } from '../workers/practice.ts'
import { workMemoryBytes } from '../workers/process-limits.ts'
import { WorkProcesses } from '../workers/process-pool.ts'
import { WorkThreads } from '../workers/thread-pool.ts'
import type { TrainResult, TrainTask } from '../workers/train-file.ts'
import { workerEntry } from '../workers/worker-entry.ts'
import { runGeneration } from './generation-job.ts'
import { sweep } from './retention-sweeper.ts'
import { runAttempt } from './run-attempt.ts'
import { runTraining } from './training-job.ts'

const SWEEP_MS = 60_000
/** The first sweep can wait: on the one connection of an embedded database it would hold up the first requests. */
const FIRST_SWEEP_MS = 5_000

export interface WorkOptions {
  /**
   * True when no other process uses the database (embedded): what was being worked on or received when the last
   * process ended was lost with it, so jobs are begun again at once and half-received uploads release their keys. Else
   * all of these pass to others when their leases end.
   */
  readonly isAlone: boolean
  /** Told of failures that no caller sees. */
  readonly onError: (error: unknown) => void
}

export interface Work {
  /** Stops the sweeper, the queue and the threads. Unfinished jobs stay recorded and are begun again later. */
  stop(): Promise<void>
}

/** Starts the workers of this process and the retention sweeper. */
export async function startWork(context: ServiceContext, options: WorkOptions): Promise<Work> {
  const { queue, settings } = context
  if (options.isAlone) await recover(context)
  const trainings = Math.max(1, settings.workers >> 1)
  const training = new WorkProcesses<TrainTask, TrainResult>(workerEntry('train-worker.js'), {
    memoryBytes: workMemoryBytes(trainings),
  })
  const practiceFolder = context.blobs.scratchPath()
  const { threads, quality, standby } = settings
  // At once: the first upload may be the first thing that a client does.
  if (standby) training.standBy([writePracticePlan({ folder: practiceFolder, threads, quality })])
  const generating = new WorkThreads<GenerateTask, GenerateResult>(workerEntry('generate-worker.js'), settings.workers)
  queue.work(
    'training',
    trainings,
    async (jobId, stopping) => {
      await runAttempt(context, jobId, stopping, async (attempt, control) => {
        await runTraining(context, training, attempt, control)
        generating.warm()
      })
    },
    () => training.warm(),
  )
  queue.work('generation', generating.size, async (jobId, stopping) => {
    await runAttempt(context, jobId, stopping, async (attempt, control) => {
      await runGeneration(context, generating, attempt, control)
    })
  })

  let sweeping: Promise<void> = Promise.resolve()
  const sweepNow = (): void => {
    sweeping = sweeping
      .then(async () => await sweep(context))
      .catch(options.onError)
      .then(async () => await foldUsage(context.db))
      .catch(options.onError)
  }
  const first = setTimeout(sweepNow, FIRST_SWEEP_MS)
  const timer = setInterval(sweepNow, SWEEP_MS)
  first.unref()
  timer.unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(timer)
      await sweeping
      await queue.stop()
      await Promise.all([training.close(), generating.close()])
      // A process that was ended leaves it behind.
      await rm(practiceFolder, { recursive: true, force: true })
    },
  }
}

async function recover({ db, queue, now }: ServiceContext): Promise<void> {
  await db.query('delete from idempotency_keys where resource_id is null')
  // Nothing is being stored yet: every blob that is entered here was left half-way.
  await db.query('update doomed_blobs set due_at = $1::timestamptz', [timestampOf(now())])
  await db.query(`update jobs set status = 'queued' where status = 'running'`)
  const unfinished = await db.query<{ queue: QueueName; jobId: string }>(
    `select kind as queue, job_id as "jobId" from jobs where status = 'queued' order by created_at, job_id`,
  )
  await queue.replaceAll(unfinished)
}
