/** The decisions about all columns of a file, and those that depend on what became of the columns beside them. */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { columnKinds } from './column-kinds.ts'
import { dropLongName, dropUniform } from './drop-rules.ts'
import { type ColumnDecision, inferColumn, type SplitDecision, splitColumn } from './infer-column.ts'
import { type DividedColumn, splitAsMates } from './uneven-splits.ts'

/** Columns that the options of all multi-select columns together may become, and the cells in them. */
const MAX_OPTION_COLUMNS = 1_000
const MAX_OPTION_CELLS = 40_000_000

/** In the sequence of the file. */
export function decideColumns(
  { columns, rowCount, sampleRows }: RawTable,
  autoClean: boolean,
): readonly ColumnDecision[] {
  let optionsLeft = Math.min(MAX_OPTION_COLUMNS, Math.floor(MAX_OPTION_CELLS / Math.max(1, sampleRows)))
  const kinds = columnKinds(columns)
  const alone = columns.map((source, at) => {
    const decision = inferColumn(source, rowCount, autoClean, optionsLeft, kinds[at]!)
    if (decision.as === 'split') optionsLeft -= decision.columns.length
    return decision
  })
  const divided = dividedColumns(alone)
  if (!autoClean || divided.length === 0) return alone
  return columns.map((source, at) => {
    if (alone[at]!.as === 'split' || !mayHoldSeveral(source, rowCount)) return alone[at]!
    const split = splitColumn(source, splitAsMates(source, divided, rowCount), rowCount, optionsLeft)
    optionsLeft -= split?.columns.length ?? 0
    return split ?? alone[at]!
  })
}

/** Those that were split into their options. */
export function dividedColumns(decisions: readonly ColumnDecision[]): DividedColumn[] {
  return decisions.filter((decision) => decision.as === 'split').map(dividedColumn)
}

function dividedColumn({ columns, separator, otherAnswers }: SplitDecision): DividedColumn {
  const options = new Set([...columns.map(({ option }) => option!.text), ...otherAnswers])
  return { source: columns[0]!.source as RawTextColumn, separator, options }
}

function mayHoldSeveral(source: RawColumn, rowCount: number): source is RawTextColumn {
  if (source.type !== 'text' || source.declaredType !== undefined) return false
  return dropLongName(source) === null && dropUniform(source, rowCount) === null
}
