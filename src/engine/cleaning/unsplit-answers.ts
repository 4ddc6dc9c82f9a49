/** Notes about columns of several answers in a cell that stayed whole. */

import type { RawColumn } from '../../base/raw-table.ts'
import { aboutColumns } from './about-columns.ts'
import { doubtedSeparator } from './multi-select.ts'
import { quoted } from './quoted-text.ts'
import { rankingSeparator } from './rankings.ts'

/** A separator stands beside each name, so fewer are named. */
const MOST_NAMED = 5

/** @param split columns that became their options. */
export function unsplitAnswers(
  columns: readonly RawColumn[],
  split: ReadonlySet<RawColumn>,
  rowCount: number,
): string[] {
  const doubted: string[] = []
  const ranked: string[] = []
  for (const column of columns) {
    if (!('codes' in column) || column.declaredType !== undefined || split.has(column)) continue
    const ranking = rankingSeparator(column)
    const separator = ranking === null ? doubtedSeparator(column, rowCount) : null
    if (ranking !== null) ranked.push(`${quoted(column.name)} (${quoted(ranking)})`)
    else if (separator !== null) doubted.push(`${quoted(column.name)} (${quoted(separator)})`)
  }
  return [
    ...aboutColumns(
      doubted,
      'Columns of several answers in a cell were kept whole, because their sequence may be a rank; to split them, declare the separator in "multiple"',
      MOST_NAMED,
    ),
    ...aboutColumns(
      ranked,
      'Columns whose cells have the same answers in another sequence, as rankings have, were kept whole, and sequences of few rows are lost; to use the places, write a column for each answer in the file, with its place',
      MOST_NAMED,
    ),
  ]
}
