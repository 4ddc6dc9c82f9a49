import type { Block } from '../base/output-table.ts'

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
