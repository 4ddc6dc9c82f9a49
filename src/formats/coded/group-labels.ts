import { NO_TEXT } from './coded-sample.ts'

/** Fewer rows or labels are no groups. */
const MIN_ROWS = 6
const MIN_LABELS = 2
/** Largest share of rows with a label: most groups have two rows and more. */
const MOST_LABELS = 0.5
/** Least share of rows in which another column has a value: next to a column of labels, the rows have answers. */
const FILLED_SHARE = 0.5
/** Labels that must come again in the same sequence to be those of groups. */
const MIN_AGAIN = 3

export interface GroupLabels {
  /** Places of the columns with labels. */
  readonly columns: readonly number[]
  /** Rows that hold nothing but labels, as headings do. */
  readonly headings: number
}

/**
 * Finds the leading columns of a table in which a label stands once, above the empty cells of its group, as pivot tables
 * show them. In the first column each label comes once, or all come again in one sequence, as regions do in each year; in a
 * column within it, labels change from one to the next, and each outer group begins with one. Numbers of rows may stand before.
 *
 * @param columns ids of the sampled rows in their sequence, by column.
 */
export function findGroupLabels(columns: readonly Int32Array[]): GroupLabels {
  const rows = columns[0]?.length ?? 0
  const none = { columns: [], headings: 0 }
  if (rows < MIN_ROWS) return none
  let first = 0
  while (first < columns.length && areAllDifferent(columns[first]!)) first++
  let end = first
  while (end < columns.length && areLabels(columns[end]!, end === first ? null : columns[end - 1]!)) end++
  const others = columns.slice(end)
  if (end === first || !others.some((ids) => filledIn(ids) >= FILLED_SHARE * rows)) return none
  let headings = 0
  for (let row = 0; row < rows; row++) if (others.every((ids) => ids[row] === NO_TEXT)) headings++
  return { columns: Array.from({ length: end - first }, (_, i) => first + i), headings }
}

function areLabels(ids: Int32Array, outer: Int32Array | null): boolean {
  if (ids[0] === NO_TEXT) return false
  const labels = filledIn(ids)
  if (labels < MIN_LABELS || labels > MOST_LABELS * ids.length) return false
  if (outer === null) return areInOneSequence(ids.filter((id) => id !== NO_TEXT))
  let last = NO_TEXT
  for (let row = 0; row < ids.length; row++) {
    const begins = outer[row] !== NO_TEXT
    if (begins ? ids[row] === NO_TEXT : ids[row] === last && last !== NO_TEXT) return false
    if (ids[row] !== NO_TEXT) last = ids[row]!
  }
  return true
}

/** Whether each label comes once, or is always followed by the same one. */
function areInOneSequence(labels: Int32Array): boolean {
  const different = new Set(labels).size
  if (different === labels.length) return true
  if (different < MIN_LABELS || labels.length - different < MIN_AGAIN) return false
  const next = new Map<number, number>()
  for (let i = 1; i < labels.length; i++) {
    const found = next.get(labels[i - 1]!)
    if (found === undefined) next.set(labels[i - 1]!, labels[i]!)
    else if (found !== labels[i]) return false
  }
  return [...next].every(([label, following]) => label !== following)
}

function areAllDifferent(ids: Int32Array): boolean {
  return filledIn(ids) === ids.length && new Set(ids).size === ids.length
}

function filledIn(ids: Int32Array): number {
  let filled = 0
  for (const id of ids) if (id !== NO_TEXT) filled++
  return filled
}
