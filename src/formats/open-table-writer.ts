import type { OutputColumn } from '../base/output-table.ts'
import type { OutputFormat } from '../base/result-formats.ts'
import type { TableWriter, TableWriterOptions } from './writing/table-writer.ts'

/**
 * Opens a file for writing, block by block, in bounded memory. The same columns and blocks give the same bytes.
 *
 * What each column becomes:
 *
 * | kind | parquet | arrow | csv |
 * | --- | --- | --- | --- |
 * | categorical | VARCHAR | dictionary of Utf8 | text |
 * | categorical, integer | INTEGER, or BIGINT where a level needs it | Int32 or Int64 | whole number |
 * | numeric, integer | BIGINT | Int64 | whole number |
 * | numeric | DOUBLE, rounded to the column's decimals | Float64, rounded | with the column's decimals |
 * | date | DATE | Date32 | 2024-12-31 |
 * | date-time | TIMESTAMP | Timestamp[ms] | 2024-12-31T23:59:59 |
 *
 * @throws {RangeError} without columns, or with two of one name.
 */
export async function openTableWriter(
  path: string,
  format: OutputFormat,
  columns: readonly OutputColumn[],
  options: TableWriterOptions,
): Promise<TableWriter> {
  if (columns.length === 0) throw new RangeError('a table needs at least one column')
  const names = new Set(columns.map((column) => column.name))
  if (names.size < columns.length) throw new RangeError('two columns have the same name')
  // Each library is loaded only if needed: DuckDB costs 0.2 s, apache-arrow 0.08 s.
  switch (format) {
    case 'parquet': {
      const { ParquetWriter } = await import('./parquet/parquet-writer.ts')
      return ParquetWriter.open(path, columns, options)
    }
    case 'arrow': {
      const { ArrowWriter } = await import('./arrow/arrow-writer.ts')
      return ArrowWriter.open(path, columns, options)
    }
    case 'csv': {
      const { CsvWriter } = await import('./csv/csv-writer.ts')
      return CsvWriter.open(path, columns, options)
    }
  }
}
