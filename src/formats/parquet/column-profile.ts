import { MAX_COUNTS } from '../columns/build-column.ts'
import { ColumnRemarks } from '../columns/column-remarks.ts'
import { BEYOND_DOUBLES } from '../columns/column-type.ts'
import type { DuckDbSession } from '../reading/duckdb-session.ts'
import { decimalsSql, hasOuterBlanksSql, isMissingSql, isUnsafeIntegerSql, trimmedSql } from './value-sql.ts'

/** A column of a relation in DuckDB with one row for each row of the file. */
export interface SourceColumn {
  /** Unique in the table. */
  readonly name: string
  /** SQL over the relation. */
  readonly expression: string
  /** `time`: a TIMESTAMP. */
  readonly declared: 'text' | 'boolean' | 'number' | 'time'
}

/** Texts that are present although they look like words for missing values. */
export type Levels = ReadonlySet<string> | 'all' | undefined

/** By the column's name. */
export type LevelsOf = (column: string) => Levels

interface ProfileBase {
  readonly source: SourceColumn
  readonly missing: number
  readonly distinct: number
  /** SQL over the relation: DOUBLE, NULL when missing, for numbers and times; the raw text for texts. */
  readonly value: string
}

/** Facts about a column from the whole file. */
export type ColumnProfile =
  | (ProfileBase & {
      readonly type: 'number' | 'date' | 'date-time'
      readonly min: number
      readonly max: number
      readonly decimals: number
      readonly counts: ReadonlyMap<number, number> | null
    })
  | (ProfileBase & {
      readonly type: 'text' | 'boolean'
      /** Table of the texts as they are in the file, `g`, and their number. */
      readonly rawTable: string
      readonly rawDistinct: number
      /** Table of the values `v` with their counts `n`. */
      readonly table: string
    })

/**
 * Profiles every column of `relation` over all its rows: one grouping per column, everything else from the distinct
 * values. Leaves the tables of distinct texts in the session for `raw-columns.ts`.
 */
export async function profileColumns(
  session: DuckDbSession,
  relation: string,
  rowCount: number,
  columns: readonly SourceColumn[],
  levelsOf: LevelsOf,
): Promise<{ profiles: ColumnProfile[]; remarks: ColumnRemarks }> {
  const remarks = new ColumnRemarks()
  for (const [i, column] of columns.entries())
    await groupValues(session, i, relation, column, remarks, levelsOf(column.name))
  const profiles: ColumnProfile[] = []
  for (const [i, column] of columns.entries()) {
    profiles.push(await profileColumn(session, i, rowCount, column, remarks))
  }
  return { profiles, remarks }
}

async function groupValues(
  session: DuckDbSession,
  i: number,
  relation: string,
  column: SourceColumn,
  remarks: ColumnRemarks,
  levels: Levels,
): Promise<void> {
  if (column.declared === 'time') await remarkStrangeTimes(session, relation, column, remarks)
  await session.run(`CREATE TABLE ${rawTable(i)} AS ${rawSql(relation, column)}`)
  await createDistinct(session, i, column, remarks, levels)
}

async function profileColumn(
  session: DuckDbSession,
  i: number,
  rowCount: number,
  column: SourceColumn,
  remarks: ColumnRemarks,
): Promise<ColumnProfile> {
  const table = distinctTable(i)
  switch (column.declared) {
    case 'number': {
      const [row] = await session.rows(`SELECT count(*) FILTER (${isUnsafeIntegerSql('v')}) FROM ${table}`)
      if (Number(row?.[0]) === 0) return profileNumbers(session, table, rowCount, column)
      remarks.has(column.name, BEYOND_DOUBLES)
      return profileTexts(session, i, rowCount, column)
    }
    case 'time':
      return profileTimes(session, table, rowCount, column)
    default:
      return profileTexts(session, i, rowCount, column)
  }
}

function distinctTable(i: number): string {
  return `distinct_${i}`
}

function rawTable(i: number): string {
  return `raw_${i}`
}

/** Distinct values as they are in the file, with their counts. */
function rawSql(relation: string, { expression, declared }: SourceColumn): string {
  const present = {
    text: `${expression} IS NOT NULL`,
    boolean: `${expression} IS NOT NULL`,
    number: `coalesce(isfinite(CAST(${expression} AS DOUBLE)), false)`,
    time: `coalesce(${isTellableSql(expression)}, false)`,
  }[declared]
  const grouped = declared === 'boolean' ? `CAST(${expression} AS VARCHAR)` : expression
  return `SELECT ${grouped} AS g, count(*) AS n FROM ${relation} WHERE ${present} GROUP BY 1`
}

/** Whether RFC 3339, with its four-digit years, can express a time; files hold years up to 294,247. */
function isTellableSql(time: string): string {
  return `(isfinite(${time}) AND ${time} BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999')`
}

async function remarkStrangeTimes(
  session: DuckDbSession,
  relation: string,
  { name, expression }: SourceColumn,
  remarks: ColumnRemarks,
): Promise<void> {
  const [row] = await session.rows(
    `SELECT count(*) FROM ${relation} WHERE ${expression} IS NOT NULL AND NOT ${isTellableSql(expression)}`,
  )
  if (Number(row?.[0]) > 0) {
    remarks.has(name, 'times before the year 1 or after the year 9999, which were taken as missing')
  }
}

/** Creates the distinct values, trimmed and never missing, with their counts: columns `v` and `n`. */
async function createDistinct(
  session: DuckDbSession,
  i: number,
  { name, declared }: SourceColumn,
  remarks: ColumnRemarks,
  levels: Levels,
): Promise<void> {
  const isMissing = (v: string) => isMissingSql(v, levels)
  if (declared === 'number') {
    return session.run(`CREATE TABLE ${distinctTable(i)} AS SELECT CAST(g AS VARCHAR) AS v, n FROM ${rawTable(i)}`)
  }
  if (declared === 'text') {
    const [row] = await session.rows(`SELECT count(*) FILTER (${hasOuterBlanksSql('g')}) FROM ${rawTable(i)}`)
    if (Number(row?.[0]) > 0) {
      const words = await session.rows(
        `SELECT v, sum(n) FROM (SELECT ${trimmedSql('g')} AS v, n FROM ${rawTable(i)}) WHERE ${isMissing('v')} GROUP BY v`,
      )
      remarkMissing(words, name, remarks)
      return session.run(
        `CREATE TABLE ${distinctTable(i)} AS SELECT v, sum(n) AS n
         FROM (SELECT ${trimmedSql('g')} AS v, n FROM ${rawTable(i)}) WHERE NOT ${isMissing('v')} GROUP BY 1`,
      )
    }
    // Nothing to trim, so there is nothing to group again, which saves much for a million values.
    const words = await session.rows(`DELETE FROM ${rawTable(i)} WHERE ${isMissing('g')} RETURNING g, n`)
    remarkMissing(words, name, remarks)
  }
  return session.run(`CREATE VIEW ${distinctTable(i)} AS SELECT g AS v, n FROM ${rawTable(i)}`)
}

function remarkMissing(words: readonly (readonly unknown[])[], name: string, remarks: ColumnRemarks): void {
  remarks.missing(
    name,
    words.map(([word, n]) => [String(word), Number(n)]),
  )
}

async function profileNumbers(
  session: DuckDbSession,
  table: string,
  rowCount: number,
  column: SourceColumn,
): Promise<ColumnProfile> {
  const [row] = await session.rows(
    `SELECT count(DISTINCT x), sum(n), min(x), max(x), max(d) FROM (
       SELECT CAST(v AS DOUBLE) + 0.0 AS x, n, ${decimalsSql('v')} AS d FROM ${table})`,
  )
  const [distinct, present, min, max, decimals] = (row ?? []).map(Number) as [number, number, number, number, number]
  return {
    type: 'number',
    source: column,
    missing: rowCount - present,
    distinct,
    min,
    max,
    decimals,
    counts: await valueCounts(session, distinct, `SELECT CAST(v AS DOUBLE) + 0.0 AS x, n FROM ${table}`),
    // 32-bit floats use their shortest text, so that 0.1 stays 0.1.
    value: `CASE WHEN isfinite(CAST(${column.expression} AS DOUBLE))
      THEN try_cast(CAST(${column.expression} AS VARCHAR) AS DOUBLE) + 0.0 END`,
  }
}

async function profileTimes(
  session: DuckDbSession,
  table: string,
  rowCount: number,
  column: SourceColumn,
): Promise<ColumnProfile> {
  const times = `SELECT epoch_ms(v) AS x, n FROM ${table}`
  const [row] = await session.rows(
    `SELECT count(DISTINCT x), sum(n), min(x), max(x), count(*) FILTER (x % 86400000 <> 0) FROM (${times})`,
  )
  const [distinct, filled, min, max, withTime] = (row ?? []).map(Number) as [number, number, number, number, number]
  const { expression } = column
  return {
    type: withTime > 0 ? 'date-time' : 'date',
    source: column,
    missing: rowCount - filled,
    distinct,
    min,
    max,
    decimals: 0,
    counts: await valueCounts(session, distinct, times),
    value: `CAST(CASE WHEN ${isTellableSql(expression)} THEN epoch_ms(${expression}) END AS DOUBLE)`,
  }
}

async function valueCounts(session: DuckDbSession, distinct: number, sql: string): Promise<Map<number, number> | null> {
  if (distinct > MAX_COUNTS) return null
  const rows = await session.rows(`SELECT x, sum(n) FROM (${sql}) GROUP BY x ORDER BY x`)
  return new Map(rows.map((row) => [Number(row[0]), Number(row[1])]))
}

async function profileTexts(
  session: DuckDbSession,
  i: number,
  rowCount: number,
  column: SourceColumn,
): Promise<ColumnProfile> {
  const table = distinctTable(i)
  let raw = rawTable(i)
  // Numbers that had to become texts.
  const spelled = column.declared === 'number'
  if (spelled) {
    raw = `spelled_${i}`
    await session.run(`CREATE TABLE ${raw} AS SELECT v AS g, n FROM ${table}`)
  }
  const [row] = await session.rows(`SELECT count(*), coalesce(sum(n), 0), (SELECT count(*) FROM ${raw}) FROM ${table}`)
  const [distinct, present, rawDistinct] = (row ?? []).map(Number) as [number, number, number]
  return {
    type: column.declared === 'boolean' ? 'boolean' : 'text',
    source: column,
    missing: rowCount - present,
    distinct,
    rawTable: raw,
    rawDistinct,
    table,
    value: column.declared === 'text' ? column.expression : `CAST(${column.expression} AS VARCHAR)`,
  }
}
