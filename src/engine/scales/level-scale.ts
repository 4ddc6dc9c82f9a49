/** The order of a column's levels. */
export interface LevelScale {
  /** Where the order comes from. */
  readonly source: 'codes' | 'numbers' | 'words'
  /**
   * By level: its place on the scale, ascending numbers; NaN for a level off the scale (do not know, no answer, other, not
   * applicable).
   */
  readonly values: Float64Array
}

/** Two levels have an order in any case: a scale needs more. */
export const LEAST_PLACES = 3
