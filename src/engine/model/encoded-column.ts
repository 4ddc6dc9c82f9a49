/**
 * The dictionary of a column: the meaning of its codes.
 *
 * K  codes of the column (`codeCount`)     V  distinct values of a numeric column     B  its bins
 */

export type EncodedColumn = EncodedCategorical | EncodedNumeric

interface EncodedBase {
  readonly name: string
  readonly sourceName: string
  readonly missingShare: number
  /** 1: code 0 means missing, and values start at code 1. 0: nothing was missing, values start at code 0. */
  readonly missing: 0 | 1
  /** K: codes run from 0 to K - 1, missing included. */
  readonly codeCount: number
}

export interface EncodedCategorical extends EncodedBase {
  readonly kind: 'categorical'
  /** The table's levels in the table's order; the code of level i is i + `missing`. */
  readonly levels: readonly string[]
  readonly integer: boolean
  /** The declared order of the levels, ascending; absent: none. */
  readonly order?: readonly string[] | undefined
}

/**
 * Bin b (code b + `missing`) holds the observed values values[binStart[b]] … values[binStart[b + 1] - 1].
 * Bins ascend and do not overlap.
 */
export interface EncodedNumeric extends EncodedBase {
  readonly kind: 'numeric'
  readonly format: 'date' | 'date-time' | null
  readonly integer: boolean
  readonly decimals: number
  /** Smallest and largest value of the seed; those of the sample are values[0] and values[V - 1]. */
  readonly min: number
  readonly max: number
  /** Length V, ascending: distinct values of the training sample. */
  readonly values: Float64Array
  /** Length V + 1: cumulative[i] = training rows with a value before values[i]. */
  readonly cumulative: Float64Array
  /** Length B + 1. */
  readonly binStart: Int32Array
  /**
   * Whether rare values (see decode.ts) represent the gap around them. False: only observed values are ever generated.
   */
  readonly jitter: boolean
  /**
   * Length V: 1 where a band of another column begins (see derivations/band-edges.ts), which no value may cross; null if there is
   * none. Bins are cut there.
   */
  readonly bandStarts: Uint8Array | null
  /**
   * Generated values are (origin + step · k) / scale for whole k: `scale` = 10^decimals, `step` = greatest common
   * divisor of the observed differences in units of 1 / scale (100 for prices in whole hundreds, 86,400,000 for dates).
   * Null where the units exceed 2^53 or a value is not on the grid of its decimals: values are then unrounded.
   */
  readonly lattice: { readonly scale: number; readonly step: number; readonly origin: number } | null
}
