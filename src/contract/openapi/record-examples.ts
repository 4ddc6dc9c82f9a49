import type { CleaningSummary, Dataset, DatasetReceipt, DatasetSchema, TrainingSummary } from '../datasets.ts'
import type { EstimateRequest, Estimates, FurtherEstimate, SegmentEstimate } from '../estimates.ts'
import type { Generation, GenerationRequest } from '../generations.ts'
import type { Job } from '../jobs.ts'

/**
 * Identifiers that all examples share. They follow one story: a client uploads a coffee tracker, it is trained, and the
 * client generates a scenario.
 */
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
  dropped_levels: [{ column: 'preferred.drink', levels: [], levels_omitted: 1, rows: 3 }],
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
    c2st: { auc: 0.5113, chance: 0.0236, detectable: 0.533, rows: 1200 },
    copies: { share: 0, reference: 0 },
    rare_numbers: { columns: 2, rows: 31, reference: 36 },
    dcr: { nearer_training: 0.5246, chance: 0.0289, of_copies: 0.625, rows: 1200 },
    correlations: { slope: 0.968, low: 0.931, high: 1.005, pairs: 21 },
    differences: {
      slope: 0.957,
      low: 0.918,
      high: 0.996,
      outcomes: 14,
      median: { slope: 0.961, low: 0.912, high: 1.01 },
      lowest: [{ column: 'purchase.intent', slope: 0.884, low: 0.795, high: 0.973 }],
    },
    pmse: { value: 0.000561, expected: 0.0005078, ratio: 1.1047, standardized: 0.4625, parameters: 40 },
    membership: {
      queries: 208,
      model_rows: 6000,
      at: [
        { rows_per_row: 1, auc: 0.5193, chance: 0.0566, told: 0.0577, told_chance: 0.0427 },
        { rows_per_row: 10, auc: 0.5718, chance: 0.0566, told: 0.1058, told_chance: 0.0427 },
      ],
    },
    not_measured: [{ figure: 'item_blocks', reason: 'No 4 columns share one scale of numbers.' }],
  },
  derived_columns: [
    { column: 'total.spend', sources: ['visits', 'mean.spend'], formula: 'visits * mean.spend', share: 1 },
  ],
  relations: [{ columns: ['first.visit', 'last.visit'], relation: 'first.visit <= last.visit', share: 1 }],
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
      level_shares: [0.333, 0.281, 0.205, 0.153, 0.028],
      source_name: 'region',
      missing_share: 0,
    },
    {
      name: 'visits',
      type: 'categorical',
      levels: ['Sometimes', 'Never', 'Often', 'No answer'],
      level_shares: [0.451, 0.33, 0.184, 0.015],
      ordered: { from: 'words', levels: ['Never', 'Sometimes', 'Often'], apart: ['No answer'] },
      source_name: 'visits',
      missing_share: 0.02,
    },
    {
      name: 'age',
      type: 'numeric',
      min: 18,
      max: 84,
      integer: true,
      quantiles: { q05: 21, q25: 33, q50: 45, q75: 58, q95: 74 },
      source_name: 'age',
      missing_share: 0,
    },
    {
      name: 'loyalty.member',
      type: 'categorical',
      levels: ['No', 'Yes'],
      level_shares: [0.624, 0.376],
      source_name: 'loyalty_member',
      label: 'Are you a member of our loyalty programme?',
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
    effective_rows: 590,
    largest_tilt: 2.7,
    in_range_share: 0.22,
    fill: 1,
    cap: { natural_share_factor: 10, rows_per_seed_row: 100 },
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

export const ESTIMATE_REQUEST: EstimateRequest = {
  scenario: { categorical: { region: { North: 0.7 } } },
  outcomes: [{ column: 'loyalty.member' }, { column: 'age', statistic: 'mean' }],
  by: 'visits',
  rows: 1000,
  further: [{ scenario: { categorical: { region: { South: 0.3 } } } }],
}

/** Among people who visit as often: fewer rows, wider errors. */
function segmentEstimate(level: string, rows: number, yes: number, age: number): SegmentEstimate {
  const side = (effectiveRows: number) => ({
    status: 'estimated' as const,
    effective_rows: effectiveRows,
    support: effectiveRows,
    low_support: effectiveRows < 50,
  })
  const figures = {
    baseline: 0.37,
    scenario: Number((0.37 + yes).toFixed(3)),
    difference: yes,
    standard_error: 0.014,
    degrees_of_freedom: 410,
  }
  const base = (effective: number) => ({ rows, effective_rows: effective })
  const bases = { scenario_base: base(rows / 2), baseline_base: base(rows) }
  return {
    level,
    status: 'estimated',
    scenario: side(rows / 2),
    baseline: side(rows),
    outcomes: [
      { column: 'loyalty.member', statistic: 'shares', base: 'all', ...bases, levels: [{ level: 'Yes', ...figures }] },
      {
        column: 'age',
        statistic: 'mean',
        ...bases,
        mean: {
          scenario: 47.6 + age,
          baseline: 47.6,
          difference: age,
          standard_error: 0.5,
          degrees_of_freedom: 380,
          scenario_sd: 18,
          baseline_sd: 18.1,
        },
      },
    ],
  }
}

const furtherEstimate: FurtherEstimate = (() => {
  const { scenario, baseline, outcomes } = segmentEstimate('South', 6000, -0.012, 0.2)
  return { scenario, baseline, outcomes }
})()

export const ESTIMATES: Estimates = {
  dataset_id: IDS.dataset,
  model_id: TRAINING_SUMMARY.model_id,
  seed_rows: 6000,
  sampled_share: 1,
  scenario: { status: 'estimated', effective_rows: 3100, support: 3100, low_support: false },
  baseline: { status: 'estimated', effective_rows: 6000, support: 6000, low_support: false },
  outcomes: [
    {
      column: 'loyalty.member',
      statistic: 'shares',
      base: 'all',
      scenario_base: { rows: 6000, effective_rows: 3100 },
      baseline_base: { rows: 6000, effective_rows: 6000 },
      levels: [
        {
          level: 'No',
          scenario: 0.55,
          baseline: 0.624,
          difference: -0.073,
          standard_error: 0.0068,
          degrees_of_freedom: 2900,
        },
        {
          level: 'Yes',
          scenario: 0.45,
          baseline: 0.376,
          difference: 0.073,
          standard_error: 0.0068,
          degrees_of_freedom: 2900,
        },
      ],
    },
    {
      column: 'age',
      statistic: 'mean',
      scenario_base: { rows: 5900, effective_rows: 3000 },
      baseline_base: { rows: 5900, effective_rows: 5900 },
      mean: {
        scenario: 47.4,
        baseline: 47.8,
        difference: -0.45,
        standard_error: 0.24,
        degrees_of_freedom: 2600,
        scenario_sd: 17.9,
        baseline_sd: 18.1,
      },
    },
  ],
  feasible_rows: 1000,
  further: [furtherEstimate],
  segments: [
    segmentEstimate('Sometimes', 2400, 0.071, -0.4),
    segmentEstimate('Never', 1800, 0.064, -0.6),
    segmentEstimate('Often', 1500, 0.08, -0.3),
    segmentEstimate('No answer', 240, 0.07, 0.1),
  ],
  request_id: IDS.request,
}
