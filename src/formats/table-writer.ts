/**
 * Columns and blocks of a table on its way into a file; what the engine's generator produces.
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

export type WriteFormat = 'parquet' | 'csv' | 'arrow'

export interface TableWriter {
  /** Appends a block; its columns are in the order of the writer's columns. */
  write(block: Block): Promise<void>
  /** Completes the file. No bytes are valid before this resolves. */
  close(): Promise<void>
  /** Gives up and removes what was written. */
  abort(): Promise<void>
}

/** How much a writer may put on the disk. What its members throw ends the writing. */
export interface WriteAllowance {
  /** Told of bytes before they are written to the file, or as soon as they are where a library writes them. */
  take(bytes: number): void
  /** How many more may be taken now, which also bounds what does not fit into memory. */
  leftBytes(): number
}

export interface TableWriterOptions {
  /** Existing or new folder for what does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** Default 512; of Parquet only, the others hold one block. */
  readonly memoryLimitMb?: number
  /** Default: whatever the disk takes. */
  readonly allowance?: WriteAllowance | undefined
}
