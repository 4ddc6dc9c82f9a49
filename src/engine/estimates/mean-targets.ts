/**
 * Means that a scenario states of the seed's rows: E[y] = t among the weighted rows that have a value, or a bound of it.
 *
 * n  kept rows of the seed, p  means
 */

import type { EncodedColumn } from '../model/model.ts'
import { valuesOfRows } from '../model/row-values.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import type { Seed } from './seed-patterns.ts'

/** The mean of a numeric column, or of an ordinal one whose levels are numbers, lies between two ends; equal ends: it is that. */
export interface MeanTarget {
  readonly column: string
  /** Negative infinity: no bound. */
  readonly min: number
  /** Infinity: no bound. */
  readonly max: number
}

/** What the weights of seed rows can follow. Generated rows do not follow means yet, so that only estimates take these. */
export interface SeedConditions extends RequestedConditions {
  readonly means?: readonly MeanTarget[]
}

export interface SeedMean extends MeanTarget {
  /** Length n: y; NaN where there is no value. */
  readonly values: Float64Array
}

/**
 * @throws RangeError for an unknown column, one without numbers, one that has shares or a mean already, and for ends that are not
 *   numbers in sequence or bound nothing.
 */
export function seedMeans(seed: Seed, { shares, means = [] }: SeedConditions): SeedMean[] {
  const taken = new Set(shares.map(({ column }) => column))
  return means.map(({ column: name, min, max }) => {
    const index = seed.columns.findIndex((column) => column.name === name)
    if (index < 0) throw new RangeError(`there is no column ${name}`)
    if (taken.has(name)) throw new RangeError(`column ${name} is conditioned twice`)
    taken.add(name)
    if (!(min <= max) || min === Number.POSITIVE_INFINITY || max === Number.NEGATIVE_INFINITY) {
      throw new RangeError(`the mean of ${name} from ${min} to ${max} is empty`)
    }
    if (!(Number.isFinite(min) || Number.isFinite(max))) throw new RangeError(`the mean of ${name} has no bound`)
    return { column: name, min, max, values: numbersOf(seed, index, seed.columns[index]!) }
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
