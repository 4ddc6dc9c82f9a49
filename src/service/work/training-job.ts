import { Readable } from 'node:stream'
import type { ServiceContext } from '../context.ts'
import { lockDataset, markReady, readDatasetOfJob } from '../datasets/dataset-records.ts'
import { doomUnlessKept, keepBlob, tryToRemoveDoomedBlobs } from '../store/doomed-blobs.ts'
import { endAttempt, type JobRow } from './job-records.ts'
import { type AttemptControl, superseded } from './run-attempt.ts'
import type { WorkThreads } from './thread-pool.ts'
import type { TrainResult, TrainTask } from './train-worker.ts'

/**
 * Trains the model of a dataset. Model blob first, then model, schema, summaries and the job's end in one transaction:
 * however often it is interrupted and begun again, the dataset becomes ready once.
 */
export async function runTraining(
  context: ServiceContext,
  threads: WorkThreads<TrainTask, TrainResult>,
  attempt: JobRow,
  { signal, onProgress }: AttemptControl,
): Promise<void> {
  const { db, blobs, settings, now } = context
  const dataset = await readDatasetOfJob(db, attempt.dataset_id)
  if (dataset?.seed_blob == null) throw superseded()
  const trained = await blobs.withLocalFile(dataset.seed_blob, async (seedPath) => {
    const task: TrainTask = {
      seedPath,
      tempDir: blobs.scratchPath(),
      autoClean: dataset.auto_clean,
      threads: settings.threads,
    }
    return await threads.run(task, { signal, onProgress, affinity: dataset.dataset_id })
  })
  // A name of its own for every attempt: a late one must not write over what another has recorded.
  const modelBlob = `models/${dataset.dataset_id}.${attempt.attempts}`
  await doomUnlessKept(db, modelBlob, now())
  await blobs.put(modelBlob, Readable.from([trained.model]), { signal })
  await db.transaction(async (tx) => {
    const nowMs = now()
    await lockDataset(tx, dataset.dataset_id)
    if (!(await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs }))) throw superseded()
    const isReady = await markReady(
      tx,
      dataset,
      {
        modelBlob,
        schema: trained.schema,
        cleaningSummary: trained.cleaningSummary,
        trainingSummary: {
          trained_at: new Date(nowMs).toISOString(),
          duration_ms: trained.durationMs,
          training_rows: trained.trainingRows,
        },
      },
      nowMs,
    )
    if (!isReady) throw superseded()
    await keepBlob(tx, modelBlob)
  })
  await tryToRemoveDoomedBlobs(db, blobs, now())
}
