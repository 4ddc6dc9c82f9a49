export interface ReadTableOptions {
  /** Rows held in memory at most; more are sampled. */
  readonly maxSampleRows: number
  /** Values held in memory at most: fewer rows of a table with many columns. */
  readonly maxSampleCells: number
  /** Existing or new folder for what does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** Default 2. */
  readonly threads?: number
  /** Of the reading itself, without the arrays given back. Default 512, of delimited text and sheets 256. */
  readonly memoryLimitMb?: number
  /** Ends the reading; it rejects with the signal's reason, or with what was broken off. */
  readonly signal?: AbortSignal
}
