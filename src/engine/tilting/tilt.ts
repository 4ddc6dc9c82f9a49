/**
 * How the rows of a scenario are made to agree with the weighted rows of the seed: while a column is sampled, the distributions of its
 * leaves are tilted by one factor for each class of codes, so that the column's margin over the rows of a batch is a mix of the
 * seed's margin and the model's own.
 *
 * K  codes of a column     k  its classes
 */

/** The margin of one column among the weighted rows of the seed. */
export interface ColumnTilt {
  /** Length K: the class of each code, 0 … k - 1. */
  readonly classOf: Uint8Array
  /** Length k: mass of each class, summing to 1. */
  readonly shares: Float64Array
  /**
   * Length K, for numbers: the mean of each code's values, less the seed's mean, over the seed's standard deviation; 0 for missing. So
   * their mean over the weighted seed is 0. Null for levels, and where all values are equal.
   */
  readonly numbers: Float64Array | null
}

export interface Tilt {
  /** Weight of the seed's margin against the model's, in (0, 1]. */
  readonly lambda: number
  /** Effective rows of the weighted seed (Kish 1965). */
  readonly effectiveRows: number
  /** By column index; null: the column is not tilted. */
  readonly columns: readonly (ColumnTilt | null)[]
}
