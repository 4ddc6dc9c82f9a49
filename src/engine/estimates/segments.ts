/**
 * The segments of a seed by the levels of a column, for differences inside each of them.
 *
 * n  kept rows of the seed
 *
 * The weights are those of the whole sides, so that a scenario means the same in all its segments. Only the rows of a segment count
 * in its figures (Särndal, Swensson and Wretman 1992, estimates for domains).
 */

import { CountTeller } from '../disclosure/noisy-counts.ts'
import { type Disclosure, LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical } from '../model/model.ts'
import type { Conditions } from '../scenario/conditions.ts'
import { levelsName } from '../scenario/group-parts.ts'
import { marginsOf } from '../scenario/margins.ts'
import type { AskedGroup, AskedSegment } from './outcome-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { type ToldSupport, toldSupport } from './told-support.ts'

export interface Segment {
  readonly level: string
  /** `excluded`: a side has a share of 0 of the level; `too_few_rows`: see segmentsOf. */
  readonly status: 'estimated' | 'too_few_rows' | 'excluded'
  /** Null unless estimated. */
  readonly inside: SegmentRows | null
}

export interface SegmentRows {
  readonly asked: AskedSegment
  readonly scenario: ToldSupport
  readonly baseline: ToldSupport
}

/**
 * One for each level of the column, in the column's order. Rows without a value belong to none.
 *
 * Of a protected seed, a segment is withheld where too few rows, or fewer than 10 effective ones, lie inside it on either side. What
 * could be derived from the whole and the other segments has their noise. Levels that a side excludes by its shares are known
 * from the question alone.
 *
 * @param one, other Null: too few rows support the whole side, and every segment of it.
 * @param part The rows that are counted at all (domain.ts); null: all rows.
 * @throws RangeError for a missing column and for a numeric one.
 */
export function segmentsOf(
  seed: Seed,
  by: string,
  one: WeightedSeed | null,
  other: WeightedSeed | null,
  disclosure: Disclosure,
  part: AskedSegment | null = null,
): readonly Segment[] {
  const index = seed.columns.findIndex((column) => column.name === by)
  const column = seed.columns[index]
  if (column === undefined) throw new RangeError(`there is no column ${by}`)
  if (column.kind !== 'categorical') throw new RangeError(`column ${by} is numeric and has no segments`)
  if (one === null || other === null) return column.levels.map((level) => withheld(level))
  const rowsOf = rowsByCode(seed.codes[index]!, column.codeCount, part?.rows ?? null)
  const sides = [one, other].map((side) => ({ side, excluded: excludedCodes(column, index, side.conditions) }))
  const compared = rowsOf.map((rows, code) =>
    code < column.missing
      ? null
      : comparedInside(rows, { index, name: levelsName(by, [code]), rowsOf, part }, one, other, disclosure),
  )
  return column.levels.map((level, at): Segment => {
    const code = at + column.missing
    if (sides.some(({ excluded }) => excluded.has(code))) return { level, status: 'excluded', inside: null }
    const inside = compared[code] ?? null
    return inside === null ? withheld(level) : { level, status: 'estimated', inside }
  })
}

const withheld = (level: string): Segment => ({ level, status: 'too_few_rows', inside: null })

/** Codes that a side cannot have, by its shares. */
function excludedCodes(column: EncodedCategorical, index: number, { shares }: Conditions): ReadonlySet<number> {
  const condition = shares.find((share) => share.index === index)
  if (condition === undefined) return new Set()
  const [allowed] = marginsOf([condition]).ofCode
  return new Set(Array.from(allowed!.keys()).filter((code) => code >= column.missing && allowed![code]! < 0))
}

/** @param among Length n: 1 for the rows that are counted; null: all. */
function rowsByCode(codes: Uint16Array, codeCount: number, among: Uint8Array | null): Uint32Array[] {
  const counts = new Uint32Array(codeCount)
  codes.forEach((code, row) => {
    if (among?.[row] !== 0) counts[code]!++
  })
  const rows = Array.from(counts, (count) => new Uint32Array(count))
  const filled = new Uint32Array(codeCount)
  codes.forEach((code, row) => {
    if (among?.[row] !== 0) rows[code]![filled[code]!++] = row
  })
  return rows
}

interface SegmentQuestion {
  /** Of the column. */
  readonly index: number
  /** Of the part that the level is. */
  readonly name: string
  readonly rowsOf: readonly Uint32Array[]
  readonly part: AskedSegment | null
}

/** Null where no row is there; of a protected seed, where too few rows support a side. */
function comparedInside(
  rows: Uint32Array,
  { index, name, rowsOf, part }: SegmentQuestion,
  one: WeightedSeed,
  other: WeightedSeed,
  disclosure: Disclosure,
): SegmentRows | null {
  const segment = new Uint8Array(one.weights.length)
  for (const row of rows) segment[row] = 1
  const inSegment = ({ inside }: WeightedSeed, { parts, teller }: AskedGroup): AskedGroup => {
    // The rows of a level that is not told are the whole without the other segments.
    const isFine = rowsOf.some((of) => teller.told(teller.countAt(inside, of)) === null)
    const own = [...parts, { name, isFine }]
    return { parts: own, teller: new CountTeller(disclosure, own) }
  }
  const asked = {
    rows: segment,
    index,
    scenario: inSegment(one, part?.scenario ?? one),
    baseline: inSegment(other, part?.baseline ?? other),
  }
  const scenario = toldSupport(one, asked.scenario.teller, segment)
  const baseline = toldSupport(other, asked.baseline.teller, segment)
  const least = disclosure === 'exact' ? 0 : LEAST_ROWS
  const isSupported = ({ people, effectiveRows }: ToldSupport): boolean =>
    people !== null && people > 0 && effectiveRows > 0 && effectiveRows >= least
  return isSupported(scenario) && isSupported(baseline) ? { asked, scenario, baseline } : null
}
