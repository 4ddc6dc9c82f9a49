/**
 * The parts of a scenario that leave rows of the seed out, which decide the noise of what is told (asked-group.ts). Shares do not
 * take part: a share that is moved asks for the same group.
 *
 * n  kept rows of the seed
 */

import type { Part } from '../disclosure/asked-group.ts'
import { CountTeller } from '../disclosure/noisy-counts.ts'
import { outermostOfDistinct, releasedRange } from '../disclosure/released-range.ts'
import type { RowKeys } from '../disclosure/row-keys.ts'
import type { Model } from '../model/model.ts'
import { areOwnValues, valuesOfRows } from '../model/row-values.ts'
import type { Conditions, RangeCondition } from './conditions.ts'
import { marginsOf } from './margins.ts'

/**
 * Columns of at most this many whole numbers, such as ages: each number is another end. Otherwise equal answers would tell that
 * nobody is so old. Of other columns ends with the same rows are the same, because there are too many wordings of one end.
 */
const NARROW = 200

type Rows = Pick<Model, 'columns' | 'codes' | 'positions' | 'rowCount'>

export function groupParts(keys: RowKeys, model: Rows, { shares, ranges }: Conditions): Part[] {
  const { ofCode } = marginsOf(shares)
  const levels = shares.flatMap(({ index }, d) => {
    const allowed = (row: number): boolean => ofCode[d]![model.codes[index]![row]!]! >= 0
    return ofCode[d]!.includes(-1) ? [{ index, codes: ofCode[d]!, isIn: allowed }] : []
  })
  const bounded = ranges.map((range) => boundedRange(model, range))
  const conditions = [...levels, ...bounded]
  if (conditions.length === 0) return []
  const left = leftOutBy(
    conditions.map(({ isIn }) => isIn),
    model.rowCount,
  )
  // With little noise: there is one step for each end, and no second question about it.
  const teller = new CountTeller(keys, [])
  const isFew = (condition: number, isMoved: (row: number) => boolean): boolean => {
    let [rows, noise] = [0, 0]
    for (let row = 0; row < model.rowCount; row++) {
      if ((left[row] !== IN_ALL && left[row] !== condition) || !isMoved(row)) continue
      rows++
      noise += teller.noiseOfRow![row]!
    }
    return teller.told({ rows, noise }) === null
  }
  return [
    ...levels.map(({ index, codes }, k) => ({
      name: levelsName(
        model.columns[index]!.name,
        [...codes.keys()].filter((code) => codes[code]! >= 0),
      ),
      isFine: [...codes.keys()].some((code) => isFew(k, (row) => model.codes[index]![row] === code)),
    })),
    ...bounded.flatMap((range, r) => endsOf(keys, range, (isMoved) => isFew(levels.length + r, isMoved))),
  ]
}

/** @param codes Ascending: those that may occur. */
export function levelsName(column: string, codes: readonly number[]): string {
  return JSON.stringify([column, 'levels', ...codes])
}

const IN_ALL = -1
const OUT_OF_SEVERAL = -2

/** Length n: the only condition that leaves a row out; IN_ALL: none, OUT_OF_SEVERAL: more than one. */
function leftOutBy(conditions: readonly ((row: number) => boolean)[], rowCount: number): Int32Array {
  const left = new Int32Array(rowCount).fill(IN_ALL)
  for (const [k, isIn] of conditions.entries()) {
    for (let row = 0; row < rowCount; row++) {
      if (!isIn(row)) left[row] = left[row] === IN_ALL ? k : OUT_OF_SEVERAL
    }
  }
  return left
}

interface BoundedRange {
  readonly condition: RangeCondition
  /** Length n: NaN where there is none; null: the model has no own values. */
  readonly values: Float64Array | null
  readonly isIn: (row: number) => boolean
}

function boundedRange(model: Rows, condition: RangeCondition): BoundedRange {
  const { index, column, range, fractions } = condition
  const codes = model.codes[index]!
  const values = areOwnValues(model, index, column) ? valuesOfRows(model, index, column) : null
  const isIn = (row: number): boolean =>
    values === null ? fractions[codes[row]!]! > 0 : values[row]! >= range.min && values[row]! <= range.max
  return { condition, values, isIn }
}

/** @param isFew Whether too few rows would be moved to be told. */
function endsOf(
  keys: RowKeys,
  { condition: { column, range }, values }: BoundedRange,
  isFew: (isMoved: (row: number) => boolean) => boolean,
): Part[] {
  const released = releasedRange(column, outermostOfDistinct(column.values, column.cumulative))
  const isNarrow = column.integer && released.max - released.min <= NARROW
  const part = (
    end: string,
    whole: number,
    outside: number,
    bound: number,
    isPast: (value: number) => boolean,
  ): Part => {
    if (isNarrow || values === null) {
      const isAt = (number: number) => isFew((row) => values?.[row] === number)
      const isFine = values === null || isAt(whole) || isAt(outside)
      return { name: JSON.stringify([column.name, end, isNarrow ? whole : bound]), isFine }
    }
    const rows = keys.keyOf((row) => isPast(values[row]!))
    return { name: JSON.stringify([column.name, end, rows]), isFine: true }
  }
  const { min, max } = range
  const [low, high] = [Math.ceil(min), Math.floor(max)]
  return [
    // A range leaves out the rows without a value.
    ...(column.missing === 1 ? [answeredPart(column.name, values, isFew)] : []),
    ...(min <= released.min ? [] : [part('from', low, low - 1, min, (value) => value >= min)]),
    ...(max >= released.max ? [] : [part('to', high, high + 1, max, (value) => value <= max)]),
  ]
}

function answeredPart(
  column: string,
  values: Float64Array | null,
  isFew: (isMoved: (row: number) => boolean) => boolean,
): Part {
  const isFine = values === null || isFew((row) => Number.isNaN(values[row]!))
  return { name: JSON.stringify([column, 'answered']), isFine }
}
