/**
 * The text of a cell in a written CSV file. `encode-rows.ts` writes the same bytes faster, and calls this module for
 * rare values.
 */

import type { OutputColumn } from '../../base/output-table.ts'
import { isTooSmall, roundTo } from '../writing/block-values.ts'

/** Readers skip empty lines, so a table of one column has `""` where a value is missing. */
export function missingText(columns: readonly OutputColumn[]): string {
  return columns.length === 1 ? '""' : ''
}

/**
 * A number with all decimals of its column, dates and times by ISO 8601. An exponent appears only from 1e21 and when
 * the column's decimals would lose most digits.
 */
export function valueText(column: OutputColumn, value: number): string {
  switch (column.kind) {
    case 'numeric':
      // No negative zero.
      return column.integer
        ? String(Math.round(value) + 0)
        : decimalText(roundTo(value, column.decimals) + 0, column.decimals)
    case 'date':
      return isoText(value).slice(0, -14)
    case 'date-time':
      return isoText(value).replace('.000Z', '').replace('Z', '')
    case 'categorical':
      throw new RangeError(`column "${column.name}" is categorical, and its block holds values`)
  }
}

function decimalText(rounded: number, decimals: number): string {
  const text = rounded.toFixed(decimals)
  return isTooSmall(rounded, 10 ** decimals) && Number(text) !== rounded ? String(rounded) : text
}

/** `2024-12-31T23:59:59.000Z`. */
function isoText(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString()
}
