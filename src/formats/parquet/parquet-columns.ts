import type { DuckDBType } from '@duckdb/node-api'
import type { SourceColumn } from '../column-profile.ts'
import { DuckDBListType, DuckDBMapType, DuckDBStructType, DuckDBTypeId } from '../duckdb.ts'
import { sqlText } from '../duckdb-session.ts'

/** A column of a Parquet file as it can be read, or why it cannot. Names are not unique yet. */
export type ParquetColumn = SourceColumn | { readonly name: string; readonly skipped: string }

const NUMBERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
])

const TIMES = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
])

const TEXTS = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.UUID,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIME_TZ,
  DuckDBTypeId.TIME_NS,
])

/**
 * How to read a column of a given type: structures become one column per field, `address.city`; lists and maps have no single value
 * per row and are skipped.
 *
 * @param expression SQL that gives the column.
 */
export function parquetColumns(name: string, expression: string, type: DuckDBType): ParquetColumn[] {
  const id = type.typeId
  if (type instanceof DuckDBStructType) {
    return type.entryNames.flatMap((field, i) =>
      parquetColumns(`${name}.${field}`, `struct_extract(${expression}, ${sqlText(field)})`, type.entryTypes[i]!),
    )
  }
  if (id === DuckDBTypeId.BOOLEAN) return [{ name, expression, declared: 'boolean' }]
  if (NUMBERS.has(id)) return [{ name, expression, declared: 'number' }]
  if (TIMES.has(id)) return [{ name, expression: `CAST(${expression} AS TIMESTAMP)`, declared: 'time' }]
  if (id === DuckDBTypeId.TIMESTAMP_TZ)
    return [{ name, expression: `timezone('UTC', ${expression})`, declared: 'time' }]
  // Grouping texts straight from the reader's dictionaries turns nulls into stray bytes (DuckDB 1.5.5); joining an empty text
  // makes plain texts of them.
  if (TEXTS.has(id)) return [{ name, expression: `(CAST(${expression} AS VARCHAR) || '')`, declared: 'text' }]
  // Old writers left out that their bytes are text; `read-parquet.ts` has made sure that they are, or skips the column.
  if (id === DuckDBTypeId.BLOB) return [{ name, expression: `try(decode(${expression}))`, declared: 'text' }]
  const what =
    type instanceof DuckDBListType || type instanceof DuckDBMapType || id === DuckDBTypeId.ARRAY
      ? 'lists of values'
      : 'values of a kind that cannot be modelled'
  return [{ name, skipped: `The column holds ${what}.` }]
}
