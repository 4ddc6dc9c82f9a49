/**
 * Rows of a weighted table that all count alike: each is taken as often as its weight says (systematic sampling with probability
 * proportional to size). They follow the population as a sample without weights does, so figures and their intervals that know
 * nothing of weights hold for them, at the price of fewer rows.
 *
 * n  rows     a  case weights     s  rows taken
 */

import type { Table } from '../cleaning/table.ts'
import { effectiveRows } from '../weighting/case-weights.ts'
import { rowsOf } from './held-out-split.ts'

/** Least share of effective rows among the rows taken, because a row taken twice says no more than once. */
const LEAST_EFFECTIVE = 0.9
/** If too many rows repeat, the number of rows is multiplied by STEP, but it keeps at least LEAST_SHARE of the effective rows. */
const STEP = 0.8
const LEAST_SHARE = 0.25

/** The table itself where it has no weights. */
export function selfWeighting(table: Table): Table {
  const { weights } = table
  if (!weights) return table
  const effective = effectiveRows(weights)
  for (let share = 1; ; share *= STEP) {
    const taken = systematicRows(weights, Math.max(1, Math.floor(share * effective)))
    if (share * STEP < LEAST_SHARE || isVaried(taken)) return rowsOf({ ...table, weights: undefined }, taken)
  }
}

function isVaried(rows: Int32Array): boolean {
  let squares = 0
  let times = 0
  for (let i = 0; i < rows.length; i++) {
    times = i > 0 && rows[i] === rows[i - 1] ? times + 1 : 1
    squares += 2 * times - 1
  }
  return rows.length / squares >= LEAST_EFFECTIVE
}

/** s rows, ascending: those at equal distances along the running sum of the weights. */
function systematicRows(weights: Float64Array, s: number): Int32Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const rows = new Int32Array(s)
  let row = 0
  let end = weights[0]!
  for (let i = 0; i < s; i++) {
    const point = ((i + 0.5) * total) / s
    while (end <= point && row < weights.length - 1) end += weights[++row]!
    rows[i] = row
  }
  return rows
}
