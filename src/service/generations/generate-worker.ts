/**
 * A worker that generates artifacts: model and scenario in, file and findings out. It is a thread of the service, or a
 * process if the generation may have killed the service. Runs compiled, from dist.
 */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Block, OutputColumn } from '../../base/output-table.ts'
import { hasCode } from '../../base/whatif-error.ts'
import type { OutputFormat } from '../../contract/generations.ts'
import { outputColumns, partOfPlan, rowsOfPart, settleRows } from '../../engine/generate.ts'
import type { Model } from '../../engine/model/model.ts'
import { decodeOrderOf, encodeOrderOf, UNUSABLE_MODEL } from '../../engine/model/model-file.ts'
import type { RowPart } from '../../engine/sampling/batches.ts'
import type { OrderStore } from '../../engine/scenario/order-cache.ts'
import type { EvidenceCap, Feasibility } from '../../engine/scenario/scenario.ts'
import { startThreads } from '../../engine/threads/threaded-crew.ts'
import { openTableWriter } from '../../formats/open-table-writer.ts'
import { arrowBytes, sampleFirst } from '../../formats/writing/table-writer.ts'
import { FILES_RESERVE_BYTES, freeSpace } from '../disk/disk-space.ts'
import { ProcessLimits } from '../jobs/processes/process-limits.ts'
import {
  answerTasks,
  processPort,
  type TaskControl,
  type TaskPort,
  threadPort,
} from '../jobs/processes/task-protocol.ts'
import { type DisclosureTask, disclosureOf } from '../keys/disclosure-task.ts'
import type { PlanLayout } from '../records/generation-parts.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import { type ArtifactLimits, ArtifactRoom } from './artifact-room.ts'
import type { CachedModelFiles } from './cached-models.ts'
import { type LoadedModel, ModelCache } from './model-cache.ts'
import { partsOf } from './part-rows.ts'
import { bytesOfPart, layoutOf, readPlanOfPart, writePlan } from './plan-file.ts'
import { requestedConditions } from './requested-conditions.ts'

export interface GenerateTask {
  readonly modelBlob: string
  readonly modelPath: string
  /** Null without conditions. */
  readonly cachedModelFiles: CachedModelFiles | null
  /** Where the artifact, its plan or a piece of it is written; no file remains if no row is possible. */
  readonly artifactPath: string
  /** Folder for data that does not fit into memory; removed afterwards. */
  readonly tempDir: string
  readonly outputFormat: OutputFormat
  readonly rowCount: number
  readonly seed: number
  readonly conditions: CheckedConditions
  readonly evidenceCap: EvidenceCap
  readonly disclosure: DisclosureTask
  readonly threads: number
  readonly limits: ArtifactLimits
  /** A number: to make all rows, or a plan of parts if there are more rows than this. Otherwise the part to make. */
  readonly work: { readonly splitRows: number } | PartTask
}

export interface PartTask extends RowPart {
  /** Rows of all parts. */
  readonly rows: number
  readonly layout: PlanLayout
  /** A file with what the plan says about the part's rows. */
  readonly planPath: string
  /** Of the pieces that exist already. */
  readonly earlierBytes: number
}

export type GenerateResult =
  | (Findings & { readonly made: 'artifact' })
  | (Findings & { readonly made: 'plan'; readonly layout: PlanLayout; readonly columnCount: number })
  | { readonly made: 'piece'; readonly sha256: string }

export interface Findings {
  readonly feasibility: Feasibility
  /** Column → listed level → rows. */
  readonly targetCounts: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** How many rows a level deviates from its share in whole rows. */
  readonly roundingDeviation: number
  /** Rows of the cleaned seed. */
  readonly seedRows: number
  readonly modelSha256: string
}

/** Most cells of a small artifact. */
const SMALL_CELLS = 250_000

const models = new ModelCache()

function openPort(): TaskPort<GenerateTask, GenerateResult> {
  if (!isMainThread) return threadPort()
  new ProcessLimits(Number(process.argv[2]))
  return processPort()
}

answerTasks<GenerateTask, GenerateResult>(openPort(), async (task, { signal, onProgress }) => {
  onProgress({ stage: 'preparing', progress: 0 })
  // They load their code while the model is read.
  if (task.threads > 1) startThreads(task.threads)
  const loaded = await models.load(task.modelBlob, task.modelPath)
  const { work } = task
  const control = { signal, onProgress }
  return 'splitRows' in work
    ? await makeWhole(task, work, loaded, control)
    : await makePart(task, work, loaded, control)
})

/** How far sampling is while an artifact is written. */
const SAMPLED = 0.95

function optionsOf(
  task: GenerateTask,
  loaded: LoadedModel,
  { signal, onProgress }: TaskControl,
  stage: { name: string },
) {
  return {
    rowCount: task.rowCount,
    seed: task.seed,
    scenario: requestedConditions(task.conditions),
    evidenceCap: task.evidenceCap,
    disclosure: disclosureOf(task.disclosure, loaded),
    threads: task.threads,
    signal,
    orders: task.cachedModelFiles === null ? undefined : openCache(task.cachedModelFiles, loaded.checksum),
    onProgress: (part: number) => onProgress({ stage: stage.name, progress: SAMPLED * part }),
  }
}

async function makeWhole(
  task: GenerateTask,
  { splitRows }: { readonly splitRows: number },
  loaded: LoadedModel,
  control: TaskControl,
): Promise<GenerateResult> {
  const { model, checksum } = loaded
  const stage = { name: 'preparing' }
  const options = optionsOf(task, loaded, control, stage)
  const { sampling, plan } = await settleRows(model, options)
  const { feasibility, targetCounts, roundingDeviation } = plan
  const columns = outputColumns(model)
  const findings = { feasibility, targetCounts, roundingDeviation, seedRows: model.seedRows, modelSha256: checksum }
  if (feasibility.rows === 0) return { ...findings, made: 'artifact' }
  const parts = partsOf(feasibility.rows, splitRows)
  if (parts.length > 0) {
    const room = requireRoom(task, columns, feasibility.rows)
    const layout = layoutOf(plan)
    room.besides(bytesOfPart(layout, { firstRow: 0, endRow: feasibility.rows }).end)
    await writePlan(task.artifactPath, plan, parts).catch((error: unknown) => {
      throw isDiskFull(error) ? room.diskFull() : error
    })
    return { ...findings, made: 'plan', layout, columnCount: columns.length }
  }
  stage.name = 'sampling'
  const blocks = await rowsOfPart(model, sampling, partOfPlan(plan, { firstRow: 0, endRow: feasibility.rows }))
  await write(task, { columns, blocks, rowCount: feasibility.rows, wholeRows: feasibility.rows }, control)
  control.onProgress({ stage: 'storing', progress: 0.97 })
  return { ...findings, made: 'artifact' }
}

async function makePart(
  task: GenerateTask,
  part: PartTask,
  loaded: LoadedModel,
  control: TaskControl,
): Promise<GenerateResult> {
  const { model } = loaded
  const { firstRow, endRow, rows, layout, planPath } = part
  const settled = await readPlanOfPart(planPath, layout, part)
  const options = optionsOf(task, loaded, control, { name: 'sampling' })
  const blocks = await rowsOfPart(model, options, { feasibility: { rows }, firstRow, endRow, settled })
  const columns = outputColumns(model)
  await write(task, { columns, blocks, rowCount: endRow - firstRow, wholeRows: rows, part }, control)
  control.onProgress({ stage: 'storing', progress: 0.97 })
  return { made: 'piece', sha256: await sha256Of(task.artifactPath) }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

interface Rows {
  readonly columns: readonly OutputColumn[]
  readonly blocks: AsyncIterable<Block>
  readonly rowCount: number
  /** Rows of the whole artifact. */
  readonly wholeRows: number
  /** Absent: all rows. */
  readonly part?: PartTask
}

function requireRoom(
  { artifactPath, outputFormat, limits }: GenerateTask,
  columns: readonly OutputColumn[],
  rows: number,
  earlierBytes = 0,
) {
  const room = new ArtifactRoom(dirname(artifactPath), FILES_RESERVE_BYTES, limits, earlierBytes)
  room.begin()
  // Parquet gives no size in advance: it is written at the end, and compressed.
  if (outputFormat === 'arrow') room.expect(arrowBytes(columns, rows))
  return room
}

/** Writes the artifact within its limit. If it exceeds the limit, the partial file is removed at once. */
async function write(task: GenerateTask, rows: Rows, { signal, onProgress }: TaskControl): Promise<void> {
  const { artifactPath, outputFormat, tempDir } = task
  const { part, wholeRows } = rows
  const earlierBytes = part?.earlierBytes ?? 0
  const room = requireRoom(task, rows.columns, wholeRows, earlierBytes)
  const writer = await openTableWriter(artifactPath, outputFormat, rows.columns, {
    tempDir,
    allowance: room,
    isSmall: rows.rowCount * rows.columns.length <= SMALL_CELLS,
    isContinuation: part !== undefined && part.firstRow > 0,
  })
  try {
    let written = 0
    for await (const block of rows.blocks) {
      for (const some of written === 0 && outputFormat === 'csv' ? sampleFirst(block) : [block]) {
        signal.throwIfAborted()
        await writer.write(some)
        if (written === 0 && outputFormat === 'csv')
          room.expect(((room.takenBytes - earlierBytes) / some.rowCount) * wholeRows)
        written += some.rowCount
      }
    }
    onProgress({ stage: 'writing', progress: SAMPLED })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw isDiskFull(error) ? room.diskFull() : error
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}

/**
 * Errors of a full disk, from the system and from DuckDB: for the output file, and for the folder of data that does not
 * fit into memory.
 */
function isDiskFull(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ENOSPC' || /no space left|max_temp_directory_size/i.test(String(message))
}

/**
 * The cached model of one generation, in files. A damaged or missing one, or one of another model, is trained again.
 * One that cannot be written is used anyway.
 *
 * @param checksum Of the model's file.
 */
function openCache({ cachedPath, newPath }: CachedModelFiles, checksum: string): OrderStore {
  return {
    async load(model: Model, conditioned) {
      if (cachedPath === null) return null
      try {
        return decodeOrderOf(model, checksum, conditioned, await readFile(cachedPath))
      } catch (error) {
        if (hasCode(error, UNUSABLE_MODEL) || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async save(model, _, order) {
      const bytes = encodeOrderOf(model, checksum, order)
      // Free disk space is worth more than a cached model.
      if (freeSpace(dirname(newPath)) - bytes.length < FILES_RESERVE_BYTES) return
      await writeFile(newPath, bytes, { mode: 0o600 }).catch(async () => {
        await rm(newPath, { force: true })
      })
    },
  }
}
