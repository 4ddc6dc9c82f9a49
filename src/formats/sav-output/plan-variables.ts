import { cutToBytes, isLonger } from '../../base/text/fit-text.ts'
import { type DuckDbSession, sqlText } from '../reading/duckdb-session.ts'
import { FORMATS, MAX_VALUE_LABEL_BYTES, type SavOutputVariable, segmentWidths } from './dictionary-bytes.ts'
import { codeLevels, type KnownLevels } from './level-codes.ts'
import type { ParquetSource, SourceColumn } from './parquet-source.ts'
import { variableNames } from './variable-names.ts'

/** What is known about a column beside its values. */
export interface SavColumn extends KnownLevels {
  /** The wished name; SPSS's rules may change it. */
  readonly name: string
  readonly label: string | null
  /** Whether the levels have an order. */
  readonly isOrdered: boolean
  /** Whether the values are levels, also where they are numbers. */
  readonly isCategorical: boolean
}

/** A variable, and how its values are made. */
export interface PlannedVariable {
  readonly variable: SavOutputVariable
  /** SQL of a DOUBLE (NaN = missing), or of a text where `textBytes` is not null. */
  readonly sql: string
  /** Value by the number that the SQL gives; null: that number is the value. */
  readonly codes: Float64Array | null
  readonly textBytes: ((text: string) => Buffer) | null
}

/** A column with more levels becomes a string variable without value labels. */
const MAX_LEVELS = 20_000
const MAX_TEXT_BYTES = 32_767
/** Rows whose numbers show how many decimals a column has, and the most that are shown. */
const DECIMAL_ROWS = 1_000
const MAX_DECIMALS = 6
const MAX_NUMBER_WIDTH = 40
/** Of 1 January 1970, in seconds since 14 October 1582. */
const EPOCH_SECONDS = 12_219_379_200

/** Plans one variable per column, in the sequence of the file. */
export async function planVariables(
  session: DuckDbSession,
  { columns, skipped }: ParquetSource,
  known: ReadonlyMap<string, SavColumn>,
): Promise<{ readonly variables: readonly PlannedVariable[]; readonly notes: readonly string[] }> {
  const notes = skipped.map((name) => `Column "${name}" is left out: its values are lists or structures.`)
  const wished = columns.map(({ name }) => known.get(name)?.name ?? name)
  const names = variableNames(wished)
  const variables: PlannedVariable[] = []
  for (const [i, column] of columns.entries()) {
    const given = known.get(column.name) ?? null
    // A name that SPSS does not take is not lost.
    const label = given?.label ?? (names[i] === wished[i] ? null : wished[i]!)
    const planned = await planVariable(session, column, i, given)
    variables.push({ ...planned, variable: { ...planned.variable, name: names[i]!, label } })
    notes.push(...planned.notes)
  }
  return { variables, notes }
}

type Unnamed = Omit<PlannedVariable, 'variable'> & {
  readonly variable: Omit<SavOutputVariable, 'name' | 'label'>
  readonly notes: readonly string[]
}

async function planVariable(
  session: DuckDbSession,
  column: SourceColumn,
  i: number,
  known: SavColumn | null,
): Promise<Unnamed> {
  const measure = known?.isOrdered ? 'ordinal' : known?.isCategorical ? 'nominal' : 'scale'
  const numbers = { codes: null, textBytes: null, notes: [] }
  switch (column.kind) {
    case 'text':
      return await textVariable(session, column, i, known)
    case 'boolean': {
      const valueLabels = [[0, 'false'] as const, [1, 'true'] as const]
      const variable = { width: 0, format: shown(1, 0), valueLabels, measure: 'nominal' } as const
      return { ...numbers, variable, sql: doubleSql(`CAST(${column.sql} AS INTEGER)`) }
    }
    case 'integer':
    case 'fraction': {
      const { format, whole } = await numberFormat(session, column)
      const valueLabels = whole ? labelsOfNumbers(known) : []
      return { ...numbers, variable: { width: 0, format, valueLabels, measure }, sql: doubleSql(column.sql) }
    }
    case 'date':
    case 'date-time': {
      const isDate = column.kind === 'date'
      const format = { type: isDate ? FORMATS.DATE : FORMATS.DATETIME, width: isDate ? 11 : 20, decimals: 0 }
      const sql = doubleSql(`epoch(${column.sql}) + ${EPOCH_SECONDS}`)
      return { ...numbers, variable: { width: 0, format, valueLabels: [], measure: 'scale' }, sql }
    }
  }
}

const doubleSql = (sql: string): string => `coalesce(CAST(${sql} AS DOUBLE), 'nan'::DOUBLE)`

const shown = (width: number, decimals: number) => ({ type: FORMATS.F, width, decimals })

/** Labels of numbers, or of levels that are numbers, whose seed variable labels some of them: the ends of a scale. */
function labelsOfNumbers(known: SavColumn | null): [number, string][] {
  const labels = new Map<number, string>()
  // The first of the texts of a code is its plain label.
  for (const [text, code] of known?.seedCodes ?? []) if (!labels.has(code)) labels.set(code, text)
  return [...labels].sort(([a], [b]) => a - b)
}

/** The format that shows all digits of the largest number and the decimals of the first rows. */
async function numberFormat(session: DuckDbSession, { sql, kind }: SourceColumn) {
  const [row] = await session.rows(`SELECT max(abs(CAST(${sql} AS DOUBLE))), min(CAST(${sql} AS DOUBLE)) < 0 FROM file`)
  const largest = Math.floor(Number(row?.[0] ?? 0))
  const digits = (Number.isFinite(largest) ? BigInt(largest).toString().length : 1) + (row?.[1] === true ? 1 : 0)
  let decimals = 0
  if (kind === 'fraction') {
    const first = await session.rows(`SELECT CAST(${sql} AS DOUBLE) FROM file LIMIT ${DECIMAL_ROWS}`)
    for (const [value] of first) decimals = Math.max(decimals, decimalsOf(Number(value ?? 0)))
  }
  const width = Math.min(MAX_NUMBER_WIDTH, Math.max(8, digits + (decimals > 0 ? decimals + 1 : 0)))
  return { format: shown(width, Math.min(decimals, width - 2)), whole: decimals === 0 }
}

function decimalsOf(value: number): number {
  const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.min(MAX_DECIMALS, Math.max(0, decimals.length - Number(exponent)))
}

async function textVariable(
  session: DuckDbSession,
  { name, sql }: SourceColumn,
  i: number,
  known: SavColumn | null,
): Promise<Unnamed> {
  const distinct = `SELECT DISTINCT ${sql} AS g FROM file WHERE ${sql} IS NOT NULL`
  const found = (await session.rows(`SELECT g FROM (${distinct}) ORDER BY g LIMIT ${MAX_LEVELS + 1}`)).map(([text]) =>
    String(text),
  )
  if (found.length > MAX_LEVELS) return await stringVariable(session, name, sql)
  const { codes, isLabelled } = codeLevels(known ?? { levels: [], seedCodes: null }, found)
  const valueLabels = isLabelled
    ? [...codes].map(([text, code]) => [code, text] as const).sort(([a], [b]) => a - b)
    : labelsOfNumbers(known)
  const long = valueLabels.filter(([, text]) => isLonger(text, MAX_VALUE_LABEL_BYTES))
  if (found.length > 0) await session.run(`CREATE TYPE level_${i} AS ENUM (${found.map(sqlText).join(', ')})`)
  let largest = 1
  for (const code of codes.values()) largest = Math.max(largest, String(code).length)
  const value = found.length > 0 ? `enum_code(CAST(${sql} AS level_${i}))` : 'NULL'
  return {
    variable: {
      width: 0,
      format: shown(Math.min(MAX_NUMBER_WIDTH, largest), 0),
      valueLabels,
      measure: known?.isOrdered ? 'ordinal' : 'nominal',
    },
    sql: doubleSql(value),
    codes: Float64Array.from(found, (text) => codes.get(text)!),
    textBytes: null,
    notes: long.map(
      ([code, text]) =>
        `Column "${name}": the label of ${code} is cut to ${MAX_VALUE_LABEL_BYTES} bytes: "${cutToBytes(text, MAX_VALUE_LABEL_BYTES)}".`,
    ),
  }
}

async function stringVariable(session: DuckDbSession, name: string, sql: string): Promise<Unnamed> {
  const [row] = await session.rows(`SELECT max(strlen(${sql})) FROM file`)
  const longest = Math.max(1, Number(row?.[0] ?? 1))
  const width = Math.min(longest, MAX_TEXT_BYTES)
  return {
    variable: { width, format: { type: FORMATS.A, width, decimals: 0 }, valueLabels: [], measure: 'nominal' },
    sql,
    codes: null,
    textBytes: paddedText(width),
    notes: longest > width ? [`Column "${name}": texts are cut to ${MAX_TEXT_BYTES} bytes.`] : [],
  }
}

/** A text in the segments of its variable, each filled with blanks to a multiple of 8 bytes. */
function paddedText(width: number): (text: string) => Buffer {
  const segments = segmentWidths(width)
  const used = segments.length === 1 ? width : 255
  return (text) => {
    const bytes = Buffer.from(cutToBytes(text, width))
    const parts = segments.map((segment, i) => {
      const part = Buffer.alloc(Math.ceil(segment / 8) * 8, ' ')
      bytes.subarray(i * used, (i + 1) * used).copy(part)
      return part
    })
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}
