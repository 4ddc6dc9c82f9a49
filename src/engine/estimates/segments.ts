/**
 * The segments of a seed by the levels of a column, for differences inside each of them.
 *
 * n  kept rows of the seed
 *
 * The weights are those of the whole sides, so that a scenario means the same in all its segments. Only the rows of a segment count
 * in its figures (Särndal, Swensson and Wretman 1992, estimates for domains).
 */

import { type Disclosure, LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical } from '../model/model.ts'
import type { Conditions } from '../scenario/conditions.ts'
import { marginsOf } from '../scenario/margins.ts'
import { areSameInside, movesEnoughRows } from './released-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { effectiveCount, supportOf } from './spread.ts'

export interface Segment {
  readonly level: string
  /** `excluded`: a side has a share of 0 of the level; `too_few_rows`: see segmentsOf. */
  readonly status: 'estimated' | 'too_few_rows' | 'excluded'
  /** Null unless estimated. */
  readonly inside: SegmentRows | null
}

export interface SegmentRows {
  /** Length n: 1 for the rows of the segment, else 0. */
  readonly rows: Uint8Array
  readonly scenario: SegmentSide
  readonly baseline: SegmentSide
}

export interface SegmentSide {
  readonly effectiveRows: number
  readonly support: number
}

/**
 * One for each level of the column, in the column's order. Rows without a value belong to none.
 *
 * Of a protected seed, a segment is withheld where fewer than 10 rows, or 10 effective ones, lie inside it on either side, and where
 * fewer than 10 make the difference. If the rows that are withheld, missing values included, are together too few as well, they
 * could be derived from the whole and the other segments: then the rarest other segment is withheld with them. Levels that a
 * side excludes by its shares are known from the question alone.
 *
 * @param one, other Null: too few rows support the whole side, and every segment of it.
 * @throws RangeError for a missing column and for a numeric one.
 */
export function segmentsOf(
  seed: Seed,
  by: string,
  one: WeightedSeed | null,
  other: WeightedSeed | null,
  disclosure: Disclosure,
): readonly Segment[] {
  const index = seed.columns.findIndex((column) => column.name === by)
  const column = seed.columns[index]
  if (column === undefined) throw new RangeError(`there is no column ${by}`)
  if (column.kind !== 'categorical') throw new RangeError(`column ${by} is numeric and has no segments`)
  if (one === null || other === null) return column.levels.map((level) => withheld(level))
  const rowsOf = rowsByCode(seed.codes[index]!, column.codeCount)
  const sides = [one, other].map((side) => ({ side, excluded: excludedCodes(column, index, side.conditions) }))
  const compare = (rows: Uint32Array) => comparedInside(rows, index, one, other, disclosure)
  const compared = rowsOf.map((rows, code) => (code < column.missing ? null : compare(rows)))
  if (disclosure === 'protected') withholdDerivable(compared, rowsOf, sides, compare)
  return column.levels.map((level, at): Segment => {
    const code = at + column.missing
    if (sides.some(({ excluded }) => excluded.has(code))) return { level, status: 'excluded', inside: null }
    const inside = compared[code] ?? null
    return inside === null ? withheld(level) : { level, status: 'estimated', inside }
  })
}

/** Withholds one more segment where those withheld are together too few to stay unknown. */
function withholdDerivable(
  compared: (SegmentRows | null)[],
  rowsOf: readonly Uint32Array[],
  sides: readonly { readonly side: WeightedSeed; readonly excluded: ReadonlySet<number> }[],
  compare: (rows: Uint32Array) => SegmentRows | null,
): void {
  // A side that excludes a level has no rows of it to protect.
  const isRare = (code: number): boolean => {
    const having = sides.filter(({ excluded }) => !excluded.has(code))
    return having.length === 2 || having.some(({ side }) => sumAt(side.inside, rowsOf[code]!) < LEAST_ROWS)
  }
  const held = compared.flatMap((inside, code) => (inside === null && isRare(code) ? [code] : []))
  if (held.length === 0 || compare(joined(held.map((code) => rowsOf[code]!))) !== null) return
  const rarest = rarestOf(compared, rowsOf)
  if (rarest !== null) compared[rarest] = null
}

const withheld = (level: string): Segment => ({ level, status: 'too_few_rows', inside: null })

/** The code of the segment with the fewest rows among those with figures. */
function rarestOf(compared: readonly (SegmentRows | null)[], rowsOf: readonly Uint32Array[]): number | null {
  let rarest: number | null = null
  for (const [code, inside] of compared.entries()) {
    if (inside === null) continue
    if (rarest === null || rowsOf[code]!.length < rowsOf[rarest]!.length) rarest = code
  }
  return rarest
}

function sumAt(values: Float64Array, rows: Uint32Array): number {
  let total = 0
  for (const row of rows) total += values[row]!
  return total
}

/** Ascending. */
function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((count, rows) => count + rows.length, 0))
  let filled = 0
  for (const rows of parts) {
    all.set(rows, filled)
    filled += rows.length
  }
  return all.sort()
}

/** Codes that a side cannot have, by its shares. */
function excludedCodes(column: EncodedCategorical, index: number, { shares }: Conditions): ReadonlySet<number> {
  const condition = shares.find((share) => share.index === index)
  if (condition === undefined) return new Set()
  const [allowed] = marginsOf([condition]).ofCode
  return new Set(Array.from(allowed!.keys()).filter((code) => code >= column.missing && allowed![code]! < 0))
}

function rowsByCode(codes: Uint16Array, codeCount: number): Uint32Array[] {
  const counts = new Uint32Array(codeCount)
  for (const code of codes) counts[code]!++
  const rows = Array.from(counts, (count) => new Uint32Array(count))
  const filled = new Uint32Array(codeCount)
  codes.forEach((code, row) => {
    rows[code]![filled[code]!++] = row
  })
  return rows
}

/** Null where no row is there; of a protected seed, where too few rows support a side or make the difference. */
function comparedInside(
  rows: Uint32Array,
  index: number,
  one: WeightedSeed,
  other: WeightedSeed,
  disclosure: Disclosure,
): SegmentRows | null {
  const [scenario, baseline] = [one, other].map((side) => ownWeights(side, rows))
  if (scenario === undefined || baseline === undefined) return null
  const segment = new Uint8Array(one.weights.length)
  for (const row of rows) segment[row] = 1
  const found = { rows: segment, scenario: sideOf(scenario), baseline: sideOf(baseline) }
  const sides = [one, other].map(({ inside }, at) => ({
    people: sumAt(inside, rows),
    ...[found.scenario, found.baseline][at]!,
  }))
  const fewest = Math.min(...sides.flatMap(({ people, effectiveRows }) => [people, effectiveRows]))
  if (disclosure === 'exact') return fewest > 0 ? found : null
  if (fewest < LEAST_ROWS) return null
  // Shares of the segments' own column change how many rows a segment has, and nothing inside of it.
  if (areSameInside(index, one.conditions, other.conditions)) return found
  const normalised = [scenario, baseline].map(normalise)
  return movesEnoughRows(normalised[0]!, normalised[1]!) ? found : null
}

const ownWeights = ({ weights }: WeightedSeed, rows: Uint32Array) => Float64Array.from(rows, (row) => weights[row]!)

const sideOf = (weights: Float64Array): SegmentSide => ({
  effectiveRows: effectiveCount(weights),
  support: supportOf(weights),
})

function normalise(weights: Float64Array): Float64Array {
  const total = weights.reduce((all, weight) => all + weight, 0)
  return weights.map((weight) => weight / total)
}
