import { readFile } from 'node:fs/promises'
import type { MeasureArtifact, MeasureRequest } from '../../src/answers/counts/measure.ts'
import type { Bins } from '../../src/base/bins.ts'
import type { Measurement } from '../../src/records/state/measurements.ts'
import type { RowFilter } from '../../src/study/outcomes/row-filter.ts'

/** Counts in a CSV file, written for the tests only: an independent check of the artifacts. */
export const measureCsv: MeasureArtifact = async ({ path, tables, groups, ...request }) => {
  const [head = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const header = head.split(',')
  const rows = lines.map((line) => line.split(','))
  const whole = {
    ...withSegments(header, rows, request),
    ...(tables && { tables: tables.map((columns) => ({ columns, counts: combined(header, rows, columns) })) }),
  }
  if (groups === undefined) return whole
  const columns = { ranges: new Map(), bins: request.bins }
  return {
    ...whole,
    groups: groups.map(({ name, where, ...group }) => {
      const own = rows.filter((row) => where.every((filter) => passes(filter, row[header.indexOf(filter.column)]!)))
      const { outside: _, absent: __, ...found } = withSegments(header, own, { ...columns, ...group })
      return [name, found] as const
    }),
  }
}

const passes = (filter: RowFilter, value: string): boolean =>
  filter.kind === 'levels'
    ? filter.levels.some((level) => level.value === value)
    : value !== '' && Number(value) >= filter.min && Number(value) <= filter.max

type Counted = Pick<MeasureRequest, 'shares' | 'numbers' | 'ranges' | 'bins' | 'quantiles' | 'segments'>

function withSegments(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { segments, ...request }: Counted,
): Measurement {
  const whole = counted(header, rows, request)
  if (segments === undefined) return whole
  return {
    ...whole,
    segments: segments.map(({ by, ...columns }) => {
      const at = header.indexOf(by)
      const levels = [...new Set(rows.map((row) => row[at]!))].sort()
      return [
        by,
        levels.map((level) => {
          const own = rows.filter((row) => row[at] === level)
          const {
            rows: count,
            shares,
            numbers,
          } = counted(header, own, { ...columns, ranges: new Map(), bins: new Map() })
          return [level, { rows: count, shares, numbers }] as const
        }),
      ] as const
    }),
  }
}

function combined(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: readonly string[],
): (readonly [string[], number])[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(columns.map((name) => row[header.indexOf(name)]!))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort().map(([key, count]) => [JSON.parse(key) as string[], count] as const)
}

function counted(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { shares, numbers, ranges, bins, quantiles: further }: Omit<Counted, 'segments'>,
): Measurement {
  const column = (name: string): string[] => rows.map((row) => row[header.indexOf(name)]!)
  const isThere = (name: string): boolean => header.includes(name)
  return {
    rows: rows.length,
    shares: shares.filter(isThere).map((name) => {
      const counts = new Map<string, number>()
      for (const value of column(name)) counts.set(value, (counts.get(value) ?? 0) + 1)
      const levels = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
      return [name, { levels, missing: 0 }] as const
    }),
    numbers: numbers.filter(isThere).map((name) => {
      const values = column(name)
        .map(Number)
        .sort((a, b) => a - b)
      const n = values.length
      const mean = values.reduce((sum, v) => sum + v, 0) / n
      const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1))
      const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map((p) => values[Math.floor(p * (n - 1))]!)
      const edges = bins.get(name)
      const at = (further?.get(name) ?? []).map((p): [number, number] => [p, values[Math.floor(p * (n - 1))]!])
      const counted = { ...(edges && { bins: binned(values, edges) }), ...(at.length > 0 && n > 0 && { at }) }
      return [name, { n, missing: 0, min: values[0]!, max: values[n - 1]!, mean, sd, quantiles, ...counted }] as const
    }),
    outside: [...ranges]
      .filter(([name]) => isThere(name))
      .map(
        ([name, { min, max }]) =>
          [
            name,
            column(name)
              .map(Number)
              .filter((v) => v < min || v > max).length,
          ] as const,
      ),
    absent: [...new Set([...shares, ...numbers])].filter((name) => !isThere(name)),
  }
}

function binned(values: readonly number[], edges: readonly number[]): Bins {
  const last = edges.length - 1
  const counts = edges.slice(1).map((end, i) => {
    const isLast = i + 1 === last
    return values.filter((v) => v >= edges[i]! && (v < end || (isLast && v === end))).length
  })
  return {
    edges,
    counts,
    below: values.filter((v) => v < edges[0]!).length,
    above: values.filter((v) => v > edges[last]!).length,
  }
}
