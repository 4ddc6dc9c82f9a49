/** A worker thread that generates artifacts: model and scenario in, file and findings out. Runs compiled, from dist. */

import { rm } from 'node:fs/promises'
import type { OutputFormat } from '../../contract/generations.ts'
import { generate } from '../../engine/generate.ts'
import type { EvidenceCap, Feasibility } from '../../engine/scenario.ts'
import { startThreads } from '../../engine/threads/threaded-crew.ts'
import { openTableWriter } from '../../formats/open-table-writer.ts'
import type { CheckedConditions } from '../generations/check-conditions.ts'
import type { OrderFiles } from '../work/kept-orders.ts'
import { ModelCache } from './model-cache.ts'
import { orderFiles } from './order-files.ts'
import { answerTasks } from './task-protocol.ts'
import { threadPort } from './thread-port.ts'

export interface GenerateTask {
  readonly modelBlob: string
  readonly modelPath: string
  /** Of the scenario's order; null without conditions. */
  readonly orderFiles: OrderFiles | null
  /** Where the artifact is written; no file is left there when no row can be made. */
  readonly artifactPath: string
  /** Folder for what does not fit into memory; removed afterwards. */
  readonly tempDir: string
  readonly outputFormat: OutputFormat
  readonly rowCount: number
  readonly seed: number
  readonly conditions: CheckedConditions
  readonly evidenceCap: EvidenceCap
  readonly threads: number
}

export interface GenerateResult {
  readonly feasibility: Feasibility
  /** Column → listed level → rows. */
  readonly targetCounts: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Rows by which a level is off its share as whole rows. */
  readonly roundingDeviation: number
  /** Rows of the cleaned seed. */
  readonly seedRows: number
  readonly modelSha256: string
}

const models = new ModelCache()

answerTasks<GenerateTask, GenerateResult>(threadPort(), async (task, { signal, onProgress }) => {
  onProgress({ stage: 'preparing', progress: 0 })
  // They load their code while the model is read.
  if (task.threads > 1) startThreads(task.threads)
  const { model, checksum } = await models.load(task.modelBlob, task.modelPath)
  let stage = 'preparing'
  const { feasibility, targetCounts, roundingDeviation, columns, blocks } = await generate(model, {
    rowCount: task.rowCount,
    seed: task.seed,
    scenario: {
      shares: task.conditions.shares.map(({ column, levels }) => ({ column, levels: new Map(levels) })),
      ranges: task.conditions.ranges,
    },
    evidenceCap: task.evidenceCap,
    threads: task.threads,
    signal,
    orders: task.orderFiles === null ? undefined : orderFiles(task.orderFiles, checksum),
    onProgress: (part) => onProgress({ stage, progress: 0.95 * part }),
  })
  const result = {
    feasibility,
    targetCounts,
    roundingDeviation,
    seedRows: model.seedRows,
    modelSha256: checksum,
  }
  if (feasibility.rows === 0) return result
  stage = 'sampling'
  const writer = await openTableWriter(task.artifactPath, task.outputFormat, columns, { tempDir: task.tempDir })
  try {
    for await (const block of blocks) {
      signal.throwIfAborted()
      await writer.write(block)
    }
    onProgress({ stage: 'writing', progress: 0.95 })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  } finally {
    await rm(task.tempDir, { recursive: true, force: true })
  }
  onProgress({ stage: 'storing', progress: 0.97 })
  return result
})
