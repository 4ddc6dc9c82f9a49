/** The columns of a scenario whose codes are drawn, and what drawing them needs: all of it follows from model, order and scenario. */
import type { Model, Order } from '../model/model.ts'
import { type Conditions, type DrawnColumn, drawnColumns, inOrder } from './conditions.ts'
import { rowsInside } from './evidence.ts'
import { RangeWalk } from './range-mass.ts'
import { leaveOutBreaking } from './rule-cells.ts'

export interface RangeDraws {
  /** In the order's sequence: the D shares are its first columns; the ranges come after them. */
  readonly conditions: Conditions
  /** The r columns after the shares: those with ranges or means. */
  readonly drawn: readonly DrawnColumn[]
  /** Through the drawn columns. */
  readonly walk: RangeWalk
  /** Length n, the rows of the training sample: see rowsInside. */
  readonly inside: Float64Array
}

/**
 * @param order Its first columns are the conditioned ones: categoricals, then numerics.
 * @returns besides, the rules for which rows of the sample count as outside (see leaveOutBreaking).
 */
export function openRanges(
  model: Model,
  order: Order,
  unordered: Conditions,
): RangeDraws & { readonly brokenRules: readonly string[] } {
  const shares = inOrder(unordered.shares, order.columns)
  const ranges = inOrder(unordered.ranges, order.columns)
  const conditions = { ...unordered, shares, ranges }
  const cellColumns = order.columns.subarray(0, shares.length)
  const drawn = drawnColumns(model, conditions, order.columns)
  const walk = new RangeWalk(model, order, drawn, cellColumns)
  const inside = rowsInside(model, ranges)
  const brokenRules = leaveOutBreaking(model, cellColumns, ranges, inside)
  return { conditions, drawn, walk, inside, brokenRules }
}
