import type { CleaningSummary, Dataset, DatasetReceipt, DatasetSchema, TrainingSummary } from '../datasets.ts'
import type { Generation, GenerationRequest } from '../generations.ts'
import type { Job } from '../jobs.ts'

/** Identifiers of one story, told by all examples: a coffee tracker is uploaded, trained and asked for a scenario. */
export const IDS = {
  signup: 'req_0Vaofy4mXf6HHEFJNVkMxX',
  client: 'cli_i3mkqkLj1SkIxMVLAXY3Hv',
  tenant: 'ten_1NWge5fRlFgbM2rxHNxUL8',
  dataset: 'ds_WWPzJei1aqfuW5pokR3f8V',
  trainingJob: 'job_F6WQ6NE02w9HX4sSVUXJqs',
  generation: 'gen_bPmxHKZDoM4gg72vba0gLv',
  generationJob: 'job_dFoAIqzL2zRW2vMwuV6nu7',
  request: 'req_5kQ0vXc2mZr8TnB1yWdJ4H',
} as const

export const TIMES = {
  signup: '2026-05-04T09:12:31.204Z',
  upload: '2026-05-04T10:00:00.118Z',
  trained: '2026-05-04T10:00:01.402Z',
  datasetEnd: '2026-05-05T10:00:00.118Z',
  generation: '2026-05-04T10:05:12.640Z',
  generationEnd: '2026-05-05T10:05:12.640Z',
  claimTokenEnd: '2026-05-11T10:05:12.640Z',
} as const

export const CLEANING_SUMMARY: CleaningSummary = {
  input_rows: 6000,
  input_columns: 19,
  clean_rows: 6000,
  clean_columns: 17,
  dropped_columns: [
    { name: 'respondent_id', reason: 'identifier', detail: '6000 distinct values in 6000 rows.' },
    { name: 'interview_mode', reason: 'near_zero_variance', detail: '5955 of 6000 rows have the same value.' },
  ],
  renamed_columns: [
    { from: 'loyalty_member', to: 'loyalty.member' },
    { from: 'last_visit', to: 'last.visit' },
  ],
  dropped_levels: [{ column: 'preferred.drink', levels: ['Decaf cortado'], rows: 3 }],
  dropped_rows: { empty: 0, repeated_header: 0 },
  notes: [],
}

export const TRAINING_SUMMARY: TrainingSummary = {
  trained_at: TIMES.trained,
  duration_ms: 1158,
  training_rows: 6000,
  model_id: '1ed4a04ab8fd69d9f02e3c3f1d2b1b2d0f6cfe22ba14fbb3cbd8a43c55fd0a24',
  engine_version: '1',
  quality: {
    training_rows: 4800,
    held_out_rows: 1200,
    synthetic_rows: 4800,
    column_shapes: {
      mean: 0.9782,
      reference: 0.9771,
      worst: [{ column: 'last.visit', score: 0.9514, reference: 0.9603 }],
    },
    pairs: { mean: 0.9356, reference: 0.9374, measured: 136 },
    c2st: { auc: 0.5113, chance: 0.0236, rows: 1200 },
    copies: { share: 0, reference: 0 },
    dcr: { nearer_training: 0.5246, chance: 0.0289, of_copies: 0.625, rows: 1200 },
  },
  derived_columns: [
    { column: 'total.spend', sources: ['visits', 'mean.spend'], formula: 'visits * mean.spend', share: 1 },
  ],
}

export const PROCESSING_RECEIPT: DatasetReceipt = {
  dataset_id: IDS.dataset,
  status: 'processing',
  request_id: IDS.request,
  job_id: IDS.trainingJob,
}

export const READY_RECEIPT: DatasetReceipt = {
  dataset_id: IDS.dataset,
  status: 'ready',
  request_id: IDS.request,
  expires_at: TIMES.datasetEnd,
  cleaning_summary: CLEANING_SUMMARY,
  training_summary: TRAINING_SUMMARY,
}

export const DATASET: Dataset = {
  dataset_id: IDS.dataset,
  status: 'ready',
  display_name: 'Coffee tracker',
  request_id: IDS.request,
  created_at: TIMES.upload,
  expires_at: TIMES.datasetEnd,
  cleaning_summary: CLEANING_SUMMARY,
  training_summary: TRAINING_SUMMARY,
}

export const DATASET_SCHEMA: DatasetSchema = {
  dataset_id: IDS.dataset,
  schema: [
    {
      name: 'region',
      type: 'categorical',
      levels: ['South', 'North', 'West', 'East', 'Islands'],
      source_name: 'region',
      missing_share: 0,
    },
    { name: 'age', type: 'numeric', min: 18, max: 84, integer: true, source_name: 'age', missing_share: 0 },
    {
      name: 'loyalty.member',
      type: 'categorical',
      levels: ['No', 'Yes'],
      source_name: 'loyalty_member',
      missing_share: 0,
    },
    {
      name: 'last.visit',
      type: 'numeric',
      min: '2026-10-02',
      max: '2026-10-31',
      integer: false,
      format: 'date',
      source_name: 'last_visit',
      missing_share: 0.18,
    },
  ],
  request_id: IDS.request,
}

export const GENERATION_REQUEST: GenerationRequest = {
  row_count: 1000,
  output_format: 'parquet',
  seed: 7,
  wait_seconds: 0,
  conditions: {
    categorical: { region: { North: 0.7 } },
    numeric: { age: { min: 18, max: 34 } },
  },
}

const GENERATION_HEAD = {
  generation_id: IDS.generation,
  job_id: IDS.generationJob,
  dataset_id: IDS.dataset,
  row_count: 1000,
  seed: 7,
  output_format: 'parquet',
  created_at: TIMES.generation,
  expires_at: TIMES.generationEnd,
} as const

export const PROCESSING_GENERATION: Generation = {
  ...GENERATION_HEAD,
  status: 'processing',
  request_id: IDS.request,
}

export const READY_GENERATION: Generation = {
  ...GENERATION_HEAD,
  status: 'ready',
  artifact_url: `/v1/artifacts/${IDS.generation}?expires=1777889712&signature=6ndbQ0aHUDcYh5tnyj9zoDvV1eDhJbz-9JjkaZJatbY`,
  rows_generated: 1000,
  targets: [{ column: 'region', level: 'North', target: 0.7, achieved: 0.7, count: 700 }],
  evidence: {
    effective_rows: 594.5,
    largest_tilt: 2.7,
    in_range_share: 0.2167,
    fill: 1,
    cap: { natural_share_factor: 10, rows_per_seed_row: 100 },
    unlisted: 'unconditional',
    low_support: false,
    converged: true,
    margin_deviation: 0,
    sampled_share: 0,
  },
  artifact: { bytes: 14092, sha256: 'c22362deef3b179556030f940dd6ef2801011d9a289017cce2296c414e64da30' },
  model_id: '1ed4a04ab8fd69d9f02e3c3f1d2b1b2d0f6cfe22ba14fbb3cbd8a43c55fd0a24',
  engine_version: '1',
  request_id: IDS.request,
}

export const COMPLETED_JOB: Job = {
  job_id: IDS.generationJob,
  status: 'completed',
  kind: 'generation',
  generation_id: IDS.generation,
  created_at: TIMES.generation,
  request_id: IDS.request,
}
