/**
 * Splits a table into training rows and held-out rows to measure against. The same table always gets the same split.
 *
 * n  rows of the table     m  rows that take part     h  rows held out     d  columns
 */

import type { Table, TableColumn } from '../cleaning/table.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { caseWeights } from '../weighting/case-weights.ts'

/** Rows of more cells than this are sampled: a report takes a fraction of a second, however large the table is. */
const CELL_BUDGET = 120_000
/** At least this many rows take part, however many columns there are. */
const MIN_ROWS_OF_WIDE_TABLES = 1_000
const HELD_OUT_SHARE = 0.2
const MAX_HELD_OUT_ROWS = 5_000

export interface HeldOutSplit {
  readonly training: Table
  readonly heldOut: Table
}

export function splitTable(table: Table): HeldOutSplit {
  const n = table.rowCount
  const budgeted = Math.max(MIN_ROWS_OF_WIDE_TABLES, Math.floor(CELL_BUDGET / table.columns.length))
  const m = Math.min(n, budgeted)
  const h = Math.min(MAX_HELD_OUT_ROWS, Math.floor(m * HELD_OUT_SHARE))
  const drawn = drawRows(n, m)
  return { training: rowsOf(table, drawn.slice(h).sort()), heldOut: rowsOf(table, drawn.slice(0, h).sort()) }
}

/** m distinct rows of n in random sequence: the first steps of a shuffle (Fisher and Yates). */
function drawRows(n: number, m: number): Int32Array {
  const rows = new Int32Array(n)
  for (let row = 0; row < n; row++) rows[row] = row
  const stream = new RandomStream(0, PURPOSE.heldOut)
  for (let i = 0; i < m; i++) {
    const j = i + stream.below(n - i)
    const row = rows[j]!
    rows[j] = rows[i]!
    rows[i] = row
  }
  return rows.slice(0, m)
}

/** The table of some of its rows, which may occur more than once. */
export function rowsOf(table: Table, rows: Int32Array): Table {
  const { weights, formulas, rules } = table
  return {
    rowCount: rows.length,
    seedRows: rows.length,
    ...(weights && { weights: caseWeights(pick(weights, rows, new Float64Array(rows.length))) }),
    ...(formulas && { formulas }),
    ...(rules && { rules }),
    columns: table.columns.map((column): TableColumn => {
      if (column.kind === 'categorical') {
        return { ...column, codes: pick(column.codes, rows, new Int32Array(rows.length)) }
      }
      const values = pick(column.values, rows, new Float64Array(rows.length))
      return { ...column, values, valid: pick(column.valid, rows, new Uint8Array(rows.length)) }
    }),
  }
}

function pick<A extends Int32Array | Float64Array | Uint8Array>(from: A, rows: Int32Array, into: A): A {
  for (let i = 0; i < rows.length; i++) into[i] = from[rows[i]!]!
  return into
}
