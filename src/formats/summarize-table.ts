import { open } from 'node:fs/promises'
import type { DuckDBType } from '@duckdb/node-api'
import type { Bins } from '../base/bins.ts'
import type { CsvDialect } from './csv/csv-dialect.ts'
import { type RecordScan, scanRecords } from './csv/scan-records.ts'
import { splitRecords } from './csv/split-records.ts'
import { topLevelNames } from './parquet/parquet-columns.ts'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  type LevelCounts,
  MAX_LEVELS,
  missingColumn,
  type NumericSummary,
  QUANTILES,
  type RangeCounts,
  type ReadArtifactOptions,
  sortedCounts,
} from './reading/artifact-summary.ts'
import {
  DuckDBTypeId,
  DuckDbSession,
  FRACTIONS,
  LOCAL_TIMES,
  sqlText,
  WHOLE_NUMBERS,
} from './reading/duckdb-session.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'

const DIALECT = { delimiter: ',', quote: '"', escape: '"' } as const
const HEAD_BYTES = 1 << 20

/** A column as SQL: its level as text, and its value as a number; both NULL when missing. */
interface Measured {
  readonly name: string
  readonly level: string
  readonly number: string
  /** Present, but not a number. */
  readonly notANumber: string
}

/** Counts a Parquet or CSV file in DuckDB. One thread: sums of doubles depend on their sequence. */
export async function summarizeTable(
  path: string,
  format: 'parquet' | 'csv',
  request: ArtifactRequest,
  options: ReadArtifactOptions,
): Promise<ArtifactSummary> {
  const session = await DuckDbSession.open({ ...options, threads: 1, readPaths: [path] })
  try {
    const opened = format === 'csv' ? await openCsv(session, path, request) : await openParquet(session, path)
    return await summarize(session, opened, request)
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof TypeError || error instanceof RangeError) throw error
    if (/out of memory|could not allocate|no space left|interrupted/i.test(String(error))) throw error
    throw new UnreadableFileError(`The ${format} file is damaged or was cut short: it could not be read to its end.`, {
      cause: error,
    })
  } finally {
    await session.close()
  }
}

interface Opened {
  readonly rows: number
  readonly names: readonly string[]
  readonly measured: (name: string, index: number) => Measured
}

async function openParquet(session: DuckDbSession, path: string): Promise<Opened> {
  const file = session.readable(path)
  const source = `read_parquet(${sqlText(file)}, hive_partitioning = false, filename = false)`
  const header = await (await session.connection()).run(`SELECT * FROM ${source} LIMIT 0`)
  const names = await topLevelNames(session, file, header.columnNames())
  const types = header.columnTypes()
  await session.run(`CREATE VIEW file AS SELECT * FROM ${source} AS t(${names.map((_, i) => `c${i}`).join(', ')})`)
  // Every page is decoded, so that any damage is found.
  const seen = names.map((_, i) => `count(hash(c${i}))`)
  const [row] = await session.rows(`SELECT ${['count(*)', ...seen].join(', ')} FROM file`)
  return { rows: Number(row?.[0]), names, measured: (name, i) => measured(name, `c${i}`, types[i]!) }
}

async function openCsv(session: DuckDbSession, path: string, request: ArtifactRequest): Promise<Opened> {
  const names = await csvNames(path)
  const scan = await scanRecords(path, DIALECT, 0)
  const newLine = uniformLineEnd(scan)
  const even = scan.widths.size === 1 && scan.widths.has(names.length)
  if (!even || newLine === null || scan.openQuoteLine !== null || scan.strayQuotes > 0 || scan.invalidUtf8 !== null) {
    throw new UnreadableFileError('The CSV file is damaged or was cut short: its rows do not all have the same form.')
  }
  const { width, longestRecordBytes } = { width: names.length, longestRecordBytes: scan.longestRecordBytes }
  const file = { path: session.readable(path), dialect: DIALECT, newLine, width, longestRecordBytes }
  // Only requested columns are kept; if there are none, the first column represents the rows.
  const asked = new Set([...request.shares, ...request.ranges.keys(), ...request.numeric])
  const kept = names.flatMap((name, i) => (i === 0 || asked.has(name) ? [`c${i}`] : []))
  await session.run(`CREATE TABLE file AS SELECT ${kept.join(', ')} FROM ${csvSource(file, false)}`)
  const [row] = await session.rows('SELECT count(*), min(rowid) FROM file')
  // Empty lines are rows in a table of one column, and nothing elsewhere.
  const expected = scan.records + (names.length === 1 ? scan.blankLines : 0)
  if (Number(row?.[0]) !== expected) {
    throw new UnreadableFileError(`The CSV file has ${expected} records, of which ${row?.[0]} could be read.`)
  }
  await session.run(`DELETE FROM file WHERE rowid = ${row?.[1]}`)
  return { rows: expected - 1, names, measured: (name, i) => measuredText(name, `c${i}`) }
}

async function csvNames(path: string): Promise<readonly string[]> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const text = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\ufeff/, '')
    const [header] = splitRecords(text, DIALECT, bytesRead < HEAD_BYTES, 1).records
    if (header === undefined) throw new UnreadableFileError('The CSV file has no header.')
    return header
  } finally {
    await file.close()
  }
}

/** Text stays text, so that `01` stays `01`; an empty field is missing. */
function measuredText(name: string, column: string): Measured {
  const number = `coalesce(try_cast(${column} AS DOUBLE), CAST(epoch_ms(timezone('UTC', try_cast(${column} AS TIMESTAMPTZ))) AS DOUBLE))`
  const level = `nullif(${column}, '')`
  const isMissing = `lower(${column}) IN ('', 'na', 'nan', 'null')`
  return {
    name,
    level,
    number: `CASE WHEN NOT isnan(${number}) THEN ${number} END`,
    notANumber: `(${column} IS NOT NULL AND NOT ${isMissing} AND ${number} IS NULL)`,
  }
}

function measured(name: string, column: string, type: DuckDBType): Measured {
  const id = type.typeId
  // Concatenated with an empty text: grouping directly from the reader's dictionaries turns nulls into stray bytes
  // (DuckDB 1.5.5).
  const text = `(CAST(${column} AS VARCHAR) || '')`
  if (LOCAL_TIMES.has(id) || id === DuckDBTypeId.TIMESTAMP_TZ) {
    const time = id === DuckDBTypeId.TIMESTAMP_TZ ? `timezone('UTC', ${column})` : `CAST(${column} AS TIMESTAMP)`
    return { name, level: text, number: `CAST(epoch_ms(${time}) AS DOUBLE)`, notANumber: 'false' }
  }
  if (WHOLE_NUMBERS.has(id)) return { name, level: text, number: `CAST(${column} AS DOUBLE)`, notANumber: 'false' }
  if (FRACTIONS.has(id)) {
    // From the shortest text, so that a 32-bit 0.1 is 0.1; whole numbers without a point, like levels.
    const number = `CASE WHEN NOT isnan(CAST(${column} AS DOUBLE)) THEN CAST(${text} AS DOUBLE) END`
    const level = `CASE WHEN ${number} = floor(${number}) AND abs(${number}) < 9e15 THEN CAST(CAST(${number} AS BIGINT) AS VARCHAR)
      WHEN ${number} IS NOT NULL THEN ${text} END`
    return { name, level, number, notANumber: 'false' }
  }
  if (id === DuckDBTypeId.BOOLEAN)
    return { name, level: text, number: `CAST(${column} AS DOUBLE)`, notANumber: 'false' }
  const level = id === DuckDBTypeId.BLOB ? `try(decode(${column}))` : text
  return { ...measuredText(name, `(${level})`), level }
}

async function summarize(session: DuckDbSession, opened: Opened, request: ArtifactRequest): Promise<ArtifactSummary> {
  const { names } = opened
  const column = (name: string): Measured => {
    const index = names.indexOf(name)
    if (index < 0) throw missingColumn(name, names)
    return opened.measured(name, index)
  }
  const shares = new Map<string, LevelCounts>()
  for (const name of request.shares) shares.set(name, await countLevels(session, column(name)))
  const ranges = new Map<string, RangeCounts>()
  for (const [name, range] of request.ranges) ranges.set(name, await countRange(session, column(name), range))
  const numeric = new Map<string, NumericSummary>()
  for (const name of request.numeric) {
    const edges = request.bins?.get(name)
    const described = await describe(session, column(name), opened.rows)
    const bins = edges === undefined ? {} : { bins: await countBins(session, column(name), edges) }
    numeric.set(name, { ...described, ...bins })
  }
  return { rows: opened.rows, columns: names, shares, ranges, numeric }
}

async function countLevels(session: DuckDbSession, column: Measured): Promise<LevelCounts> {
  const rows = await session.rows(`SELECT ${column.level} AS l, count(*) FROM file GROUP BY 1 LIMIT ${MAX_LEVELS + 2}`)
  if (rows.length > MAX_LEVELS + 1) {
    throw new UnreadableFileError(`Column "${column.name}" has more than ${MAX_LEVELS} levels.`)
  }
  const counts = new Map<string, number>()
  let missing = 0
  for (const [level, n] of rows) {
    if (level === null) missing = Number(n)
    else counts.set(level as string, Number(n))
  }
  return { counts: sortedCounts(counts), missing }
}

async function countRange(
  session: DuckDbSession,
  column: Measured,
  range: { readonly min: number; readonly max: number },
): Promise<RangeCounts> {
  const bound = (value: number) => `CAST('${value}' AS DOUBLE)`
  const [row] = await session.rows(
    `SELECT min(x), max(x), count(*) FILTER (x < ${bound(range.min)} OR x > ${bound(range.max)}), count(*) FILTER (odd),
       count(*) FILTER (x IS NULL AND NOT odd)
     FROM (SELECT ${column.number} AS x, coalesce(${column.notANumber}, false) AS odd FROM file)`,
  )
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value))
  return {
    min: number(row?.[0]),
    max: number(row?.[1]),
    outside: Number(row?.[2]) + Number(row?.[3]),
    missing: Number(row?.[4]),
  }
}

async function countBins(session: DuckDbSession, column: Measured, edges: readonly number[]): Promise<Bins> {
  const edge = (i: number) => `CAST('${edges[i]}' AS DOUBLE)`
  const last = edges.length - 1
  const counts = Array.from({ length: last }, (_, i) => {
    const end = i + 1 === last ? '<=' : '<'
    return `count(*) FILTER (x >= ${edge(i)} AND x ${end} ${edge(i + 1)})`
  })
  const [row = []] = await session.rows(
    `SELECT count(*) FILTER (x < ${edge(0)}), count(*) FILTER (x > ${edge(last)}), ${counts.join(', ')}
     FROM (SELECT ${column.number} AS x FROM file) WHERE isfinite(x)`,
  )
  const [below, above, ...inside] = row.map(Number)
  return { edges, counts: inside, below: below!, above: above! }
}

async function describe(session: DuckDbSession, column: Measured, rows: number): Promise<NumericSummary> {
  const quantiles = QUANTILES.map((p) => `quantile_cont(x, ${p})`)
  const ask = (scale: string) =>
    session.rows(
      `SELECT count(x), favg(x), stddev_samp(x / ${scale}) * ${scale}, ${quantiles.join(', ')}
       FROM (SELECT ${column.number} AS x FROM file) WHERE isfinite(x)`,
    )
  // Squares beyond the largest double are refused; divided by a power of two, large values keep all their digits.
  const [row] = await ask('1.0').catch((error: unknown) => {
    if (!/stddev.* out of range/i.test(String(error))) throw error
    return ask('power(2.0, 600)')
  })
  const [count, mean, sd, ...at] = row ?? []
  return {
    count: Number(count),
    missing: rows - Number(count),
    mean: mean === null ? null : Number(mean),
    sd: sd === null ? null : Number(sd),
    quantiles: Number(count) === 0 ? null : at.map(Number),
  }
}

/** A file in which every record has the same number of fields, as DuckDB requires. */
interface EvenCsv {
  /** As returned by `DuckDbSession.readable`. */
  readonly path: string
  readonly dialect: CsvDialect
  readonly newLine: LineEnd
  readonly width: number
  readonly longestRecordBytes: number
}

type LineEnd = '\\n' | '\\r\\n' | '\\r'

/**
 * SQL that reads all records as text into columns `c0`, `c1`, …, including the header. DuckDB's sniffer is not used,
 * because it silently drops rows of uneven files.
 */
function csvSource(file: EvenCsv, parallel: boolean): string {
  const { delimiter, quote, escape: escapeMark } = file.dialect
  const columns = Array.from({ length: file.width }, (_, i) => `'c${i}': 'VARCHAR'`)
  return `read_csv(${sqlText(file.path)}, auto_detect = false, header = false, compression = 'none', encoding = 'utf-8',
    delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(escapeMark)}, new_line = '${file.newLine}',
    columns = {${columns.join(', ')}}, null_padding = false, ignore_errors = false, hive_partitioning = false,
    max_line_size = ${Math.max(1 << 21, file.longestRecordBytes + 1024)}, parallel = ${parallel})`
}

/** Null when line ends are mixed. */
function uniformLineEnd(scan: RecordScan): LineEnd | null {
  const { lf, crlf, cr } = scan.lineEnds
  if (crlf === 0 && cr === 0) return '\\n'
  if (lf === 0 && cr === 0) return '\\r\\n'
  return lf === 0 && crlf === 0 ? '\\r' : null
}

/** SQL of a Parquet column's values as the texts of their levels; NULL where missing. */
export const levelText = (column: string, type: DuckDBType): string => measured('', column, type).level
