import type { DuckDBType } from '@duckdb/node-api'
import {
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  type DuckDbSession,
  FRACTIONS,
  LOCAL_TIMES,
  sqlText,
  WHOLE_NUMBERS,
} from '../reading/duckdb-session.ts'
import type { SourceColumn } from './column-profile.ts'

/** A readable column of a Parquet file, or why it cannot be read. Names are not unique yet. */
export type ParquetColumn = ReadableColumn | { readonly name: string; readonly skipped: string }

export interface ReadableColumn extends SourceColumn {
  /** SQL: unpacked bytes of a value, found without reading them; NULL when there is none. */
  readonly valueBytes: string
  /** Whether its texts are lists, as in `["tea","milk"]`. */
  readonly hasLists?: true
}

/** Bytes of a number or a time, and of the length of a text. */
const WORD_BYTES = 8

const TEXTS = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.UUID,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIME_TZ,
  DuckDBTypeId.TIME_NS,
])

/**
 * How to read a column of a given type: structures become one column per field, `address.city`; lists of texts or whole
 * numbers become texts, `["tea","milk"]`, which are several answers in a cell; other lists and maps are skipped.
 *
 * @param expression SQL that gives the column.
 */
export function parquetColumns(name: string, expression: string, type: DuckDBType): ParquetColumn[] {
  const id = type.typeId
  const word = `CASE WHEN ${expression} IS NOT NULL THEN ${WORD_BYTES} END`
  if (type instanceof DuckDBStructType) {
    return type.entryNames.flatMap((field, i) =>
      parquetColumns(`${name}.${field}`, `struct_extract(${expression}, ${sqlText(field)})`, type.entryTypes[i]!),
    )
  }
  if (id === DuckDBTypeId.BOOLEAN) return [{ name, expression, declared: 'boolean', valueBytes: word }]
  if (WHOLE_NUMBERS.has(id) || FRACTIONS.has(id)) return [{ name, expression, declared: 'number', valueBytes: word }]
  if (LOCAL_TIMES.has(id))
    return [{ name, expression: `CAST(${expression} AS TIMESTAMP)`, declared: 'time', valueBytes: word }]
  if (id === DuckDBTypeId.TIMESTAMP_TZ)
    return [{ name, expression: `timezone('UTC', ${expression})`, declared: 'time', valueBytes: word }]
  // Grouping texts directly from the reader's dictionaries turns nulls into stray bytes (DuckDB 1.5.5); concatenating
  // an empty text prevents that.
  if (TEXTS.has(id)) {
    const text = `CAST(${expression} AS VARCHAR)`
    return [{ name, expression: `(${text} || '')`, declared: 'text', valueBytes: `(strlen(${text}) + ${WORD_BYTES})` }]
  }
  // Old writers did not mark their bytes as text; `read-parquet.ts` has verified that they are, or skips the column.
  if (id === DuckDBTypeId.BLOB) {
    const valueBytes = `(octet_length(${expression}) + ${WORD_BYTES})`
    return [{ name, expression: `try(decode(${expression}))`, declared: 'text', valueBytes }]
  }
  if (
    type instanceof DuckDBListType &&
    (LISTED.has(type.valueType.typeId) || WHOLE_NUMBERS.has(type.valueType.typeId))
  ) {
    const text = listText(expression)
    return [
      { name, expression: text, declared: 'text', valueBytes: `(strlen(${text}) + ${WORD_BYTES})`, hasLists: true },
    ]
  }
  const what =
    type instanceof DuckDBListType || type instanceof DuckDBMapType || id === DuckDBTypeId.ARRAY
      ? 'lists of values; to use them, write a column for each'
      : 'values of a kind that cannot be modelled'
  return [{ name, skipped: `The column holds ${what}.` }]
}

const LISTED = new Set([DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM])

/** SQL: a list as the text that cleaning splits. Quotation marks within an answer become single ones; no text has the separator. */
function listText(expression: string): string {
  const joined = `array_to_string(CAST(${expression} AS VARCHAR[]), chr(31))`
  const answers = `replace(replace(${joined}, '"', ''''), chr(31), '","')`
  return `CASE WHEN len(${expression}) = 0 THEN '[]' ELSE '["' || ${answers} || '"]' END`
}

/**
 * Names of a Parquet file's columns as written in the file: DuckDB renames empty ones, and repeated ones, ignoring
 * case.
 *
 * @param given DuckDB's names, which are returned if they cannot be matched to the file's schema.
 */
export async function topLevelNames(
  session: DuckDbSession,
  path: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const schema = await session.rows(`SELECT name, coalesce(num_children, 0) FROM parquet_schema(${sqlText(path)})`)
  const names: string[] = []
  // The schema is a tree in depth-first sequence below its root.
  for (let at = 1; at < schema.length; ) {
    names.push(String(schema[at]?.[0]))
    for (let open = 1; open > 0 && at < schema.length; at++) open += Number(schema[at]?.[1]) - 1
  }
  return names.length === given.length ? names : given
}
