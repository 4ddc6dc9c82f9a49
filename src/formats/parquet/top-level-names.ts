import { type DuckDbSession, sqlText } from '../duckdb-session.ts'

/**
 * Names of a Parquet file's columns as they stand in the file: DuckDB gives names of its own to empty ones, and to those that
 * are repeated, with other capital letters too.
 *
 * @param given DuckDB's names, which are returned where the file's schema cannot be laid beside them.
 */
export async function topLevelNames(
  session: DuckDbSession,
  path: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const schema = await session.rows(`SELECT name, coalesce(num_children, 0) FROM parquet_schema(${sqlText(path)})`)
  const names: string[] = []
  // The schema is a tree in depth-first order below its root.
  for (let at = 1; at < schema.length; ) {
    names.push(String(schema[at]?.[0]))
    for (let open = 1; open > 0 && at < schema.length; at++) open += Number(schema[at]?.[1]) - 1
  }
  return names.length === given.length ? names : given
}
