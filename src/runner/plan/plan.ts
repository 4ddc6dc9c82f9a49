import type { OutputFormat } from '../../base/result-formats.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'

/**
 * What a run will do, and why, as data. `plan` makes it from the study, the state and the files on disk; no I/O is
 * needed to make, print or compare one.
 */
export interface Plan {
  readonly study: {
    readonly name: string
    /**
     * Null while it cannot be known: a seed is still to be drawn, or the schema of an existing dataset was never seen.
     */
    readonly digest: string | null
  }
  /** `embedded`, or the first 8 hex digits of a remote service's label. */
  readonly service: string
  /** `--scope`; null for epochs. */
  readonly scope: string | null
  /** Serial of the state that the plan is based on. */
  readonly stateSerial: number
  /** Datasets that scenarios of this study use, in file order. */
  readonly datasets: readonly DatasetPlan[]
  /** All scenarios of the study in file sequence, including those that were not selected (`skip`). */
  readonly scenarios: readonly ScenarioPlan[]
  readonly totals: PlanTotals
  readonly budget: BudgetCheck
  /** Files that the run would have to overwrite although this study did not write them. */
  readonly conflicts: readonly FileConflict[]
  /** Null where every result in its place is known. */
  readonly unknownResults: UnknownResults | null
  /** Notes and warnings about comparisons with datasets that are trained again. */
  readonly models: readonly Diagnostic[]
  /** A note per dataset about scenarios that ask for more rows than the seed data support. */
  readonly density: readonly Diagnostic[]
}

/** Files of scenarios that no state knows, so that they are requested again. */
export interface UnknownResults {
  /** Their folder, as in `ScenarioPlan.path`. */
  readonly path: string
  /** How many scenarios have one. */
  readonly scenarios: number
}

export interface PlanTotals {
  readonly upload: number
  readonly generate: number
  readonly download: number
  readonly resume: number
  readonly copy: number
  readonly reuse: number
  readonly failed: number
  /** Most rows that can be billed: the sum over the distinct requests that will be sent. */
  readonly rowsBound: number
}

export interface BudgetCheck {
  /** The lower of the file's `rows_per_run` and `--budget-rows`. */
  readonly rowsPerRun: number | null
  readonly violations: readonly BudgetViolation[]
}

export type BudgetViolation =
  /** `drop`: scenarios to leave out, last in the file first, until the rest fits. */
  | {
      readonly kind: 'rows_per_run'
      readonly limit: number
      readonly bound: number
      readonly drop: readonly string[]
      /** Of all parts of the study together, where `limit` is the portion of one. */
      readonly limit_of_all?: number
    }
  | { readonly kind: 'rows_per_scenario'; readonly limit: number; readonly scenario: string; readonly rows: number }
  | { readonly kind: 'new_datasets_per_run'; readonly limit: number; readonly uploads: readonly string[] }

export interface FileConflict {
  readonly scenario: string
  /** As in `ScenarioPlan.path`. */
  readonly path: string
}

export interface DatasetPlan {
  /** Name in the study. */
  readonly id: string
  /** File as written in the study; null for an existing dataset. */
  readonly source: string | null
  /** Null for an existing dataset whose schema was never seen. */
  readonly fingerprint: string | null
  readonly schemaSha256: string | null
  readonly datasetId: string | null
  readonly trainedAt: string | null
  readonly expiresAt: string | null
  /**
   * Rows that cleaning left of the seed file; null when no training of it was seen, or its service does not report it.
   */
  readonly seedRows: number | null
  readonly action: DatasetAction
}

export type DatasetAction =
  /** No scenario needs it now. */
  | { readonly kind: 'none' }
  /** Trained before; fetched again before anything is generated from it. */
  | { readonly kind: 'use' }
  /** An existing dataset that the run has to fetch first. */
  | { readonly kind: 'inspect' }
  /** Uploaded before, end of training not seen; `key` is sent again when the answer was never seen. */
  | { readonly kind: 'resume'; readonly key: string }
  | {
      readonly kind: 'upload'
      readonly key: string
      readonly epoch: number
      readonly reason: UploadReason
      /** False when only the clock says `expired`; the service is asked before anything is sent. */
      readonly certain: boolean
    }
  /** Failed in an earlier run; `--retry-failed` tries again. */
  | { readonly kind: 'failed'; readonly error: PlannedError }

export type UploadReason = 'new' | 'changed' | 'expired' | 'forced' | 'retry' | 'refused_before'

/**
 * The error of a dataset named by an id that the service no longer has. A retry does not help; the author must name
 * another dataset.
 */
export const DATASET_GONE = 'dataset_gone'

export interface PlannedError {
  readonly code: string
  readonly detail: string
}

export interface ScenarioPlan {
  readonly id: string
  readonly dataset: string
  readonly selected: boolean
  /** Rows asked for. */
  readonly rows: number
  readonly format: OutputFormat
  /** Null when not yet known (see `Plan.study.digest`). */
  readonly fingerprint: string | null
  /** Canonical body; null while a random seed is not drawn. */
  readonly body: string | null
  /** Request key of the generation that the action concerns; null while its dataset does not exist. */
  readonly key: string | null
  /** Dataset that `key` belongs to. */
  readonly datasetId: string | null
  /** Path of the artifact: relative to the folder that holds `.whatif`, with `/`. */
  readonly path: string
  readonly action: Action
  /** Most rows billed for this entry; 0 for every action that sends no new request. */
  readonly rowsBound: number
  /** What the author should know, for example how much of a column is left to the model. */
  readonly notes: readonly string[]
}

export type Action =
  | { readonly kind: 'generate'; readonly reason: GenerateReason; readonly epoch: number }
  | {
      readonly kind: 'regenerate'
      /** False: known only by the clock; the service is asked before anything is bought. */
      readonly certain: boolean
      readonly expiredAt: string | null
      /** Null when a new dataset, and so a new key, replaces a new epoch. */
      readonly fromEpoch: number | null
      readonly epoch: number
    }
  /**
   * Unfinished work of an earlier run: `prepared` is sent again with the same key, `processing` is polled, `done` is
   * downloaded.
   */
  | { readonly kind: 'resume'; readonly from: 'prepared' | 'processing' | 'done' }
  | {
      readonly kind: 'download'
      /** The file is missing, or is not the artifact. `edited`: this study did not write that file, and leaves it. */
      readonly because: 'missing' | 'different' | 'edited'
      readonly aliveUntil: string | null
    }
  /** Same request as another scenario: generated once, copied. */
  | { readonly kind: 'copy'; readonly of: string }
  /** Up to date; `from` is a local file with the artifact's bytes when the scenario's own file is not there. */
  | { readonly kind: 'reuse'; readonly renamedFrom: string | null; readonly from: string | null }
  /** Failed in an earlier run; `--retry-failed` tries again, unless its dataset is gone. */
  | { readonly kind: 'failed'; readonly error: PlannedError }
  /** Not selected; `upToDate` when its artifact is still on disk. */
  | { readonly kind: 'skip'; readonly upToDate: boolean }

export type GenerateReason =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly changes: readonly Change[] }
  | { readonly kind: 'random_seed' }
  | { readonly kind: 'forced' }
  | { readonly kind: 'dataset_forced' }
  | { readonly kind: 'retry' }
  /** The service refused it with a 4xx before; the same key is sent again. */
  | { readonly kind: 'refused_before'; readonly error: PlannedError }

/** One field that differs from the scenario's last generation; null = absent. */
export interface Change {
  /** `seed`, `rows`, `shares.region.North`, `ranges.age.min`, `dataset panel: seed file`… */
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** True when state and disk hold everything that the plan needs. */
export function needsNoService(plan: Plan): boolean {
  return plan.scenarios.every((s) => ['reuse', 'copy', 'failed', 'skip'].includes(s.action.kind))
}

/** True when the plan sends a request that creates work. */
export function submitsWork(plan: Plan): boolean {
  return plan.totals.upload > 0 || plan.totals.rowsBound > 0
}
