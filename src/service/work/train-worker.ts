/** A worker thread that trains models: file in, encoded model, schema and summary out. Runs compiled, from dist. */

import { rm } from 'node:fs/promises'
import type { CleaningSummary, SchemaColumn } from '../../contract/datasets.ts'
import { cleanTable } from '../../engine/clean.ts'
import { UntrainableError } from '../../engine/cleaning/untrainable-error.ts'
import { encodeModel } from '../../engine/model-file.ts'
import { trainModel } from '../../engine/train.ts'
import { readTable } from '../../formats/read-table.ts'
import { UnreadableFileError } from '../../formats/unreadable-file-error.ts'
import { cleaningSummary, schemaColumn } from './cleaning-words.ts'
import { answerTasks, TaskRefused } from './thread-protocol.ts'

export interface TrainTask {
  readonly seedPath: string
  /** Folder for what does not fit into memory; removed afterwards. */
  readonly tempDir: string
  readonly autoClean: boolean
  readonly threads: number
}

export interface TrainResult {
  readonly model: Uint8Array<ArrayBuffer>
  readonly schema: readonly SchemaColumn[]
  readonly cleaningSummary: CleaningSummary
  readonly trainingRows: number
  readonly durationMs: number
}

/** Where the stages begin, as parts of the whole: reading and training take most of the time. */
const STAGE_START = { reading: 0, cleaning: 0.35, training: 0.4, storing: 0.95 } as const

answerTasks<TrainTask, TrainResult>(
  async (task, { signal, onProgress }) => {
    const begun = performance.now()
    try {
      onProgress({ stage: 'reading', progress: STAGE_START.reading })
      const raw = await readTable(task.seedPath, { tempDir: task.tempDir, threads: task.threads, signal })
      signal.throwIfAborted()
      onProgress({ stage: 'cleaning', progress: STAGE_START.cleaning })
      const { table, schema, report } = cleanTable(raw, { autoClean: task.autoClean })
      signal.throwIfAborted()
      const span = STAGE_START.storing - STAGE_START.training
      const model = await trainModel(table, {
        threads: task.threads,
        signal,
        onProgress: (part) => onProgress({ stage: 'training', progress: STAGE_START.training + span * part }),
      })
      onProgress({ stage: 'storing', progress: STAGE_START.storing })
      return {
        model: encodeModel(model),
        schema: schema.map(schemaColumn),
        cleaningSummary: cleaningSummary(report),
        trainingRows: table.rowCount,
        durationMs: Math.round(performance.now() - begun),
      }
    } catch (error) {
      if (error instanceof UnreadableFileError) throw new TaskRefused('svc_unreadable_file', error.detail)
      if (error instanceof UntrainableError) throw new TaskRefused('svc_untrainable_dataset', error.detail)
      throw error
    } finally {
      await rm(task.tempDir, { recursive: true, force: true })
    }
  },
  ({ model }) => [model.buffer],
)
