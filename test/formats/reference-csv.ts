import type { Block, OutputColumn } from '../../src/base/output-table.ts'
import { csvField } from '../../src/base/text/csv-field.ts'
import { missingText, valueText } from '../../src/formats/csv/csv-text.ts'
import { levelNumbers } from '../../src/formats/writing/block-values.ts'

/** The reference implementation of `encode-rows.ts`: rows without line ends. */
export function csvRows(columns: readonly OutputColumn[], block: Block): string[] {
  const missing = missingText(columns)
  const texts = block.columns.map((source, i) => {
    const column = columns[i]!
    return Array.from({ length: block.rowCount }, (_, row) => {
      if (!('codes' in source)) return source.valid?.[row] === 0 ? missing : valueText(column, source.values[row]!)
      const code = source.codes[row]!
      return code < 0 ? missing : levelText(column, code)
    })
  })
  return Array.from({ length: block.rowCount }, (_, row) => texts.map((column) => column[row]).join(','))
}

function levelText(column: OutputColumn, code: number): string {
  if (column.kind !== 'categorical') throw new RangeError(`column "${column.name}" has no levels`)
  const level = column.levels[code]!
  return column.integer ? String(levelNumbers([level])[0]) : csvField(level)
}
