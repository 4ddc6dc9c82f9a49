import { sqlText } from '../duckdb-session.ts'
import type { CsvDialect } from './csv-dialect.ts'
import type { RecordScan } from './scan-records.ts'

/** A file in which every record has the same number of fields, as DuckDB is told to read it. */
export interface EvenCsv {
  /** As `DuckDbSession.readable` gives it. */
  readonly path: string
  readonly dialect: CsvDialect
  readonly newLine: LineEnd
  readonly width: number
  readonly longestRecordBytes: number
}

export type LineEnd = '\\n' | '\\r\\n' | '\\r'

/**
 * SQL that reads all records as text into columns `c0`, `c1`, …, the header among them. Nothing is left to DuckDB's sniffer, which drops
 * rows of uneven files without a word.
 */
export function csvSource(file: EvenCsv, parallel: boolean): string {
  const { delimiter, quote, escape: escapeMark } = file.dialect
  const columns = Array.from({ length: file.width }, (_, i) => `'c${i}': 'VARCHAR'`)
  return `read_csv(${sqlText(file.path)}, auto_detect = false, header = false, compression = 'none', encoding = 'utf-8',
    delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(escapeMark)}, new_line = '${file.newLine}',
    columns = {${columns.join(', ')}}, null_padding = false, ignore_errors = false, hive_partitioning = false,
    max_line_size = ${Math.max(1 << 21, file.longestRecordBytes + 1024)}, parallel = ${parallel})`
}

/** Null where line ends are mixed. */
export function uniformLineEnd(scan: RecordScan): LineEnd | null {
  const { lf, crlf, cr } = scan.lineEnds
  if (crlf === 0 && cr === 0) return '\\n'
  if (lf === 0 && cr === 0) return '\\r\\n'
  return lf === 0 && crlf === 0 ? '\\r' : null
}
