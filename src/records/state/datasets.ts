/** What is remembered of datasets: those that were uploaded, and those that a study names by id. */

import { z } from 'zod'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import { ASKED_TYPES } from '../../base/raw-table.ts'
import { AnySchemaColumn } from '../../contract/datasets.ts'
import { TrainingQuality } from '../../contract/training-quality.ts'
import { count, text, texts } from '../values/common-values.ts'
import { RecordedModel, requestFields, time } from './requests.ts'

const RecordedCleaning = z.object({
  inputRows: count,
  cleanRows: count,
  inputColumns: count,
  cleanColumns: count,
  dropped: z.array(z.object({ name: text, reason: text, detail: text.nullable() })),
  renamed: z.array(z.object({ from: text, to: text })),
  /**
   * How many levels of a column became missing because too few rows had them. Few people are behind each, so none is
   * named; older versions recorded the levels themselves.
   */
  rareLevels: z
    .array(z.object({ column: text, count }))
    .optional()
    .catch(undefined),
  /** Of a workbook; older versions recorded none. */
  sheet: z.object({ name: text, others: texts, othersOmitted: count }).optional(),
})

/** As far as the service reports them. Older versions recorded no quality and no model. */
const factsFields = {
  trainedAt: time,
  schemaSha256: text.nullable(),
  schema: z.array(AnySchemaColumn).nullable(),
  cleaning: RecordedCleaning.nullable(),
  quality: TrainingQuality.partial().nullable().optional(),
  model: RecordedModel.nullable().optional(),
}
const DatasetFacts = z.object(factsFields)

export const UploadRecord = z.object({
  ...requestFields,
  ...factsFields,
  /** Name in the study when it was uploaded. */
  dataset: text,
  fingerprint: text,
  fileSha256: text,
  autoClean: z.boolean(),
  displayName: text,
  /**
   * `prepared`: the key is on disk, the answer was never seen. `training`: accepted. `refused`: a 4xx, sent again in the
   * next run. `failed`: its job ended without a model. `gone`: the service no longer has it.
   */
  status: z.enum(['prepared', 'training', 'ready', 'failed', 'refused', 'gone']),
  datasetId: text.nullable(),
  /** Types that the study's use asked for, by column of the file, beside those that it declares; absent: none. */
  types: z.record(text, z.enum(ASKED_TYPES)).optional(),
})

export const ExistingRecord = z.object({
  ...factsFields,
  datasetId: text,
  expiresAt: time,
  status: z.enum(['ready', 'gone']),
  requestIds: texts,
})

export type RecordedCleaning = DeepReadonly<z.infer<typeof RecordedCleaning>>
export type DatasetFacts = DeepReadonly<z.infer<typeof DatasetFacts>>
export type RecordedQuality = NonNullable<DatasetFacts['quality']>
export type UploadRecord = DeepReadonly<z.infer<typeof UploadRecord>>
export type UploadStatus = UploadRecord['status']
export type ExistingRecord = DeepReadonly<z.infer<typeof ExistingRecord>>
