import { z } from 'zod'
import { TRAINED_KINDS } from '../base/column-kind.ts'
import type { DeepReadonly } from '../base/deep-readonly.ts'
import { MAX_LABEL_BYTES } from '../base/text/label-text.ts'
import { DateTime, EngineVersion, Identifier, ModelId } from './ids.ts'
import { Bound, NaturalQuantiles } from './natural-quantiles.ts'
import { DesignCounts, SurveyDesign } from './survey-design.ts'
import { TrainingQuality } from './training-quality.ts'

export const DATASET_STATUSES = ['ready', 'processing'] as const
export const DatasetStatus = z.enum(DATASET_STATUSES)

/** Spellings of the form field `auto_clean`, in any case. */
export const TRUE_WORDS = ['true', '1', 'yes', 'on'] as const
export const FALSE_WORDS = ['false', '0', 'no', 'off'] as const

/** Why this service drops a column; others may give other reasons. */
const DROP_REASONS = [
  'constant',
  'near_zero_variance',
  'mostly_missing',
  'identifier',
  'free_text',
  'too_many_levels',
  'unmodelled',
  'case_weight',
  'survey_design',
] as const

export const DroppedColumn = z
  .object({ name: z.string(), reason: z.string().meta({ examples: [...DROP_REASONS] }), detail: z.string().optional() })
  .meta({ id: 'DroppedColumn' })

/** The sheet of a workbook that was read, and the first of the others. */
export const ReadSheet = z.object({
  name: z.string(),
  others: z.array(z.string()),
  others_omitted: z.int().optional(),
})

/** What cleaning did (specification, "Dataset"); the optional keys are this service's. */
export const CleaningSummary = z
  .object({
    input_rows: z.int().describe('Rows of the file.'),
    input_columns: z.int().describe('Columns of the file.'),
    clean_rows: z.int().describe('Rows that remain after cleaning.'),
    clean_columns: z.int().describe('Columns that remain after cleaning: the entries of the cleaned schema.'),
    dropped_columns: z.array(DroppedColumn).describe('Columns that are not modelled, and why.'),
    renamed_columns: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .optional()
      .describe('Headers of the file that cleaning renamed.'),
    split_columns: z
      .array(
        z.object({
          from: z.string(),
          separator: z.string(),
          into: z.array(z.object({ name: z.string(), option: z.string(), rows: z.int() })),
          other_answers: z.array(z.string()).optional().describe('Rarer answers, if the service names them.'),
          other_answers_omitted: z.int().optional(),
        }),
      )
      .optional()
      .describe(
        'Columns that held several answers ("Milk, Sugar") and became one column of 0 and 1 per option. ' +
          'clean_columns = input_columns - dropped columns - split columns + the columns those were split into.',
      ),
    dropped_levels: z
      .array(
        z.object({
          column: z.string(),
          levels: z.array(z.string()),
          levels_omitted: z.int().optional(),
          rows: z.int(),
        }),
      )
      .optional()
      .describe(
        'Rare levels that became missing: how many, and in how many rows. A shared service names none of them.',
      ),
    dropped_rows: z
      .object({ empty: z.int(), repeated_header: z.int() })
      .optional()
      .describe('Rows that are empty or that repeat the header.'),
    notes: z
      .array(z.string())
      .optional()
      .describe(
        'What reading the file found (encoding, delimiter, ragged rows, sheet, how dates and numbers were read), and values to check.',
      ),
    notes_omitted: z.int().optional(),
    sheet: ReadSheet.optional().describe('Of a workbook: the sheet that was read.'),
  })
  .meta({ id: 'CleaningSummary' })
export type CleaningSummary = z.infer<typeof CleaningSummary>

export const TrainingSummary = z
  .object({
    trained_at: DateTime.describe('End of the training.'),
    duration_ms: z.int().describe('Cleaning and training, in milliseconds.'),
    training_rows: z.int().optional().describe('Rows the model was trained on: all, or a deterministic sample.'),
    model_id: ModelId.optional(),
    engine_version: EngineVersion.optional(),
    weight_column: z
      .string()
      .optional()
      .describe(
        'The column of case weights that the model was trained with, as named in the upload. Ours: absent at services that know no weights, and when none were asked for.',
      ),
    effective_rows: z
      .int()
      .optional()
      .describe(
        'With weights: how many rows that count alike would say as much as the training rows do, (sum of weights)² / sum of squared weights (Kish 1965), rounded down.',
      ),
    design: SurveyDesign.optional().describe(
      'How the rows were drawn, as the upload said it: standard errors use it. Ours: absent at services that know no survey designs, and when none was sent.',
    ),
    design_counts: DesignCounts.optional().describe(
      'With `design`: what its columns hold, counted in the training rows.',
    ),
    rules: z
      .array(
        z.object({
          rule: z.string().describe('As the study writes it.'),
          columns: z.array(z.string()).describe('Cleaned names of its columns; empty where one of them is gone.'),
          gone: z.array(z.string()).optional().describe('Its columns that cleaning left out, by their headers.'),
        }),
      )
      .optional()
      .describe(
        'Rules that generated rows keep, as the metadata of the Parquet file say them (`whatif:rules`). Ours: absent at services that know no rules, and when the file has none.',
      ),
    quality: TrainingQuality.nullable()
      .optional()
      .describe(
        'Fidelity and privacy, measured on held-out rows: a model of the same kind is trained on the other rows, and ' +
          'its rows are compared with the held-out rows. Null when not measured.',
      ),
    quality_note: z.string().optional().describe('Why `quality` is null.'),
    derived_columns: z
      .array(
        z.object({
          column: z.string(),
          sources: z.array(z.string()),
          formula: z.string().describe('Such as `price * amount`. Dates count in days, date-times in seconds.'),
          share: z.number().describe('Of the rows to which the formula applies, the share that follow it.'),
        }),
      )
      .optional()
      .describe('Columns that other columns determine. Generated rows compute them unless a scenario conditions them.'),
    derived_columns_omitted: z.int().optional(),
    relations: z
      .array(
        z.object({
          columns: z.array(z.string()),
          relation: z.string().describe('Such as `start <= end`.'),
          share: z
            .number()
            .describe(
              '1 if the relation holds in all rows. Otherwise the share of the rows in which the columns are equal.',
            ),
        }),
      )
      .optional()
      .describe('Relations between columns that do not determine each other. Generated rows satisfy them.'),
    relations_omitted: z.int().optional(),
  })
  .meta({ id: 'TrainingSummary' })
export type TrainingSummary = z.infer<typeof TrainingSummary>

/** Reply of POST /v1/datasets, 200 and 202. */
export const DatasetReceipt = z
  .object({
    dataset_id: Identifier,
    status: DatasetStatus,
    request_id: z.string().optional(),
    job_id: Identifier.optional().describe('The job to poll during training.'),
    expires_at: DateTime.optional().describe('End of retention.'),
    cleaning_summary: CleaningSummary.optional(),
    training_summary: TrainingSummary.optional(),
  })
  .meta({ id: 'DatasetReceipt' })
export type DatasetReceipt = z.infer<typeof DatasetReceipt>

/** GET /v1/datasets/{dataset_id}. */
export const Dataset = z
  .object({
    dataset_id: Identifier,
    status: DatasetStatus,
    display_name: z.string().nullable().optional().describe('As given with the upload.'),
    request_id: z.string().optional().describe('The same as `X-Request-Id`.'),
    created_at: DateTime.optional().describe('Time of the upload.'),
    expires_at: DateTime.optional().describe('End of retention. The dataset no longer exists after it.'),
    cleaning_summary: CleaningSummary.optional(),
    training_summary: TrainingSummary.optional(),
  })
  .meta({ id: 'Dataset' })
export type Dataset = z.infer<typeof Dataset>

export const DatasetListEntry = z
  .object({
    dataset_id: Identifier,
    status: DatasetStatus,
    display_name: z.string().nullable(),
    created_at: DateTime,
    expires_at: DateTime,
  })
  .meta({ id: 'DatasetListEntry' })

/** GET /v1/datasets: newest first, metadata only. */
export const DatasetList = z
  .object({
    datasets: z.array(DatasetListEntry).describe('Newest first.'),
    limit: z.int().describe('Entries per page.'),
    next_cursor: z.string().nullable().describe('`cursor` of the next page, opaque; null on the last one.'),
    request_id: z.string().optional(),
  })
  .meta({ id: 'DatasetList' })
export type DatasetList = z.infer<typeof DatasetList>

/** Fields of columns of either type. */
const columnFields = {
  source_name: z.string().optional().describe('The header in the file.'),
  label: z
    .string()
    .optional()
    .describe(
      `What the file says the column means: the label of a variable or the text of a question. One line of at most ${MAX_LABEL_BYTES} bytes. Absent if the file says nothing.`,
    ),
  missing_share: z.number().optional().describe('Share of rows without a value, 0 to 1.'),
}

/** The order of a column's levels, if one was found. */
export const OrderedLevels = z
  .object({
    from: z
      .enum(['codes', 'numbers', 'words', 'declared'])
      .describe(
        'The source of the order: whole numbers, numbers within the levels, words of a known scale, or a declaration in ' +
          'the file.',
      ),
    levels: z.array(z.string()).describe('In ascending order.'),
    apart: z.array(z.string()).describe('Levels without a place in the order, such as "no answer".'),
  })
  .meta({ id: 'OrderedLevels' })
export type OrderedLevels = DeepReadonly<z.infer<typeof OrderedLevels>>

export const CategoricalColumn = z
  .object({
    name: z.string().describe('The name to use in conditions.'),
    type: z.literal('categorical'),
    levels: z.array(z.string()).describe('Retained levels, most frequent first.'),
    level_shares: z
      .array(z.number().min(0).max(1).nullable())
      .optional()
      .describe(
        'Share of the rows that have each level, in the sequence of `levels`, to three decimals; of the weighted ' +
          'population if the model was trained with weights. Null where fewer than 10 rows could be counted from it.',
      ),
    ordered: OrderedLevels.optional().describe('The order of the levels, if one was found.'),
    source_option: z.string().optional().describe('Option of a multi-select column: 1 if ticked, 0 if not.'),
    ...columnFields,
  })
  .meta({ id: 'CategoricalColumn' })

export const NumericColumn = z
  .object({
    name: z.string().describe('The name to use in conditions.'),
    type: z.literal('numeric').describe('Dates are numeric.'),
    min: Bound.describe(
      'Lower bound of the values, rounded down so that it does not reveal a single person’s value; RFC 3339 for dates.',
    ),
    max: Bound.describe('Upper bound of the values, rounded up in the same way; RFC 3339 for dates.'),
    integer: z.boolean().describe('Whether all values are whole.'),
    format: z.enum(['date', 'date-time']).optional().describe('Present for dates and times.'),
    quantiles: NaturalQuantiles.optional().describe(
      'Quantiles of the values that are not missing, in the form of the bounds. Each is rounded until at least 10 rows ' +
        'lie in what is rounded to it, and absent where fewer than 10 rows lie on either side.',
    ),
    ...columnFields,
  })
  .meta({ id: 'NumericColumn' })

/** One column of the cleaned schema, as this service sends it. Its `type` decides which fields it has. */
export const SchemaColumn = z.discriminatedUnion('type', [CategoricalColumn, NumericColumn]).meta({
  id: 'SchemaColumn',
  description: 'A column of the cleaned schema. Its `type` decides which fields it has.',
  // Client generators read it; JSON Schema has no equivalent.
  discriminator: {
    propertyName: 'type',
    mapping: {
      categorical: '#/components/schemas/CategoricalColumn',
      numeric: '#/components/schemas/NumericColumn',
    },
  },
})
export type SchemaColumn = z.infer<typeof SchemaColumn>

/** GET /v1/datasets/{dataset_id}/schema. */
export const DatasetSchema = z
  .object({ dataset_id: Identifier.optional(), schema: z.array(SchemaColumn), request_id: z.string().optional() })
  .meta({ id: 'DatasetSchema' })
export type DatasetSchema = z.infer<typeof DatasetSchema>

/** A column of any service's schema. The specification names `name` and `levels` alone, so the other fields are optional. */
export const AnySchemaColumn = z.object({
  name: z.string(),
  type: z.enum(TRAINED_KINDS).optional(),
  levels: z.array(z.string()).optional(),
  level_shares: z.array(z.number().nullable()).optional(),
  ordered: OrderedLevels.optional(),
  quantiles: NaturalQuantiles.optional(),
  min: Bound.optional(),
  max: Bound.optional(),
  integer: z.boolean().optional(),
  format: z.enum(['date', 'date-time']).optional(),
  source_option: z.string().optional(),
  ...columnFields,
})
export type AnySchemaColumn = DeepReadonly<z.infer<typeof AnySchemaColumn>>

/** The schema of a dataset at any service. */
export const AnyDatasetSchema = z.object({ ...DatasetSchema.shape, schema: z.array(AnySchemaColumn) })
export type AnyDatasetSchema = z.infer<typeof AnyDatasetSchema>
