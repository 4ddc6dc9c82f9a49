import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { StudyState } from './study-state.ts'

/** Everything a plan is made from, apart from the study. */
export interface PlanInput {
  readonly state: StudyState
  /** `embedded`, or 8 hex digits. */
  readonly service: string
  /** Seed files by dataset name; every file dataset of a selected scenario must be there. */
  readonly seedFiles: ReadonlyMap<string, SeedFile>
  /** SHA-256 of the files that are there, by path as in `ScenarioPlan.path`. */
  readonly files: ReadonlyMap<string, string>
  /** Where a scenario's artifact goes, as in `ScenarioPlan.path`. */
  readonly pathOf: (scenario: { readonly id: string; readonly format: string }) => string
  /** ms since 1970. */
  readonly now: number
  /** Cleaned schemas by dataset name, where they are known; only for notes. */
  readonly schemas?: ReadonlyMap<string, readonly AnySchemaColumn[]>
  /** Request keys and dataset ids that the service was asked about in this run and still has. */
  readonly alive?: ReadonlySet<string>
  /** Version of the engine that would train; null or left out: only the service knows. */
  readonly engine?: string | null
  readonly options: PlanOptions
  /**
   * What the options named when the run began; absent: what they name now. A run changes statuses, and goes on with what
   * it was asked to do.
   */
  readonly chosen?: Chosen
}

/** What a run is about, by scenario id. */
export interface Chosen {
  readonly selected: ReadonlySet<string>
  /** Those of them that `--force` names. */
  readonly forced: ReadonlySet<string>
}

export interface SeedFile {
  readonly sha256: string
  readonly bytes: number
}

/** What `--select` and `--exclude` say; an empty `select` means everything. */
export interface Selection {
  readonly select: readonly string[]
  readonly exclude: readonly string[]
}

export interface PlanOptions {
  /** `--scope` label. */
  readonly scope: string | null
  readonly selection: Selection
  /** `--force`: null = not given; a selection without patterns = all that is selected. */
  readonly force: Selection | null
  /** `--force-dataset`, by name in the study. */
  readonly forceDatasets: ReadonlySet<string>
  readonly retryFailed: boolean
  /** `--budget-rows`. */
  readonly budgetRows: number | null
  readonly overwrite: boolean
}

export const DEFAULT_PLAN_OPTIONS: PlanOptions = {
  scope: null,
  selection: { select: [], exclude: [] },
  force: null,
  forceDatasets: new Set(),
  retryFailed: false,
  budgetRows: null,
  overwrite: false,
}
