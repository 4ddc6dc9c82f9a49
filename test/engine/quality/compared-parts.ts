import type { Block } from '../../../src/base/output-table.ts'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { type ComparedRows, compareRows } from '../../../src/engine/quality/compared-rows.ts'

/** A table as a generation would deliver it. */
export function asBlock({ rowCount, columns }: Table): Block {
  return {
    rowCount,
    columns: columns.map((column) =>
      column.kind === 'categorical' ? { codes: column.codes } : { values: column.values, valid: column.valid },
    ),
  }
}

/** Three tables with the same columns and levels as the parts of a comparison. */
export function compareTables(training: Table, heldOut: Table, synthetic: Table): ComparedRows {
  return compareRows(training, heldOut, [asBlock(synthetic)])
}

/** Rows of a table by their index, in this order. */
export function rowsOf(table: Table, rows: readonly number[]): Table {
  return {
    rowCount: rows.length,
    seedRows: rows.length,
    columns: table.columns.map((column) =>
      column.kind === 'categorical'
        ? { ...column, codes: Int32Array.from(rows, (row) => column.codes[row]!) }
        : {
            ...column,
            values: Float64Array.from(rows, (row) => column.values[row]!),
            valid: Uint8Array.from(rows, (row) => column.valid[row]!),
          },
    ),
  }
}

/** Every column in an order of its own: it keeps its distribution and loses its relations to others. */
export function shuffleColumns(table: Table): Table {
  const n = table.rowCount
  return {
    ...table,
    columns: table.columns.map((column, c) => {
      const rows = Array.from({ length: n }, (_, i) => (i + (c + 1) * 37) % n)
      return rowsOf({ ...table, columns: [column] }, rows).columns[0]!
    }),
  }
}

export const range = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, i) => start + i)
