import type { Table } from '../../../src/engine/cleaning/table.ts'
import { scalesTable, tableOf } from '../survey-table.ts'
import { range, rowsOf, shuffleColumns } from './compared-parts.ts'

/** Answers on seven scales of five points, coded as whole numbers. */
export function itemsTable(rows: number, seed = 1): Table {
  return tableOf(
    scalesTable(rows, seed).columns.map((column) =>
      column.kind === 'categorical' ? { ...column, integer: true } : column,
    ),
  )
}

/** Shuffles a share `lost` of the rows of each column: its relations to others are (1 - lost) times as strong. */
export function weakened(table: Table, lost: number): Table {
  const { rowCount } = table
  const cut = Math.round(lost * rowCount)
  const mixed = shuffleColumns(rowsOf(table, range(0, cut)))
  const kept = rowsOf(table, range(cut, rowCount))
  return {
    ...table,
    columns: table.columns.map((column, c) => {
      const [a, b] = [mixed.columns[c]!, kept.columns[c]!]
      if (column.kind === 'categorical' && a.kind === 'categorical' && b.kind === 'categorical') {
        return { ...column, codes: Int32Array.of(...a.codes, ...b.codes) }
      }
      if (column.kind === 'numeric' && a.kind === 'numeric' && b.kind === 'numeric') {
        return {
          ...column,
          values: Float64Array.of(...a.values, ...b.values),
          valid: Uint8Array.of(...a.valid, ...b.valid),
        }
      }
      throw new Error('columns change their kind')
    }),
  }
}
