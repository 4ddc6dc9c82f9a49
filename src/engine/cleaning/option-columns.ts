/** The 0/1 columns that a multi-select column is split into (dichotomous coding of multiple responses). */
import type { RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import type { MultiSelect } from './multi-select.ts'

/**
 * One option of a multi-select column as a column of its own: 1 where it was ticked, 0 where others were, missing where nothing was
 * answered. Counts are those of the whole seed; cells that no sampled row holds count like the others.
 */
export function optionColumn(column: RawTextColumn, { options, chosen }: MultiSelect, option: number): RawNumberColumn {
  const ticked = Uint8Array.from(chosen, (indexes) => (indexes.includes(option) ? 1 : 0))
  const values = new Float64Array(column.codes.length)
  const valid = new Uint8Array(column.codes.length)
  let present = 0
  for (let row = 0; row < column.codes.length; row++) {
    const cell = column.codes[row]!
    if (cell < 0) continue
    valid[row] = 1
    values[row] = ticked[cell]!
  }
  let ones = 0
  for (let cell = 0; cell < ticked.length; cell++) {
    present += column.counts[cell]!
    if (ticked[cell] === 1) ones += column.counts[cell]!
  }
  return {
    type: 'number',
    name: `${column.name} ${options[option]!}`,
    missing: column.missing,
    values,
    valid,
    min: ones < present ? 0 : 1,
    max: 1,
    decimals: 0,
    distinct: ones < present ? 2 : 1,
    counts: new Map(
      ones < present
        ? [
            [0, present - ones],
            [1, ones],
          ]
        : [[1, ones]],
    ),
  }
}
