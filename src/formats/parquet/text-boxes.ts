import type { RawColumn } from '../../base/raw-table.ts'
import { areTwoLetterCodes, CHECKBOX, NA_AMONG_CODES } from '../coded/read-coded-columns.ts'
import { checkboxColumn } from '../coded/read-texts.ts'
import type { ColumnRemarks } from '../columns/column-remarks.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'

/**
 * Reads columns of a Parquet file that have one answer or none as 1 and 0, as those of a CSV file, and remarks "NA" among
 * codes of two letters. Columns of `textColumns` stay as they are.
 */
export function readTextBoxes(
  columns: readonly RawColumn[],
  rowCount: number,
  remarks: ColumnRemarks,
  { textColumns, isNoAnswer }: Pick<ReadTableOptions, 'textColumns' | 'isNoAnswer'>,
): RawColumn[] {
  return columns.map((column) => {
    const { name } = column
    if (textColumns?.has(name)) return column
    const words = remarks.missingIn(name)
    if (words.includes('NA') && 'codes' in column && areTwoLetterCodes(column.dictionary))
      remarks.has(name, NA_AMONG_CODES)
    const value = 'codes' in column ? column.dictionary[0] : column.min
    const isAnswer = value === undefined || isNoAnswer?.(name, value) !== true
    const checkbox = words.length === 0 && isAnswer ? checkboxColumn(column, rowCount) : null
    if (checkbox !== null) remarks.has(name, CHECKBOX)
    return checkbox ?? column
  })
}
