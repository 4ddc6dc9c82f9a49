/**
 * Columns and blocks of a table on its way from the engine into a file.
 *
 * b  rows of a block
 */
export type OutputColumn =
  | {
      readonly name: string
      readonly kind: 'categorical'
      readonly levels: readonly string[]
      readonly integer: boolean
    }
  | { readonly name: string; readonly kind: 'numeric'; readonly integer: boolean; readonly decimals: number }
  | { readonly name: string; readonly kind: 'date' | 'date-time' }

/** Values of one column in a block, by the column's kind; `valid` null = nothing is missing. */
export type BlockColumn =
  /** Length b: index into `levels`, -1 = missing. */
  | { readonly codes: Int32Array }
  /** Length b: numbers, or milliseconds since 1970 for dates; arbitrary where `valid` is 0. */
  | { readonly values: Float64Array; readonly valid: Uint8Array | null }

export interface Block {
  readonly rowCount: number
  readonly columns: readonly BlockColumn[]
}
