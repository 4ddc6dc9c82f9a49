/** The differences of two scenarios in a manifest, and their uncertainty. */

import type { Histogram } from './column-records.ts'

export interface ComparisonResult {
  /** `mixed_model`: the two sides come from different models, or it is unknown whether they do. */
  readonly status: 'compared' | 'mixed_model' | 'missing'
  /** Column → level → share on both sides. */
  readonly shares: Record<string, Record<string, ShareDifference>>
  /** Column → statistics on both sides. */
  readonly means: Record<string, MeanDifference>
  /** Rows of the seed behind each side; absent when the service does not report them. */
  readonly effective_rows?: { readonly scenario: number; readonly against: number }
  /** Column → the rows of the seed that its answers are made of; absent without answers. */
  readonly bases?: Record<string, OutcomeBase>
  /** Between the generated rows and the answers; absent without answers that have a standard error. */
  readonly rows_distance?: RowsDistance
  /** Why the seed's own differences are missing; absent when they are present. */
  readonly no_estimates?: NoEstimates
  /** The same inside each level of the comparison's `by`, in the sequence of the data. */
  readonly segments?: readonly SegmentResult[]
  /** Absent unless the scenario is several that differ in the seed alone, taken together. */
  readonly replicates?: ReplicateSpread
}

/** A column or level that a comparison names and its data do not have. */
export interface NotCompared {
  readonly column: string
  /** Absent: the whole column. */
  readonly level?: string
  readonly as: 'shares' | 'means' | 'segments'
}

/** The differences among the rows of one level. */
export interface SegmentResult {
  readonly level: string
  /** Rows in the artifacts that have the level. */
  readonly rows: { readonly scenario: number; readonly against: number }
  readonly shares: Record<string, Record<string, ShareDifference>>
  readonly means: Record<string, MeanDifference>
  readonly effective_rows?: { readonly scenario: number; readonly against: number }
  readonly bases?: Record<string, OutcomeBase>
  /** Why the seed's own differences inside the segment are missing; absent when they are present. */
  readonly no_estimates?: NoEstimates
}

/** How near the differences in the generated rows are to the answers. */
export interface RowsDistance {
  /** Differences that are compared. */
  readonly outcomes: number
  /** Those of them that are more than two standard errors of the answer away from it. */
  readonly beyond_two_errors: number
  /** The largest distance of a share, in percentage points; absent where no shares are compared. */
  readonly largest_points?: number
  /** The root mean square distance, in standard errors of the answers. */
  readonly rms_errors: number
}

/** Both sides of an answer. A figure that the service does not tell is absent. */
export interface OutcomeBase {
  readonly scenario: { readonly rows?: number; readonly effective_rows?: number }
  readonly against: { readonly rows?: number; readonly effective_rows?: number }
}

export interface ReplicateSpread {
  /** The scenarios that were taken together. */
  readonly ids: readonly string[]
  /** Standard deviation of the difference from replicate to replicate; null where fewer than two have one. */
  readonly spread: {
    readonly shares: Record<string, Record<string, number | null>>
    readonly means: Record<string, number | null>
  }
}

/** Why a comparison has no estimates from the seed. */
export type NoEstimates =
  | 'no_estimates_operation'
  | 'no_segment_estimates'
  | 'estimates_dataset_gone'
  | 'estimates_other_model'
  | 'estimates_refused'
  | 'estimates_unreadable'
  | 'estimates_failed'
  | 'estimates_not_asked'

export interface ShareDifference extends Partial<DifferenceCertainty> {
  readonly against: number
  readonly scenario: number
  readonly delta: number
}

/** The interval is for the difference of the means. */
export interface MeanDifference extends Partial<DifferenceCertainty> {
  readonly against: NumericStatistics | null
  readonly scenario: NumericStatistics | null
  readonly delta: number | null
}

/**
 * The basis of an interval: the seed's own estimate, a bound from the number of effective rows, or the generated rows
 * alone.
 */
export type IntervalBasis = 'seed' | 'effective_rows' | 'generation'

/**
 * The seed's support of an interval. `thin`: support below 50, or fewer than 20 degrees of freedom; `too_few_rows`: support
 * below 20, and no interval; `unknown`: the service does not report it.
 */
export type IntervalSupport = 'ok' | 'thin' | 'too_few_rows' | 'unknown'

/** The uncertainty of a difference. Manifests of earlier versions lack it. */
export interface DifferenceCertainty {
  /** The seed's own figures, which readers are told. Absent where they are unknown: then the rows' figures stand in. */
  readonly answer?: Answer
  /** Of the answer, with 95 % confidence; null when there is none. */
  readonly interval: readonly [low: number, high: number] | null
  /**
   * Like `interval`, but with 95 % confidence for all scenarios of the matrix together, or for all segments; absent where it is
   * not known.
   */
  readonly band?: readonly [low: number, high: number]
  /** Of the answer. Of generation alone where the basis is `generation`. */
  readonly standard_error: number | null
  readonly basis: IntervalBasis
  readonly support: IntervalSupport
  /** Whether chance does not explain it, among all questions of the study (beyond-chance.ts). Absent where that is not known or asked. */
  readonly beyond_chance?: boolean
  /** The column is one that a side sets: its difference was asked for. */
  readonly asked_for?: true
}

/** What the seed says, reweighted to both scenarios. */
export interface Answer {
  readonly against: number
  readonly scenario: number
  readonly difference: number
  /** Of Student's t; absent: the normal distribution. */
  readonly degrees_of_freedom?: number
  /** Below 50 effective rows: the seed's difference mixed with the rows'. It is nearer to the truth on average, and too small. */
  readonly with_model?: number
}

/** For the values that are not missing. */
export interface NumericStatistics {
  readonly n: number
  readonly mean: number
  readonly sd: number | null
  /** Null on a side of several replicates, as the other quantiles are. */
  readonly q05: number | null
  readonly q25: number | null
  readonly q50: number | null
  readonly q75: number | null
  readonly q95: number | null
  /** Absent where no bins are known that fit both sides. */
  readonly histogram?: Histogram
}
