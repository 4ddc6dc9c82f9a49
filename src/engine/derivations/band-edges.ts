/**
 * Finds where bands of a numeric column begin: another column changes along its values a few times only (age and age group,
 * income and tax bracket). Bins are then cut there, so that a bin decides the band.
 *
 * S  sampled rows     n  rows
 */

import type { NumericColumn, Table, TableColumn } from '../table.ts'

const SAMPLE_ROWS = 512
const LEAST_SAMPLE_ROWS = 50
/** Bands of one column; in the sample, also at most one per this many rows. */
const MAX_BANDS = 64
const SAMPLED_ROWS_PER_BAND = 16
const LEAST_DISTINCT = 11

/** Per column: ascending values at which a band of some other column begins; null for none. */
export function bandEdges(table: Table): (Float64Array | null)[] {
  return table.columns.map((column, c) => (column.kind === 'numeric' ? edgesOf(table, column, c) : null))
}

function edgesOf(table: Table, column: NumericColumn, c: number): Float64Array | null {
  const sample = sampleRows(table, column)
  if (sample.length < LEAST_SAMPLE_ROWS) return null
  const limit = Math.min(MAX_BANDS, sample.length / SAMPLED_ROWS_PER_BAND)
  if (new Set(Array.from(sample, (row) => column.values[row]!)).size < LEAST_DISTINCT) return null
  const banded = table.columns.filter((other, o) => o !== c && bandStarts(column, other, sample, limit) !== null)
  if (banded.length === 0) return null
  const all = sortedRows(table, column, 1)
  const edges = new Set<number>()
  for (const other of banded) {
    for (const row of bandStarts(column, other, all, MAX_BANDS) ?? []) edges.add(column.values[row]!)
  }
  return edges.size === 0 ? null : Float64Array.from(edges).sort()
}

/** Rows with a value, by value; every `step`-th of the table. */
function sortedRows(table: Table, { values, valid }: NumericColumn, step: number): Int32Array {
  const rows: number[] = []
  for (let i = 0; Math.floor(i * step) < table.rowCount; i++) {
    const row = Math.floor(i * step)
    if (valid[row] !== 0) rows.push(row)
  }
  return Int32Array.from(rows).sort((a, b) => values[a]! - values[b]! || a - b)
}

function sampleRows(table: Table, column: NumericColumn): Int32Array {
  return sortedRows(table, column, Math.max(1, table.rowCount / SAMPLE_ROWS))
}

/**
 * The rows at which `other` changes along the values of `column`, the first row not among them. Null when it changes more than
 * `limit` times, never, or within one value.
 */
function bandStarts(column: NumericColumn, other: TableColumn, rows: Int32Array, limit: number): number[] | null {
  const starts: number[] = []
  let last = cellOf(other, rows[0]!)
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i]!
    const cell = cellOf(other, row)
    if (cell === last) continue
    if (column.values[row] === column.values[rows[i - 1]!] || starts.length + 1 >= limit) return null
    starts.push(row)
    last = cell
  }
  return starts.length === 0 ? null : starts
}

/** Null where missing. */
function cellOf(column: TableColumn, row: number): number | null {
  if (column.kind === 'categorical') return column.codes[row]!
  return column.valid[row] === 0 ? null : column.values[row]!
}
