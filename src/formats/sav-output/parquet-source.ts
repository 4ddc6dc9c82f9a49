import type { DuckDBType } from '@duckdb/node-api'
import { parquetColumns, topLevelNames } from '../parquet/parquet-columns.ts'
import { DuckDBTypeId, type DuckDbSession, FRACTIONS, sqlText } from '../reading/duckdb-session.ts'

/** A column of the view `file`. */
export interface SourceColumn {
  readonly name: string
  /** SQL of its values. */
  readonly sql: string
  readonly kind: 'text' | 'boolean' | 'integer' | 'fraction' | 'date' | 'date-time'
}

export interface ParquetSource {
  readonly rows: number
  readonly columns: readonly SourceColumn[]
  /** Columns whose values are lists, structures or of other kinds without a single value. */
  readonly skipped: readonly string[]
}

/** Makes the view `file` of a Parquet file, with the columns `c0`, `c1` and so on. */
export async function openParquetSource(session: DuckDbSession, path: string): Promise<ParquetSource> {
  const file = session.readable(path)
  const source = `read_parquet(${sqlText(file)}, hive_partitioning = false, filename = false)`
  const header = await (await session.connection()).run(`SELECT * FROM ${source} LIMIT 0`)
  const names = await topLevelNames(session, file, header.columnNames())
  const types = header.columnTypes()
  await session.run(`CREATE VIEW file AS SELECT * FROM ${source} AS t(${names.map((_, i) => `c${i}`).join(', ')})`)
  const [count] = await session.rows('SELECT count(*) FROM file')
  const columns: SourceColumn[] = []
  const skipped: string[] = []
  for (const [i, name] of names.entries()) {
    const column = sourceColumn(name, `c${i}`, types[i]!)
    if (column === null) skipped.push(name)
    else columns.push(column)
  }
  return { rows: Number(count?.[0]), columns, skipped }
}

function sourceColumn(name: string, value: string, type: DuckDBType): SourceColumn | null {
  const [column, ...others] = parquetColumns(name, value, type)
  if (column === undefined || others.length > 0 || 'skipped' in column || column.name !== name) return null
  const { expression: sql, declared } = column
  switch (declared) {
    case 'boolean':
      return { name, sql, kind: 'boolean' }
    case 'number':
      return { name, sql, kind: FRACTIONS.has(type.typeId) ? 'fraction' : 'integer' }
    case 'time':
      return { name, sql, kind: type.typeId === DuckDBTypeId.DATE ? 'date' : 'date-time' }
    case 'text':
      return { name, sql, kind: 'text' }
  }
}
