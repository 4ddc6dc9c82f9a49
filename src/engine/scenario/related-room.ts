/**
 * Relations of a column with a mean to the other conditioned columns, and to the extremes of those that are drawn later: its values may
 * move only where they hold.
 *
 * R  rows, cell after cell, D  conditioned categorical columns
 */

import { unitOf } from '../encoding/numbers.ts'
import type { EncodedNumeric, Model, Order } from '../model/model.ts'
import { levelNumbers } from '../sampling/block-values.ts'
import { columnRoles } from '../sampling/column-roles.ts'
import { limitsOf } from '../sampling/limits.ts'
import { latticeValue, type ValueRange } from '../sampling/value-cells.ts'
import type { DrawnColumn, ShareCondition } from './conditions.ts'
import { type Room, valuesBetween } from './mean-values.ts'

export interface PresetColumns {
  readonly drawn: readonly DrawnColumn[]
  /** By column index, each of length R: of the drawn columns. */
  readonly values: ReadonlyMap<number, Float64Array>
  /** D */
  readonly shares: readonly ShareCondition[]
  /** K × D, row-major. */
  readonly cells: Int32Array
  /** Length R */
  readonly cellOf: Int32Array
}

/** Narrows the room of a column's values, and moves those that are outside of it to its nearest end. */
export function keepRelations(
  { columns, relations, derivations }: Model,
  order: Order,
  rows: PresetColumns,
  drawnColumn: DrawnColumn,
  { low, high }: Room,
): void {
  const { index, column, range } = drawnColumn
  const { drawn, shares, cells, cellOf } = rows
  const values = rows.values.get(index)!
  const D = shares.length
  const conditioned = [...shares, ...drawn].map((one) => one.index)
  const reader = (c: number): ((row: number) => number) => {
    const own = rows.values.get(c)
    if (own !== undefined) {
      const unit = unitOf(columns[c] as EncodedNumeric)
      return (row) => own[row]! / unit
    }
    const d = shares.findIndex((share) => share.index === c)
    const numbers = levelNumbers(shares[d]!.column)
    return (row) => numbers[cells[cellOf[row]! * D + d]!]!
  }
  const level = (c: number): ((row: number) => number) => {
    const d = shares.findIndex((share) => share.index === c)
    const { missing } = shares[d]!.column
    return (row) => cells[cellOf[row]! * D + d]! - missing
  }
  const ranges = new Map<number, ValueRange>(drawn.flatMap((one) => (one.range ? [[one.index, one.range]] : [])))
  const formulas = columnRoles(derivations, order, conditioned.length).flatMap((role) =>
    role.kind === 'computed' ? [role.formula] : [],
  )
  // Columns with a mean follow one another: a later one adapts to this one, for which its extremes count.
  const later = drawn.slice(drawn.indexOf(drawnColumn)).filter(({ mean }) => mean !== null)
  const before = new Set(conditioned.filter((c) => later.every((one) => one.index !== c)))
  const limits = limitsOf({ columns, relations, formulas, ranges, values: { reader, level } }, index, before)
  if (!limits.isTight) return
  const ofRow = limits.ofRow.map((make) => make())
  const all = valuesBetween(column, 0, column.binStart.length - 2, range)
  const interval = { low: 0, high: 0 }
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!
    if (Number.isNaN(value)) continue
    interval.low = limits.always.low
    interval.high = limits.always.high
    for (const limit of ofRow) limit(row, interval)
    const from = possible(column, interval.low, 1)
    const to = possible(column, interval.high, -1)
    // Where its leaf has no such values, a relation counts more than the leaf; where nothing is possible, the value stays.
    const rooms = [
      [Math.max(low[row]!, from), Math.min(high[row]!, to)],
      [Math.max(all.min, from), Math.min(all.max, to)],
      [value, value],
    ] as const
    ;[low[row], high[row]] = rooms.find(([least, most]) => least <= most)!
    values[row] = Math.min(high[row]!, Math.max(low[row]!, value))
  }
}

/** The number of the column's lattice that is nearest to a limit, on its inner side. */
function possible({ lattice }: EncodedNumeric, limit: number, inwards: 1 | -1): number {
  if (!lattice || !Number.isFinite(limit)) return limit
  const k = (limit * lattice.scale - lattice.origin) / lattice.step
  // Decimals are binary.
  return latticeValue(lattice, inwards > 0 ? Math.ceil(k - 1e-6) : Math.floor(k + 1e-6))
}
