import type { TrainingQuality } from '../contract/training-quality.ts'
import type { ComparedColumn, ManifestAxis, ManifestColumn } from './column-records.ts'
import type { ComparisonResult, NotCompared } from './difference-records.ts'

/**
 * The record of a run, its inputs and its results: the content of `manifest.json`, version 1. Fields are only added
 * within version 1. Written with sorted keys; ratios are rounded to 6 decimals, half away from zero. `run` and `trace`
 * are the only parts that differ between two runs with the same results.
 *
 * Maps whose keys are data (columns, levels) are objects without a prototype, so that `__proto__` can be a level.
 */
export interface Manifest {
  readonly manifest_version: 1
  readonly study: {
    readonly name: string
    readonly version: 1
    /** Null only while a seed is still to be drawn or a schema still to be fetched. */
    readonly digest: string | null
    readonly baseline: string | null
    readonly description?: string
    /** Ids in the sequence of the study. Absent in manifests of earlier versions. */
    readonly scenario_order?: readonly string[]
    /** By group, in the sequence of the study; absent when the study has no matrix. */
    readonly axes?: Record<string, readonly ManifestAxis[]>
  }
  readonly status: ManifestStatus
  /** Null while running. */
  readonly outcome: ManifestOutcome | null
  readonly totals: ManifestTotals
  readonly datasets: Record<string, ManifestDataset>
  readonly scenarios: Record<string, ManifestScenario>
  readonly comparisons: Record<string, ManifestComparison>
  readonly diagnostics: readonly ManifestDiagnostic[]
  readonly trace: {
    readonly datasets: Record<string, DatasetTrace>
    readonly scenarios: Record<string, ScenarioTrace>
  }
  readonly run: ManifestRun
}

export type ManifestStatus = 'running' | 'complete' | 'interrupted' | 'refused'

export interface ManifestOutcome {
  readonly exit_code: number
  readonly reason: string
  /** Further causes, by precedence. */
  readonly also: readonly string[]
}

export interface ManifestTotals {
  readonly scenarios: number
  readonly ready: number
  readonly partial: number
  readonly failed: number
  readonly refused: number
  readonly not_started: number
  readonly running: number
  readonly interrupted: number
  readonly rows_requested: number
  /** Rows in the artifacts, counted. */
  readonly rows_generated: number
}

export interface ManifestDataset {
  readonly fingerprint: string | null
  readonly schema_sha256: string | null
  /** As written in the study; null for an existing dataset. */
  readonly source: string | null
  /** Of the seed file as it lies there. */
  readonly sha256: string | null
  /** What was sent in its place: the Parquet file that its declarations made of it. Absent without declarations. */
  readonly sent?: { readonly bytes: number; readonly sha256: string } | undefined
  readonly cleaning: {
    readonly input_rows: number
    readonly clean_rows: number
    readonly input_columns: number
    readonly clean_columns: number
    readonly dropped_columns: readonly { readonly name: string; readonly reason: string }[]
  } | null
  /**
   * What the seed file says that columns mean, as its service reports it; of the columns that results name. Absent when
   * there are none.
   */
  readonly labels?: Record<string, string>
  /** The columns that conditions and comparisons name, as the service reports them; absent when none is known. */
  readonly columns?: Record<string, ManifestColumn>
  /** The quality of the model, as its service measured it; absent when the service does not report it. */
  readonly quality?: ModelQuality
}

/** The figures of `training_summary.quality` that the service gave. */
export type ModelQuality = { readonly [Key in keyof TrainingQuality]?: TrainingQuality[Key] }

export type ScenarioStatus = 'ready' | 'partial' | 'failed' | 'refused' | 'not_started' | 'running' | 'interrupted'

export interface ManifestScenario {
  readonly group: string | null
  readonly axes: Record<string, string>
  readonly description?: string
  /** For one of several scenarios that differ in the seed alone: the name that they share, and its number from 1. */
  readonly replicate?: { readonly of: string; readonly number: number }
  readonly fingerprint: string | null
  readonly dataset: string
  /** The canonical body as sent; null while a random seed is not drawn. */
  readonly request: ManifestRequest | null
  readonly status: ScenarioStatus
  readonly rows: ManifestRows
  readonly shares: Record<string, ShareResult>
  readonly ranges: Record<string, RangeResult>
  readonly artifact: ManifestArtifact | null
  readonly gates: readonly GateResult[]
  /** The targets that bind, when there are fewer rows than requested and the service reports them. */
  readonly shortfall?: ManifestShortfall
  /** The seed data's support of the rows, when there are rows and the service reports it. */
  readonly evidence?: ManifestEvidence
  /**
   * √(1 + N / effective rows): the factor for standard errors that are computed as if the generated rows were as many
   * people. The largest that it can be where effective rows are told as a range; absent without evidence, and where all that is
   * known is that there are fewer than 10.
   */
  readonly standard_error_factor?: number
  /** The study's policy for fewer rows than requested, in its own words; only for the status `partial`. */
  readonly partial?: ManifestPartialPolicy
  /** Why it failed, was refused, was interrupted or did not start. */
  readonly error?: { readonly code: string; readonly detail: string }
}

export type ManifestPartialPolicy =
  | 'accept'
  | 'warn'
  | 'fail'
  | { readonly accept_from: number; readonly otherwise: 'warn' | 'fail' }

export interface ManifestRequest {
  readonly conditions?: {
    readonly categorical?: Record<string, Record<string, number>>
    readonly numeric?: Record<string, { readonly min: number; readonly max: number }>
  }
  readonly output_format: string
  readonly row_count: number
  readonly seed: number
}

export interface ManifestRows {
  readonly requested: number
  /** The service's `rows_generated`. */
  readonly reported: number | null
  /** Rows in the artifact. */
  readonly counted: number | null
  /** counted / requested. */
  readonly fill: number | null
}

export interface ShareResult {
  readonly levels: Record<
    string,
    { readonly target: number; readonly achieved: number; readonly delta: number; readonly count: number }
  >
  /** Shares of the levels that the scenario does not state. */
  readonly unstated: Record<string, number>
  /** Share of rows without a value; absent when there are none. */
  readonly missing?: number
}

export interface RangeResult {
  readonly target: { readonly min: number; readonly max: number }
  /** Null when no row has a value. */
  readonly achieved: { readonly min: number; readonly max: number } | null
  /** Share of rows outside the range or without a value. */
  readonly outside: number
  /** The same as a number of rows, which rounding does not hide. */
  readonly outside_count: number
  /** Target and achieved range as RFC 3339 dates or times, when the study writes an end as one. */
  readonly dates?: {
    readonly target: { readonly min: string; readonly max: string }
    readonly achieved: { readonly min: string; readonly max: string } | null
  }
}

export interface ManifestArtifact {
  /** Relative to the manifest. */
  readonly path: string
  readonly format: string
  readonly bytes: number
  readonly sha256: string
  /** Present if the columns have the names of the seed file. */
  readonly names?: 'original'
  /** What the service sent, if the file was made of it; its `path` is relative to the manifest as well. */
  readonly received?: {
    readonly path: string
    readonly format: string
    readonly bytes: number
    readonly sha256: string
  }
  /** What the form of the file cannot hold, and cells of CSV that begin like a formula. */
  readonly notes?: readonly string[]
}

/** Gates that are evaluated, with their subject: `shares:<column>`, `delta:<scenario>:<column>[:<level>]`. */
export type GateId = 'fill' | `shares:${string}` | 'ranges' | `delta:${string}` | 'mixed_model'

/** The part of a gate's id before its colon. */
export type GateKind = GateId extends infer Id ? (Id extends `${infer Kind}:${string}` ? Kind : Id) : never

/** A gate of this version; a manifest that is read back may hold others. */
export type EvaluatedGate = GateResult & { readonly id: GateId }

/** `actual` null: there was nothing to evaluate, which fails the gate. */
export interface GateResult {
  /** A `GateId`, or one of a later version. */
  readonly id: string
  readonly level: 'fail' | 'warn'
  /** Checks made. */
  readonly evaluated: number
  readonly passed: boolean
  readonly expected: Record<string, number | string>
  readonly actual: number | null
  /**
   * Noise of generation at the worst target, 2·√(p(1−p)/n): the variation by chance alone if rows are sampled. Shares
   * only.
   */
  readonly chance?: number
  /** For a gate with confidence: the interval of the difference at that confidence. */
  readonly interval?: readonly [low: number, high: number]
  /** For a gate that is judged together with others (Holm): its interval has the confidence 1 - (1 - confidence) / divisor. */
  readonly divisor?: number
  /** For a gate with confidence: why there is no interval, so that the gate failed. */
  readonly reason?: NoInterval
}

/** Why a gate with confidence has no interval. */
export type NoInterval = 'too_few_rows' | 'generation_only' | 'no_standard_error'

export interface ManifestShortfall {
  readonly detail: string
  readonly binding: readonly {
    readonly column: string
    readonly level?: string
    readonly target?: number
    readonly seed_rows?: number
  }[]
}

/** As reported by the service, which alone has the seed data. */
export interface ManifestEvidence {
  /** Effective sample size of the seed for these rows (Kish); see effective-rows.ts for how it is read. */
  readonly effective_rows: number
  /** Whether these figures are exact, which is for the owner of the seed; absent: they may be rounded. */
  readonly exact?: boolean
  /** Largest ratio of a combination's share of the rows to its share in the model. */
  readonly largest_tilt: number
  /** Share of the model inside all ranges. */
  readonly in_range_share?: number
  /** Whether the evidence is thin. */
  readonly low_support?: boolean
  /** Whether the mix is the one closest to the model. */
  readonly converged?: boolean
}

export interface ManifestComparison {
  readonly against: string
  /** The scenarios that were taken together as `against`; absent unless it is several that differ in the seed alone. */
  readonly against_replicates?: readonly string[]
  /** What is compared, in the sequence of the study. Absent in manifests of earlier versions. */
  readonly outcomes?: readonly ComparedColumn[]
  /** The column whose levels are the segments. */
  readonly by?: string
  /** What it names and the data do not have, so that it has no figures; absent when there is nothing. */
  readonly not_compared?: readonly NotCompared[]
  /** Its questions, each counted once, and those whose answer is beyond chance. */
  readonly questions?: { readonly asked: number; readonly beyond_chance: number }
  readonly scenarios: Record<string, ComparisonResult>
  readonly gates: readonly GateResult[]
}

/** Without its place in the file: an added comment moves every line and changes no result. */
export interface ManifestDiagnostic {
  readonly severity: 'error' | 'warning' | 'note'
  readonly code: string
  readonly summary: string
  readonly detail: string
  readonly suggestions: readonly string[]
}

export interface DatasetTrace {
  readonly dataset_id: string | null
  readonly trained_at: string | null
  readonly expires_at: string | null
  readonly idempotency_key: string | null
  readonly request_ids: readonly string[]
  /** Identity of the trained model; absent when the service does not report it. */
  readonly model_id?: string
}

export interface ScenarioTrace {
  readonly generation_id: string | null
  readonly job_id: string | null
  readonly dataset_id: string | null
  readonly idempotency_key: string | null
  readonly epoch: number | null
  readonly attempts: number
  readonly request_ids: readonly string[]
  readonly submitted_at: string | null
  readonly completed_at: string | null
  /** When the artifact expires at the service. */
  readonly download_before: string | null
  /** Identity of the model that the rows come from; absent when the service does not report it. */
  readonly model_id?: string
}

export interface ManifestRun {
  readonly id: string
  readonly actions: Record<string, string>
  /**
   * Rows of the generations that this run requested and saw end. Work that it left running (`interrupted`) is billed as
   * well once it is done; then it counts as `rows_collected` of the run that sees its end.
   */
  readonly rows_billable: number
  /** Rows of the generations that an earlier request made and this run saw end. */
  readonly rows_collected?: number
  readonly started_at: string
  readonly finished_at: string | null
  readonly tool: string
  readonly node: string
  readonly scope: string | null
  /** Most rows of a scenario; absent unless the run was a trial of the study with fewer rows. */
  readonly trial?: number
  /** `embedded` or `remote`. */
  readonly service: 'embedded' | 'remote'
  readonly git: { readonly commit: string; readonly dirty: boolean } | null
  /** Name of the CI system, when there is one. */
  readonly ci: string | null
}
