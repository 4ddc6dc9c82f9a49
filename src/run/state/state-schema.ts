import { z } from 'zod'
import { AnySchemaColumn } from '../../contract/datasets.ts'
import { TrainingQuality } from '../../contract/training-quality.ts'
import type {
  EstimateRecord,
  ExistingRecord,
  GenerationRecord,
  ScenarioRecord,
  UploadRecord,
} from '../../plan/study-state.ts'

/**
 * Shapes of the records in `state.json` and `journal.ndjson`: anybody who can write there must not be able to crash a
 * run.
 */

const time = z.string().nullable()
const error = z.object({ code: z.string(), detail: z.string() }).nullable()
const count = z.int().min(0)

const request = {
  key: z.string().regex(/^wi1\.(ds|gen)\.[0-9a-f]{32}\.[ex][A-Za-z0-9._-]*$/),
  hash: z.string().regex(/^[0-9a-f]{32}$/),
  label: z.string().nullable(),
  epoch: count,
  madeAt: count,
  submittedAt: time,
  completedAt: time,
  expiresAt: time,
  jobId: z.string().nullable(),
  requestIds: z.array(z.string()),
  attempts: count,
  error,
}

const model = z.object({ id: z.string(), engine: z.string().nullable() }).nullable().optional()

const facts = {
  trainedAt: time,
  schemaSha256: z.string().nullable(),
  schema: z.array(AnySchemaColumn).nullable(),
  cleaning: z
    .object({
      inputRows: count,
      cleanRows: count,
      inputColumns: count,
      cleanColumns: count,
      dropped: z.array(z.object({ name: z.string(), reason: z.string(), detail: z.string().nullable() })),
      renamed: z.array(z.object({ from: z.string(), to: z.string() })),
      // Older versions recorded the levels themselves.
      rareLevels: z
        .array(z.object({ column: z.string(), count }))
        .optional()
        .catch(undefined),
    })
    .nullable(),
  quality: TrainingQuality.partial().nullable().optional(),
  model,
}

export const UploadSchema: z.ZodType<UploadRecord> = z.object({
  ...request,
  ...facts,
  dataset: z.string(),
  fingerprint: z.string(),
  fileSha256: z.string(),
  autoClean: z.boolean(),
  displayName: z.string(),
  status: z.enum(['prepared', 'training', 'ready', 'failed', 'refused', 'gone']),
  datasetId: z.string().nullable(),
})

export const ExistingSchema: z.ZodType<ExistingRecord> = z.object({
  ...facts,
  datasetId: z.string(),
  expiresAt: time,
  status: z.enum(['ready', 'gone']),
  requestIds: z.array(z.string()),
})

const pairs = <V extends z.ZodType>(value: V) => z.array(z.tuple([z.string(), value]))
const number = z.number().nullable()

const Bins = z
  .object({ edges: z.array(z.number()).min(2), counts: z.array(count), below: count, above: count })
  .refine(({ edges, counts }) => edges.length === counts.length + 1)

const counted = {
  rows: count,
  shares: pairs(z.object({ levels: pairs(count), missing: count })),
  numbers: pairs(
    z.object({
      n: count,
      missing: count,
      min: number,
      max: number,
      mean: number,
      sd: number,
      quantiles: z.array(z.number()).nullable(),
      // Measured again where they do not fit.
      bins: Bins.optional().catch(undefined),
    }),
  ),
}

const Measurement = z.object({
  ...counted,
  outside: pairs(count),
  absent: z.array(z.string()),
  segments: pairs(pairs(z.object(counted))).optional(),
  formulas: pairs(count).optional(),
})

export const GenerationSchema: z.ZodType<GenerationRecord> = z.object({
  ...request,
  scenario: z.string(),
  fingerprint: z.string(),
  dataset: z.string(),
  datasetFingerprint: z.string(),
  datasetInputs: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('file'),
      fileSha256: z.string(),
      autoClean: z.boolean(),
      declarations: z.string().optional(),
      seedSha256: z.string().optional(),
    }),
    z.object({ kind: z.literal('existing'), datasetId: z.string(), schemaSha256: z.string() }),
  ]),
  datasetId: z.string(),
  body: z.string(),
  status: z.enum(['prepared', 'processing', 'ready', 'partial', 'failed', 'refused', 'gone']),
  generationId: z.string().nullable(),
  rowsReported: count.nullable(),
  shortfall: z
    .object({
      detail: z.string(),
      binding: z.array(
        z.object({
          column: z.string(),
          level: z.string().optional(),
          target: z.number().optional(),
          seed_rows: z.number().optional(),
          nearest: z.number().optional(),
        }),
      ),
    })
    .nullable(),
  evidence: z
    .object({
      effective_rows: z.number(),
      exact: z.boolean().optional(),
      largest_tilt: z.number(),
      in_range_share: z.number().optional(),
      low_support: z.boolean().optional(),
      converged: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  model,
  artifact: z.object({ sha256: z.string(), bytes: count, measured: Measurement }).nullable(),
})

export const ScenarioSchema: z.ZodType<ScenarioRecord> = z.object({
  scenario: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  path: z.string(),
  sha256: z.string(),
  exported: z
    .object({ path: z.string(), bytes: count, sha256: z.string(), recipe: z.string(), notes: z.array(z.string()) })
    .optional()
    // If it is absent, the file is made again.
    .catch(undefined),
})

const finite = z.number()
const estimate = z.object({
  scenario: finite,
  against: finite,
  difference: finite,
  standardError: finite.min(0),
  degreesOfFreedom: finite.min(1).nullable(),
  simultaneousQuantile: finite.min(1).optional(),
})
const rows = finite.min(0).nullable()
const side = z.object({ effectiveRows: rows, support: rows })
const base = z.object({ rows, effectiveRows: rows })
const estimates = z.object({
  scenario: side,
  against: side,
  bases: pairs(z.object({ scenario: base, against: base })),
  shares: pairs(pairs(estimate)),
  means: pairs(estimate),
})

export const EstimateSchema: z.ZodType<EstimateRecord> = z.discriminatedUnion('status', [
  z.object({
    key: z.string(),
    status: z.literal('known'),
    estimates,
    segments: pairs(estimates).optional(),
  }),
  z.object({
    key: z.string(),
    status: z.enum([
      'no_estimates_operation',
      'no_segment_estimates',
      'estimates_dataset_gone',
      'estimates_other_model',
      'estimates_refused',
      'estimates_unreadable',
    ]),
  }),
])
