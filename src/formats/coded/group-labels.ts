import { NO_TEXT } from './coded-sample.ts'

/** Fewer rows or labels are no groups. */
const MIN_ROWS = 6
const MIN_LABELS = 2
/** Largest share of rows with a label: most groups have two rows and more. */
const MOST_LABELS = 0.5
/** Least share of rows in which another column has a value. */
const FILLED_SHARE = 0.95

/**
 * Finds the leading columns of a table in which a label stands once, above the empty cells of its group, as pivot tables
 * show them. In the first column each label comes once; in a column within it, labels change from one to the next, and
 * each outer group begins with one.
 *
 * @param columns ids of the sampled rows in their sequence, by column.
 * @returns how many columns at the beginning are like that.
 */
export function countGroupLabels(columns: readonly Int32Array[]): number {
  const rows = columns[0]?.length ?? 0
  if (rows < MIN_ROWS) return 0
  let outer: Int32Array | null = null
  let found = 0
  for (const ids of columns) {
    if (!areLabels(ids, outer)) break
    outer = ids
    found++
  }
  const isFilled = (ids: Int32Array) => filledIn(ids) >= FILLED_SHARE * rows
  return columns.slice(found).some(isFilled) ? found : 0
}

function areLabels(ids: Int32Array, outer: Int32Array | null): boolean {
  if (ids[0] === NO_TEXT) return false
  const labels = filledIn(ids)
  if (labels < MIN_LABELS || labels > MOST_LABELS * ids.length) return false
  if (outer === null) return new Set(ids.filter((id) => id !== NO_TEXT)).size === labels
  let last = NO_TEXT
  for (let row = 0; row < ids.length; row++) {
    const begins = outer[row] !== NO_TEXT
    if (begins ? ids[row] === NO_TEXT : ids[row] === last && last !== NO_TEXT) return false
    if (ids[row] !== NO_TEXT) last = ids[row]!
  }
  return true
}

function filledIn(ids: Int32Array): number {
  let filled = 0
  for (const id of ids) if (id !== NO_TEXT) filled++
  return filled
}
