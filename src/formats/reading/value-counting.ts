import { MAX_SEGMENTS } from '../../base/segment-limit.ts'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  byLevel,
  type GroupRequest,
  type GroupSummary,
  type LevelCounts,
  MAX_LEVELS,
  type NumericSummary,
  QUANTILES,
  type RowTest,
  requestOf,
  type SegmentRequest,
  type SegmentSummary,
  sortedCounts,
  tooManyLevels,
  tooManySegments,
} from './artifact-summary.ts'
import { BinCounting } from './bin-counts.ts'
import type { CountedColumn } from './counted-column.ts'
import { RuleTally } from './rule-tally.ts'
import { TableTally } from './table-tally.ts'

/** Counts values in this process, one by one or part by part. Only numbers to be described stay in memory. */
export class ValueCounting {
  readonly shares: ReadonlyMap<string, LevelTally>
  readonly ranges: ReadonlyMap<string, RangeTally>
  readonly numeric: ReadonlyMap<string, NumberTally>
  /** By the column whose levels divide the rows; null when there are none. */
  readonly segments: ReadonlyMap<string, SegmentTally> | null
  /** In the sequence of the request; null when there are none. */
  readonly tables: readonly TableTally[] | null
  /** By name; null when there are none. */
  readonly groups: ReadonlyMap<string, GroupTally> | null
  /** In the sequence of the request; null when there are none. */
  readonly rules: readonly RuleTally[] | null

  constructor({ shares, ranges, numeric, bins, quantiles, segments, tables, groups, rules }: ArtifactRequest) {
    this.shares = new Map(shares.map((name) => [name, new LevelTally(name)]))
    this.ranges = new Map([...ranges].map(([name, range]) => [name, new RangeTally(range)]))
    this.numeric = new Map(numeric.map((name) => [name, new NumberTally(bins?.get(name), quantiles?.get(name))]))
    this.tables = tables ? tables.map((columns) => new TableTally(columns)) : null
    this.segments = segments ? new Map(segments.map((one) => [one.by, new SegmentTally(one)])) : null
    this.rules = rules ? rules.map((rule) => new RuleTally(rule)) : null
    this.groups = groups ? new Map(groups.map((one) => [one.name, new GroupTally(one)])) : null
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
    for (const tally of this.segments?.values() ?? []) tally.add(column)
    for (const tally of this.tables ?? []) tally.add(column)
    for (const tally of this.rules ?? []) tally.add(column)
    for (const tally of this.groups?.values() ?? []) tally.add(column)
  }

  summary(rows: number, columns: readonly string[]): ArtifactSummary {
    const counted = <T, C>(tallies: ReadonlyMap<string, T>, of: (tally: T) => C): ReadonlyMap<string, C> =>
      new Map([...tallies].map(([name, tally]) => [name, of(tally)]))
    return {
      rows,
      columns,
      shares: counted(this.shares, (tally) => tally.counted()),
      ranges: counted(this.ranges, (tally) => tally.counted),
      numeric: counted(this.numeric, (tally) => tally.described()),
      ...(this.tables && { tables: this.tables.map((tally) => tally.counted()) }),
      ...(this.segments && { segments: counted(this.segments, (tally) => tally.counted()) }),
      ...(this.rules && { rules: this.rules.map((tally) => tally.counted()) }),
      ...(this.groups && { groups: counted(this.groups, (tally) => tally.counted()) }),
    }
  }
}

/** Counts the levels of a column. */
class LevelTally {
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
  readonly #edges: readonly number[] | undefined
  readonly #shares: readonly number[]
  #values = new Float64Array(1_024)
  #count = 0
  #missing = 0

  /**
   * @param edges of bins, if they are counted.
   * @param shares of further quantiles.
   */
  constructor(edges: readonly number[] | undefined, shares: readonly number[] = []) {
    this.#edges = edges
    this.#shares = shares
  }

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
    const values = this.#values.subarray(0, this.#count)
    const described = describe(values, this.#missing, this.#shares)
    if (this.#edges === undefined) return described
    const counting = new BinCounting(this.#edges)
    for (const value of values) counting.add(value)
    return { ...described, bins: counting.bins() }
  }
}

/** Counts the rows of each level of a column. */
class SegmentTally {
  readonly #request: SegmentRequest
  readonly #parts = new Map<string, { rows: number; readonly counting: ValueCounting }>()

  constructor(request: SegmentRequest) {
    this.#request = request
  }

  /**
   * Where rows of a level are counted.
   *
   * @throws {UnreadableFileError} for more levels than segments may have.
   */
  take(level: string, rows: number): ValueCounting {
    const { by, shares, numeric, quantiles } = this.#request
    const part = this.#parts.get(level) ?? {
      rows: 0,
      counting: new ValueCounting({ shares, numeric, ranges: new Map(), ...(quantiles && { quantiles }) }),
    }
    this.#parts.set(level, part)
    if (this.#parts.size > MAX_SEGMENTS) throw tooManySegments(by)
    part.rows += rows
    return part.counting
  }

  /** Counts a part of the rows. */
  add(column: (name: string) => CountedColumn): void {
    const { by, shares, numeric } = this.#request
    const rowsOf = new Map<string, number[]>()
    const { values, level: levelOf } = column(by)
    let row = 0
    for (const value of values) {
      const level = levelOf(value)
      if (level !== null) {
        const rows = rowsOf.get(level) ?? []
        rowsOf.set(level, rows)
        rows.push(row)
      }
      row++
    }
    const held = new Map([...shares, ...numeric].map((name) => [name, Array.from(column(name).values)]))
    for (const [level, rows] of rowsOf) {
      const part = this.take(level, rows.length)
      part.add((name) => ({ ...column(name), values: rows.map((at) => held.get(name)![at]) }))
    }
  }

  counted(): ReadonlyMap<string, SegmentSummary> {
    return new Map(
      [...byLevel(this.#parts)].map(([level, { rows, counting }]) => {
        const { shares, numeric } = counting.summary(rows, [])
        return [level, { rows, shares, numeric }]
      }),
    )
  }
}

/** Counts the rows that pass filters. */
export class GroupTally {
  readonly #request: GroupRequest
  readonly counting: ValueCounting
  #rows = 0

  constructor(request: GroupRequest) {
    this.#request = request
    this.counting = new ValueCounting(requestOf(request))
  }

  /** Where a row is counted that passes. */
  take(): ValueCounting {
    this.#rows++
    return this.counting
  }

  /** Counts a part of the rows. */
  add(column: (name: string) => CountedColumn): void {
    const { where } = this.#request
    let passed: Uint8Array | null = null
    for (const test of where) {
      const { values, level, number } = column(test.column)
      const held = Array.from(values)
      passed ??= new Uint8Array(held.length).fill(1)
      for (const [row, value] of held.entries())
        if (!passes(test, 'levels' in test ? level(value) : null, 'levels' in test ? null : number(value)))
          passed[row] = 0
    }
    const rows = [...(passed ?? []).entries()].flatMap(([row, isIn]) => (isIn === 1 ? [row] : []))
    this.#rows += rows.length
    const held = new Map<string, readonly unknown[]>()
    this.counting.add((name) => {
      const own = column(name)
      const values = held.get(name) ?? Array.from(own.values)
      held.set(name, values)
      return { ...own, values: rows.map((at) => values[at]) }
    })
  }

  counted(): GroupSummary {
    const { rows, shares, numeric, segments } = this.counting.summary(this.#rows, [])
    return { rows, shares, numeric, ...(segments && { segments }) }
  }
}

/** Whether a value passes: its level, or its number; null where missing. */
export function passes(test: RowTest, level: string | null, number: number | null): boolean {
  if ('levels' in test) return level !== null && test.levels.has(level)
  return number !== null && number >= test.min && number <= test.max
}

/** @param values are sorted here. */
function describe(values: Float64Array, missing: number, shares: readonly number[]): NumericSummary {
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
    ...(shares.length > 0 && { at: shares.map((p) => [p, quantile(values, p)] as const) }),
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
