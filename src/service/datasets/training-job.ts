import { rm } from 'node:fs/promises'
import type { SurveyDesign } from '../../contract/survey-design.ts'
import type { ServiceContext } from '../context/context.ts'
import { recordThroughOutages, repeatThroughOutages } from '../jobs/outages.ts'
import { type AttemptControl, superseded } from '../jobs/run-attempt.ts'
import type { WorkPlace } from '../jobs/work-place.ts'
import { type DatasetRow, lockDataset, markReady, readDatasetOfJob } from '../records/dataset-records.ts'
import { endAttempt, type JobRow } from '../records/job-records.ts'
import { keepBlob, markPending } from '../records/orphaned-blobs.ts'
import { storeSchema } from '../records/schema-records.ts'
import { ENGINE_VERSION, modelIdentity } from './model-identity.ts'
import type { TrainResult, TrainTask } from './train-file.ts'
import {
  derivedColumnsSummary,
  designSummary,
  relationsSummary,
  rulesSummary,
  weightingSummary,
} from './training-summary.ts'

/**
 * Trains the model of a dataset. It stores the blob, and a large schema, first. Then one transaction records the model,
 * the schema, the summaries and the job's end. However often the work is interrupted and restarted, the dataset becomes
 * ready once.
 */
export async function runTraining(
  context: ServiceContext,
  place: WorkPlace<TrainTask, TrainResult>,
  attempt: JobRow,
  { signal, onProgress }: AttemptControl,
): Promise<TrainResult> {
  const { db, blobs, keys, settings, now } = context
  const dataset = await readDatasetOfJob(db, attempt.dataset_id)
  if (dataset?.seed_blob == null) throw superseded()
  const modelPath = blobs.scratchPath()
  const tempDir = blobs.scratchPath()
  // A separate name for every attempt: a late one must not overwrite the result that another has recorded.
  const modelBlob = `models/${dataset.dataset_id}.${attempt.attempts}`
  let trained: TrainResult
  let modelBytes: number
  try {
    trained = await blobs.withLocalFile(dataset.seed_blob, async (seedPath) => {
      const { quality, namesRare, disclosure, trainingCpuMinutes, trainingScratchGb } = settings
      const task = {
        seedPath,
        modelPath,
        tempDir,
        scratchBytes: trainingScratchGb * 1e9,
        cpuMs: trainingCpuMinutes * 60_000,
        autoClean: dataset.auto_clean,
        weightColumn: dataset.weight_column,
        design: designOf(dataset),
        namesRare,
        threads: place.threads,
        quality,
        disclosure,
      }
      return await place.run(task, { signal, onProgress, affinity: '' })
    })
    await markPending(db, modelBlob, now())
    modelBytes = (await blobs.adopt(modelBlob, modelPath)).bytes
  } finally {
    // A killed process leaves both behind.
    await rm(modelPath, { force: true })
    await rm(tempDir, { recursive: true, force: true })
  }
  const { dataset_id: datasetId } = dataset
  const schema = await repeatThroughOutages(db, signal, () =>
    storeSchema(db, datasetId, attempt.attempts, trained.schemaJson),
  )
  if (schema === null) throw superseded()
  await recordThroughOutages(context, signal, async (tx) => {
    const nowMs = now()
    await lockDataset(tx, datasetId)
    if (!(await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs }))) throw superseded()
    const isReady = await markReady(
      tx,
      dataset,
      {
        modelBlob,
        modelBytes,
        schema,
        cleaningSummary: trained.cleaningSummary,
        trainingSummary: {
          trained_at: new Date(nowMs).toISOString(),
          duration_ms: trained.durationMs,
          training_rows: trained.trainingRows,
          model_id: modelIdentity(trained.modelSha256, settings, keys.rowKeys),
          engine_version: ENGINE_VERSION,
          ...weightingSummary(dataset.weight_column, trained.effectiveRows),
          ...designSummary(designOf(dataset), trained.designCounts),
          ...rulesSummary(trained.rules),
          ...trained.quality,
          ...derivedColumnsSummary(trained.derivedColumns),
          ...relationsSummary(trained.relations),
        },
      },
      nowMs,
    )
    if (!isReady) throw superseded()
    await keepBlob(tx, modelBlob)
  })
  context.remover?.soon()
  return trained
}

/** The design as the upload said it: what is stored has been checked. */
function designOf({ design }: Pick<DatasetRow, 'design'>): SurveyDesign | null {
  return design === null ? null : (JSON.parse(design) as SurveyDesign)
}
