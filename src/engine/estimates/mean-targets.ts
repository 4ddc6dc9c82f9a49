/**
 * Means that a scenario states of the seed's rows: E[y] = t among the weighted rows that have a value, or a bound of it.
 *
 * n  kept rows of the seed, p  means
 */

import { numbersOfRows } from '../model/row-values.ts'
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
    return { column: column.name, min, max, values: numbersOfRows(seed, index, column) }
  })
}
