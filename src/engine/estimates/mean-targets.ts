/**
 * Means that a scenario states of the seed's rows: E[y] = t among the weighted rows that have a value, or a bound of it.
 *
 * n  kept rows of the seed, p  means
 */

import type { EncodedColumn } from '../model/model.ts'
import { valuesOfRows } from '../model/row-values.ts'
import { checkedMeans } from '../scenario/conditions.ts'
import type { MeanTarget, RequestedConditions } from '../scenario/scenario.ts'
import type { Seed } from './seed-patterns.ts'

export interface SeedMean extends MeanTarget {
  /** Length n: y; NaN where there is no value. */
  readonly values: Float64Array
}

/** @throws RangeError as `checkedMeans`, and for a column without numbers. */
export function seedMeans(seed: Seed, scenario: RequestedConditions): SeedMean[] {
  return checkedMeans(seed.columns, scenario).map(({ index, column, min, max }) => {
    return { column: column.name, min, max, values: numbersOf(seed, index, column) }
  })
}

function numbersOf(seed: Seed, index: number, column: EncodedColumn): Float64Array {
  if (column.kind === 'numeric') return valuesOfRows(seed, index, column)
  const ofLevel = column.levels.map((level) => (level.trim() === '' ? Number.NaN : Number(level)))
  const wrong = ofLevel.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) {
    throw new RangeError(
      `column ${column.name} has the level ${column.levels[wrong]}, which is no number, and takes no mean`,
    )
  }
  return Float64Array.from(seed.codes[index]!, (code) => ofLevel[code - column.missing] ?? Number.NaN)
}
