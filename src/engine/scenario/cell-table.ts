/** Cells of the conditioned categorical columns. K  cells, D  conditioned categorical columns (the first D of the order) */
export interface CellTable {
  /** K × D, row-major: codes, in the order's sequence of columns; cells ascend lexicographically. */
  readonly codes: Int32Array
  /** Length K: probability of the cell in the model when nothing is conditioned. */
  readonly probabilities: Float64Array
  /**
   * Part of the probability of all allowed cells that stands in cells which were sampled, each for the cells like it that
   * were not; 0 where all cells are there.
   */
  readonly sampledShare: number
}
