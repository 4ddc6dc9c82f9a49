/**
 * Rows that carry a rare number of the seed exactly. Rare levels become missing before training (`cleaning/levels.ts`), but the
 * numbers of a discrete scale, such as ages, are generated as they are, however few rows have them.
 *
 * n  rows of the table     N  rows of the seed     V  numbers of a column
 */

import type { NumericColumn, Table } from '../cleaning/table.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { ComparedRows, Part } from './compared-rows.ts'
import type { RareNumbers } from './quality.ts'

/** Columns with more numbers are continuous: a single number among them is nobody's. */
const MOST_NUMBERS = 256
/** Rows that a number has on average. */
const ROWS_PER_NUMBER = 2

/**
 * table  the whole one, whose rows decide what is rare: fewer than LEAST_ROWS of N, as far as n rows show
 * rows   its columns in their sequence
 *
 * @returns null where no column repeats few numbers; dates are none
 */
export function rareNumberRows(table: Table, rows: ComparedRows): RareNumbers | null {
  const carries = { training: marksOf('training'), synthetic: marksOf('synthetic') }
  let columns = 0
  for (const [c, column] of table.columns.entries()) {
    if (column.kind !== 'numeric' || column.format !== null) continue
    const counts = countNumbers(column)
    if (counts === null) continue
    columns++
    const compared = rows.columns[c]!
    const isRare = compared.values!.map((value) => {
      const count = ((counts.get(value) ?? 0) * table.seedRows) / table.rowCount
      return count > 0 && count < LEAST_ROWS ? 1 : 0
    })
    for (const part of ['training', 'synthetic'] as const) {
      const numbers = compared.rows[part]
      for (let row = 0; row < numbers.length; row++) carries[part][row]! |= isRare[numbers[row]!]!
    }
  }
  const count = (part: Uint8Array) => part.reduce((sum, mark) => sum + mark, 0)
  return columns === 0 ? null : { columns, synthetic: count(carries.synthetic), training: count(carries.training) }

  function marksOf(part: Part): Uint8Array {
    return new Uint8Array(rows.rowCount[part])
  }
}

/** Rows of each number; null unless they are few, and rows repeat them. */
function countNumbers({ values, valid }: NumericColumn): ReadonlyMap<number, number> | null {
  const counts = new Map<number, number>()
  let present = 0
  for (let row = 0; row < values.length; row++) {
    if (valid[row] === 0) continue
    present++
    const value = values[row]! + 0 // -0 becomes 0
    counts.set(value, (counts.get(value) ?? 0) + 1)
    if (counts.size > MOST_NUMBERS) return null
  }
  return present > 0 && counts.size * ROWS_PER_NUMBER <= present ? counts : null
}
