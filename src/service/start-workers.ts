import type { ServiceContext } from './context/context.ts'
import { runTraining } from './datasets/training-job.ts'
import { TrainingPlaces } from './datasets/training-places.ts'
import { GeneratingPlaces } from './generations/generating-places.ts'
import { runGeneration } from './generations/generation-job.ts'
import { runAttempt } from './jobs/run-attempt.ts'
import { SMALL_TRAINING_CPU_MS } from './jobs/work-place.ts'
import { foldUsage } from './records/usage.ts'
import { sweep } from './retention/retention-sweeper.ts'
import { timestampOf } from './store/timestamps.ts'
import { WebhookSender, type WebhookSenderOptions, type WebhookTiming } from './webhooks/webhook-sender.ts'

const SWEEP_MS = 60_000
/** The first sweep is delayed: on the single connection of an embedded database it would hold up the first requests. */
const FIRST_SWEEP_MS = 5_000

export interface WorkOptions {
  /**
   * True if no other process uses the database (embedded). The work and the uploads of the last process ended with it,
   * so jobs restart at once and interrupted uploads release their keys. Otherwise both pass to other processes when
   * their leases end.
   */
  readonly isAlone: boolean
  /** Receives failures that no caller sees. */
  readonly onError: (error: unknown) => void
  readonly webhooks?: WebhookTiming & Pick<WebhookSenderOptions, 'lookup'>
}

export interface Work {
  /**
   * Stops the queue, the sweeper, the removal of blobs, the webhooks and the threads together. No job starts from now on. Unfinished
   * jobs stay recorded and restart later.
   */
  stop(): Promise<void>
}

/** Starts the workers of this process, the retention sweeper and the removal of blobs. */
export async function startWork(context: ServiceContext, options: WorkOptions): Promise<Work> {
  const { queue } = context
  if (options.isAlone) await recover({ ...context, db: context.db.forRemoval })
  const trainings = new TrainingPlaces(context.settings)
  const generations = new GeneratingPlaces(context.settings)
  queue.work('training', {
    concurrency: trainings.size,
    hasExtra: true,
    prepare: () => trainings.warm(),
    handle: async (turn) =>
      await runAttempt(context, turn, async (attempt, control) => {
        const { cpuMs } = await runTraining(context, trainings.placeFor(turn), attempt, control)
        if (turn.isSmall && cpuMs > SMALL_TRAINING_CPU_MS) turn.reportLarge()
        generations.warm()
      }),
  })
  queue.work('generation', {
    concurrency: generations.size,
    hasExtra: true,
    handle: async (turn) =>
      await runAttempt(context, turn, async (attempt, control) => {
        await runGeneration(context, generations.placeFor(turn, control.isSuspect), attempt, control)
      }),
  })

  const sender =
    context.settings.webhooks === 'none' ? null : new WebhookSender(context, { ...options.webhooks, ...options })
  await sender?.start()
  context.remover?.start()
  const stopping = new AbortController()
  let sweeping: Promise<void> = Promise.resolve()
  const sweepNow = (): void => {
    sweeping = sweeping
      .then(async () => await sweep({ ...context, db: context.db.forRemoval }, stopping.signal))
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
      stopping.abort()
      await Promise.all([queue.stop(), sweeping, context.remover?.stop(), sender?.stop()])
      await Promise.all([trainings.close(), generations.close()])
    },
  }
}

async function recover({ db, queue, now }: ServiceContext): Promise<void> {
  await db.query('delete from idempotency_keys where resource_id is null')
  // Nothing is being stored yet, so an entered blob belongs to an interrupted request, or to a generation that goes on in its parts.
  await db.query(
    `update doomed_blobs d set due_at = $1::timestamptz
     where not exists (select 1 from generation_plans p where p.blob_key = d.blob_key)
       and not exists (select 1 from generation_parts p where p.blob_key = d.blob_key)`,
    [timestampOf(now())],
  )
  await db.query(`update jobs set status = 'queued' where status = 'running'`)
  await queue.recover()
}
