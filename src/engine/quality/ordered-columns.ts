/** Columns whose values have an order, as numbers that can be correlated. */

import type { ComparedColumn, ComparedRows, Part } from './compared-rows.ts'

export interface OrderedColumn {
  readonly column: ComparedColumn
  /** By number: what it counts in a correlation, NaN for missing. */
  readonly scores: Float64Array
}

/** One column tells this share of another, or more: the two are one measurement, and say little of the other pairs. */
export const SAME_MEASUREMENT = 0.8

/**
 * Of each ordered column the ranks of its values among the real rows, from -0.5 to 0.5 (ridits; Bross 1958): one wild value then
 * moves no correlation.
 */
export function rankedColumns({ columns }: ComparedRows): OrderedColumn[] {
  return columns.flatMap((column) => {
    const { scale } = column
    return scale === null ? [] : [{ column, scores: ranksOf(column, scale) }]
  })
}

function ranksOf({ numberCount, rows }: ComparedColumn, scale: Float64Array): Float64Array {
  const counts = new Int32Array(numberCount)
  for (const part of ['training', 'heldOut'] as const) {
    for (let i = 0; i < rows[part].length; i++) counts[rows[part][i]!]!++
  }
  const ascending = new Int32Array(numberCount - 1).map((_, i) => i + 1)
  ascending.sort((a, b) => scale[a]! - scale[b]!)
  const total = rows.training.length + rows.heldOut.length - counts[0]!
  const ranks = new Float64Array(numberCount).fill(Number.NaN)
  let below = 0
  for (const number of ascending) {
    ranks[number] = (below + counts[number]! / 2) / Math.max(1, total) - 0.5
    below += counts[number]!
  }
  return ranks
}

/** Length n of the part. */
export function scoresOf({ column, scores }: OrderedColumn, part: Part): Float64Array {
  const rows = column.rows[part]
  const of = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) of[i] = scores[rows[i]!]!
  return of
}
