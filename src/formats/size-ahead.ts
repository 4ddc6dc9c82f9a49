import type { Block, OutputColumn } from '../base/output-table.ts'

/** Rows that tell how many bytes a row of CSV takes: those at the beginning are as good as any, rows come in no order. */
const SAMPLE_ROWS = 1_024

/** A block in two: few rows first, whose size tells that of all. Only for files whose bytes do not depend on blocks. */
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

/** Bytes of an Arrow file of so many rows, from the widths of its columns: levels once, then a number per row. */
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
