import { UnreadableFileError } from './unreadable-file-error.ts'

/** The columns to measure in an artifact, by name. */
export interface ArtifactRequest {
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns with the expected range of their values; dates in milliseconds since 1970-01-01T00:00:00Z. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** Columns whose distribution is described. */
  readonly numeric: readonly string[]
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

export interface ReadArtifactOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** The file's content, if known: then the file is not read. */
  readonly content?: Buffer
  /** Default 512; of Parquet. */
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

/** Counts values in this process, one by one or part by part; only numbers that are described are held. */
export class ValueCounting {
  readonly shares: ReadonlyMap<string, LevelTally>
  readonly ranges: ReadonlyMap<string, RangeTally>
  readonly numeric: ReadonlyMap<string, NumberTally>

  constructor(request: ArtifactRequest) {
    this.shares = new Map(request.shares.map((name) => [name, new LevelTally(name)]))
    this.ranges = new Map([...request.ranges].map(([name, range]) => [name, new RangeTally(range)]))
    this.numeric = new Map(request.numeric.map((name) => [name, new NumberTally()]))
  }

  /** Counts a part of the rows. */
  add(column: (name: string) => CountedColumn): void {
    for (const [name, tally] of this.shares) {
      const { values, level } = column(name)
      for (const value of values) tally.add(level(value))
    }
    for (const [name, tally] of [...this.ranges, ...this.numeric]) {
      const { values, number } = column(name)
      for (const value of values) tally.add(number(value))
    }
  }

  summary(rows: number, columns: readonly string[]): ArtifactSummary {
    return {
      rows,
      columns,
      shares: new Map([...this.shares].map(([name, tally]) => [name, tally.counted()])),
      ranges: new Map([...this.ranges].map(([name, tally]) => [name, tally.counted])),
      numeric: new Map([...this.numeric].map(([name, tally]) => [name, tally.described()])),
    }
  }
}

/** Counts the levels of a column. */
export class LevelTally {
  readonly #name: string
  readonly #counts = new Map<string, number>()
  #missing = 0

  constructor(name: string) {
    this.#name = name
  }

  /** @param level null where missing. */
  add(level: string | null, rows = 1): void {
    if (level === null) {
      this.#missing += rows
      return
    }
    this.#counts.set(level, (this.#counts.get(level) ?? 0) + rows)
    if (this.#counts.size > MAX_LEVELS) throw tooManyLevels(this.#name)
  }

  counted(): LevelCounts {
    return { counts: sortedCounts(this.#counts), missing: this.#missing }
  }
}

export function tooManyLevels(column: string): UnreadableFileError {
  return new UnreadableFileError(`Column "${column}" has more than ${MAX_LEVELS} levels.`)
}

/** Counts the values of a column inside and outside of a range. */
class RangeTally {
  readonly #range: { readonly min: number; readonly max: number }
  readonly counted = { min: null as number | null, max: null as number | null, outside: 0, missing: 0 }

  constructor(range: { readonly min: number; readonly max: number }) {
    this.#range = range
  }

  /** @param number null where missing, NaN where the value is no number. */
  add(number: number | null, rows = 1): void {
    const { counted } = this
    if (number === null) counted.missing += rows
    else if (Number.isNaN(number)) counted.outside += rows
    else {
      if (counted.min === null || number < counted.min) counted.min = number
      if (counted.max === null || number > counted.max) counted.max = number
      if (number < this.#range.min || number > this.#range.max) counted.outside += rows
    }
  }
}

/** Describes the numbers of a column. */
class NumberTally {
  #values = new Float64Array(1_024)
  #count = 0
  #missing = 0

  /** @param number null where missing; what is not finite does not count. */
  add(number: number | null, rows = 1): void {
    if (number === null || !Number.isFinite(number)) {
      this.#missing += rows
      return
    }
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(2 * this.#count)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count++] = number
  }

  described(): NumericSummary {
    return describe(this.#values.subarray(0, this.#count), this.#missing)
  }
}

/** @param values are sorted here. */
function describe(values: Float64Array, missing: number): NumericSummary {
  const count = values.length
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

const MISSING = new Set(['', 'na', 'nan', 'null'])

/** Whether a text among numbers stands for a missing one. */
export function isMissingText(text: string): boolean {
  return MISSING.has(text.toLowerCase())
}
