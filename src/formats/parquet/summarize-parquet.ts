import type { DuckDBType } from '@duckdb/node-api'
import type { Bins } from '../../base/bins.ts'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  type CombinedCounts,
  combinedCounts,
  type GroupSummary,
  type LevelCounts,
  MAX_LEVELS,
  missingColumn,
  type NumericSummary,
  QUANTILES,
  type RangeCounts,
  type ReadArtifactOptions,
  type RowTest,
  requestOf,
  type SegmentSummary,
  sortedCounts,
  tooManyCombinations,
  tooManyLevels,
} from '../reading/artifact-summary.ts'
import {
  DuckDBTypeId,
  DuckDbSession,
  FRACTIONS,
  LOCAL_TIMES,
  sqlText,
  WHOLE_NUMBERS,
} from '../reading/duckdb-session.ts'
import { countRules } from '../reading/rule-query.ts'
import { type MeasuredColumn, quantilesOf, segmentsOf } from '../reading/segment-queries.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { topLevelNames } from './parquet-columns.ts'

/** Counts a Parquet file in DuckDB. One thread: sums of doubles depend on their sequence. */
export async function summarizeParquet(
  path: string,
  request: ArtifactRequest,
  options: ReadArtifactOptions,
): Promise<ArtifactSummary> {
  const session = await DuckDbSession.open({ ...options, threads: 1, readPaths: [path] })
  try {
    return await summarize(session, await openParquet(session, path), request)
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof TypeError || error instanceof RangeError) throw error
    if (/out of memory|could not allocate|no space left|interrupted/i.test(String(error))) throw error
    throw new UnreadableFileError('The parquet file is damaged or was cut short: it could not be read to its end.', {
      cause: error,
    })
  } finally {
    await session.close()
  }
}

interface Opened {
  readonly rows: number
  readonly names: readonly string[]
  readonly measured: (name: string, index: number) => MeasuredColumn
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

/** Text stays text, so that `01` stays `01`; an empty field is missing. */
function measuredText(name: string, column: string): MeasuredColumn {
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

function measured(name: string, column: string, type: DuckDBType): MeasuredColumn {
  const id = type.typeId
  // Concatenated with an empty text: grouping directly from the reader's dictionaries turns nulls into stray bytes
  // (DuckDB 1.5.5).
  const text = `(CAST(${column} AS VARCHAR) || '')`
  if (LOCAL_TIMES.has(id) || id === DuckDBTypeId.TIMESTAMP_TZ) {
    const time = id === DuckDBTypeId.TIMESTAMP_TZ ? `timezone('UTC', ${column})` : `CAST(${column} AS TIMESTAMP)`
    return { name, level: text, number: `CAST(epoch_ms(${time}) AS DOUBLE)`, notANumber: 'false', isDate: true }
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
  const column = (name: string): MeasuredColumn => {
    const index = names.indexOf(name)
    if (index < 0) throw missingColumn(name, names)
    return opened.measured(name, index)
  }
  const counted = await countTable(session, { table: 'file', rows: opened.rows, column }, request)
  const ranges = new Map<string, RangeCounts>()
  for (const [name, range] of request.ranges) ranges.set(name, await countRange(session, column(name), range))
  const tables: CombinedCounts[] = []
  for (const columns of request.tables ?? []) tables.push(await countCombinations(session, columns.map(column)))
  const groups = new Map<string, GroupSummary>()
  for (const [i, group] of (request.groups ?? []).entries()) {
    const table = `group_${i}`
    const tests = group.where.map((test) => passes(column(test.column), test))
    await session.run(`CREATE VIEW ${table} AS SELECT * FROM file WHERE ${tests.join(' AND ')}`)
    const [row] = await session.rows(`SELECT count(*) FROM ${table}`)
    groups.set(group.name, await countTable(session, { table, rows: Number(row?.[0]), column }, requestOf(group)))
  }
  return {
    ...{ ...counted, columns: names, ranges },
    ...(request.tables && { tables }),
    ...(request.rules && { rules: await countRules(session, column, request.rules) }),
    ...(request.groups && { groups }),
  }
}

/** Whether a row passes, as SQL; a missing value does not. */
function passes({ level, number }: MeasuredColumn, test: RowTest): string {
  if ('levels' in test) return `coalesce(${level} IN (${[...test.levels].map(sqlText).join(', ')}), false)`
  const bound = (value: number) => `CAST('${value}' AS DOUBLE)`
  return `coalesce(${number} >= ${bound(test.min)} AND ${number} <= ${bound(test.max)}, false)`
}

/** A table with the columns of the file. */
interface CountedTable {
  readonly table: string
  readonly rows: number
  readonly column: (name: string) => MeasuredColumn
}

async function countTable(
  session: DuckDbSession,
  { table, rows, column }: CountedTable,
  request: ArtifactRequest,
): Promise<GroupSummary> {
  const shares = new Map<string, LevelCounts>()
  for (const name of request.shares) shares.set(name, await countLevels(session, table, column(name)))
  const numeric = new Map<string, NumericSummary>()
  for (const name of request.numeric) {
    const edges = request.bins?.get(name)
    const described = await describe(session, table, column(name), rows, request.quantiles?.get(name))
    const bins = edges === undefined ? {} : { bins: await countBins(session, table, column(name), edges) }
    numeric.set(name, { ...described, ...bins })
  }
  if (request.segments === undefined) return { rows, shares, numeric }
  const segments = new Map<string, ReadonlyMap<string, SegmentSummary>>()
  for (const asked of request.segments) segments.set(asked.by, await segmentsOf(session, table, column, asked))
  return { rows, shares, numeric, segments }
}

async function countLevels(session: DuckDbSession, table: string, column: MeasuredColumn): Promise<LevelCounts> {
  const rows = await session.rows(
    `SELECT ${column.level} AS l, count(*) FROM ${table} GROUP BY 1 LIMIT ${MAX_LEVELS + 2}`,
  )
  if (rows.length > MAX_LEVELS + 1) {
    throw tooManyLevels(column.name)
  }
  const counts = new Map<string, number>()
  let missing = 0
  for (const [level, n] of rows) {
    if (level === null) missing = Number(n)
    else counts.set(level as string, Number(n))
  }
  return { counts: sortedCounts(counts), missing }
}

async function countCombinations(session: DuckDbSession, columns: readonly MeasuredColumn[]): Promise<CombinedCounts> {
  const names = columns.map(({ name }) => name)
  const levels = columns.map((_, i) => `l${i}`)
  const rows = await session.rows(
    `SELECT ${levels.join(', ')}, count(*) FROM (SELECT ${columns.map(({ level }, i) => `${level} AS l${i}`).join(', ')} FROM file)
     WHERE ${levels.map((level) => `${level} IS NOT NULL`).join(' AND ')} GROUP BY ${levels.join(', ')} LIMIT ${MAX_LEVELS + 1}`,
  )
  if (rows.length > MAX_LEVELS) throw tooManyCombinations(names)
  return combinedCounts(names, new Map(rows.map((row) => [JSON.stringify(row.slice(0, -1)), Number(row.at(-1))])))
}

async function countRange(
  session: DuckDbSession,
  column: MeasuredColumn,
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

async function countBins(
  session: DuckDbSession,
  table: string,
  column: MeasuredColumn,
  edges: readonly number[],
): Promise<Bins> {
  const edge = (i: number) => `CAST('${edges[i]}' AS DOUBLE)`
  const last = edges.length - 1
  const counts = Array.from({ length: last }, (_, i) => {
    const end = i + 1 === last ? '<=' : '<'
    return `count(*) FILTER (x >= ${edge(i)} AND x ${end} ${edge(i + 1)})`
  })
  const [row = []] = await session.rows(
    `SELECT count(*) FILTER (x < ${edge(0)}), count(*) FILTER (x > ${edge(last)}), ${counts.join(', ')}
     FROM (SELECT ${column.number} AS x FROM ${table}) WHERE isfinite(x)`,
  )
  const [below, above, ...inside] = row.map(Number)
  return { edges, counts: inside, below: below!, above: above! }
}

async function describe(
  session: DuckDbSession,
  table: string,
  column: MeasuredColumn,
  rows: number,
  shares: readonly number[] = [],
): Promise<NumericSummary> {
  const quantiles = [...QUANTILES, ...shares].map((p) => `quantile_cont(x, ${p})`)
  const ask = (scale: string) =>
    session.rows(
      `SELECT count(x), favg(x), stddev_samp(x / ${scale}) * ${scale}, ${quantiles.join(', ')}
       FROM (SELECT ${column.number} AS x FROM ${table}) WHERE isfinite(x)`,
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
    ...quantilesOf(Number(count), at, shares),
  }
}

/** SQL of a Parquet column's values as the texts of their levels; NULL where missing. */
export const levelText = (column: string, type: DuckDBType): string => measured('', column, type).level
