import type { Bins } from '../../base/bins.ts'
import { BinCounting } from './bin-counts.ts'
import { ReadOtherwiseError, UnreadableFileError } from './unreadable-file-error.ts'

/** The columns to measure in an artifact, by name. */
export interface ArtifactRequest {
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns with the expected range of their values; dates in milliseconds since 1970-01-01T00:00:00Z. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** Columns whose distribution is described. */
  readonly numeric: readonly string[]
  /** Edges of bins by column, which is among `numeric`: ascending, at least two. */
  readonly bins?: ReadonlyMap<string, readonly number[]>
}

export interface ArtifactSummary {
  readonly rows: number
  /** Names of all columns, in file sequence. */
  readonly columns: readonly string[]
  readonly shares: ReadonlyMap<string, LevelCounts>
  readonly ranges: ReadonlyMap<string, RangeCounts>
  readonly numeric: ReadonlyMap<string, NumericSummary>
}

export interface LevelCounts {
  /** Rows by level, in ascending order of UTF-16 code units; whole numbers by their decimal text. */
  readonly counts: ReadonlyMap<string, number>
  readonly missing: number
}

export interface RangeCounts {
  /** Null when no value is present. */
  readonly min: number | null
  readonly max: number | null
  /** Values below `min` or above `max` of the request, and values that are not numbers; missing ones do not count. */
  readonly outside: number
  readonly missing: number
}

/** All figures cover the present values; null when there are too few. */
export interface NumericSummary {
  readonly count: number
  readonly missing: number
  readonly mean: number | null
  /** With n - 1 in the denominator. */
  readonly sd: number | null
  /** In the sequence of `QUANTILES`, interpolated linearly (type 7 of Hyndman and Fan 1996). */
  readonly quantiles: readonly number[] | null
  /** When requested. */
  readonly bins?: Bins
}

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** More levels than a schema could hold: the file is not the requested one. */
export const MAX_LEVELS = 100_000

export function sortedCounts(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function missingColumn(name: string, columns: readonly string[]): UnreadableFileError {
  const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ', …' : '')
  return new UnreadableFileError(`The file has no column "${name}"; it has: ${shown}.`)
}

export interface FirstRowsRequest {
  readonly rows: number
  /** Null: all columns. */
  readonly columns: readonly string[] | null
  /** Existing or new folder for temporary data; nothing is left there. */
  readonly tempDir: string
}

export interface FirstRows {
  /** Names of all columns, in file sequence. */
  readonly columns: readonly string[]
  /** Names of the columns of `rows`. */
  readonly shown: readonly string[]
  /** Values as the texts of levels; null where missing. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Places of the requested columns in the file, in the sequence of the request. */
export function wantedColumns(names: readonly string[], wanted: readonly string[] | null): number[] {
  if (wanted === null) return names.map((_, i) => i)
  return wanted.map((name) => {
    const at = names.indexOf(name)
    if (at < 0) throw missingColumn(name, names)
    return at
  })
}

export interface ReadArtifactOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** The file's content, if known: then the file is not read. */
  readonly content?: Buffer
  /** Default 512; of Parquet and CSV. */
  readonly memoryLimitMb?: number
}

/** A column's values in the form in which they are counted. */
export interface CountedColumn {
  readonly values: Iterable<unknown>
  /** Null where missing. */
  readonly level: (value: unknown) => string | null
  /** Null where missing, NaN where the value is no number. */
  readonly number: (value: unknown) => number | null
}

/** Counts values in this process, part by part; only numbers that are described are held. */
export class ValueCounting {
  readonly #request: ArtifactRequest
  readonly #shares: Map<string, { counts: Map<string, number>; missing: number }>
  readonly #ranges: Map<string, { min: number | null; max: number | null; outside: number; missing: number }>
  readonly #numeric: Map<string, { values: number[][]; missing: number }>
  #rows = 0

  constructor(request: ArtifactRequest) {
    this.#request = request
    this.#shares = new Map(request.shares.map((name) => [name, { counts: new Map(), missing: 0 }]))
    this.#ranges = new Map(
      [...request.ranges.keys()].map((name) => [name, { min: null, max: null, outside: 0, missing: 0 }]),
    )
    this.#numeric = new Map(request.numeric.map((name) => [name, { values: [], missing: 0 }]))
  }

  add(rowCount: number, column: (name: string) => CountedColumn): void {
    this.#rows += rowCount
    for (const [name, share] of this.#shares) countLevels(column(name), name, share)
    for (const [name, range] of this.#ranges) {
      const { min, max } = this.#request.ranges.get(name)!
      const { values, number: numberOf } = column(name)
      for (const value of values) {
        const number = numberOf(value)
        if (number === null) range.missing++
        else if (Number.isNaN(number)) range.outside++
        else {
          if (range.min === null || number < range.min) range.min = number
          if (range.max === null || number > range.max) range.max = number
          if (number < min || number > max) range.outside++
        }
      }
    }
    for (const [name, numeric] of this.#numeric) {
      const numbers: number[] = []
      const { values, number: numberOf } = column(name)
      for (const value of values) {
        const number = numberOf(value)
        if (number === null || !Number.isFinite(number)) numeric.missing++
        else numbers.push(number)
      }
      numeric.values.push(numbers)
    }
  }

  summary(columns: readonly string[]): ArtifactSummary {
    return {
      rows: this.#rows,
      columns,
      shares: new Map(
        [...this.#shares].map(([name, { counts, missing }]) => [name, { counts: sortedCounts(counts), missing }]),
      ),
      ranges: this.#ranges,
      numeric: new Map([...this.#numeric].map(([name, counted]) => [name, this.#described(name, counted)])),
    }
  }

  #described(name: string, { values, missing }: { values: number[][]; missing: number }): NumericSummary {
    const edges = this.#request.bins?.get(name)
    if (edges === undefined) return describe(values, missing)
    const counting = new BinCounting(edges)
    for (const part of values) for (const value of part) counting.add(value)
    return { ...describe(values, missing), bins: counting.bins() }
  }
}

function countLevels(
  column: CountedColumn,
  name: string,
  into: { counts: Map<string, number>; missing: number },
): void {
  for (const value of column.values) {
    const level = column.level(value)
    if (level === null) into.missing++
    else into.counts.set(level, (into.counts.get(level) ?? 0) + 1)
  }
  if (into.counts.size > MAX_LEVELS)
    throw new UnreadableFileError(`Column "${name}" has more than ${MAX_LEVELS} levels.`)
}

function describe(parts: readonly (readonly number[])[], missing: number): NumericSummary {
  const count = parts.reduce((sum, part) => sum + part.length, 0)
  const values = new Float64Array(count)
  let length = 0
  for (const part of parts) {
    values.set(part, length)
    length += part.length
  }
  if (count === 0) return { count, missing, mean: null, sd: null, quantiles: null }
  const mean = compensatedSum(values, (value) => value) / count
  values.sort()
  // Squares of such values would exceed the largest double; divided by a power of two they keep all their digits.
  const scale = Math.max(Math.abs(values[0]!), Math.abs(values[count - 1]!)) > 1e140 ? 2 ** 600 : 1
  const squares = compensatedSum(values, (value) => ((value - mean) / scale) ** 2)
  return {
    count,
    missing,
    mean,
    sd: count < 2 ? null : Math.sqrt(squares / (count - 1)) * scale,
    quantiles: QUANTILES.map((p) => quantile(values, p)),
  }
}

/** Kahan 1965: adding up a million values one by one loses six digits. */
function compensatedSum(values: Float64Array, of: (value: number) => number): number {
  let sum = 0
  let lost = 0
  for (const value of values) {
    const y = of(value) - lost
    const next = sum + y
    lost = next - sum - y
    sum = next
  }
  return sum
}

function quantile(sorted: Float64Array, p: number): number {
  const at = (sorted.length - 1) * p
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}

/** The form of a number that every reader takes for the same value. */
const STANDARD_NUMBER = /^-?\d{1,17}(?:\.\d{1,17})?$/
const MISSING = new Set(['', 'na', 'nan', 'null'])

/**
 * A text field as a number, null where missing.
 *
 * @throws {ReadOtherwiseError} for everything else: dates, words, `1e5`.
 */
export function standardNumber(text: string): number | null {
  if (STANDARD_NUMBER.test(text)) return Number(text)
  if (MISSING.has(text.toLowerCase())) return null
  throw new ReadOtherwiseError()
}
