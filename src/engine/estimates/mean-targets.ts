/**
 * Means that a scenario states of the seed's rows: E[y] = t among the weighted rows that have a value, or a bound of it. The share of a
 * level with bounds is the mean of a number that is 1 in the rows that have the level, and 0 in the others.
 *
 * n  kept rows of the seed, p  means
 */

import { numbersOfRows } from '../model/row-values.ts'
import { checkedMeans, type ShareCondition } from '../scenario/conditions.ts'
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

/** The shares with bounds, in the sequence of the conditions. */
export function boundedShares({ codes }: Pick<Seed, 'codes'>, shares: readonly ShareCondition[]): SeedMean[] {
  return shares.flatMap(({ index, column, bounded }) =>
    [...bounded].map(([code, { min, max }]) => ({
      column: column.name,
      min: min > 0 ? min : Number.NEGATIVE_INFINITY,
      max: max < 1 ? max : Number.POSITIVE_INFINITY,
      values: Float64Array.from(codes[index]!, (own) => (own === code ? 1 : 0)),
    })),
  )
}

/** The shares that are stated as numbers: bounds are means (`boundedShares`), and their levels are like others that are not stated. */
export const statedShares = (shares: readonly ShareCondition[]): ShareCondition[] =>
  shares.map((share) => ({ ...share, bounded: new Map() }))
