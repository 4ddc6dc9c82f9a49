import { type DuckDbSession, sqlText } from '../duckdb-session.ts'
import type { RawTable } from '../raw-table.ts'
import { csvSource, type EvenCsv } from './csv-source.ts'

/** What is loaded: a file itself or its even copy. */
export interface LoadableCsv extends EvenCsv {
  readonly records: number
  /** The first record is the header. */
  readonly headerInFile: boolean
}

export interface LoadedRecords {
  readonly rowCount: number
  readonly dropped: RawTable['droppedRows']
}

const DATA = 0
const EMPTY = 1
const HEADER = 2

/**
 * Loads all records as text into the table `records` (columns `c0`, `c1`, …), without those that are wholly empty or repeat the header.
 *
 * @returns null when DuckDB refuses the file, finds another number of records than the own count, or does not find the header.
 */
export async function loadRecords(
  session: DuckDbSession,
  file: LoadableCsv,
  header: readonly string[] | null,
): Promise<LoadedRecords | null> {
  const columns = Array.from({ length: file.width }, (_, i) => `c${i}`)
  const empty = columns.map((c) => `(${c} IS NULL OR trim(${c}) = '')`).join(' AND ')
  const same = columns.map((c, i) => `coalesce(${c}, '') = ${sqlText(header?.[i] ?? '')}`).join(' AND ')
  const kind = `CASE WHEN ${empty} THEN ${EMPTY} WHEN ${header === null ? 'false' : same} THEN ${HEADER} ELSE ${DATA} END`
  try {
    await session.run(
      `CREATE OR REPLACE TABLE records AS SELECT *, CAST(${kind} AS TINYINT) AS kind FROM ${csvSource(file, true)}`,
    )
  } catch (error) {
    if (/out of memory|could not allocate|no space left|interrupted/i.test(String(error))) throw error
    return null
  }
  const counts = [0, 0, 0]
  for (const [found, n] of await session.rows('SELECT kind, count(*) FROM records GROUP BY kind')) {
    counts[Number(found)] = Number(n)
  }
  const [data, emptyRows, headers] = counts as [number, number, number]
  const repeatedHeader = headers - (file.headerInFile ? 1 : 0)
  if (data + emptyRows + headers !== file.records || repeatedHeader < 0) return null
  if (emptyRows + headers > 0) await session.run(`DELETE FROM records WHERE kind <> ${DATA}`)
  return { rowCount: data, dropped: { empty: emptyRows, repeatedHeader } }
}
