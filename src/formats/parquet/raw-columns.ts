import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { RawColumn } from '../../base/raw-table.ts'
import { numberColumn, TextCodes, textColumn } from '../columns/build-column.ts'
import { presentText } from '../columns/value-forms.ts'
import { DuckDBDoubleVector, DuckDBIntegerVector, type DuckDbSession } from '../reading/duckdb-session.ts'
import type { ColumnProfile, Levels, LevelsOf } from './column-profile.ts'
import { trimmedSql } from './value-sql.ts'

type NumberProfile = Extract<ColumnProfile, { type: 'number' | 'date' | 'date-time' }>
type TextProfile = Extract<ColumnProfile, { type: 'text' | 'boolean' }>

/** Texts with at most this many different spellings are fetched as codes, which is twenty times faster than as strings. */
const MAX_ENUM = 20_000

/**
 * Reads the sampled rows into typed arrays.
 *
 * n  sampled rows
 *
 * @param rows SQL source of exactly those rows, with the columns that the profiles' values name and `row_at`, which
 * sorts them.
 */
export async function readRawColumns(
  session: DuckDbSession,
  rows: string,
  sampleRows: number,
  profiles: readonly ColumnProfile[],
  levelsOf: LevelsOf,
): Promise<RawColumn[]> {
  const selected: string[] = []
  const spellings: (readonly string[] | null)[] = []
  for (const [i, profile] of profiles.entries()) {
    spellings.push('rawTable' in profile && isFewEnough(profile) ? await createEnum(session, i, profile) : null)
    if (!('rawTable' in profile)) selected.push(`coalesce(${profile.value}, 'nan'::DOUBLE) AS c${i}`)
    else
      selected.push(
        spellings[i] === null
          ? `${profile.value} AS c${i}`
          : `coalesce(enum_code(TRY_CAST(${profile.value} AS spelling_${i}))::INTEGER, -1) AS c${i}`,
      )
  }
  // Sorted in the outer query: DuckDB drops the sorting of a subquery when it has two threads.
  await session.run(`CREATE TABLE sample AS SELECT ${selected.join(', ')} FROM ${rows} ORDER BY row_at`)
  const columns: RawColumn[] = []
  for (const [i, profile] of profiles.entries()) {
    columns.push(
      'rawTable' in profile
        ? await readTexts(session, i, sampleRows, profile, spellings[i] ?? null, levelsOf(profile.source.name))
        : await readNumbers(session, i, sampleRows, profile),
    )
  }
  return columns
}

function isFewEnough(profile: TextProfile): boolean {
  return profile.rawDistinct > 0 && profile.rawDistinct <= MAX_ENUM
}

/** Creates an enumeration of the spellings of a column, perhaps without missing ones; returns them by code. */
async function createEnum(session: DuckDbSession, i: number, profile: TextProfile): Promise<string[]> {
  const spellings = (await session.rows(`SELECT g FROM ${profile.rawTable} ORDER BY g`)).map((row) => row[0] as string)
  await session.run(`CREATE TYPE spelling_${i} AS ENUM (SELECT g FROM ${profile.rawTable} ORDER BY g)`)
  return spellings
}

async function readNumbers(
  session: DuckDbSession,
  i: number,
  sampleRows: number,
  profile: NumberProfile,
): Promise<RawColumn> {
  const values = new Float64Array(sampleRows)
  let length = 0
  for await (const chunk of session.chunks(`SELECT c${i} FROM sample`)) {
    values.set(doubles(chunk), length)
    length += chunk.rowCount
  }
  const { type, source, missing, distinct, min, max, decimals, counts } = profile
  return numberColumn({ type, name: source.name, missing, distinct, min, max, decimals, counts }, values)
}

// `items` of the vectors below is public at run time and missing from some typings.

function doubles(chunk: DuckDBDataChunk): Float64Array {
  const vector = chunk.getColumnVector(0)
  if (!(vector instanceof DuckDBDoubleVector)) throw new TypeError('a numeric column came back as something else')
  return (vector as unknown as { items: Float64Array }).items.subarray(0, chunk.rowCount)
}

function integers(chunk: DuckDBDataChunk): Int32Array {
  const vector = chunk.getColumnVector(0)
  if (!(vector instanceof DuckDBIntegerVector)) throw new TypeError('codes came back as something else')
  return (vector as unknown as { items: Int32Array }).items.subarray(0, chunk.rowCount)
}

async function readTexts(
  session: DuckDbSession,
  i: number,
  sampleRows: number,
  profile: TextProfile,
  spellings: readonly string[] | null,
  levels: Levels,
): Promise<RawColumn> {
  const present = (raw: string) => (levels === 'all' ? raw.trim() : presentText(raw, levels))
  const texts = new TextCodes()
  const codes = new Int32Array(sampleRows)
  if (spellings === null) await readStrings(session, i, texts, codes, present)
  else await readEnum(session, i, spellings, texts, codes, present)
  // Do not load a table of millions of texts into JavaScript for a few of them.
  const wanted = spellings === null ? `SELECT ${trimmedSql(`c${i}`)} FROM sample` : null
  const { type, source, missing, distinct } = profile
  const facts = { type, name: source.name, missing, distinct }
  return textColumn(facts, texts, codes, await countTexts(session, profile, texts, wanted))
}

async function readStrings(
  session: DuckDbSession,
  i: number,
  texts: TextCodes,
  codes: Int32Array,
  present: (raw: string) => string | null,
): Promise<void> {
  let row = 0
  for await (const chunk of session.chunks(`SELECT c${i} FROM sample`)) {
    for (const raw of chunk.getColumnValues(0)) {
      codes[row++] = raw === null ? -1 : texts.codeFor(present(raw as string))
    }
  }
}

async function readEnum(
  session: DuckDbSession,
  i: number,
  spellings: readonly string[],
  texts: TextCodes,
  codes: Int32Array,
  present: (raw: string) => string | null,
): Promise<void> {
  const unseen = -2
  const codeOfSpelling = new Int32Array(spellings.length).fill(unseen)
  let row = 0
  for await (const chunk of session.chunks(`SELECT c${i} FROM sample`)) {
    for (const spelling of integers(chunk)) {
      if (spelling >= 0 && codeOfSpelling[spelling] === unseen) {
        codeOfSpelling[spelling] = texts.codeFor(present(spellings[spelling]!))
      }
      codes[row++] = spelling < 0 ? -1 : codeOfSpelling[spelling]!
    }
  }
}

/**
 * Counts over the whole file, by code.
 *
 * @param wanted SQL of the values to be counted; null: all.
 */
async function countTexts(
  session: DuckDbSession,
  profile: TextProfile,
  texts: TextCodes,
  wanted: string | null,
): Promise<Float64Array> {
  const counts = new Float64Array(texts.size)
  const where = wanted === null ? '' : ` WHERE v IN (${wanted})`
  for await (const chunk of session.chunks(`SELECT v, n::DOUBLE FROM ${profile.table}${where}`)) {
    const values = chunk.getColumnValues(0)
    const numbers = chunk.getColumnValues(1)
    for (const [row, value] of values.entries()) {
      const code = texts.find(value as string)
      if (code !== undefined) counts[code] = numbers[row] as number
    }
  }
  return counts
}
