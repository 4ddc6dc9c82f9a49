import { BIGINT, DuckDBBigIntVector, DuckDBDataChunk } from '@duckdb/node-api'
import type { DuckDbSession } from './duckdb-session.ts'
import { sampleRowIndexes } from './row-sample.ts'

export interface ChosenRows {
  /** SQL source of the rows chosen, in the order of the file. */
  readonly source: string
  readonly rows: number
}

/**
 * All rows of `relation`, or a deterministic sample where there are more than `maxRows`. Rows count
 * from 0 in the order in which the relation is scanned, which DuckDB keeps.
 */
export async function chosenRows(
  session: DuckDbSession,
  relation: string,
  rowCount: number,
  maxRows: number,
): Promise<ChosenRows> {
  if (rowCount <= maxRows) return { source: relation, rows: rowCount }
  await session.run('CREATE TABLE chosen (row_index BIGINT)')
  const indexes = sampleRowIndexes(rowCount, maxRows)
  const appender = await session.connection.createAppender('chosen')
  for (let start = 0; start < indexes.length; start += 2_048) {
    const part = indexes.subarray(start, start + 2_048)
    const chunk = DuckDBDataChunk.create([BIGINT], part.length)
    const vector = chunk.getColumnVector(0)
    if (!(vector instanceof DuckDBBigIntVector)) throw new TypeError('expected a column of 64-bit integers')
    for (const [i, index] of part.entries()) vector.setItem(i, BigInt(index))
    vector.flush()
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  const numbered = `(SELECT *, row_number() OVER () - 1 AS row_index FROM ${relation})`
  return { source: `(FROM ${numbered} SEMI JOIN chosen USING (row_index) ORDER BY row_index)`, rows: indexes.length }
}
