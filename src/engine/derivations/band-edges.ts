/**
 * Finds where bands of a numeric column begin: another column changes only a few times along its values (age and age
 * group, income and tax bracket). Bins are then cut there, so that a bin determines the band.
 *
 * S  sampled rows     n  rows
 */

import type { Table, TableColumn } from '../cleaning/table.ts'

const SAMPLE_ROWS = 512
const LEAST_SAMPLE_ROWS = 50
/** Most bands of one column; in the sample, also at most one per this many rows. */
const MAX_BANDS = 64
const SAMPLED_ROWS_PER_BAND = 16
const LEAST_DISTINCT = 11

/** Per column: ascending values at which a band of another column begins; null for none. */
export function bandEdges(table: Table): (Float64Array | null)[] {
  const { columns, rowCount } = table
  const sample = evenRows(rowCount, SAMPLE_ROWS)
  const sampled = columns.map((column) => cellsAt(column, sample))
  return columns.map((column, c) => (column.kind === 'numeric' ? edgesOf(table, c, sampled) : null))
}

/** sampled  every column's cells in the sample */
function edgesOf({ columns, rowCount }: Table, c: number, sampled: readonly Float64Array[]): Float64Array | null {
  const own = sampled[c]!
  const order = ascending(own)
  if (order.length < LEAST_SAMPLE_ROWS) return null
  const limit = Math.min(MAX_BANDS, order.length / SAMPLED_ROWS_PER_BAND)
  if (new Set(own).size - (order.length < own.length ? 1 : 0) < LEAST_DISTINCT) return null
  const banded = columns.filter((_, o) => o !== c && bandStarts(own, sampled[o]!, order, limit) !== null)
  if (banded.length === 0) return null
  const rows = evenRows(rowCount, rowCount)
  const all = cellsAt(columns[c]!, rows)
  const allOrder = ascending(all)
  const edges = new Set<number>()
  for (const other of banded) {
    for (const row of bandStarts(all, cellsAt(other, rows), allOrder, MAX_BANDS) ?? []) edges.add(all[row]!)
  }
  return edges.size === 0 ? null : Float64Array.from(edges).sort()
}

/** Evenly spaced rows of n, at most `most`. */
function evenRows(n: number, most: number): Int32Array {
  const rows = new Int32Array(Math.min(n, most))
  for (let i = 0; i < rows.length; i++) rows[i] = Math.floor((i * n) / rows.length)
  return rows
}

const MISSING = Number.POSITIVE_INFINITY

/** Codes or values. */
function cellsAt(column: TableColumn, rows: Int32Array): Float64Array {
  const cells = new Float64Array(rows.length)
  if (column.kind === 'categorical') {
    const { codes } = column
    for (let i = 0; i < rows.length; i++) cells[i] = codes[rows[i]!]!
  } else {
    const { values, valid } = column
    for (let i = 0; i < rows.length; i++) cells[i] = valid[rows[i]!] === 0 ? MISSING : values[rows[i]!]!
  }
  return cells
}

/** Indices of the cells that are not missing, by value. */
function ascending(cells: Float64Array): Int32Array {
  const present = new Int32Array(cells.length)
  let count = 0
  for (let i = 0; i < cells.length; i++) if (cells[i] !== MISSING) present[count++] = i
  return present.subarray(0, count).sort((a, b) => cells[a]! - cells[b]! || a - b)
}

/**
 * The places where `other` changes along the ascending values of a column, in the sequence `order`, without the first place.
 * Null if it changes more than `limit` times, never, or within one value.
 */
function bandStarts(cells: Float64Array, other: Float64Array, order: Int32Array, limit: number): number[] | null {
  const starts: number[] = []
  let last = other[order[0]!]!
  for (let i = 1; i < order.length; i++) {
    const at = order[i]!
    const cell = other[at]!
    if (cell === last) continue
    if (cells[at] === cells[order[i - 1]!] || starts.length + 1 >= limit) return null
    starts.push(at)
    last = cell
  }
  return starts.length === 0 ? null : starts
}
