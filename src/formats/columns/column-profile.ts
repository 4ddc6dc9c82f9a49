import type { DuckDbSession } from '../reading/duckdb-session.ts'
import { ColumnRemarks } from './column-remarks.ts'
import { BEYOND_DOUBLES, inferTextType, settleDoubts, type TextColumnType } from './text-column-type.ts'
import {
  decimalsSql,
  hasOuterBlanksSql,
  isMarkSql,
  isMissingSql,
  isUnsafeIntegerSql,
  presentText,
  trimmedSql,
} from './value-forms.ts'

/** A column of a relation in DuckDB with one row for each row of the file. */
export interface SourceColumn {
  /** Unique in the table. */
  readonly name: string
  /** SQL over the relation. */
  readonly expression: string
  /** `untyped`: text of a CSV file, which may hold any type. `time`: a TIMESTAMP. */
  readonly declared: 'untyped' | 'text' | 'boolean' | 'number' | 'time'
}

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
      /** The value of a raw text; null = missing. */
      readonly read: (raw: string) => string | null
    })

/** Value counts of numbers are kept up to this many distinct values. */
export const MAX_COUNTS = 4_096

/** The source of a column's values, and how many rows each of its rows represents. */
export interface ValueSource {
  readonly relation: string
  /** SQL: an aggregate. */
  readonly count: string
}

/**
 * Profiles every column of `relation` over all its rows: one grouping per column, everything else from the distinct
 * values. Leaves the tables of distinct texts in the session for `raw-columns.ts`.
 */
export async function profileColumns(
  session: DuckDbSession,
  relation: string,
  rowCount: number,
  columns: readonly SourceColumn[],
  delimiter: string,
): Promise<{ profiles: ColumnProfile[]; remarks: string[] }> {
  const inferred: TextColumnType[] = []
  const remarks = new ColumnRemarks()
  for (const [i, column] of columns.entries()) {
    inferred.push(await inferColumn(session, i, { relation, count: 'count(*)' }, column, remarks))
  }
  const profiles: ColumnProfile[] = []
  for (const [i, type] of settleDoubts(inferred, delimiter).entries()) {
    profiles.push(await profileColumn(session, i, rowCount, columns[i]!, type, remarks))
  }
  return { profiles, remarks: remarks.notes() }
}

/** Groups the values of a column, and infers their common type. */
export async function inferColumn(
  session: DuckDbSession,
  i: number,
  source: ValueSource,
  column: SourceColumn,
  remarks: ColumnRemarks,
): Promise<TextColumnType> {
  if (column.declared === 'time') await remarkStrangeTimes(session, source, column, remarks)
  await session.run(`CREATE TABLE ${rawTable(i)} AS ${rawSql(source, column)}`)
  await createDistinct(session, i, column, remarks)
  return inferType(session, distinctTable(i), column)
}

/** @param i of a column that `inferColumn` has inferred. */
export async function profileColumn(
  session: DuckDbSession,
  i: number,
  rowCount: number,
  column: SourceColumn,
  type: TextColumnType,
  remarks: ColumnRemarks,
): Promise<ColumnProfile> {
  const table = distinctTable(i)
  if ('remarks' in type) for (const remark of type.remarks) remarks.has(column.name, remark)
  if (type.type === 'number') return profileNumbers(session, table, rowCount, column, type, remarks)
  if (type.type === 'time') return profileTimes(session, table, rowCount, column, type, remarks)
  return profileTexts(session, i, rowCount, column, type.type === 'boolean')
}

function distinctTable(i: number): string {
  return `distinct_${i}`
}

function rawTable(i: number): string {
  return `raw_${i}`
}

/** Distinct values as they are in the file, with their counts. */
function rawSql({ relation, count }: ValueSource, { expression, declared }: SourceColumn): string {
  const present = {
    untyped: `${expression} IS NOT NULL`,
    text: `${expression} IS NOT NULL`,
    boolean: `${expression} IS NOT NULL`,
    number: `coalesce(isfinite(CAST(${expression} AS DOUBLE)), false)`,
    time: `coalesce(${isTellableSql(expression)}, false)`,
  }[declared]
  const grouped = declared === 'boolean' ? `CAST(${expression} AS VARCHAR)` : expression
  return `SELECT ${grouped} AS g, ${count} AS n FROM ${relation} WHERE ${present} GROUP BY 1`
}

/** Whether RFC 3339, with its four-digit years, can express a time; files hold years up to 294,247. */
function isTellableSql(time: string): string {
  return `(isfinite(${time}) AND ${time} BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999')`
}

async function remarkStrangeTimes(
  session: DuckDbSession,
  { relation, count }: ValueSource,
  { name, expression }: SourceColumn,
  remarks: ColumnRemarks,
): Promise<void> {
  const [row] = await session.rows(
    `SELECT ${count} FROM ${relation} WHERE ${expression} IS NOT NULL AND NOT ${isTellableSql(expression)}`,
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
): Promise<void> {
  if (declared === 'number') {
    return session.run(`CREATE TABLE ${distinctTable(i)} AS SELECT CAST(g AS VARCHAR) AS v, n FROM ${rawTable(i)}`)
  }
  if (declared === 'text' || declared === 'untyped') {
    const [row] = await session.rows(`SELECT count(*) FILTER (${hasOuterBlanksSql('g')}) FROM ${rawTable(i)}`)
    if (Number(row?.[0]) > 0) {
      const words = await session.rows(
        `SELECT v, sum(n) FROM (SELECT ${trimmedSql('g')} AS v, n FROM ${rawTable(i)}) WHERE ${isMissingSql('v')} GROUP BY v`,
      )
      remarkMissing(words, name, remarks)
      return session.run(
        `CREATE TABLE ${distinctTable(i)} AS SELECT v, sum(n) AS n
         FROM (SELECT ${trimmedSql('g')} AS v, n FROM ${rawTable(i)}) WHERE NOT ${isMissingSql('v')} GROUP BY 1`,
      )
    }
    // Nothing to trim, so there is nothing to group again, which saves much for a million values.
    const words = await session.rows(`DELETE FROM ${rawTable(i)} WHERE ${isMissingSql('g')} RETURNING g, n`)
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

async function inferType(session: DuckDbSession, table: string, column: SourceColumn): Promise<TextColumnType> {
  switch (column.declared) {
    case 'untyped':
      return inferTextType(session, table)
    case 'text':
      return { type: 'text', remarks: [] }
    case 'boolean':
      return { type: 'boolean', remarks: [] }
    case 'number': {
      const [row] = await session.rows(`SELECT count(*) FILTER (${isUnsafeIntegerSql('v')}) FROM ${table}`)
      return Number(row?.[0]) > 0
        ? { type: 'text', remarks: [BEYOND_DOUBLES] }
        : { type: 'number', form: DECLARED_NUMBER, remarks: [] }
    }
    case 'time':
      return { type: 'time', form: DECLARED_TIME, remarks: [] }
  }
}

const DECLARED_NUMBER = { name: 'standard', pattern: '', standardText: (v: string) => v } as const
const DECLARED_TIME = { name: 'iso', pattern: '', timestamp: (v: string) => v } as const

type InferredAs<T extends TextColumnType['type']> = Extract<TextColumnType, { type: T }>

async function profileNumbers(
  session: DuckDbSession,
  table: string,
  rowCount: number,
  column: SourceColumn,
  type: InferredAs<'number'>,
  remarks: ColumnRemarks,
): Promise<ColumnProfile> {
  const text = type.form.standardText('v')
  const [row] = await session.rows(
    `SELECT count(DISTINCT x), sum(n), min(x), max(x), max(d) FROM (
       SELECT CAST(${text} AS DOUBLE) + 0.0 AS x, n, ${decimalsSql(text)} AS d FROM ${table} WHERE NOT ${isMarkSql('v')})`,
  )
  const [distinct, present, min, max, decimals] = (row ?? []).map(Number) as [number, number, number, number, number]
  await remarkMarks(session, table, column, remarks)
  return {
    type: 'number',
    source: column,
    missing: rowCount - present,
    distinct,
    min,
    max,
    decimals,
    counts: await valueCounts(
      session,
      distinct,
      `SELECT CAST(${text} AS DOUBLE) + 0.0 AS x, n FROM ${table} WHERE NOT ${isMarkSql('v')}`,
    ),
    value: numberValueSql(column, type),
  }
}

/** Number of a row; 32-bit floats use their shortest text, so that 0.1 stays 0.1. */
function numberValueSql(column: SourceColumn, type: InferredAs<'number'>): string {
  if (column.declared !== 'untyped') {
    return `CASE WHEN isfinite(CAST(${column.expression} AS DOUBLE))
      THEN try_cast(CAST(${column.expression} AS VARCHAR) AS DOUBLE) + 0.0 END`
  }
  // Values that are not finite numbers are missing: the type was inferred from all values. DuckDB trims ASCII blanks
  // itself.
  const direct = `try_cast(${type.form.standardText(column.expression)} AS DOUBLE)`
  const parsed = `coalesce(${direct}, try_cast(${type.form.standardText(trimmedSql(column.expression))} AS DOUBLE))`
  return `CASE WHEN isfinite(${parsed}) THEN ${parsed} + 0.0 END`
}

async function profileTimes(
  session: DuckDbSession,
  table: string,
  rowCount: number,
  column: SourceColumn,
  type: InferredAs<'time'>,
  remarks: ColumnRemarks,
): Promise<ColumnProfile> {
  const typed = column.declared === 'time'
  const present = typed ? 'true' : `NOT ${isMarkSql('v')}`
  const time = type.form.timestamp('v')
  const [row] = await session.rows(
    `SELECT count(DISTINCT x), sum(n), min(x), max(x), count(*) FILTER (x % 86400000 <> 0) FROM (
       SELECT epoch_ms(${time}) AS x, n FROM ${table} WHERE ${present})`,
  )
  const [distinct, filled, min, max, withTime] = (row ?? []).map(Number) as [number, number, number, number, number]
  if (!typed) await remarkMarks(session, table, column, remarks)
  const text = trimmedSql(column.expression)
  const value = typed
    ? `CASE WHEN ${isTellableSql(column.expression)} THEN epoch_ms(${column.expression}) END`
    : `epoch_ms(${type.form.timestamp(`CASE WHEN NOT ${isMissingSql(text)} AND NOT ${isMarkSql(text)} THEN ${text} END`)})`
  return {
    type: withTime > 0 ? 'date-time' : 'date',
    source: column,
    missing: rowCount - filled,
    distinct,
    min,
    max,
    decimals: 0,
    counts: await valueCounts(session, distinct, `SELECT epoch_ms(${time}) AS x, n FROM ${table} WHERE ${present}`),
    value: `CAST(${value} AS DOUBLE)`,
  }
}

async function valueCounts(session: DuckDbSession, distinct: number, sql: string): Promise<Map<number, number> | null> {
  if (distinct > MAX_COUNTS) return null
  const rows = await session.rows(`SELECT x, sum(n) FROM (${sql}) GROUP BY x ORDER BY x`)
  return new Map(rows.map((row) => [Number(row[0]), Number(row[1])]))
}

async function remarkMarks(
  session: DuckDbSession,
  table: string,
  column: SourceColumn,
  remarks: ColumnRemarks,
): Promise<void> {
  if (column.declared !== 'untyped') return
  const rows = await session.rows(`SELECT v, n FROM ${table} WHERE ${isMarkSql('v')}`)
  remarkMissing(rows, column.name, remarks)
}

async function profileTexts(
  session: DuckDbSession,
  i: number,
  rowCount: number,
  column: SourceColumn,
  isBoolean: boolean,
): Promise<ColumnProfile> {
  let table = distinctTable(i)
  let raw = rawTable(i)
  // Numbers that had to become texts.
  const spelled = column.declared === 'number'
  if (spelled) {
    raw = `spelled_${i}`
    await session.run(`CREATE TABLE ${raw} AS SELECT v AS g, n FROM ${table}`)
  }
  const lowered = isBoolean && column.declared === 'untyped'
  if (lowered) {
    await session.run(`CREATE TABLE words_${i} AS SELECT lower(v) AS v, sum(n) AS n FROM ${table} GROUP BY 1`)
    table = `words_${i}`
  }
  const [row] = await session.rows(`SELECT count(*), coalesce(sum(n), 0), (SELECT count(*) FROM ${raw}) FROM ${table}`)
  const [distinct, present, rawDistinct] = (row ?? []).map(Number) as [number, number, number]
  return {
    type: isBoolean ? 'boolean' : 'text',
    source: column,
    missing: rowCount - present,
    distinct,
    rawTable: raw,
    rawDistinct,
    table,
    value: spelled || column.declared === 'boolean' ? `CAST(${column.expression} AS VARCHAR)` : column.expression,
    read: lowered ? (raw) => presentText(raw)?.toLowerCase() ?? null : presentText,
  }
}
