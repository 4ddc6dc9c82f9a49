/**
 * Tolerant parsers of a service's replies. The contract may grow without a version bump (specification,
 * "Versioning" 2), and other services decide in their own way what the specification leaves open. So:
 *
 * - unknown fields are ignored, and `null` in an optional field means absent;
 * - unknown values of the enumerations that steer a client (statuses, job kinds, formats) become `'unknown'`;
 * - fields that the specification names must have its types: above all, identifiers are strings, never arrays;
 * - fields that only our service adds are dropped if they have another shape; they never cause a refusal;
 * - results can be written into state and manifest and read again: finite numbers, counts from 0, valid dates.
 */

import { z } from 'zod'
import { TRAINED_KINDS } from '../base/column-kind.ts'
import { OUTPUT_FORMAT_NAMES } from '../base/result-formats.ts'
import { labelText } from '../base/text/label-text.ts'
import {
  CleaningSummary as ContractCleaningSummary,
  TrainingSummary as ContractTrainingSummary,
  DATASET_STATUSES,
  OrderedLevels,
} from '../contract/datasets.ts'
import { Evidence, GENERATION_STATUSES, TargetResult } from '../contract/generations.ts'
import { EngineVersion, ModelId } from '../contract/ids.ts'
import { JOB_STATUSES } from '../contract/jobs.ts'
import { NaturalQuantiles } from '../contract/natural-quantiles.ts'
import { SchemaHint } from '../contract/problem.ts'
import { DesignCounts, SurveyDesign } from '../contract/survey-design.ts'
import { TrainingQuality } from '../contract/training-quality.ts'
import { ReportedShortfall } from './reported-shortfall.ts'
import {
  count,
  extra,
  Identifier,
  moment,
  openEnum,
  record,
  statusRecord,
  text,
  whole,
  withoutNulls,
} from './tolerant-fields.ts'

/** Longest stored text of a failed job or generation, in UTF-16 units. */
const MAX_FAILURE_TEXT = 4000

/** The specification requires a reason per dropped column and does not say how the entry is spelt. */
const DroppedColumn = z.preprocess(
  (entry) => {
    if (typeof entry === 'string') return { name: entry, reason: 'unknown' }
    if (typeof entry !== 'object' || entry === null) return entry
    const fields = withoutNulls(entry) as Record<string, unknown>
    return { reason: 'unknown', ...fields, name: fields.name ?? fields.column }
  },
  z.object({ name: z.string(), reason: z.string().catch('unknown'), detail: text }),
)

const CleaningSummary = record({
  input_rows: count,
  input_columns: count,
  clean_rows: count,
  clean_columns: count,
  dropped_columns: z.array(DroppedColumn),
  renamed_columns: extra(z.array(z.object({ from: z.string(), to: z.string() }))),
  dropped_levels: ContractCleaningSummary.shape.dropped_levels.catch(undefined),
  dropped_rows: ContractCleaningSummary.shape.dropped_rows.catch(undefined),
  split_columns: ContractCleaningSummary.shape.split_columns.catch(undefined),
  notes: extra(z.array(z.string())),
  notes_omitted: whole,
  sheet: ContractCleaningSummary.shape.sheet.catch(undefined),
})
export type CleaningSummary = z.infer<typeof CleaningSummary>

/** Reads each quality figure that has our shape: another service may measure less, or differently. */
const Quality = z.looseObject({}).transform((fields): Partial<TrainingQuality> | undefined => {
  const known = Object.entries(TrainingQuality.shape).flatMap(([key, schema]) => {
    const { success, data } = schema.safeParse(fields[key] ?? undefined)
    return success && data !== undefined && !hasNegative(data) ? [[key, data] as const] : []
  })
  return known.length === 0 ? undefined : Object.fromEntries(known)
})

/** Figures that may be below zero: slopes, ratios and their intervals. All others are counts, shares and areas. */
const SIGNED = new Set(['slope', 'ratio', 'low', 'high', 'standardized'])

/** Whether a figure that cannot be negative is negative: the service then means something else by it. */
function hasNegative(figure: unknown): boolean {
  if (typeof figure === 'number') return figure < 0
  if (typeof figure !== 'object' || figure === null) return false
  return Object.entries(figure).some(
    ([name, value]) => !(SIGNED.has(name) && typeof value === 'number') && hasNegative(value),
  )
}

const TrainingSummary = record({
  trained_at: moment,
  duration_ms: whole,
  training_rows: whole,
  model_id: extra(ModelId),
  engine_version: extra(EngineVersion),
  quality: extra(Quality),
  quality_note: text,
  weight_column: text,
  design: extra(SurveyDesign),
  design_counts: extra(DesignCounts),
  rules: ContractTrainingSummary.shape.rules.catch(undefined),
  derived_columns: ContractTrainingSummary.shape.derived_columns.catch(undefined),
  derived_columns_omitted: whole,
  relations: ContractTrainingSummary.shape.relations.catch(undefined),
  relations_omitted: whole,
})
export type TrainingSummary = z.infer<typeof TrainingSummary>

/** Why work failed. Our service sends `{code, detail}`; plain text and problem-like records are read too. */
const WorkError = z.preprocess(
  (error) => {
    if (typeof error === 'string') return { detail: error }
    if (typeof error !== 'object' || error === null) return error
    const fields = withoutNulls(error) as Record<string, unknown>
    return { code: fields.code, detail: fields.detail ?? fields.message ?? fields.title }
  },
  z.object({
    code: z.string().catch('unknown'),
    detail: z.string().transform((detail) => detail.slice(0, MAX_FAILURE_TEXT).replace(/[\ud800-\udbff]$/, '')),
  }),
)

/** Reply of createDataset, 200 and 202. */
export const DatasetReceipt = record({
  dataset_id: Identifier,
  status: openEnum(DATASET_STATUSES),
  request_id: text,
  job_id: Identifier.optional(),
  expires_at: moment,
  cleaning_summary: extra(CleaningSummary),
  training_summary: extra(TrainingSummary),
})
export type DatasetReceipt = z.infer<typeof DatasetReceipt>

/** Reply of getDataset. */
export const Dataset = statusRecord(DATASET_STATUSES, {
  dataset_id: Identifier,
  status: openEnum(DATASET_STATUSES),
  display_name: text,
  request_id: text,
  created_at: moment,
  expires_at: moment,
  cleaning_summary: extra(CleaningSummary),
  training_summary: extra(TrainingSummary),
})
export type Dataset = z.infer<typeof Dataset>

/** Reply of listDatasets. */
export const DatasetPage = record({
  datasets: z.array(record({ dataset_id: Identifier, display_name: text, created_at: text, expires_at: text })),
  next_cursor: text,
})
export type DatasetPage = z.infer<typeof DatasetPage>

/** Conditions are keyed by level names, so coded levels that arrive as JSON numbers are read as their text. */
const Level = z.union([z.string(), z.union([z.number(), z.boolean()]).transform(String)])

/**
 * One column of the cleaned schema. Unknown values of `type` and `format` are omitted (not `'unknown'`): the
 * specification distinguishes the kinds by `levels` alone, and so must readers of this.
 */
export const SchemaColumn = record({
  name: z.string().min(1),
  type: extra(z.enum(TRAINED_KINDS)),
  levels: z.array(Level).optional(),
  level_shares: extra(z.array(z.number().min(0).max(1).nullable())),
  ordered: extra(OrderedLevels),
  quantiles: extra(NaturalQuantiles),
  min: extra(z.union([z.number(), z.string()])),
  max: extra(z.union([z.number(), z.string()])),
  integer: extra(z.boolean()),
  format: extra(z.enum(['date', 'date-time'])),
  source_name: text,
  source_option: text,
  label: extra(z.string().transform(labelText)),
  missing_share: extra(z.number()),
})
export type SchemaColumn = z.infer<typeof SchemaColumn>

/** Reply of getDatasetSchema; assignable to the contract's own type. */
export const DatasetSchema = record({
  dataset_id: Identifier.optional(),
  schema: z.array(SchemaColumn),
  request_id: text,
})
export type DatasetSchema = z.infer<typeof DatasetSchema>

const generation = {
  generation_id: Identifier,
  status: openEnum(GENERATION_STATUSES),
  job_id: Identifier.optional(),
  artifact_url: z.string().min(1).optional(),
  rows_generated: z.int().min(0).optional(),
  dataset_id: Identifier.optional(),
  row_count: whole,
  seed: whole,
  output_format: extra(openEnum(OUTPUT_FORMAT_NAMES)),
  created_at: moment,
  expires_at: moment,
  targets: extra(z.array(TargetResult)),
  shortfall: extra(ReportedShortfall),
  evidence: extra(Evidence),
  error: extra(WorkError),
  artifact: extra(z.object({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  model_id: extra(ModelId),
  engine_version: extra(EngineVersion),
  request_id: text,
}

/** Reply of getGeneration. */
export const Generation = statusRecord(GENERATION_STATUSES, generation)
export type Generation = z.infer<typeof Generation>

/**
 * Reply of createGeneration. During the work the reply may name only the job; when the job ends it gives the
 * generation.
 */
export const GenerationReceipt = record({ ...generation, generation_id: Identifier.optional() }).refine(
  ({ generation_id, job_id }) => generation_id !== undefined || job_id !== undefined,
  'neither generation_id nor job_id',
)
export type GenerationReceipt = z.infer<typeof GenerationReceipt>

/** Reply of createGenerations, an extension. An entry of another shape counts as not accepted. */
export const GenerationBatchReply = record({
  entries: z.array(
    record({
      idempotency_key: z.string(),
      replayed: extra(z.boolean()),
      generation: extra(GenerationReceipt),
    }),
  ),
})

/** Reply of createUpload, an extension. */
export const SeedUploadReply = record({
  upload_id: Identifier,
  part_bytes: count,
  received_parts: z.array(z.int()),
})

/** Reply of sendUploadPart, an extension. */
export const UploadPartReply = record({ upload_id: Identifier, number: z.int() })

/** Reply of getJob. */
export const JobReply = statusRecord(JOB_STATUSES, {
  job_id: Identifier,
  status: openEnum(JOB_STATUSES),
  dataset_id: Identifier.optional(),
  generation_id: Identifier.optional(),
  kind: extra(openEnum(['training', 'generation'])),
  progress: extra(z.number().min(0).max(1)),
  stage: text,
  error: extra(WorkError),
  created_at: moment,
  request_id: text,
})
export type JobReply = z.infer<typeof JobReply>

/** A problem record, or the parts of one that are present. */
export const Problem = record({
  type: text,
  title: text,
  status: whole,
  detail: text,
  code: text,
  request_id: text,
  errors: extra(z.array(record({ field: z.string(), message: z.string(), suggestion: text }))),
  errors_omitted: whole,
  schema_hint: extra(SchemaHint),
})
export type Problem = z.infer<typeof Problem>
