import { type DuckDBDataChunk, DuckDBDoubleVector } from '@duckdb/node-api'
import type { ColumnProfile } from './column-profile.ts'
import type { DuckDbSession } from './duckdb-session.ts'
import type { RawColumn } from './raw-table.ts'

/**
 * Reads the rows chosen into typed arrays.
 *
 * n  rows chosen
 *
 * @param rows SQL source of exactly those rows, with the columns that the profiles' values name; `order` puts them in the order of the file.
 */
export async function readRawColumns(
  session: DuckDbSession,
  rows: string,
  order: string,
  sampleRows: number,
  profiles: readonly ColumnProfile[],
): Promise<RawColumn[]> {
  const selected = profiles.map((profile, i) =>
    'table' in profile ? `${profile.value} AS c${i}` : `coalesce(${profile.value}, 'nan'::DOUBLE) AS c${i}`,
  )
  await session.run(`CREATE TABLE sample AS SELECT ${selected.join(', ')} FROM ${rows} ORDER BY ${order}`)
  const columns: RawColumn[] = []
  for (const [i, profile] of profiles.entries()) {
    columns.push(
      'table' in profile
        ? await readTexts(session, i, sampleRows, profile)
        : await readNumbers(session, i, sampleRows, profile),
    )
  }
  return columns
}

async function readNumbers(
  session: DuckDbSession,
  i: number,
  sampleRows: number,
  profile: Extract<ColumnProfile, { type: 'number' | 'date' | 'date-time' }>,
): Promise<RawColumn> {
  const values = new Float64Array(sampleRows)
  const valid = new Uint8Array(sampleRows)
  let length = 0
  for await (const chunk of session.chunks(`SELECT c${i} FROM sample`)) {
    values.set(doubles(chunk), length)
    length += chunk.rowCount
  }
  for (let row = 0; row < sampleRows; row++) {
    if (Number.isNaN(values[row]!)) values[row] = 0
    else valid[row] = 1
  }
  return {
    type: profile.type,
    name: profile.source.name,
    missing: profile.missing,
    distinct: profile.distinct,
    values,
    valid,
    min: profile.min,
    max: profile.max,
    decimals: profile.decimals,
    counts: profile.counts,
  }
}

function doubles(chunk: DuckDBDataChunk): Float64Array {
  const vector = chunk.getColumnVector(0)
  if (!(vector instanceof DuckDBDoubleVector)) throw new TypeError('a numeric column came back as something else')
  // `items` is public at run time and missing from the typings.
  return (vector as unknown as { items: Float64Array }).items.subarray(0, chunk.rowCount)
}

async function readTexts(
  session: DuckDbSession,
  i: number,
  sampleRows: number,
  profile: Extract<ColumnProfile, { type: 'text' | 'boolean' }>,
): Promise<RawColumn> {
  // Codes in order of appearance first; the dictionary is sorted once it is whole.
  const codes = new Int32Array(sampleRows)
  const codeOf = new Map<string, number>()
  let length = 0
  for await (const chunk of session.chunks(`SELECT c${i} FROM sample`)) {
    for (const value of chunk.getColumnValues(0)) {
      let code = -1
      if (value !== null) {
        const text = value as string
        code = codeOf.get(text) ?? -1
        if (code < 0) {
          code = codeOf.size
          codeOf.set(text, code)
        }
      }
      codes[length++] = code
    }
  }
  const dictionary = [...codeOf.keys()].sort()
  const rank = new Int32Array(dictionary.length)
  for (const [index, text] of dictionary.entries()) {
    rank[codeOf.get(text)!] = index
    codeOf.set(text, index)
  }
  for (let row = 0; row < sampleRows; row++) if (codes[row]! >= 0) codes[row] = rank[codes[row]!]!

  const counts = new Float64Array(dictionary.length)
  const distinct = `SELECT v, n::DOUBLE FROM ${profile.table} WHERE v IN (SELECT c${i} FROM sample)`
  for await (const chunk of session.chunks(distinct)) {
    const texts = chunk.getColumnValues(0)
    const numbers = chunk.getColumnValues(1)
    for (const [row, text] of texts.entries()) counts[codeOf.get(text as string)!] = numbers[row] as number
  }
  return {
    type: profile.type,
    name: profile.source.name,
    missing: profile.missing,
    distinct: profile.distinct,
    codes,
    dictionary,
    counts,
    meanWords: meanWords(dictionary),
  }
}

function meanWords(texts: readonly string[]): number {
  let words = 0
  for (const text of texts) words += text.match(/\S+/g)?.length ?? 0
  return texts.length === 0 ? 0 : words / texts.length
}
