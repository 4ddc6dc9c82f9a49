import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { DuckDBAppender, DuckDBType } from '@duckdb/node-api'
import type { Block, BlockColumn, OutputColumn } from '../../base/output-table.ts'
import {
  BIGINT,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDbSession,
  ENUM,
  INTEGER,
  sqlName,
  sqlText,
  TIMESTAMP_MS,
} from '../reading/duckdb-session.ts'
import {
  checkBlock,
  copyCodes,
  copyInt64,
  copyNumbers,
  fitsInt32,
  levelNumbers,
  presentBits,
} from '../writing/block-values.ts'
import type { TableWriter, TableWriterOptions, WriteAllowance } from '../writing/table-writer.ts'
import { nameColumnsApart, writeOwnNames } from './name-columns-apart.ts'

/** Most rows of a DuckDB chunk. */
const CHUNK_ROWS = 2_048

/**
 * Levels are staged as an enumeration up to this number: one byte per row, and the file's dictionary without reading
 * texts (10 ms for a million rows, where texts take 68 ms). An enumeration goes whole into the dictionary of every row
 * group, so large ones gain nothing.
 */
const MAX_ENUM_LEVELS = 255

interface Plan {
  readonly column: OutputColumn
  /** Levels as numbers, for categorical columns of whole numbers. */
  readonly numbers: Float64Array | null
  /** Of the staging table. */
  readonly staged: DuckDBType
  readonly stagedSql: string
  /** SQL that converts the staged column to the file's column. */
  readonly select: (name: string) => string
}

/** The members of a vector of DuckDB's package at run time that its typings lack. */
interface OpenVector {
  readonly items: Uint8Array | Int32Array | Float64Array | BigInt64Array
  readonly validity: { data: BigUint64Array | null }
  flush(): void
}

/** A chunk that is filled and appended repeatedly; creating one costs more than filling it. */
interface Stage {
  readonly chunk: DuckDBDataChunk
  readonly vectors: readonly OpenVector[]
}

/**
 * Stages blocks in a table of DuckDB's, which spills to disk beyond its memory limit, and copies it into the file at
 * the end. The copy runs on one thread, so that row groups and dictionaries depend only on the rows.
 */
export class ParquetWriter implements TableWriter {
  readonly #path: string
  readonly #session: DuckDbSession
  readonly #appender: DuckDBAppender
  readonly #plans: readonly Plan[]
  readonly #columns: readonly OutputColumn[]
  readonly #numbers = new Float64Array(CHUNK_ROWS)
  readonly #bits = new Uint8Array(CHUNK_ROWS / 8)
  readonly #allowance: WriteAllowance | undefined
  readonly #metadata: ReadonlyMap<string, string>
  #fullStage: Stage | null = null
  #open = true

  private constructor(
    path: string,
    session: DuckDbSession,
    appender: DuckDBAppender,
    plans: readonly Plan[],
    { allowance, metadata = new Map() }: Pick<TableWriterOptions, 'allowance' | 'metadata'>,
  ) {
    this.#path = path
    this.#session = session
    this.#appender = appender
    this.#plans = plans
    this.#allowance = allowance
    this.#metadata = metadata
    this.#columns = plans.map(({ column }) => column)
  }

  static async open(
    path: string,
    columns: readonly OutputColumn[],
    options: TableWriterOptions,
  ): Promise<ParquetWriter> {
    const { allowance, metadata, isSmall, tempDir, memoryLimitMb } = options
    const session = await DuckDbSession.open({
      tempDir,
      ...(memoryLimitMb !== undefined && { memoryLimitMb }),
      threads: 1,
      isKept: isSmall ?? false,
      readPaths: [],
      writePaths: [path],
      ...(allowance !== undefined && { maxSpillBytes: allowance.leftBytes() }),
    })
    try {
      const plans: Plan[] = []
      for (const [i, column] of columns.entries()) plans.push(await plan(session, i, column))
      await session.run(
        `CREATE TEMP TABLE staged (${plans.map(({ stagedSql }, i) => `c${i} ${stagedSql}`).join(', ')})`,
      )
      const appender = await (await session.connection()).createAppender('staged')
      return new ParquetWriter(path, session, appender, plans, { allowance, metadata })
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async write(block: Block): Promise<void> {
    if (!this.#open) throw new Error('the writer is closed')
    checkBlock(block, this.#columns)
    for (let start = 0; start < block.rowCount; start += CHUNK_ROWS) {
      const end = Math.min(start + CHUNK_ROWS, block.rowCount)
      const stage = this.#stageOf(end - start)
      // Every column is written and flushed: an omitted one would crash the process on appending.
      for (const [i, plan] of this.#plans.entries()) this.#fill(stage.vectors[i]!, plan, block.columns[i]!, start, end)
      this.#appender.appendDataChunk(stage.chunk)
    }
  }

  #stageOf(rows: number): Stage {
    if (rows < CHUNK_ROWS) return this.#newStage(rows)
    this.#fullStage ??= this.#newStage(rows)
    return this.#fullStage
  }

  #newStage(rows: number): Stage {
    const chunk = DuckDBDataChunk.create(
      this.#plans.map(({ staged }) => staged),
      rows,
    )
    return { chunk, vectors: this.#plans.map((_, i) => chunk.getColumnVector(i) as unknown as OpenVector) }
  }

  #fill(vector: OpenVector, plan: Plan, source: BlockColumn, start: number, end: number): void {
    const { items, validity } = vector
    const bits = this.#bits.fill(0)
    const missing = presentBits(bits, source, start, end)
    // A mask once written stays with the chunk.
    if (missing > 0) validity.data ??= new BigUint64Array(Math.ceil((end - start) / 64))
    if (validity.data !== null) new Uint8Array(validity.data.buffer).set(bits.subarray(0, validity.data.byteLength))
    if ('codes' in source && plan.numbers === null) {
      copyCodes(items as Uint8Array | Int32Array, source.codes, start, end)
    } else {
      const numbers = this.#numbers.subarray(0, end - start)
      copyNumbers(numbers, source, plan.column, plan.numbers, start, end)
      if (plan.staged === DATE) for (let i = 0; i < numbers.length; i++) items[i] = Math.floor(numbers[i]! / DAY_MS)
      else if (items instanceof BigInt64Array) copyInt64(items, numbers, numbers.length)
      else items.set(numbers)
    }
    vector.flush()
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    try {
      this.#appender.closeSync()
      const names = nameColumnsApart(this.#columns.map(({ name }) => name))
      const select = this.#plans.map((p, i) => `${p.select(`c${i}`)} AS ${sqlName(names.written[i]!)}`)
      await watchedCopy(
        this.#session,
        this.#path,
        this.#allowance,
        `COPY (SELECT ${select.join(', ')} FROM staged) TO ${sqlText(this.#path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false${metadataSql(this.#metadata)})`,
      )
      await writeOwnNames(this.#path, names)
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

const DAY_MS = 86_400_000

function metadataSql(metadata: ReadonlyMap<string, string>): string {
  if (metadata.size === 0) return ''
  const entries = [...metadata].map(([key, value]) => `${sqlText(key)}: ${sqlText(value)}`)
  return `, KV_METADATA {${entries.join(', ')}}`
}

async function plan(session: DuckDbSession, i: number, column: OutputColumn): Promise<Plan> {
  const as = (staged: DuckDBType, numbers: Float64Array | null = null): Plan => {
    return { column, numbers, staged, stagedSql: String(staged), select: (name) => name }
  }
  switch (column.kind) {
    case 'categorical': {
      const { levels } = column
      if (column.integer) {
        const numbers = levelNumbers(levels)
        return as(fitsInt32(numbers) ? INTEGER : BIGINT, numbers)
      }
      if (levels.length === 0) return { ...as(INTEGER), select: () => 'CAST(NULL AS VARCHAR)' }
      if (levels.length <= MAX_ENUM_LEVELS) {
        return { ...as(ENUM(levels)), stagedSql: `ENUM (${levels.map(sqlText).join(', ')})` }
      }
      // The levels are a list in the statement; a code selects its text.
      await session.run(`SET VARIABLE levels_${i} = [${levels.map(sqlText).join(', ')}]`)
      return { ...as(INTEGER), select: (name) => `list_extract(getvariable('levels_${i}'), ${name} + 1)` }
    }
    case 'numeric':
      return as(column.integer ? BIGINT : DOUBLE)
    case 'date':
      return as(DATE)
    case 'date-time':
      return { ...as(TIMESTAMP_MS), select: (name) => `CAST(${name} AS TIMESTAMP)` }
  }
}

/** Interval between readings of the file's size. DuckDB writes about 10 MB in between and does not report it. */
const LOOK_MS = 20

/**
 * Runs a statement that writes the file at `path`, and ends it when the file exceeds its allowance.
 *
 * @throws the allowance's error.
 */
async function watchedCopy(
  session: DuckDbSession,
  path: string,
  allowance: WriteAllowance | undefined,
  sql: string,
): Promise<void> {
  if (allowance === undefined) return await session.run(sql)
  let takenBytes = 0
  let refusal: { readonly error: unknown } | null = null
  const look = (): void => {
    if (refusal !== null) return
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    try {
      allowance.take(bytes - takenBytes)
      takenBytes = bytes
    } catch (error) {
      refusal = { error }
      session.interrupt()
    }
  }
  const looking = setInterval(look, LOOK_MS)
  try {
    await session.run(sql)
    look()
  } catch (error) {
    throw refusal === null ? error : (refusal as { readonly error: unknown }).error
  } finally {
    clearInterval(looking)
  }
  if (refusal !== null) throw (refusal as { readonly error: unknown }).error
}
