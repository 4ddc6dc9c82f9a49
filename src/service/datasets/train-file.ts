/** A training from file to file: seed in; model file, schema and summary out. */

import { rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../../base/whatif-error.ts'
import type { CleaningSummary } from '../../contract/datasets.ts'
import type { DesignCounts, SurveyDesign } from '../../contract/survey-design.ts'
import { cleanTable, UNTRAINABLE } from '../../engine/clean.ts'
import type { RuleReport } from '../../engine/cleaning/kept-rules.ts'
import { naturalFigures } from '../../engine/cleaning/natural-figures.ts'
import type { Table } from '../../engine/cleaning/table.ts'
import type { Disclosure } from '../../engine/disclosure/rounded-counts.ts'
import { type DerivedColumn, derivedColumns, type KeptRelation, keptRelations } from '../../engine/model/describe.ts'
import { encodeModel, modelChecksum } from '../../engine/model/model-file.ts'
import { openCrew } from '../../engine/threads/thread-pool.ts'
import { startThreads } from '../../engine/threads/threaded-crew.ts'
import { encodeTable, growModel } from '../../engine/train.ts'
import { effectiveRows } from '../../engine/weighting/case-weights.ts'
import { readTable } from '../../formats/read-table.ts'
import { UnreadableFileError } from '../../formats/reading/unreadable-file-error.ts'
import { FILES_RESERVE_BYTES, freeSpace } from '../disk/disk-space.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import type { TaskLimits, TimeLimit } from '../jobs/processes/process-limits.ts'
import type { TaskControl } from '../jobs/processes/task-protocol.ts'
import { schemaText } from '../records/schema-text.ts'
import { takeDesignColumns } from './design-columns.ts'
import { type QualitySummary, qualitySummary } from './quality-summary.ts'
import { cleaningSummary, schemaColumn } from './training-summary.ts'
import { takeWeightColumn } from './weight-column.ts'

export interface TrainTask {
  readonly seedPath: string
  /** Where the model is written. */
  readonly modelPath: string
  /** Folder for data that does not fit into memory; removed afterwards. */
  readonly tempDir: string
  /** Most bytes of the files in `tempDir`. */
  readonly scratchBytes: number
  /** Processor time for everything after reading, all threads together. */
  readonly cpuMs: number
  readonly autoClean: boolean
  /** Header of the column of case weights; null where all rows count alike. */
  readonly weightColumn: string | null
  /** How the rows were drawn; null where the upload does not say. */
  readonly design: SurveyDesign | null
  /** Whether the summary names answers that few people gave. */
  readonly namesRare: boolean
  readonly threads: number
  /** Whether the model's quality is measured. */
  readonly quality: boolean
  /** Whether its counts of the seed's rows are rounded. */
  readonly disclosure: Disclosure
}

export interface TrainResult {
  /** In the form that is stored and sent, so that no receiver has to build or parse thousands of objects. */
  readonly schemaJson: Uint8Array
  readonly cleaningSummary: CleaningSummary
  readonly trainingRows: number
  /** Of the rows trained on; null without a column of weights. */
  readonly effectiveRows: number | null
  /** Null without a survey design. */
  readonly designCounts: DesignCounts | null
  /** Empty without rules. */
  readonly rules: readonly RuleReport[]
  readonly modelSha256: string
  readonly quality: QualitySummary
  readonly derivedColumns: readonly DerivedColumn[]
  readonly relations: readonly KeptRelation[]
  readonly durationMs: number
  /** Processor time of all threads. */
  readonly cpuMs: number
}

/**
 * Where the stages begin, as fractions of the whole. Reading and training take most of the time; measuring runs
 * parallel to training.
 */
const STAGE_START = { reading: 0, cleaning: 0.35, training: 0.4, storing: 0.95 } as const
const TRAINING_SHARE = 0.8
const MEASURING_SHARE = 0.2

/**
 * Processor time for reading: a minute for small files, however much they unpack to, and ten times the observed need of
 * 500 MB of CSV. Clock time would include waiting for a slow disk or for other work.
 */
const READ_CPU_MS = 60_000
const READ_CPU_MS_PER_MIB = 1_500
const READ_WALL_FACTOR = 4

/**
 * @param limits Receives the limits of the task, which are lifted when it ends.
 * @throws {JobFailedError} for an unreadable file or an untrainable table.
 */
export async function trainFile(
  task: TrainTask,
  { signal, onProgress }: TaskControl,
  limits: TaskLimits,
): Promise<TrainResult> {
  const begun = performance.now()
  const cpuAtStart = process.cpuUsage()
  try {
    onProgress({ stage: 'reading', progress: STAGE_START.reading })
    limits.limitSpace({ folder: task.tempDir, bytes: task.scratchBytes })
    limits.limitTime(await readLimit(task.seedPath))
    if (task.threads > 1) startThreads(task.threads)
    const read = await readTable(task.seedPath, { tempDir: task.tempDir, threads: task.threads, signal })
    limits.limitTime({ cpuMs: task.cpuMs, wallMs: Number.POSITIVE_INFINITY })
    onProgress({ stage: 'cleaning', progress: STAGE_START.cleaning })
    const weighted =
      task.weightColumn === null ? { raw: read, weight: null } : takeWeightColumn(read, task.weightColumn)
    const { weight } = weighted
    const drawn = task.design === null ? null : takeDesignColumns(weighted.raw, task.design, weight?.values ?? null)
    const { raw, design } = drawn ?? { raw: weighted.raw, design: null }
    const { table, schema, report, rules } = cleanTable(raw, { autoClean: task.autoClean, weight, design })
    const figures = naturalFigures(table, schema)
    signal.throwIfAborted()
    const { model, modelSha256, quality } = await trainAndMeasure(table, task, { signal, onProgress })
    return {
      schemaJson: Buffer.from(schemaText(schema.map((entry, i) => schemaColumn(entry, figures[i] ?? null)))),
      cleaningSummary: cleaningSummary(report, task),
      trainingRows: table.rowCount,
      effectiveRows: weight === null ? null : effectiveRows(weight.values),
      designCounts: drawn?.counts ?? null,
      rules,
      modelSha256,
      quality,
      derivedColumns: derivedColumns(model),
      relations: keptRelations(model),
      durationMs: Math.round(performance.now() - begun),
      cpuMs: cpuMsSince(cpuAtStart),
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw new JobFailedError('svc_unreadable_file', error.detail)
    if (hasCode(error, UNTRAINABLE)) throw new JobFailedError('svc_untrainable_dataset', error.message)
    throw error
  } finally {
    limits.limitTime(null)
    limits.limitSpace(null)
    await rm(task.tempDir, { recursive: true, force: true })
  }
}

/** Also writes the model as soon as it exists. */
async function trainAndMeasure(table: Table, task: TrainTask, { signal, onProgress }: TaskControl) {
  const { threads } = task
  const span = STAGE_START.storing - STAGE_START.training
  let trained = 0
  let measured = 0
  const progressed = () => {
    const stage = trained < 1 ? 'training' : 'measuring'
    onProgress({
      stage,
      progress: STAGE_START.training + span * (TRAINING_SHARE * trained + MEASURING_SHARE * measured),
    })
  }
  progressed()
  const crew = openCrew({ threads })
  try {
    const training = {
      threads,
      crew,
      signal,
      onProgress: (part: number) => {
        trained = part
        progressed()
      },
    }
    const encoded = await encodeTable(table, training)
    const growing = growModel(encoded, training).then(async (model) => {
      const bytes = encodeModel(model)
      requireRoom(dirname(task.modelPath), bytes.length)
      await writeFile(task.modelPath, bytes, { mode: 0o600 })
      return { model, modelSha256: modelChecksum(bytes) }
    })
    // Measuring is a chain of short steps that wait for each other. Its tasks have priority; the trees of the model use
    // the threads that it leaves idle.
    const measuring = qualitySummary(table, task.quality, {
      threads,
      crew,
      signal,
      disclosure: task.disclosure,
      isUrgent: true,
      onProgress: (part) => {
        measured = part
        progressed()
      },
    })
    const [grown, quality] = await Promise.all([growing, measuring])
    onProgress({ stage: 'storing', progress: STAGE_START.storing })
    return { ...grown, quality }
  } finally {
    crew.close()
  }
}

/** The reserved disk space stays free. */
function requireRoom(folder: string, bytes: number): void {
  if (freeSpace(folder) - bytes >= FILES_RESERVE_BYTES) return
  throw new JobFailedError(
    'svc_unavailable',
    'The service has no room for the model at the moment. Upload again later.',
  )
}

async function readLimit(path: string): Promise<TimeLimit> {
  const { size } = await stat(path)
  const cpuMs = READ_CPU_MS + (size / 2 ** 20) * READ_CPU_MS_PER_MIB
  return { cpuMs, wallMs: READ_WALL_FACTOR * cpuMs }
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 1000)
}
