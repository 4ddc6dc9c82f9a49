import { rm } from 'node:fs/promises'
import type { DuckDBAppender, DuckDBType, DuckDBVector } from '@duckdb/node-api'
import { checkBlock, copyNumbers, fitsInt32, levelNumbers } from '../block-values.ts'
import { DOUBLE, DuckDBDataChunk, INTEGER } from '../duckdb.ts'
import { DuckDbSession, sqlName, sqlText } from '../duckdb-session.ts'
import type { Block, OutputColumn, TableWriter, TableWriterOptions } from '../table-writer.ts'

/** Rows of a DuckDB chunk at most. */
const CHUNK_ROWS = 2_048

interface Plan {
  readonly column: OutputColumn
  /** Levels as numbers, for categorical columns of whole numbers. */
  readonly numbers: Float64Array | null
  /** Of the staging table: codes or numbers, with -1 and NaN for missing, since validity masks are slow from here. */
  readonly staged: DuckDBType
  /** SQL that makes the file's column out of the staged one. */
  readonly select: (name: string) => string
}

/**
 * Stages blocks in a table of DuckDB's, which spills to disk beyond its memory limit, and copies it into the file at the end.
 * The copy runs on one thread: row groups and dictionaries then depend on the rows alone.
 */
export class ParquetWriter implements TableWriter {
  readonly #path: string
  readonly #session: DuckDbSession
  readonly #appender: DuckDBAppender
  readonly #plans: readonly Plan[]
  #open = true

  private constructor(path: string, session: DuckDbSession, appender: DuckDBAppender, plans: readonly Plan[]) {
    this.#path = path
    this.#session = session
    this.#appender = appender
    this.#plans = plans
  }

  static async open(
    path: string,
    columns: readonly OutputColumn[],
    options: TableWriterOptions,
  ): Promise<ParquetWriter> {
    const session = await DuckDbSession.open({ ...options, threads: 1, readPaths: [], writePaths: [path] })
    try {
      const plans: Plan[] = []
      for (const [i, column] of columns.entries()) plans.push(await plan(session, i, column))
      await session.run(`CREATE TABLE staged (${plans.map(({ staged }, i) => `c${i} ${staged}`).join(', ')})`)
      return new ParquetWriter(path, session, await session.connection.createAppender('staged'), plans)
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async write(block: Block): Promise<void> {
    if (!this.#open) throw new Error('the writer is closed')
    checkBlock(
      block,
      this.#plans.map(({ column }) => column),
    )
    for (let start = 0; start < block.rowCount; start += CHUNK_ROWS) {
      const end = Math.min(start + CHUNK_ROWS, block.rowCount)
      this.#appender.appendDataChunk(this.#chunk(block, start, end))
    }
  }

  /** Every column is written and flushed here: one left out would crash the process on appending. */
  #chunk(block: Block, start: number, end: number): DuckDBDataChunk {
    const chunk = DuckDBDataChunk.create(
      this.#plans.map(({ staged }) => staged),
      end - start,
    )
    for (const [i, { column, numbers }] of this.#plans.entries()) {
      const source = block.columns[i]!
      const vector = chunk.getColumnVector(i)
      if ('codes' in source && numbers === null) itemsOf(vector).set(source.codes.subarray(start, end))
      else copyNumbers(itemsOf(vector) as Float64Array, source, column, numbers, start, end)
      vector.flush()
    }
    return chunk
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    try {
      this.#appender.closeSync()
      const select = this.#plans.map((p, i) => `${p.select(`c${i}`)} AS ${sqlName(p.column.name)}`)
      await this.#session.run(
        `COPY (SELECT ${select.join(', ')} FROM staged) TO ${sqlText(this.#path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
      )
    } catch (error) {
      await rm(this.#path, { force: true })
      throw error
    } finally {
      await this.#session.close()
    }
  }

  async abort(): Promise<void> {
    if (this.#open) {
      this.#open = false
      this.#appender.closeSync()
      await this.#session.close()
    }
    await rm(this.#path, { force: true })
  }
}

async function plan(session: DuckDbSession, i: number, column: OutputColumn): Promise<Plan> {
  const filled = (name: string, value: string) => `CASE WHEN NOT isnan(${name}) THEN ${value} END`
  switch (column.kind) {
    case 'categorical': {
      if (column.integer) {
        const numbers = levelNumbers(column.levels)
        const type = fitsInt32(numbers) ? 'INTEGER' : 'BIGINT'
        return { column, numbers, staged: DOUBLE, select: (name) => filled(name, `CAST(${name} AS ${type})`) }
      }
      if (column.levels.length === 0)
        return { column, numbers: null, staged: INTEGER, select: () => 'CAST(NULL AS VARCHAR)' }
      return { column, numbers: null, staged: INTEGER, select: await levelSelect(session, i, column.levels) }
    }
    case 'numeric':
      return {
        column,
        numbers: null,
        staged: DOUBLE,
        select: (name) => filled(name, column.integer ? `CAST(${name} AS BIGINT)` : name),
      }
    case 'date':
      return {
        column,
        numbers: null,
        staged: DOUBLE,
        select: (name) => filled(name, `DATE '1970-01-01' + CAST(floor(${name} / 86400000) AS INTEGER)`),
      }
    case 'date-time':
      return {
        column,
        numbers: null,
        staged: DOUBLE,
        select: (name) => filled(name, `make_timestamp(CAST(${name} AS BIGINT) * 1000)`),
      }
  }
}

/** Levels are a list in the statement; a code picks its text. Counting from 1, so that -1 + 1 = 0 picks nothing. */
async function levelSelect(
  session: DuckDbSession,
  i: number,
  levels: readonly string[],
): Promise<(name: string) => string> {
  await session.run(`SET VARIABLE levels_${i} = [${levels.map(sqlText).join(', ')}]`)
  return (name) => `list_extract(getvariable('levels_${i}'), ${name} + 1)`
}

/** Public at run time and missing from the typings. */
function itemsOf(vector: DuckDBVector): Int32Array | Float64Array {
  return (vector as unknown as { items: Int32Array | Float64Array }).items
}
