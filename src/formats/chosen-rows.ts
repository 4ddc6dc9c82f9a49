import { BIGINT, DuckDBBigIntVector, DuckDBDataChunk } from './duckdb.ts'
import type { DuckDbSession } from './duckdb-session.ts'
import { sampleRowIndexes } from './row-sample.ts'

export interface ChosenRows {
  /** SQL source of the rows chosen, with their position as `row_at`; in no order of its own. */
  readonly source: string
  readonly rows: number
}

/**
 * All rows of `relation`, or a deterministic sample where there are more than `maxRows`.
 *
 * @param position SQL over the relation: a whole number that rises from row to row of the file, with gaps or without.
 */
export async function chosenRows(
  session: DuckDbSession,
  relation: string,
  position: string,
  rowCount: number,
  maxRows: number,
): Promise<ChosenRows> {
  const located = `SELECT *, ${position} AS row_at FROM ${relation}`
  if (rowCount <= maxRows) return { source: `(${located})`, rows: rowCount }
  const indexes = sampleRowIndexes(rowCount, maxRows)
  await appendIndexes(session, indexes)
  const [row] = await session.rows(`SELECT min(${position}), max(${position}) FROM ${relation}`)
  const [first, last] = [Number(row?.[0]), Number(row?.[1])]
  // Without gaps the index is the position but for its start; otherwise the positions are counted through, in their order.
  const positions =
    last - first + 1 === rowCount
      ? `SELECT row_index + ${first} AS chosen_at FROM chosen`
      : `SELECT chosen_at FROM (SELECT ${position} AS chosen_at, row_number() OVER (ORDER BY ${position}) - 1 AS row_index FROM ${relation})
         SEMI JOIN chosen USING (row_index)`
  await session.run(`CREATE TABLE chosen_positions AS ${positions}`)
  return {
    source: `(${located} WHERE ${position} IN (SELECT chosen_at FROM chosen_positions))`,
    rows: indexes.length,
  }
}

async function appendIndexes(session: DuckDbSession, indexes: Float64Array): Promise<void> {
  await session.run('CREATE TABLE chosen (row_index BIGINT)')
  const appender = await (await session.connection()).createAppender('chosen')
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
}
