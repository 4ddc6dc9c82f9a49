import {
  DuckDBDataChunk,
  DuckDBIntegerVector,
  DuckDBVarCharVector,
  type DuckDbSession,
  INTEGER,
  VARCHAR,
} from '../reading/duckdb-session.ts'
import type { TextCounts } from './text-counts.ts'

const CHUNK_ROWS = 2_048

/** Tables of the texts of columns, for SQL queries: `id`, the text as `c` and the number of the column, and `n`. */
export class StoredTexts {
  readonly #session: DuckDbSession
  readonly #columns = new Set<number>()

  constructor(session: DuckDbSession) {
    this.#session = session
  }

  /** Whether texts of a column were stored. */
  has(column: number): boolean {
    return this.#columns.has(column)
  }

  relationOf(column: number): string {
    return `texts_${column}`
  }

  /** Adds the texts that were counted. */
  async add(column: number, texts: TextCounts): Promise<void> {
    const table = this.relationOf(column)
    if (!this.#columns.has(column)) {
      await this.#session.run(`CREATE TABLE ${table} (id INTEGER, c${column} VARCHAR, n INTEGER)`)
      this.#columns.add(column)
    }
    const appender = await (await this.#session.connection()).createAppender(table)
    const counts = texts.counts()
    const { firstId } = texts
    const ids: number[] = []
    const end = firstId + texts.size
    for (let id = firstId; id < end; id++) {
      if (counts[id - firstId]! > 0) ids.push(id)
      if (ids.length === CHUNK_ROWS || (id === end - 1 && ids.length > 0)) {
        const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR, INTEGER], ids.length)
        setIntegers(chunk, 0, ids)
        const strings = chunk.getColumnVector(1)
        if (!(strings instanceof DuckDBVarCharVector)) throw new TypeError('expected a column of texts')
        for (const [i, textId] of ids.entries()) strings.setItem(i, texts.textOf(textId))
        strings.flush()
        setIntegers(
          chunk,
          2,
          ids.map((textId) => counts[textId - firstId]!),
        )
        appender.appendDataChunk(chunk)
        ids.length = 0
      }
    }
    appender.closeSync()
  }

  /**
   * Creates a table of ids, `id`, and returns its name.
   *
   * @param isWanted by id: 1 when the table must have it.
   */
  async addWanted(column: number, isWanted: Uint8Array): Promise<string> {
    const table = `wanted_${column}`
    await this.#session.run(`CREATE TABLE ${table} (id INTEGER)`)
    const appender = await (await this.#session.connection()).createAppender(table)
    const ids: number[] = []
    for (let id = 0; id < isWanted.length; id++) {
      if (isWanted[id] === 1) ids.push(id)
      if (ids.length === CHUNK_ROWS || (id === isWanted.length - 1 && ids.length > 0)) {
        const chunk = DuckDBDataChunk.create([INTEGER], ids.length)
        setIntegers(chunk, 0, ids)
        appender.appendDataChunk(chunk)
        ids.length = 0
      }
    }
    appender.closeSync()
    return table
  }
}

function setIntegers(chunk: DuckDBDataChunk, column: number, numbers: readonly number[]): void {
  const vector = chunk.getColumnVector(column)
  if (!(vector instanceof DuckDBIntegerVector)) throw new TypeError('expected a column of whole numbers')
  for (const [i, number] of numbers.entries()) vector.setItem(i, number)
  vector.flush()
}
