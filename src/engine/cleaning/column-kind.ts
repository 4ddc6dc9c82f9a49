/**
 * Whether a column is modelled as levels or as a number: the answer that a researcher would give, guessed from the values.
 */
import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'

/** Whole numbers with more distinct values than this are counts, not codes. */
const MAX_CODES = 10

/**
 * Categorical: text, booleans, and coded answers. Numeric: all other numbers, dates and times.
 */
export function kindOf(column: RawColumn): 'categorical' | 'numeric' {
  if ('codes' in column) return 'categorical'
  return column.type === 'number' && isCoded(column) ? 'categorical' : 'numeric'
}

/**
 * Whole numbers with at most ten distinct values that run from 0 or 1 without a gap of more than one (0/1, Likert items,
 * numbered answers): 1, 2, 3, 5 is a scale with an answer that nobody gave; 0, 5, 10 is an amount.
 */
function isCoded(column: RawNumberColumn): boolean {
  if (column.decimals > 0 || column.counts === null || column.distinct > MAX_CODES || column.distinct === 0)
    return false
  const values = [...column.counts.keys()].sort((a, b) => a - b)
  if (values[0] !== 0 && values[0] !== 1) return false
  return values.every((value, i) => i === 0 || value - values[i - 1]! <= 2)
}
