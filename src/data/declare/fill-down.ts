import type { RawColumn } from '../../base/raw-table.ts'
import { plural } from '../../base/text/amount-text.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { keptOf, ofNumbers, ofTexts } from './raw-values.ts'

/** The column with the value above in each empty cell; cells above the first value stay empty. */
export function fillDown(column: RawColumn, { remarks }: Findings): RawColumn {
  const kept = keptOf(column)
  const text = (filled: number) =>
    `${quoted(column.name)}: ${plural(filled, 'empty cell')} took the value above ${filled === 1 ? 'it' : 'them'}.`
  let filled = 0
  if ('codes' in column) {
    let last = -1
    const codes = column.codes.map((code) => {
      if (code < 0 && last >= 0) filled++
      else last = code
      return last
    })
    remarks.push({ key: 'fill_down', text: text(filled) })
    return ofTexts(kept, column.type, codes.length, (row) => (codes[row]! < 0 ? null : column.dictionary[codes[row]!]!))
  }
  let last = Number.NaN
  const values = column.values.map((value, row) => {
    if (column.valid[row] === 0 && !Number.isNaN(last)) filled++
    else last = column.valid[row] === 0 ? Number.NaN : value
    return last
  })
  remarks.push({ key: 'fill_down', text: text(filled) })
  return ofNumbers(kept, column.type, values)
}
