import { open } from 'node:fs/promises'
import { countText } from '../base/text/amount-text.ts'
import { damagedParquet } from './reading/damaged-parquet.ts'
import { type DuckDBDataChunk, DuckDBDoubleVector, DuckDbSession } from './reading/duckdb-session.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'
import { CaseCompressor } from './sav-output/case-compressor.ts'
import { dictionaryBytes } from './sav-output/dictionary-bytes.ts'
import { openParquetSource } from './sav-output/parquet-source.ts'
import { type PlannedVariable, planVariables, type SavColumn } from './sav-output/plan-variables.ts'

export interface WriteSavOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  readonly signal?: AbortSignal
}

/**
 * Makes an SPSS system file of a Parquet file: UTF-8, compressed by bytecode, in bounded memory. Equal files and columns
 * give equal bytes.
 *
 * | column | variable |
 * | --- | --- |
 * | text with at most 20,000 levels | number with value labels |
 * | other text | string |
 * | number, truth value | number |
 * | date | DATE11, in seconds since 14 October 1582 |
 * | time | DATETIME20, the same |
 *
 * Missing values are system-missing; a missing string is blank.
 *
 * @param columns what is known about the columns, by their name in the Parquet file.
 * @param target a new file; what was written stays when an error is thrown.
 * @returns notes about what the file cannot hold.
 * @throws {UnreadableFileError} when the Parquet file is damaged; and the signal's reason.
 */
export async function writeSav(
  source: string,
  target: string,
  columns: ReadonlyMap<string, SavColumn>,
  { tempDir, signal }: WriteSavOptions,
): Promise<{ readonly notes: readonly string[] }> {
  // One thread: several give rows in another sequence.
  const session = await DuckDbSession.open({ tempDir, readPaths: [source], threads: 1, ...(signal && { signal }) })
  try {
    const file = await openParquetSource(session, source)
    const { variables, notes } = await planVariables(session, file, columns)
    if (variables.length === 0) throw new UnreadableFileError('The file has no column that SPSS can hold.')
    await writeFile(target, session, file.rows, variables)
    return { notes }
  } catch (error) {
    throw damagedParquet(error, signal)
  } finally {
    await session.close()
  }
}

async function writeFile(
  target: string,
  session: DuckDbSession,
  rows: number,
  variables: readonly PlannedVariable[],
): Promise<void> {
  const file = await open(target, 'wx', 0o644)
  try {
    const written = variables.map(({ variable }) => variable)
    await file.writeFile(dictionaryBytes(written, rows))
    const cases = new CaseCompressor()
    let count = 0
    for await (const chunk of session.chunks(`SELECT ${variables.map(({ sql }) => sql).join(', ')} FROM file`)) {
      const values = variables.map((planned, i) => valuesOf(chunk, i, planned))
      for (let row = 0; row < chunk.rowCount; row++) for (const write of values) write(cases, row)
      count += chunk.rowCount
      if (cases.isFull) await file.writeFile(cases.take())
    }
    if (count !== rows) {
      throw new UnreadableFileError(`The file has ${countText(rows)} rows, and ${countText(count)} could be read.`)
    }
    await file.writeFile(cases.finish())
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes one value of a column of the chunk. */
function valuesOf(
  chunk: DuckDBDataChunk,
  i: number,
  { codes, textBytes }: PlannedVariable,
): (cases: CaseCompressor, row: number) => void {
  if (textBytes !== null) {
    const texts = chunk.getColumnValues(i)
    return (cases, row) => cases.text(textBytes((texts[row] as string | null) ?? ''))
  }
  const numbers = doubles(chunk, i)
  if (codes === null) return (cases, row) => cases.number(numbers[row]!)
  return (cases, row) => cases.number(codes[numbers[row]!] ?? Number.NaN)
}

/** `items` is public at run time and missing from the typings. */
function doubles(chunk: DuckDBDataChunk, i: number): Float64Array {
  const vector = chunk.getColumnVector(i)
  if (!(vector instanceof DuckDBDoubleVector)) throw new TypeError('a column of numbers came back as something else')
  return (vector as unknown as { items: Float64Array }).items
}
