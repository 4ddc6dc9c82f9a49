import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { Scenario } from '../../study/study.ts'
import type { StudyState } from './study-state.ts'

/** The input of a plan, apart from the study. */
export interface PlanInput {
  readonly state: StudyState
  /** `embedded`, or 8 hex digits. */
  readonly service: string
  /** Seed files by dataset name; every file dataset of a selected scenario must be there. */
  readonly seedFiles: ReadonlyMap<string, SeedFile>
  /** SHA-256 of the files that are there, by path as in `ScenarioPlan.path`. */
  readonly files: ReadonlyMap<string, string>
  /** Path of a scenario's artifact, as in `ScenarioPlan.path`. */
  readonly pathOf: (scenario: Scenario) => string
  /** ms since 1970. */
  readonly now: number
  /** Cleaned schemas by dataset name, where they are known; only for notes. */
  readonly schemas?: ReadonlyMap<string, readonly AnySchemaColumn[]>
  /** Request keys and dataset ids that the service still had when this run asked. */
  readonly alive?: ReadonlySet<string>
  /** Version of the engine that would train; null or absent: only the service knows. */
  readonly engine?: string | null
  readonly options: PlanOptions
  /**
   * The selection made when the run began; absent: the options are evaluated now. Statuses change during a run, and its
   * selection must not.
   */
  readonly chosen?: Chosen
}

/** The scenarios that a run covers. */
export interface Chosen {
  readonly selected: ReadonlySet<string>
  /** The selected scenarios that `--force` names. */
  readonly forced: ReadonlySet<string>
  /** The selected scenarios of all parts; those of a study that is run whole are `selected`. */
  readonly ofAll: ReadonlySet<string>
}

export interface SeedFile {
  /** Of the bytes that are sent. */
  readonly sha256: string
  /** Of the file as it lies there; another one where declarations make what is sent of it. */
  readonly fileSha256?: string
  readonly bytes: number
}

/** The values of `--select` and `--exclude`; an empty `select` means everything. */
export interface Selection {
  readonly select: readonly string[]
  readonly exclude: readonly string[]
}

/** The options of a plan; those of a run begin with them. */
export interface PlanOptions {
  /** `--scope` label. */
  readonly scope: string | null
  readonly selection: Selection
  /** `--force`: null = not given; a selection without patterns = everything selected. */
  readonly force: Selection | null
  /** `--force-dataset`, by name in the study. */
  readonly forceDatasets: ReadonlySet<string>
  readonly retryFailed: boolean
  /** `--budget-rows`. */
  readonly budgetRows: number | null
  readonly overwrite: boolean
}

/** The options of `whatif plan` without flags. */
export const DEFAULT_PLAN_OPTIONS: PlanOptions = {
  scope: null,
  selection: { select: [], exclude: [] },
  force: null,
  forceDatasets: new Set(),
  retryFailed: false,
  budgetRows: null,
  overwrite: false,
}
