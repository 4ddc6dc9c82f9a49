/**
 * Finds pairs of columns of which one is never above the other: start and end, low and high.
 *
 * d  numeric columns     S  sampled rows     n  rows
 *
 * Many of the d² pairs are ordered for no reason (ages and incomes). A pair counts if its columns overlap so much that values
 * combined at random would often violate the order. Most pairs fail within a few sampled rows. The cost is about d², plus S per
 * remaining pair, plus n per pair that is checked on all rows.
 */

import type { Table, TableColumn } from '../cleaning/table.ts'
import { decimalsOf, numberReader } from '../encoding/numbers.ts'

const SAMPLE_ROWS = 512
const SAMPLE_ROWS_WIDE = 128
const SAMPLED_CELLS = 100_000
/** Least share of rows combined at random that would violate the order … */
const LEAST_VIOLATED = 0.05
/** … and the least number of such rows in the table. It grows with the width: in wide tables more pairs are ordered by chance. */
const leastViolatedRows = (columns: number) => 8 + 2 * Math.log(columns)
/** Most rows that are read for all pairs together: about 0.1 s. */
const MOST_ROWS_READ = 50_000_000

export interface OrderedPair {
  readonly low: number
  readonly high: number
  readonly strict: boolean
}

interface Sampled {
  readonly column: number
  readonly unit: string
  /** NaN when missing. */
  readonly values: Float64Array
  readonly sorted: Float64Array
}

interface Draft extends OrderedPair {
  readonly violated: number
}

/** Ascending, without the pairs that follow from two others through a column that is never missing. */
export function findOrders(table: Table): OrderedPair[] {
  const sampled = sampleColumns(table)
  const drafts: Draft[] = []
  for (let a = 0; a < sampled.length; a++) {
    for (let b = a + 1; b < sampled.length; b++) {
      const [one, other] = [sampled[a]!, sampled[b]!]
      if (one.unit !== other.unit) continue
      const sign = orderOf(one.values, other.values)
      if (sign === 0) continue
      const [low, high] = sign < 0 ? [one, other] : [other, one]
      const violated = violatedShare(low.sorted, high.sorted)
      if (violated >= LEAST_VIOLATED) drafts.push({ low: low.column, high: high.column, strict: false, violated })
    }
  }
  const most = Math.floor(MOST_ROWS_READ / Math.max(1, table.rowCount))
  const tried = drafts.length <= most ? drafts : withoutImplied(table, drafts)
  tried.sort((a, b) => b.violated - a.violated || a.low - b.low || a.high - b.high)
  const cells = table.columns.map((column) => once(() => cellsOf(column)))
  const found = tried.slice(0, most).flatMap(({ low, high, violated }): OrderedPair[] => {
    const { rows, isBroken, strict } = compare(cells[low]!(), cells[high]!())
    return isBroken || violated * rows < leastViolatedRows(table.columns.length) ? [] : [{ low, high, strict }]
  })
  return withoutImplied(table, found).sort((a, b) => a.low - b.low || a.high - b.high)
}

function sampleColumns(table: Table): Sampled[] {
  const n = table.rowCount
  const wide = Math.max(SAMPLE_ROWS_WIDE, Math.floor(SAMPLED_CELLS / table.columns.length))
  const size = Math.min(n, SAMPLE_ROWS, wide)
  return table.columns.flatMap((source, column): Sampled[] => {
    const read = numberReader(source)
    if (!read) return []
    const values = Float64Array.from({ length: size }, (_, i) => read(Math.floor((i * n) / size)))
    const sorted = values.filter((value) => !Number.isNaN(value)).sort()
    if (sorted.length < 2 || sorted[0] === sorted.at(-1)) return []
    // Prices are not compared with counts, nor dates with numbers.
    const unit = source.kind === 'numeric' ? `${source.format} ${decimalsOf(source)}` : 'null 0'
    return [{ column, unit, values, sorted }]
  })
}

/** -1 if a is nowhere above b, 1 if b is nowhere above a, 0 if neither or both hold. */
function orderOf(a: Float64Array, b: Float64Array): number {
  let isAbove = false
  let isBelow = false
  for (let i = 0; i < a.length; i++) {
    if (a[i]! > b[i]!) isAbove = true
    else if (a[i]! < b[i]!) isBelow = true
    if (isAbove && isBelow) return 0
  }
  return isBelow ? -1 : isAbove ? 1 : 0
}

/** Share of all combinations of a value of each in which the low one is above the high one. */
function violatedShare(low: Float64Array, high: Float64Array): number {
  let below = 0
  let pairs = 0
  for (let i = 0; i < low.length; i++) {
    while (below < high.length && high[below]! < low[i]!) below++
    pairs += below
  }
  return pairs / (low.length * high.length)
}

/** A column's numbers in the unit they are stored in. */
interface Cells {
  readonly values: Float64Array
  /** 0 when missing. */
  readonly valid: Uint8Array
}

function cellsOf(column: TableColumn): Cells {
  if (column.kind === 'numeric') return column
  const numbers = Float64Array.from(column.levels, Number)
  const values = new Float64Array(column.codes.length)
  const valid = new Uint8Array(values.length)
  for (let row = 0; row < values.length; row++) {
    const code = column.codes[row]!
    if (code < 0) continue
    values[row] = numbers[code]!
    valid[row] = 1
  }
  return { values, valid }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Counts rows with both values, up to the first that violates the order; also whether no row has two equal values. */
function compare(low: Cells, high: Cells): { rows: number; isBroken: boolean; strict: boolean } {
  let rows = 0
  let strict = true
  for (let row = 0; row < low.values.length; row++) {
    if ((low.valid[row]! & high.valid[row]!) === 0) continue
    const a = low.values[row]!
    const b = high.values[row]!
    if (a > b) return { rows, isBroken: true, strict }
    rows++
    if (a === b) strict = false
  }
  return { rows, isBroken: false, strict }
}

const WEAK = 1
const STRICT = 2

/** Drops pairs that others imply: a ≤ c follows from a ≤ b and b ≤ c, but not where b is missing. */
function withoutImplied<P extends OrderedPair>({ columns }: Table, pairs: readonly P[]): P[] {
  const d = columns.length
  const isBelow = new Uint8Array(d * d)
  for (const { low, high, strict } of pairs) isBelow[low * d + high] = strict ? STRICT : WEAK
  const middles = Array.from(columns.keys()).filter((c) => isNeverMissing(columns[c]!))
  return pairs.filter(({ low, high, strict }) => {
    // If no row has a equal to c, one of the two halves must show it.
    const needed = strict ? STRICT + WEAK : 2 * WEAK
    return !middles.some((m) => {
      const [first, second] = [isBelow[low * d + m]!, isBelow[m * d + high]!]
      return first > 0 && second > 0 && first + second >= needed
    })
  })
}

function isNeverMissing(column: TableColumn): boolean {
  return column.kind === 'numeric' ? !column.valid.includes(0) : !column.codes.includes(-1)
}
