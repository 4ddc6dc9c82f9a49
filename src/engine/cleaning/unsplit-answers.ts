/** Notes about columns of several answers in a cell that stayed whole. */

import type { RawColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { doubtedSeparator } from './multi-select.ts'
import { quoted } from './quoted-text.ts'

/** @param split columns that became their options. */
export function unsplitAnswers(
  columns: readonly RawColumn[],
  split: ReadonlySet<RawColumn>,
  rowCount: number,
): string[] {
  const doubted = columns.flatMap((column) => {
    if (!('codes' in column) || column.declaredType !== undefined || split.has(column)) return []
    const separator = doubtedSeparator(column, rowCount)
    return separator === null ? [] : [`${quoted(column.name)} (${quoted(separator)})`]
  })
  return doubted.length === 0
    ? []
    : [
        `Columns of several answers in a cell were kept whole, because their sequence may be a rank; to split them, declare the separator in "multiple": ${listText(doubted, 5)}.`,
      ]
}
