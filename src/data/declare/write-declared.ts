import type { Block, BlockColumn, OutputColumn } from '../../base/output-table.ts'
import type { RawColumn, RawTable } from '../../base/raw-table.ts'
import { openTableWriter } from '../../formats/open-table-writer.ts'
import { columnMetadata } from '../../formats/parquet/column-notes.ts'

/** Rows that are given to the writer at a time. */
const BLOCK_ROWS = 65_536

/**
 * Writes a table as a Parquet file. The same table gives the same bytes. Orders of levels, declared types and labels go
 * into the file's metadata.
 *
 * @param tempDir existing folder for data that does not fit into memory; nothing is left there.
 */
export async function writeDeclared(path: string, table: RawTable, tempDir: string): Promise<void> {
  const { columns, sampleRows } = table
  const metadata = columnMetadata(columns, table.rules)
  const writer = await openTableWriter(path, 'parquet', columns.map(outputColumn), { tempDir, metadata })
  try {
    for (let start = 0; start < sampleRows; start += BLOCK_ROWS) {
      await writer.write(blockOf(columns, start, Math.min(start + BLOCK_ROWS, sampleRows)))
    }
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

function outputColumn(column: RawColumn): OutputColumn {
  const { name } = column
  if ('codes' in column) return { name, kind: 'categorical', levels: column.dictionary, integer: false }
  if (column.type !== 'number') return { name, kind: column.type }
  const { decimals, min, max } = column
  const isWhole = decimals === 0 && Number.isSafeInteger(min) && Number.isSafeInteger(max)
  return { name, kind: 'numeric', integer: isWhole, decimals }
}

function blockOf(columns: readonly RawColumn[], start: number, end: number): Block {
  return {
    rowCount: end - start,
    columns: columns.map(
      (column): BlockColumn =>
        'codes' in column
          ? { codes: column.codes.subarray(start, end) }
          : { values: column.values.subarray(start, end), valid: column.valid.subarray(start, end) },
    ),
  }
}
