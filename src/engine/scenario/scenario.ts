/**
 * The engine's view of a scenario: its request to a model, and its report. Wire names and units stay outside the
 * engine.
 */

import type { Disclosure } from '../disclosure/rounded-counts.ts'

/** Target share of a level among all generated rows, in [0, 1]. */
export interface ShareTarget {
  readonly column: string
  /** Level → share; unlisted levels and missing take the rest, in the proportions they have given the other conditions. */
  readonly levels: ReadonlyMap<string, number>
  /** Level → bounds of its share, of levels without a target. Absent: none. Exact disclosure alone. */
  readonly bounds?: ReadonlyMap<string, ShareBounds>
}

/** Both in [0, 1]: 0 and 1 bound nothing. What keeps its bounds by itself does not change. */
export interface ShareBounds {
  readonly min: number
  readonly max: number
}

/** Target shares of combinations of levels among all generated rows. */
export interface CellTarget {
  /** Two or more categorical columns. */
  readonly columns: readonly string[]
  /** A level of each column, and the share in [0, 1]; other combinations take the rest, as unlisted levels of a column do. */
  readonly cells: readonly { readonly levels: readonly string[]; readonly share: number }[]
}

/** Inclusive range of a numeric or date column (dates in milliseconds since 1970); excludes missing. */
export interface RangeTarget {
  readonly column: string
  readonly min: number
  readonly max: number
}

/**
 * The mean of a column among the rows that have a value lies between two ends; equal ends: it is that. Numeric columns; estimates take
 * ordinal ones whose levels are numbers, too.
 */
export interface MeanTarget {
  readonly column: string
  /** Negative infinity: no bound. */
  readonly min: number
  /** Infinity: no bound. */
  readonly max: number
}

export interface RequestedConditions {
  readonly shares: readonly ShareTarget[]
  readonly ranges: readonly RangeTarget[]
  /** Absent: none. Their columns may have shares too. Exact disclosure alone. */
  readonly cells?: readonly CellTarget[]
  /** Absent: none. A column with a mean may have a range too. Exact disclosure alone: a protected seed takes no means. */
  readonly means?: readonly MeanTarget[]
}

/**
 * How far a combination of levels may be multiplied: always up to A times its natural share, and beyond that up to M generated rows
 * for each row of the seed.
 */
export interface EvidenceCap {
  /** A, at least 1. */
  readonly naturalShareFactor: number
  /** M, at least 1. */
  readonly rowsPerSeedRow: number
}

export const DEFAULT_EVIDENCE_CAP: EvidenceCap = { naturalShareFactor: 10, rowsPerSeedRow: 100 }

export interface GenerateOptions {
  /** N: rows wanted, at least 1. */
  readonly rowCount: number
  /** Any safe integer. */
  readonly seed: number
  readonly scenario: RequestedConditions
  /** Default DEFAULT_EVIDENCE_CAP. */
  readonly evidenceCap?: EvidenceCap
  /** Default `protected`. */
  readonly disclosure?: Disclosure
  /** Worker threads; the rows do not depend on it. */
  readonly threads: number
  readonly signal?: AbortSignal
  /** 0…1. */
  readonly onProgress?: (fraction: number) => void
}

export interface BindingTarget {
  readonly column: string
  /** Absent for a range and a mean. */
  readonly level?: string
  readonly target?: number
  /** Of a mean: the nearest value that is possible with the other conditions. */
  readonly nearest?: number
  /** Seed rows that satisfy this target within the other conditions' ranges; absent if they may not be told. */
  readonly seedRows?: number
}

/** How a scenario was settled before any row was drawn (engine.md section 5 of the design notes: fill, projection). */
export interface Feasibility {
  /** R: rows that will be delivered; 0 = infeasible. */
  readonly rows: number
  /** s in [0, 1]. */
  readonly fill: number
  /**
   * n_eff = 1 / sum over cells of w^2 / e, w the cell's share of the rows (after Kish 1965). Of a protected seed rounded down as
   * rounded-counts.ts says, and 1 for fewer than ten rows of the sample.
   */
  readonly effectiveRows: number
  /**
   * The largest share of a cell among the rows over its share in the model. Of a protected seed to two digits, and cells of few
   * rows count together.
   */
  readonly largestTilt: number
  readonly evidenceCap: EvidenceCap
  /** Whether figures are exact, which is for the owner of the seed alone. */
  readonly exact: boolean
  /** The model's mass inside all ranges, among the rows of the levels that may occur; of a protected seed to two digits. */
  readonly inRangeShare: number
  /**
   * Share of the model's mass in combinations that were too many to enumerate, so that sampled ones represent them; usually 0.
   * Combinations that rows of the seed have are kept as they are, at least 25,000 of them with up to 12 columns.
   */
  readonly sampledShare: number
  /** Fewer than LOW_SUPPORT_ROWS effective rows. */
  readonly lowSupport: boolean
  /** Whether the mix is the closest to the model within a tenth of a row; if not, its rows still have the wanted shares. */
  readonly converged: boolean
  /** Filled when rows < rowCount. */
  readonly shortfall: Shortfall | null
  /** Of a scenario with a shortfall. Absent: none is known. */
  readonly nearest?: NearestMix
}

export interface Shortfall {
  readonly detail: string
  readonly binding: readonly BindingTarget[]
}

/** What has to change so that all rows can be made, and as little as possible (see nearest/). */
export interface NearestMix {
  /** The conditions that change, each complete for its column or table: they take the place of the stated ones. No ranges. */
  readonly conditions: RequestedConditions
  /** The part of the rows that would have another level than stated, summed over columns and tables; 0 where only means change. */
  readonly moved: number
}
