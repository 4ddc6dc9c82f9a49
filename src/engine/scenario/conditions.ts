/**
 * A scenario in the terms of a model: column indices, codes and fractions instead of names, levels and bounds.
 *
 * K  codes of a numeric column
 */

import type { EncodedCategorical, EncodedNumeric, Model } from '../model/model.ts'
import { rangeFractions } from '../sampling/decode.ts'
import type { ValueRange } from '../sampling/value-cells.ts'
import type { ConditionedColumn } from './margins.ts'
import type { RequestedConditions } from './scenario.ts'

export interface ShareCondition extends ConditionedColumn {
  /** Position among the scenario's shares: reports use its sequence. */
  readonly position: number
  /** Column index. */
  readonly index: number
  readonly column: EncodedCategorical
}

export interface RangeCondition {
  /** Position among the scenario's ranges. */
  readonly position: number
  /** Column index. */
  readonly index: number
  readonly column: EncodedNumeric
  readonly range: ValueRange
  /** Length K: fraction of each code's mass inside the range; 0 for missing. */
  readonly fractions: Float64Array
}

export interface Conditions {
  readonly shares: readonly ShareCondition[]
  readonly ranges: readonly RangeCondition[]
}

/**
 * Looks up a scenario's columns and levels. Columns without a listed level are not conditioned.
 *
 * @throws RangeError for an unknown column or level, a condition of the wrong kind for its column, a column conditioned
 *   twice, or a range whose ends are not numbers in order. (Shares are checked by marginsOf.)
 */
export function resolveConditions(model: Pick<Model, 'columns'>, scenario: RequestedConditions): Conditions {
  const indices = new Map(model.columns.map((column, c) => [column.name, c]))
  const taken = new Set<number>()
  const claim = (name: string): number => {
    const index = indices.get(name)
    if (index === undefined) throw new RangeError(`there is no column ${name}`)
    if (taken.has(index)) throw new RangeError(`column ${name} is conditioned twice`)
    taken.add(index)
    return index
  }
  const shares = scenario.shares
    .filter(({ levels }) => levels.size > 0)
    .map((target, position): ShareCondition => {
      const index = claim(target.column)
      const column = model.columns[index]!
      if (column.kind !== 'categorical') throw new RangeError(`column ${column.name} is numeric and takes no shares`)
      const listed = new Map<number, number>()
      for (const [level, share] of target.levels) {
        const at = column.levels.indexOf(level)
        if (at < 0) throw new RangeError(`column ${column.name} has no level ${level}`)
        listed.set(at + column.missing, share)
      }
      return { position, index, column, codeCount: column.codeCount, listed }
    })
  const ranges = scenario.ranges.map(({ column: name, min, max }, position): RangeCondition => {
    const index = claim(name)
    const column = model.columns[index]!
    if (column.kind !== 'numeric') throw new RangeError(`column ${name} is categorical and takes no range`)
    if (!(min <= max)) throw new RangeError(`the range of ${name} from ${min} to ${max} is empty`)
    const range = { min, max }
    return { position, index, column, range, fractions: rangeFractions(column, range) }
  })
  return { shares, ranges }
}

/** The conditions in the sequence in which an order samples their columns. */
export function inOrder<C extends { readonly index: number }>(conditions: readonly C[], columns: Int32Array): C[] {
  return conditions.toSorted((a, b) => columns.indexOf(a.index) - columns.indexOf(b.index))
}
