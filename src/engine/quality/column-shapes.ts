/**
 * How alike the distributions of a column are in two parts: 1 - total variation distance of levels, 1 - Kolmogorov-Smirnov
 * statistic of numbers, both without missing values. The definitions are those of "column shapes" in SDMetrics (DataCebo).
 *
 * d  columns     K  numbers of a column
 */

import type { ComparedColumn, Part } from './compared-rows.ts'

/** 0…1, 1 = the same; NaN where one of the parts has no value. */
export function columnShape(column: ComparedColumn, a: Part, b: Part): number {
  const counts = [a, b].map((part) => countNumbers(column, part)) as [Int32Array, Int32Array]
  const [rowsA, rowsB] = counts.map((part) => part.reduce((sum, count) => sum + count, -part[0]!)) as [number, number]
  if (rowsA === 0 || rowsB === 0) return Number.NaN
  let below = 0
  let largest = 0
  let variation = 0
  for (let k = 1; k < column.numberCount; k++) {
    const difference = counts[0][k]! / rowsA - counts[1][k]! / rowsB
    below += difference
    if (Math.abs(below) > largest) largest = Math.abs(below)
    variation += Math.abs(difference)
  }
  return 1 - (column.kind === 'numeric' ? largest : variation / 2)
}

function countNumbers(column: ComparedColumn, part: Part): Int32Array {
  const counts = new Int32Array(column.numberCount)
  const rows = column.rows[part]
  for (let i = 0; i < rows.length; i++) counts[rows[i]!]!++
  return counts
}
