/**
 * The seed's own values, row by row.
 *
 * n  kept rows of the seed
 */

import type { EncodedCategorical, EncodedColumn, EncodedNumeric, Model } from './model.ts'

/**
 * Length n: the values of a numeric column; NaN where there is none. A model of an earlier version does not have the positions of
 * values in their bins: a row then has the mean of its bin.
 */
export function valuesOfRows(
  { codes, positions }: Pick<Model, 'codes' | 'positions'>,
  index: number,
  column: EncodedNumeric,
) {
  const own = codes[index]!
  const { binStart, values, missing } = column
  const within = positions?.[index] ?? null
  const means = areOwnValues({ positions }, index, column) ? null : meansOfBins(column)
  const result = new Float64Array(own.length)
  for (let row = 0; row < own.length; row++) {
    const bin = own[row]! - missing
    if (bin < 0) result[row] = Number.NaN
    else if (means !== null) result[row] = means[bin]!
    else result[row] = values[binStart[bin]! + (within === null ? 0 : within[row]!)]!
  }
  return result
}

/**
 * The same of any column whose levels are numbers.
 *
 * @throws RangeError for a level that is none.
 */
export function numbersOfRows(seed: Pick<Model, 'codes' | 'positions'>, index: number, column: EncodedColumn) {
  if (column.kind === 'numeric') return valuesOfRows(seed, index, column)
  const ofLevel = numbersOfLevels(column)
  return Float64Array.from(seed.codes[index]!, (code) => ofLevel[code - column.missing] ?? Number.NaN)
}

function numbersOfLevels(column: EncodedCategorical): Float64Array {
  const ofLevel = column.levels.map((level) => (level.trim() === '' ? Number.NaN : Number(level)))
  const wrong = ofLevel.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) {
    throw new RangeError(
      `column ${column.name} has the level ${column.levels[wrong]}, which is no number, and takes no mean`,
    )
  }
  return Float64Array.from(ofLevel)
}

/**
 * Which of some values a row has: `start[codes[row]] + within[row]`. Arrays in place of a function, because each row of large tables is
 * asked for each outcome.
 */
export interface ValueIndex {
  /** Length n. */
  readonly codes: Uint16Array
  /** By code. */
  readonly start: Int32Array
  /** Length n; null: 0. */
  readonly within: ArrayLike<number> | null
}

/** The different values of a column. A row without a value has any of them, and does not count. */
export interface IndexedValues {
  readonly values: Float64Array
  readonly index: ValueIndex
}

/** The same values as `numbersOfRows`, which does not make one for each row. @throws RangeError likewise. */
export function indexedValues(
  { codes, positions }: Pick<Model, 'codes' | 'positions'>,
  index: number,
  column: EncodedColumn,
): IndexedValues {
  const own = codes[index]!
  const { missing } = column
  const starts = (count: number, startOf: (bin: number) => number) =>
    Int32Array.from({ length: missing + count }, (_, code) => (code < missing ? 0 : startOf(code - missing)))
  if (column.kind === 'numeric' && areOwnValues({ positions }, index, column)) {
    const { binStart, values } = column
    const start = starts(binStart.length - 1, (bin) => binStart[bin]!)
    return { values: Float64Array.from(values), index: { codes: own, start, within: positions?.[index] ?? null } }
  }
  const values = column.kind === 'numeric' ? meansOfBins(column) : numbersOfLevels(column)
  return { values, index: { codes: own, start: starts(values.length, (bin) => bin), within: null } }
}

/** Whether the values of a column's rows are their own, and not the means of bins. */
export function areOwnValues({ positions }: Pick<Model, 'positions'>, index: number, column: EncodedNumeric): boolean {
  return (positions?.[index] ?? null) !== null || column.binStart.length - 1 === column.values.length
}

function meansOfBins({ binStart, values, cumulative }: EncodedNumeric): Float64Array {
  return Float64Array.from({ length: binStart.length - 1 }, (_, bin) => {
    const [first, end] = [binStart[bin]!, binStart[bin + 1]!]
    let sum = 0
    for (let v = first; v < end; v++) sum += values[v]! * (cumulative[v + 1]! - cumulative[v]!)
    return sum / (cumulative[end]! - cumulative[first]!)
  })
}
