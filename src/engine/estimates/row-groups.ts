/**
 * Rows that two sides treat alike: of one pattern and one weight on each. See grouped-outcomes.ts.
 *
 * n  kept rows of the seed, G  groups
 */

import type { Calibration } from './calibration.ts'

export interface RowGroups {
  /** Length n. */
  readonly ofRow: Int32Array
  /** Length G: the first row of each group. */
  readonly first: readonly number[]
}

/** With more groups they would save little. */
const MOST_GROUPS = 2_000

/** Null where rows of one pattern differ: case weights, or means that a side fixes. */
export function rowGroups(scenario: Calibration, baseline: Calibration): RowGroups | null {
  if (scenario.numbers.length > 0 || baseline.numbers.length > 0) return null
  const n = scenario.weights.length
  const ofRow = new Int32Array(n)
  const first: number[] = []
  const known = new Map<number, number>()
  const width = baseline.patternCount + 1
  for (let row = 0; row < n; row++) {
    // Rows outside have the pattern -1.
    const pair = (scenario.ofRow[row]! + 1) * width + baseline.ofRow[row]! + 1
    let group = known.get(pair)
    if (group === undefined) {
      group = first.length
      if (group === MOST_GROUPS) return null
      known.set(pair, group)
      first.push(row)
    }
    const like = first[group]!
    if (scenario.weights[row] !== scenario.weights[like] || baseline.weights[row] !== baseline.weights[like])
      return null
    ofRow[row] = group
  }
  return { ofRow, first }
}

/** Length G: the rows of each group that count. @param counts Length n: 1 where a row counts, else 0. */
export function rowsOfGroups({ ofRow, first }: RowGroups, counts: Uint8Array): Float64Array {
  const rows = new Float64Array(first.length)
  for (let row = 0; row < ofRow.length; row++) rows[ofRow[row]!]! += counts[row]!
  return rows
}
