/**
 * Finds pairs of numeric columns that are equal in a part of the rows: a payment that settles the last bill.
 *
 * S  sampled rows     d  numeric columns     n  rows     V  distinct values of a column
 *
 * Frequent values are left out (zeros, round amounts): trees model these. Candidate pairs come from equal cells within sampled
 * rows: S d log d, and S d² where most columns of a row are equal. A pair counts if equality is a spike: the value of the other
 * column equals that of the first much more often than it equals the neighbouring values.
 */

import type { Table } from '../cleaning/table.ts'
import { unitOf } from '../encoding/numbers.ts'
import type { EncodedColumn, EncodedNumeric } from '../model/model.ts'
import type { Equality } from '../model/relation.ts'
import { sharedUint8 } from '../threads/shared-arrays.ts'

const SAMPLE_ROWS = 2_048
const SAMPLE_ROWS_WIDE = 256
const SAMPLED_CELLS = 60_000
/** Least share of the rows with both values, and least number of rows, in which they are equal. In the sample, half the share is enough. */
const LEAST_SHARE = 0.02
const LEAST_ROWS = 12
/** Above this share, a formula or a recoding describes the relation instead. */
const MOST_SHARE = 0.98
/** A value of more than this share of the rows is frequent: it has a bin to itself. */
const OFTEN = 1 / 256
/** Neighbouring values on either side that show how often two columns are nearly equal, and how much more often they must be equal. */
const NEIGHBOURS = 5
const LEAST_SPIKE = 5
/** Most rows in which neighbours are counted. */
const NEAR_ROWS = 4_096
/** Most pairs that are checked on all rows, those with the most equal rows first; most pairs that are kept per column. */
const MOST_CONFIRMED = 50
const MOST_PER_COLUMN = 3

/** @param columns Encoded from the table. */
export function findEqualities(table: Table, columns: readonly EncodedColumn[]): Equality[] {
  const found = candidates(table, columns)
    .flatMap(([a, b]) => confirm(table, columns as readonly EncodedNumeric[], a, b) ?? [])
    .sort((x, y) => y.share - x.share || x.columns[0] - y.columns[0] || x.columns[1] - y.columns[1])
  const kept = new Map<number, number>()
  const isFull = (column: number) => (kept.get(column) ?? 0) >= MOST_PER_COLUMN
  return found.filter(({ columns: pair }) => {
    if (pair.some(isFull)) return false
    for (const column of pair) kept.set(column, (kept.get(column) ?? 0) + 1)
    return true
  })
}

/** Pairs a < b, with the most equal sampled rows first. */
function candidates({ columns: source, rowCount }: Table, columns: readonly EncodedColumn[]): [number, number][] {
  const numeric = columns.flatMap((column, c) => (column.kind === 'numeric' && column.values.length > 2 ? [c] : []))
  const wide = Math.max(SAMPLE_ROWS_WIDE, Math.floor(SAMPLED_CELLS / Math.max(1, numeric.length)))
  const size = Math.min(rowCount, SAMPLE_ROWS, wide)
  const d = source.length
  const counts = new Map<number, number>()
  const cells: { readonly value: number; readonly column: number }[] = []
  for (let i = 0; i < size; i++) {
    const row = Math.floor((i * rowCount) / size)
    cells.length = 0
    for (const column of numeric) {
      const from = source[column]!
      if (from.kind !== 'numeric' || from.valid[row] === 0) continue
      const value = from.values[row]! + 0
      if (!isOften(columns[column] as EncodedNumeric, value)) cells.push({ value, column })
    }
    cells.sort((a, b) => a.value - b.value || a.column - b.column)
    for (let x = 0; x < cells.length; x++) {
      for (let y = x + 1; y < cells.length && cells[y]!.value === cells[x]!.value; y++) {
        const pair = cells[x]!.column * d + cells[y]!.column
        counts.set(pair, (counts.get(pair) ?? 0) + 1)
      }
    }
  }
  return [...counts]
    .filter(([, count]) => count >= Math.max(4, (LEAST_SHARE / 2) * size))
    .sort(([p, x], [q, y]) => y - x || p - q)
    .slice(0, MOST_CONFIRMED)
    .map(([pair]): [number, number] => [Math.floor(pair / d), pair % d])
    .filter(([a, b]) => (columns[a] as EncodedNumeric).format === (columns[b] as EncodedNumeric).format)
}

/** Index of a value among those of a column; -1 if it is none of them. */
function indexOf({ values }: EncodedNumeric, value: number): number {
  let low = 0
  let high = values.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (values[middle] === value) return middle
    if (values[middle]! < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function countAt({ cumulative }: EncodedNumeric, index: number): number {
  return cumulative[index + 1]! - cumulative[index]!
}

function isOften(column: EncodedNumeric, value: number): boolean {
  const at = indexOf(column, value)
  return at >= 0 && countAt(column, at) > Math.max(3, OFTEN * column.cumulative.at(-1)!)
}

function confirm(table: Table, columns: readonly EncodedNumeric[], a: number, b: number): Equality | null {
  const [one, other] = [table.columns[a]!, table.columns[b]!]
  if (one.kind !== 'numeric' || other.kind !== 'numeric' || unitOf(one) !== unitOf(other)) return null
  const rows = sharedUint8(table.rowCount)
  let both = 0
  let equal = 0
  let near = 0
  const step = Math.ceil(table.rowCount / NEAR_ROWS)
  for (let row = 0; row < table.rowCount; row++) {
    if (one.valid[row] === 0 || other.valid[row] === 0) continue
    both++
    const value = one.values[row]! + 0
    const own = other.values[row]! + 0
    if (value === own) {
      if (isOften(columns[a]!, value) || isOften(columns[b]!, value)) continue
      rows[row] = 1
      equal++
    } else if (row % step === 0 && isNextTo(columns[b]!, value, own)) near += step
  }
  const share = equal / Math.max(1, both)
  const isEvident = share >= LEAST_SHARE && equal >= LEAST_ROWS && equal >= (LEAST_SPIKE * near) / (2 * NEIGHBOURS)
  return isEvident && share <= MOST_SHARE ? { kind: 'equality', columns: [a, b], share, rows } : null
}

/** Whether `own`, a value of the column, is at most NEIGHBOURS values from the position of `value`. */
function isNextTo({ values }: EncodedNumeric, value: number, own: number): boolean {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return own >= (values[low - NEIGHBOURS] ?? -Infinity) && own <= (values[low + NEIGHBOURS] ?? Infinity)
}
