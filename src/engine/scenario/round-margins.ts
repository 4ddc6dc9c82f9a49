/**
 * Controlled rounding (Cox 1987): masses of cells to whole rows that keep every margin.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts), R  rows
 * G  patterns: distinct combinations of margins; cells that differ only among grouped levels share one
 *
 * Rows are laid over the patterns by systematic sampling. A pattern of mass q gets floor(R q) or one more, and exactly R q on
 * average over the random start. So cells too rare for a row of their own sometimes get one, which rounding by the largest
 * fractions would never or always give. Then rows are moved between patterns until every margin is exact. If moves do not get
 * there, an integer program finds the nearest exact table, and if there is none, one whose margins are the rows below or above.
 */

import { consistentMargins } from './consistent-margins.ts'
import { repairExactly } from './exact-rounding.ts'
import { integerMargins, withConformedTables } from './integer-margins.ts'
import type { Margins } from './margins.ts'
import { roundToEnds } from './nearest-rounding.ts'
import { patternsOf } from './patterns.ts'
import { type RepairProblem, repairMargins } from './repair-margins.ts'
import { withoutImplied } from './some-columns.ts'

export interface RoundingProblem {
  /** Length K: masses, of any positive sum; 0 where no row may lie. */
  readonly masses: Float64Array
  /** K × D, row-major; -1 throughout where the mass is 0 for good. */
  readonly cellMargins: Int32Array
  readonly margins: Margins
  /** R */
  readonly rows: number
  /** Uniform numbers in [0, 1), drawn in a fixed order. */
  readonly uniform: () => number
}

export interface Rounding {
  /** Length K: rows of each cell, summing to R; 0 where the mass is 0. */
  readonly counts: Int32Array
  /** Length M: rows that each margin should have. */
  readonly wanted: Int32Array
  /** Largest distance of a margin from that, in rows; above 0 only where structural zeros left no exact table in reach. */
  readonly deviation: number
}

/** @throws RangeError when rows are wanted of masses that sum to 0. */
export async function roundToMargins({
  masses,
  cellMargins,
  margins,
  rows,
  uniform,
}: RoundingProblem): Promise<Rounding> {
  const patterns = patternsOf(masses, cellMargins, margins.columnCount)
  const ideal = patterns.masses
  const sum = ideal.reduce((a, b) => a + b, 0)
  if (rows > 0 && !(sum > 0)) throw new RangeError(`cannot distribute ${rows} rows over cells of mass ${sum}`)
  for (let g = 0; g < ideal.length; g++) ideal[g] = (ideal[g]! / sum) * rows

  let wanted = withConformedTables(integerMargins(margins, rows), {
    ideal,
    margins,
    patternMargins: patterns.margins,
  })
  const patternCounts = new Int32Array(ideal.length)
  systematic(ideal, 0, ideal.length, rows, uniform(), patternCounts)
  const of = { counts: patternCounts, ideal, patternMargins: patterns.margins, margins }
  let deviation = repairMargins(withoutImplied({ ...of, wanted }))
  const consistent =
    deviation > 0 && margins.tables.length > 0 ? await consistentMargins(margins, patterns.margins, wanted, rows) : null
  if (consistent !== null) {
    wanted = consistent
    deviation = repairMargins(withoutImplied({ ...of, wanted }))
  }
  if (deviation > 0) deviation = await repairExactly(withoutImplied({ ...of, wanted }), deviation)
  if (deviation > 0) {
    wanted = await roundToEnds({ ...of, rows })
    deviation = worstDeviation({ ...of, wanted })
  }

  const ordered = Float64Array.from(patterns.cells, (c) => masses[c]!)
  const orderedCounts = new Int32Array(ordered.length)
  for (let g = 0; g < patternCounts.length; g++) {
    const count = patternCounts[g]!
    if (count === 0) continue
    systematic(ordered, patterns.start[g]!, patterns.start[g + 1]!, count, uniform(), orderedCounts)
  }
  const counts = new Int32Array(masses.length)
  patterns.cells.forEach((c, i) => {
    counts[c] = orderedCounts[i]!
  })
  return { counts, wanted, deviation }
}

function worstDeviation({ counts, patternMargins, margins: { columnCount: D }, wanted }: RepairProblem): number {
  const missing = wanted.slice()
  counts.forEach((count, g) => {
    for (let d = 0; d < D; d++) missing[patternMargins[g * D + d]!]! -= count
  })
  return missing.reduce((most, rows) => Math.max(most, Math.abs(rows)), 0)
}

/**
 * Systematic sampling: `total` rows over weights[start … end - 1], each getting the floor of its quota or one more.
 *
 * @param offset Random start in [0, 1).
 * @param counts Receives the rows.
 */
export function systematic(
  weights: ArrayLike<number>,
  start: number,
  end: number,
  total: number,
  offset: number,
  counts: Int32Array,
): void {
  let sum = 0
  let last = start
  for (let i = start; i < end; i++) {
    sum += weights[i]!
    if (weights[i]! > 0) last = i
  }
  let cumulative = 0
  let before = 0
  for (let i = start; i <= last && i < end; i++) {
    cumulative += weights[i]!
    const upTo = i === last ? total : Math.min(total, Math.floor((cumulative / sum) * total + offset))
    counts[i] = upTo - before
    before = upTo
  }
}
