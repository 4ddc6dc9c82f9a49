/**
 * Outcomes of rows that two sides treat alike. A figure needs one sum for each group and value in place of one for each row, so that a
 * column of hundreds of levels costs as much as a few.
 *
 * n  kept rows of the seed, G  groups, K  values of an outcome, the last one for rows that do not count
 */

import type { ValueIndex } from '../model/row-values.ts'
import type { Calibration } from './calibration.ts'
import type { ComparedSides, Outcome } from './difference-error.ts'
import type { RowGroups } from './row-groups.ts'

/** Two sides and an outcome of rows that stand for others. */
export interface Grouped {
  readonly sides: ComparedSides
  readonly outcome: Outcome
}

/** Groups times values, as a part of the rows, from which on they would save little. */
const MOST_PART = 0.25

/**
 * The figures of a column's values on the groups; null where there are too many of them.
 *
 * @param index Of each row's value.
 * @param counts Length n: 0 for rows that do not count; null: all count.
 */
export function groupedValues(
  sides: ComparedSides,
  index: ValueIndex,
  counts: Uint8Array | null,
  values: Float64Array,
): Grouped | null {
  const { groups } = sides
  const K = values.length + 1
  if (groups === null || groups.first.length * K > MOST_PART * groups.ofRow.length) return null
  const times = timesOf(groups, index, counts, K)
  return { sides: repeated(sides, groups, K), outcome: outcomeOf(groups.first.length, values, times, false) }
}

/** The shares of a column's levels on the groups, one after another; null as above. */
export function groupedLevels(
  sides: ComparedSides,
  codes: Uint16Array,
  counts: Uint8Array | null,
  codeCount: number,
): ((code: number) => Grouped) | null {
  const { groups } = sides
  const K = codeCount + 1
  if (groups === null || groups.first.length * K > MOST_PART * groups.ofRow.length) return null
  const times = timesOf(
    groups,
    { codes, start: Int32Array.from({ length: codeCount }, (_, code) => code), within: null },
    counts,
    K,
  )
  const G = groups.first.length
  const counted = Float64Array.from({ length: G }, (_, g) => {
    let rows = 0
    for (let k = 0; k < codeCount; k++) rows += times[g * K + k]!
    return rows
  })
  // The level, all others, and rows that do not count.
  const three = repeated(sides, groups, 3)
  return (code) => {
    const own = new Float64Array(3 * G)
    for (let g = 0; g < G; g++) {
      own[3 * g] = times[g * K + code]!
      own[3 * g + 1] = counted[g]! - own[3 * g]!
      own[3 * g + 2] = times[g * K + codeCount]!
    }
    return { sides: three, outcome: outcomeOf(G, Float64Array.of(1, 0), own, true) }
  }
}

/** G × K, row-major: rows of each group and value. */
function timesOf(
  { ofRow, first }: RowGroups,
  { codes, start, within }: ValueIndex,
  counts: Uint8Array | null,
  K: number,
): Float64Array {
  const times = new Float64Array(first.length * K)
  for (let row = 0; row < ofRow.length; row++) {
    const isOut = counts !== null && counts[row] === 0
    const value = isOut ? K - 1 : start[codes[row]!]! + (within === null ? 0 : within[row]!)
    times[ofRow[row]! * K + value]!++
  }
  return times
}

function outcomeOf(G: number, values: Float64Array, times: Float64Array, isShare: boolean): Outcome {
  const K = values.length + 1
  const all = new Float64Array(G * K)
  const counts = new Uint8Array(G * K)
  for (let g = 0; g < G; g++) {
    all.set(values, g * K)
    counts.fill(1, g * K, g * K + K - 1)
  }
  return { values: all, counts, isShare, times }
}

/** The sides of G × K rows: each group's first row, K times. */
function repeated({ scenario, baseline, far }: ComparedSides, { first }: RowGroups, K: number): ComparedSides {
  const one = (calibration: Calibration): Calibration => {
    const pick = (from: ArrayLike<number>) => (_: unknown, i: number) => from[first[Math.floor(i / K)]!]!
    const length = first.length * K
    return {
      ...calibration,
      weights: Float64Array.from({ length }, pick(calibration.weights)),
      corrected: Float64Array.from({ length }, pick(calibration.corrected)),
      ofRow: Int32Array.from({ length }, pick(calibration.ofRow)),
    }
  }
  return { scenario: one(scenario), baseline: one(baseline), far, design: undefined, groups: null }
}
