import { MAX_SEGMENTS } from '../../base/segment-limit.ts'
import {
  byLevel,
  type LevelCounts,
  MAX_LEVELS,
  type NumericSummary,
  QUANTILES,
  type SegmentRequest,
  type SegmentSummary,
  sortedCounts,
  tooManySegments,
} from './artifact-summary.ts'
import type { DuckDbSession } from './duckdb-session.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

/** A column as SQL: its level as text, and its value as a number; both NULL when missing. */
export interface MeasuredColumn {
  readonly name: string
  readonly level: string
  readonly number: string
  /** Present, but not a number. */
  readonly notANumber: string
  /** Whether its numbers are milliseconds of dates or times; absent: they are not. */
  readonly isDate?: boolean
}

/** Counts a table inside each level of a column, one query for each figure: the table is not read for each level. */
export async function segmentsOf(
  session: DuckDbSession,
  table: string,
  column: (name: string) => MeasuredColumn,
  { by, shares, numeric, quantiles }: SegmentRequest,
): Promise<ReadonlyMap<string, SegmentSummary>> {
  const segment = column(by).level
  const found = await session.rows(
    `SELECT s, count(*) FROM (SELECT ${segment} AS s FROM ${table}) WHERE s IS NOT NULL GROUP BY 1 LIMIT ${MAX_SEGMENTS + 1}`,
  )
  if (found.length > MAX_SEGMENTS) throw tooManySegments(by)
  const rowsOf = new Map(found.map(([level, rows]) => [level as string, Number(rows)]))
  const levels = new Map<string, ReadonlyMap<string, LevelCounts>>()
  for (const name of shares) levels.set(name, await countLevels(session, table, segment, column(name)))
  const numbers = new Map<string, ReadonlyMap<string, NumericSummary>>()
  for (const name of numeric)
    numbers.set(name, await describe(session, table, segment, column(name), rowsOf, quantiles?.get(name)))
  return byLevel(
    new Map(
      [...rowsOf].map(([level, rows]) => [
        level,
        {
          rows,
          shares: new Map([...levels].map(([name, counts]) => [name, counts.get(level)!])),
          numeric: new Map([...numbers].map(([name, summaries]) => [name, summaries.get(level)!])),
        },
      ]),
    ),
  )
}

async function countLevels(
  session: DuckDbSession,
  table: string,
  segment: string,
  { name, level }: MeasuredColumn,
): Promise<ReadonlyMap<string, LevelCounts>> {
  const most = MAX_SEGMENTS * (MAX_LEVELS + 1)
  const rows = await session.rows(
    `SELECT s, l, count(*) FROM (SELECT ${segment} AS s, ${level} AS l FROM ${table}) WHERE s IS NOT NULL GROUP BY 1, 2 LIMIT ${most + 1}`,
  )
  if (rows.length > most) throw new UnreadableFileError(`Column "${name}" has more than ${MAX_LEVELS} levels.`)
  const counted = new Map<string, { counts: Map<string, number>; missing: number }>()
  for (const [s, l, n] of rows) {
    const into = counted.get(s as string) ?? { counts: new Map<string, number>(), missing: 0 }
    counted.set(s as string, into)
    if (l === null) into.missing = Number(n)
    else into.counts.set(l as string, Number(n))
  }
  return new Map([...counted].map(([s, { counts, missing }]) => [s, { counts: sortedCounts(counts), missing }]))
}

/** @param rowsOf rows by segment, those without a value included. */
async function describe(
  session: DuckDbSession,
  table: string,
  segment: string,
  { number }: MeasuredColumn,
  rowsOf: ReadonlyMap<string, number>,
  shares: readonly number[] = [],
): Promise<ReadonlyMap<string, NumericSummary>> {
  const quantiles = [...QUANTILES, ...shares].map((p) => `quantile_cont(x, ${p})`)
  const ask = (scale: string) =>
    session.rows(
      `SELECT s, count(x), favg(x), stddev_samp(x / ${scale}) * ${scale}, ${quantiles.join(', ')}
       FROM (SELECT ${segment} AS s, ${number} AS x FROM ${table}) WHERE s IS NOT NULL AND isfinite(x) GROUP BY 1`,
    )
  // Squares beyond the largest double are refused; divided by a power of two, large values keep all their digits.
  const rows = await ask('1.0').catch((error: unknown) => {
    if (!/stddev.* out of range/i.test(String(error))) throw error
    return ask('power(2.0, 600)')
  })
  const described = new Map(rows.map(([s, ...figures]) => [s as string, figures]))
  return new Map(
    [...rowsOf].map(([s, all]): [string, NumericSummary] => {
      const [count, mean, sd, ...at] = described.get(s) ?? []
      if (count === undefined) return [s, { count: 0, missing: all, mean: null, sd: null, quantiles: null }]
      return [
        s,
        {
          count: Number(count),
          missing: all - Number(count),
          mean: Number(mean),
          sd: sd === null ? null : Number(sd),
          ...quantilesOf(Number(count), at, shares),
        },
      ]
    }),
  )
}

/** The quantiles of a summary among the figures of a query: those of every summary, then those at further shares. */
export function quantilesOf(
  count: number,
  figures: readonly unknown[],
  shares: readonly number[],
): Pick<NumericSummary, 'quantiles' | 'at'> {
  if (count === 0) return { quantiles: null }
  const all = figures.map(Number)
  const further = all.slice(QUANTILES.length)
  return {
    quantiles: all.slice(0, QUANTILES.length),
    ...(shares.length > 0 && { at: shares.map((share, i) => [share, further[i]!] as const) }),
  }
}
