import type { Bins } from '../base/bins.ts'
import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { TrainingQuality } from '../contract/training-quality.ts'

/**
 * The memory of earlier runs of one study against one service: the content of `state.json` after the journal was
 * applied to it. Records are keyed by request key, because the service identifies work by it. Times are RFC 3339, UTC.
 */
export interface StudyState {
  /** Count of journal entries applied so far; rises with each change. */
  readonly serial: number
  /** The study's file, relative to the folder that holds `.whatif`, with `/`; null before the first run. */
  readonly studyPath: string | null
  readonly uploads: ReadonlyMap<string, UploadRecord>
  readonly generations: ReadonlyMap<string, GenerationRecord>
  /** Datasets named by id in the study, by that id. */
  readonly existing: ReadonlyMap<string, ExistingRecord>
  /** The work of each scenario name when its artifact was last stored. */
  readonly scenarios: ReadonlyMap<string, ScenarioRecord>
  /** Seeds drawn for scenarios that are not done yet, by scenario. */
  readonly seeds: ReadonlyMap<string, number>
  /** Request keys of a forced run that has not ended: they are not forced again. */
  readonly forced: ReadonlySet<string>
  /** The seed's estimates of differences, by a hash of the question; oldest first. */
  readonly estimates: ReadonlyMap<string, EstimateRecord>
}

export interface RecordedError {
  readonly code: string
  readonly detail: string
}

interface RequestRecord {
  readonly key: string
  /** The 32 hex digits of `key`. */
  readonly hash: string
  /** `--scope` label; null without a label. */
  readonly label: string | null
  readonly epoch: number
  /** Serial of the journal entry that made the record: a later one supersedes it. */
  readonly madeAt: number
  readonly submittedAt: string | null
  readonly completedAt: string | null
  readonly expiresAt: string | null
  readonly jobId: string | null
  readonly requestIds: readonly string[]
  /** HTTP requests made to submit it, retries and later runs included. */
  readonly attempts: number
  readonly error: RecordedError | null
}

/** Facts about a trained dataset, as far as the service reports them. */
export interface DatasetFacts {
  readonly trainedAt: string | null
  readonly schemaSha256: string | null
  readonly schema: readonly AnySchemaColumn[] | null
  readonly cleaning: RecordedCleaning | null
  /** The quality of the model; absent in records of older versions of this program. */
  readonly quality?: RecordedQuality | null | undefined
  readonly model?: RecordedModel | null | undefined
}

/**
 * The model that rows come from, when the service reports it; absent in records of older versions of this program.
 * Equal ids are the same model, whatever the dataset is called.
 */
export interface RecordedModel {
  readonly id: string
  /** Version of the service's engine: equal versions train the same model from the same seed file. */
  readonly engine: string | null
}

/** As far as the service reports it. */
export type RecordedQuality = { readonly [Key in keyof TrainingQuality]?: TrainingQuality[Key] | undefined }

export interface RecordedCleaning {
  readonly inputRows: number
  readonly cleanRows: number
  readonly inputColumns: number
  readonly cleanColumns: number
  readonly dropped: readonly { readonly name: string; readonly reason: string; readonly detail: string | null }[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /**
   * How many levels of a column became missing because too few rows had them. Few people are behind each, so none is
   * named. Absent in records of older versions of this program.
   */
  readonly rareLevels?: readonly { readonly column: string; readonly count: number }[] | undefined
}

/**
 * `prepared`: the key is on disk, the answer was never seen. `training`: accepted. `refused`: a 4xx, sent again in the
 * next run. `failed`: its job ended without a model. `gone`: the service no longer has it.
 */
export type UploadStatus = 'prepared' | 'training' | 'ready' | 'failed' | 'refused' | 'gone'

export interface UploadRecord extends RequestRecord, DatasetFacts {
  /** Name in the study when it was uploaded. */
  readonly dataset: string
  readonly fingerprint: string
  readonly fileSha256: string
  readonly autoClean: boolean
  readonly displayName: string
  readonly status: UploadStatus
  readonly datasetId: string | null
}

export interface ExistingRecord extends DatasetFacts {
  readonly datasetId: string
  readonly expiresAt: string | null
  readonly status: 'ready' | 'gone'
  readonly requestIds: readonly string[]
}

/** As `UploadStatus`; `processing`: accepted; `ready` and `partial`: done at the service. */
export type GenerationStatus = 'prepared' | 'processing' | 'ready' | 'partial' | 'failed' | 'refused' | 'gone'

export interface GenerationRecord extends RequestRecord {
  /** Scenario it was first submitted for. */
  readonly scenario: string
  readonly fingerprint: string
  /** Name in the study, and the parts of its fingerprint, to explain changes. */
  readonly dataset: string
  readonly datasetFingerprint: string
  readonly datasetInputs: DatasetInputs
  readonly datasetId: string
  /** Canonical body, byte for byte as sent. */
  readonly body: string
  readonly status: GenerationStatus
  readonly generationId: string | null
  /** The service's `rows_generated`. */
  readonly rowsReported: number | null
  readonly shortfall: RecordedShortfall | null
  /** Null when the service does not report it; absent in states of earlier versions. */
  readonly evidence?: RecordedEvidence | null | undefined
  readonly model?: RecordedModel | null | undefined
  /** Set once the artifact was downloaded and verified. */
  readonly artifact: StoredArtifact | null
}

export type DatasetInputs =
  | {
      readonly kind: 'file'
      readonly fileSha256: string
      readonly autoClean: boolean
      /** `declarationsDigest`; absent when the study declares nothing about the file. */
      readonly declarations?: string | undefined
      /** Of the seed file, where declarations make another one of it; absent in states of older versions. */
      readonly seedSha256?: string | undefined
    }
  | { readonly kind: 'existing'; readonly datasetId: string; readonly schemaSha256: string }

export interface RecordedShortfall {
  readonly detail: string
  readonly binding: readonly {
    readonly column: string
    readonly level?: string | undefined
    readonly target?: number | undefined
    readonly seed_rows?: number | undefined
    readonly nearest?: number | undefined
  }[]
}

/** The service's account of the seed data behind the rows; absent values are unknown. */
export interface RecordedEvidence {
  readonly effective_rows: number
  readonly exact?: boolean | undefined
  readonly largest_tilt: number
  readonly in_range_share?: number | undefined
  readonly low_support?: boolean | undefined
  readonly converged?: boolean | undefined
}

export interface StoredArtifact {
  readonly sha256: string
  readonly bytes: number
  readonly measured: Measurement
}

/** The counts of an artifact. Lists of pairs, because columns and levels can have any name. */
export interface Measurement {
  readonly rows: number
  readonly shares: readonly (readonly [column: string, counts: LevelCounts])[]
  readonly numbers: readonly (readonly [column: string, summary: NumberSummary])[]
  /** Per ranged column: rows outside the range, rows without a value included. */
  readonly outside: readonly (readonly [column: string, rows: number])[]
  /** Requested columns that the artifact lacks. */
  readonly absent: readonly string[]
  /** Per column that divides a comparison: the counts inside each of its levels; absent: no column does. */
  readonly segments?:
    | readonly (readonly [by: string, levels: readonly (readonly [level: string, counts: SegmentCounts])[]])[]
    | undefined
  /** Cells of CSV that are texts and begin like a formula, by column; absent: there are none, or nobody counted them. */
  readonly formulas?: readonly (readonly [column: string, cells: number])[] | undefined
}

/** The counts of the rows that have a level. */
export type SegmentCounts = Pick<Measurement, 'rows' | 'shares' | 'numbers'>

export interface LevelCounts {
  /** Ascending by UTF-16 code units. */
  readonly levels: readonly (readonly [level: string, count: number])[]
  readonly missing: number
}

/** Of the values that are not missing; `n` 0 leaves the others null. */
export interface NumberSummary {
  readonly n: number
  readonly missing: number
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  readonly sd: number | null
  /** At 0.05, 0.25, 0.5, 0.75, 0.95. */
  readonly quantiles: readonly number[] | null
  /** Of a column whose means are compared; absent in records of older versions, and where no edges are known. */
  readonly bins?: Bins | undefined
}

export interface ScenarioRecord {
  readonly scenario: string
  readonly key: string
  readonly fingerprint: string
  /** Relative to the folder that holds `.whatif`, with `/`. */
  readonly path: string
  readonly sha256: string
  /** The result file that was made of the artifact, when the study asks for another form. */
  readonly exported?: ExportedRecord | undefined
}

export interface ExportedRecord {
  /** As the artifact's. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  /** Hash of everything that the file is made of. */
  readonly recipe: string
  readonly notes: readonly string[]
}

/** An answer of estimateDifferences, or why there will be none until the question or the service changes. */
export type EstimateRecord =
  | {
      readonly key: string
      readonly status: 'known'
      readonly estimates: RecordedEstimates
      /** For a question about segments: the same inside each level. */
      readonly segments?: readonly (readonly [level: string, estimates: RecordedEstimates])[] | undefined
    }
  | { readonly key: string; readonly status: SettledGap }

/** Asking again gives the same result. */
export type SettledGap =
  | 'no_estimates_operation'
  | 'no_segment_estimates'
  | 'estimates_dataset_gone'
  | 'estimates_other_model'
  | 'estimates_refused'
  | 'estimates_unreadable'

/** The seed's differences between a scenario and its baseline, reweighted to both. */
export interface RecordedEstimates {
  readonly scenario: RecordedSide
  readonly against: RecordedSide
  /** The rows that the figures of each column are made of. */
  readonly bases: readonly (readonly [
    column: string,
    base: { readonly scenario: RecordedBase; readonly against: RecordedBase },
  ])[]
  readonly shares: readonly (readonly [
    column: string,
    levels: readonly (readonly [level: string, estimate: RecordedEstimate])[],
  ])[]
  /** Only those with enough rows behind them. */
  readonly means: readonly (readonly [column: string, estimate: RecordedEstimate])[]
}

/** Rows of the seed behind a side; null: too few for any figure. */
export interface RecordedSide {
  readonly effectiveRows: number | null
  /** What limits are held against: the smaller of effective rows and their spread. */
  readonly support: number | null
}

/** Null: too few to be told. */
export interface RecordedBase {
  readonly rows: number | null
  readonly effectiveRows: number | null
}

export interface RecordedEstimate {
  readonly scenario: number
  readonly against: number
  readonly difference: number
  readonly standardError: number
  /** Null: the normal distribution. */
  readonly degreesOfFreedom: number | null
  /** Of intervals that hold together with others, in place of 1.96. */
  readonly simultaneousQuantile?: number | undefined
}

/** The state of a study that was never run. */
export function emptyState() {
  return {
    serial: 0,
    studyPath: null as string | null,
    uploads: new Map<string, UploadRecord>(),
    generations: new Map<string, GenerationRecord>(),
    existing: new Map<string, ExistingRecord>(),
    scenarios: new Map<string, ScenarioRecord>(),
    seeds: new Map<string, number>(),
    forced: new Set<string>(),
    estimates: new Map<string, EstimateRecord>(),
  } satisfies StudyState
}

/** Retention that is assumed when the service reports no end (specification, "Limits"). */
export const ASSUMED_RETENTION_MS = 24 * 60 * 60 * 1000

/** The year 10000, which RFC 3339 cannot express: later times are ignored. */
const END_OF_DATES = Date.UTC(10_000, 0)

/**
 * When a finished generation expires at the service, in ms since 1970: as the service reports it, or 24 h after
 * completion. Null when neither is known.
 */
export function endOfLife(record: {
  readonly expiresAt: string | null
  readonly completedAt: string | null
}): number | null {
  const stated = record.expiresAt === null ? Number.NaN : Date.parse(record.expiresAt)
  if (stated < END_OF_DATES) return stated
  const done = record.completedAt === null ? Number.NaN : Date.parse(record.completedAt)
  return Number.isFinite(done) ? done + ASSUMED_RETENTION_MS : null
}
