import type { Block, OutputColumn } from '../../base/output-table.ts'

export interface TableWriter {
  /** Appends a block; its columns are in the sequence of the writer's columns. */
  write(block: Block): Promise<void>
  /** Completes the file. No bytes are valid before this resolves. */
  close(): Promise<void>
  /** Stops and removes everything that was written. */
  abort(): Promise<void>
}

/** How much a writer may put on the disk. An exception of its members ends the writing. */
export interface WriteAllowance {
  /** Called with a number of bytes before they are written to the file, or as soon as a library has written them. */
  take(bytes: number): void
  /** How many more bytes may be written now; also bounds temporary data. */
  leftBytes(): number
}

export interface TableWriterOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** Default 512; for Parquet only, because the others hold one block. */
  readonly memoryLimitMb?: number
  /** Key → text in the footer of a Parquet file; other formats have no place for it. */
  readonly metadata?: ReadonlyMap<string, string> | undefined
  /** Whether the file takes a few megabytes at most, so that a database which stays open writes it; default false. */
  readonly isSmall?: boolean
  /** Whether the rows go on from those of another file, which `joinTables` puts before this one; default false. */
  readonly isContinuation?: boolean
  /** Default: no limit. */
  readonly allowance?: WriteAllowance | undefined
}

/**
 * Rows that show how many bytes a CSV row takes. The first rows are representative, because rows are in random
 * sequence.
 */
const SAMPLE_ROWS = 1_024

/**
 * Splits a block in two: a few rows first, whose size predicts the size of all. Only for files whose bytes do not
 * depend on blocks.
 */
export function sampleFirst(block: Block): readonly Block[] {
  if (block.rowCount <= SAMPLE_ROWS) return [block]
  return [part(block, 0, SAMPLE_ROWS), part(block, SAMPLE_ROWS, block.rowCount)]
}

function part({ columns }: Block, start: number, end: number): Block {
  return {
    rowCount: end - start,
    columns: columns.map((column) =>
      'codes' in column
        ? { codes: column.codes.subarray(start, end) }
        : { values: column.values.subarray(start, end), valid: column.valid?.subarray(start, end) ?? null },
    ),
  }
}

/** Bytes of an Arrow file with this many rows, from the widths of its columns: levels once, then a number per row. */
export function arrowBytes(columns: readonly OutputColumn[], rowCount: number): number {
  let bytes = 0
  for (const column of columns) {
    const isDictionary = column.kind === 'categorical' && !column.integer
    if (isDictionary) for (const level of column.levels) bytes += Buffer.byteLength(level) + 4
    const width = column.kind === 'categorical' || column.kind === 'date' ? 4 : 8
    bytes += rowCount * (width + 1 / 8)
  }
  return bytes
}
