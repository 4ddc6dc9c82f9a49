import type { Rule } from '../../base/rules/rule.ts'
import type { SurveyDesign } from '../weighting/survey-design.ts'

/**
 * The cleaned table that a model is trained on.
 *
 * n  rows held here: all clean rows, or a deterministic sample of them
 * N  clean rows of the seed file (`seedRows`)
 *
 * Typed arrays of length n; missing in a validity mask or as code -1.
 */
export interface Table {
  readonly rowCount: number
  readonly seedRows: number
  readonly columns: readonly TableColumn[]
  /** Length n: case weights, mean 1; absent where all rows count alike. */
  readonly weights?: Float64Array | undefined
  /** Columns that the author of the seed made of others; absent where there are none. */
  readonly formulas?: readonly MadeOfColumns[] | undefined
  /** What the author of the seed says that rows follow; absent: nothing. */
  readonly rules?: readonly Rule<number>[] | undefined
  /** How the rows were drawn; absent where nobody said. */
  readonly design?: SurveyDesign | undefined
}

/** A numeric column that is made of others, by their indices: the mean of at least `least` values, or the first minus the second. */
export interface MadeOfColumns {
  readonly target: number
  readonly form: 'mean' | 'difference'
  readonly of: readonly number[]
  readonly least: number
}

export type TableColumn = CategoricalColumn | NumericColumn

interface TableColumnBase {
  /** Cleaned name. */
  readonly name: string
  /** Header in the seed file. */
  readonly sourceName: string
  /** Share of missing among all clean rows of the seed, in [0, 1]; levels merged into missing included. */
  readonly missingShare: number
}

export interface CategoricalColumn extends TableColumnBase {
  readonly kind: 'categorical'
  /** Retained levels, most frequent in the seed first, ties by UTF-16 order. */
  readonly levels: readonly string[]
  /** Length n; index into `levels`, -1 = missing. */
  readonly codes: Int32Array
  /** Levels are the decimal text of whole numbers, and are written as integers. */
  readonly integer: boolean
  /** The declared order of the levels, ascending; absent: none. It may name levels that were not retained. */
  readonly order?: readonly string[] | undefined
}

export interface NumericColumn extends TableColumnBase {
  readonly kind: 'numeric'
  /** Dates and times are numbers here: milliseconds since 1970-01-01T00:00:00Z. */
  readonly format: 'date' | 'date-time' | null
  /** Length n; arbitrary when `valid` is 0. */
  readonly values: Float64Array
  readonly valid: Uint8Array
  readonly integer: boolean
  readonly decimals: number
  /** Smallest and largest value of the seed. */
  readonly min: number
  readonly max: number
}
