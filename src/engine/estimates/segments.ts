/**
 * The segments of a seed by the levels of a column, for differences inside each of them.
 *
 * n  kept rows of the seed,  w  weights of a side, summing to 1
 *
 * Inside a segment the weights are w / (sum of w over its rows): the mix of the scenario among its members.
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical } from '../model/model.ts'
import type { Conditions } from '../scenario/conditions.ts'
import { marginsOf } from '../scenario/margins.ts'
import type { ComparedRows } from './outcome-estimates.ts'
import { areSameInside, isDifferenceReleasable } from './released-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import { sum, type WeightedSeed } from './seed-weights.ts'

export interface Segment {
  readonly level: string
  /** `excluded`: a side has a share of 0 of the level; `too_few_rows`: see segmentsOf. */
  readonly status: 'estimated' | 'too_few_rows' | 'excluded'
  /** Null unless estimated. */
  readonly compared: ComparedRows | null
}

/**
 * One for each level of the column, in the column's order. Rows without a value belong to none.
 *
 * A segment is withheld where fewer than 10 rows, or 10 effective ones, lie inside it on either side, and where fewer than
 * 10 make the difference. If the rows that are withheld, missing values included, are together too few as well, they could
 * be derived from the whole and the other segments: then the rarest other segment is withheld with them. Levels that a
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
): readonly Segment[] {
  const index = seed.columns.findIndex((column) => column.name === by)
  const column = seed.columns[index]
  if (column === undefined) throw new RangeError(`there is no column ${by}`)
  if (column.kind !== 'categorical') throw new RangeError(`column ${by} is numeric and has no segments`)
  if (one === null || other === null) return column.levels.map((level) => withheld(level))
  const rowsOf = rowsByCode(seed.codes[index]!, column.codeCount)
  const sides = [one, other].map((side) => ({ side, excluded: excludedCodes(column, index, side.conditions) }))
  const compare = (rows: Uint32Array) => comparedInside(rows, index, one, other)
  const compared = rowsOf.map((rows, code) => (code < column.missing ? null : compare(rows)))
  // A side that excludes a level has no rows of it to protect.
  const isRare = (code: number): boolean => {
    const having = sides.filter(({ excluded }) => !excluded.has(code))
    return having.length === 2 || having.some(({ side }) => sumAt(side.inside, rowsOf[code]!) < LEAST_ROWS)
  }
  const held = compared.flatMap((inside, code) => (inside === null && isRare(code) ? [code] : []))
  if (held.length > 0 && compare(joined(held.map((code) => rowsOf[code]!))) === null) {
    const rarest = rarestOf(compared, rowsOf)
    if (rarest !== null) compared[rarest] = null
  }
  return column.levels.map((level, at): Segment => {
    const code = at + column.missing
    if (sides.some(({ excluded }) => excluded.has(code))) return { level, status: 'excluded', compared: null }
    const inside = compared[code] ?? null
    return inside === null ? withheld(level) : { level, status: 'estimated', compared: inside }
  })
}

const withheld = (level: string): Segment => ({ level, status: 'too_few_rows', compared: null })

/** The code of the segment with the fewest rows among those with figures. */
function rarestOf(compared: readonly (ComparedRows | null)[], rowsOf: readonly Uint32Array[]): number | null {
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
  const [allowed] = marginsOf([condition], 'conditional').ofCode
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

/** Null where too few rows support a side, or make the difference. */
function comparedInside(rows: Uint32Array, index: number, one: WeightedSeed, other: WeightedSeed): ComparedRows | null {
  const baseline = inside(other, rows)
  const scenario = inside(one, rows)
  if (baseline === null || scenario === null) return null
  // Shares of the segments' own column change how many rows a segment has, and nothing inside of it.
  if (areSameInside(index, one.conditions, other.conditions))
    return { scenario: { ...baseline, conditions: one.conditions }, baseline, rows }
  return isDifferenceReleasable(scenario, baseline) ? { scenario, baseline, rows } : null
}

function inside({ conditions, weights, inside: all }: WeightedSeed, rows: Uint32Array): WeightedSeed | null {
  const parts = Float64Array.from(rows, (row) => all[row]!)
  const own = Float64Array.from(rows, (row) => weights[row]!)
  const total = sum(own)
  if (sum(parts) < LEAST_ROWS || !(total > 0)) return null
  const scaled = own.map((weight) => weight / total)
  const effectiveRows = 1 / sum(scaled.map((weight, at) => (weight === 0 ? 0 : (weight * weight) / parts[at]!)))
  return effectiveRows < LEAST_ROWS ? null : { conditions, weights: scaled, inside: parts, effectiveRows }
}
