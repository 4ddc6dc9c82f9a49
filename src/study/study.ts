import type { OutputFormat, ResultFormat } from '../base/result-formats.ts'
import type { Backtest } from './backtests.ts'
import type { Condition } from './conditions/condition.ts'
import type { Declarations } from './declarations.ts'
import type { SourceRange } from './diagnostics/diagnostic.ts'
import type { Gates } from './gates/gate.ts'
import type { Outcome } from './outcomes/outcome.ts'
import type { RowFilter } from './outcomes/row-filter.ts'

/**
 * A study that has passed parsing, shape, semantics and expansion. Maps whose keys are data (columns, levels) are real
 * `Map`s, because a level may be called `__proto__`.
 */
export interface Study {
  readonly version: 1
  readonly name: string
  readonly nameRange: SourceRange
  /** As given to `loadStudy`; for messages and for the lock's and state's names. */
  readonly filename: string
  readonly description: string | null
  readonly datasets: ReadonlyMap<string, DatasetSource>
  /** Fully expanded and layered, in file order. */
  readonly scenarios: readonly Scenario[]
  /** The axes of each matrix as written, by group; no entry for a group without one. */
  readonly axes: ReadonlyMap<string, readonly StudyAxis[]>
  /** By scenario or group; text for people. A scenario of a group may have its own. */
  readonly scenarioDescriptions: ReadonlyMap<string, string>
  /** Scenario id, or the name that replicates share. */
  readonly baseline: string | null
  readonly comparisons: readonly Comparison[]
  readonly backtests: readonly Backtest[]
  readonly budget: Budget
  /** Null: the file has no budget. */
  readonly budgetRange: SourceRange | null
  readonly policy: Policy
  /** Relative to the study file; default `out/<name>`. */
  readonly outputDir: string
  readonly outputDirRange: SourceRange | null
  /** Where `names: original` is written; absent: result files have the cleaned names. */
  readonly originalNamesRange?: SourceRange
  /** `output.formulas: escape`. */
  readonly escapesFormulas?: true
  /** Whether runs write `report.html`. Changes no fingerprint. */
  readonly report: boolean
  /** Most rows of a scenario, for a quick look (`trialStudy`); absent: the study as it is written. */
  readonly trial?: number
  /** The part of the study that is carried out (`shardStudy`); absent: all of it. */
  readonly shard?: Shard
}

/** One part of `of`; `index` counts from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** `values`: the slugs that `Scenario.axes` holds, in file sequence. */
export interface StudyAxis {
  readonly name: string
  readonly values: readonly string[]
}

export type DatasetSource = FileDataset | ExistingDataset

export interface FileDataset {
  readonly kind: 'file'
  readonly id: string
  /** As written: relative to the study file, or the address of an object. */
  readonly file: string
  /** Set where `file` is the address of an object in a bucket; `sha256` is then given. */
  readonly object?: SeedObject
  readonly fileRange: SourceRange
  /** Lower-case hex pin, when given. */
  readonly sha256: string | null
  readonly autoClean: boolean
  readonly displayName: string
  /** What the study declares about the file; absent: nothing, and the file is sent as it is. */
  readonly declarations?: Declarations | undefined
}

/** An object in the storage of the person who runs the study. */
export interface SeedObject {
  readonly bucket: string
  readonly key: string
}

export interface ExistingDataset {
  readonly kind: 'existing'
  readonly id: string
  readonly datasetId: string
  readonly datasetIdRange: SourceRange
}

/** The form of a result file that is not the artifact as the service sends it. */
export interface ResultForm {
  readonly format: ResultFormat
  /** `original`: columns have the names of the seed file. */
  readonly names: 'cleaned' | 'original'
  /** Cells of CSV that begin like a formula have an apostrophe in front. */
  readonly escapesFormulas?: true
}

/** What one generation is asked for. */
export interface Scenario {
  /** `group--value--value`, or the name of a single scenario; followed by `--r1`, `--r2`, … for replicates. */
  readonly id: string
  readonly group: string | null
  /** Axis name → value slug, in axis sequence; empty for single scenarios and for `include`. */
  readonly axes: ReadonlyMap<string, string>
  /** Of a scenario with `replicates`: the name that they share, and the number from 1. */
  readonly replicate?: { readonly of: string; readonly number: number }
  readonly dataset: string
  readonly rows: number
  readonly seed: number | 'random'
  /** What the service is asked for. */
  readonly format: OutputFormat
  /** Absent: the artifact itself is the result. */
  readonly form?: ResultForm
  /** By kind, and in the sequence of the file. A column has one at most, or a range and a mean. */
  readonly conditions: readonly Condition[]
  /** The file that shares among the conditions come from, as the study names it. */
  readonly margins?: { readonly file: string; readonly sha256: string }
  readonly partial: PartialPolicy
  /** Gates at fail level and at warn level. */
  readonly expect: Gates
  readonly warn: Gates
  readonly tags: readonly string[]
  /** Where the resolved values were written, after layering. */
  readonly origin: ScenarioOrigin
}

export interface ScenarioOrigin {
  readonly scenario: SourceRange
  readonly rows: SourceRange
}

/** The policy for fewer rows than requested. `acceptFrom` is the smallest accepted rows_generated / rows. */
export type PartialPolicy =
  | { readonly kind: 'accept' | 'warn' | 'fail' }
  | { readonly kind: 'accept_from'; readonly acceptFrom: number; readonly otherwise: 'warn' | 'fail' }

export interface Comparison {
  readonly id: string
  /** Resolved scenario ids; replicates are one scenario here, by the name that they share (`membersOf`). */
  readonly scenarios: readonly string[]
  readonly against: string
  /** By kind, and in the sequence of the file. */
  readonly outcomes: readonly Outcome[]
  /** The column whose levels are the segments; null: none. */
  readonly by: string | null
  /** The rows that its outcomes are counted in; none: all rows. */
  readonly where: readonly RowFilter[]
  /** What shares are shares of; null: see percentage-base.ts. */
  readonly base: 'all' | 'valid' | null
  readonly expect: readonly ComparisonGate[]
  readonly warn: readonly ComparisonGate[]
  readonly range: SourceRange
  /** Where `by` is written. */
  readonly byRange: SourceRange | null
}

/** `level` null: the difference of means of a numeric column. */
export interface ComparisonGate {
  readonly scenario: string
  readonly column: string
  readonly level: string | null
  /** The difference of this quantile, as a share of the rows up to it; null: of a share or a mean. */
  readonly quantile: number | null
  readonly deltaMin: number | null
  readonly deltaMax: number | null
  /**
   * With a confidence, the interval of the difference at that confidence must lie within the bounds; null: the
   * difference itself must.
   */
  readonly confidence: number | null
  /** `holm`: judged together with all such gates of the study, which takes a confidence; null: judged alone. */
  readonly adjust: 'holm' | null
  /** The level, or the column when there is none. */
  readonly range: SourceRange
}

export interface Budget {
  readonly rowsPerRun: number | null
  readonly rowsPerScenario: number | null
  readonly newDatasetsPerRun: number | null
}

export interface Policy {
  readonly onFailure: 'continue' | 'stop'
  readonly drift: 'fail' | 'warn'
  readonly mixedModel: 'fail' | 'warn'
}

/**
 * The scenarios of a study in file sequence: layered, with matrices expanded, as they would be sent. `loadStudy` does
 * the expansion, because its faults are findings about the file; a study that it returns is complete.
 */
export function expand(study: Study): readonly Scenario[] {
  return study.scenarios
}
