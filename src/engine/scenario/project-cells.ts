/**
 * The mix of a scenario's cells: their projection onto the margins, within the caps of the evidence.
 *
 * K  cells of the conditioned categorical columns
 */

import type { CountedCells, Evidence } from './evidence.ts'
import { evidenceCaps } from './fill.ts'
import type { Margins } from './margins.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { type KnownFill, type Projection, project } from './project.ts'
import type { EvidenceCap } from './scenario.ts'

/** Above this many cells the projection works on their combinations of margins: unlisted levels keep their proportions anyway. */
const MAX_PROJECTED_CELLS = 50_000

export interface WeightedCells {
  readonly margins: Margins
  /** K × D, row-major. */
  readonly cellMargins: Int32Array
  /** Length K: the share of each cell among the allowed ones. */
  readonly natural: Float64Array
  /** Length K: the same under the tilt of the means; caps go by `natural`. */
  readonly tilted: Float64Array
  readonly evidence: Evidence
  /** What combinations with these rows and shares count for. */
  readonly counted: (rows: Evidence, shares: Float64Array) => CountedCells
  readonly rowCount: number
  /** Its factor in terms of `natural`. */
  readonly evidenceCap: EvidenceCap
  /** See `ProjectionProblem`. */
  readonly isFillEnough?: boolean | undefined
  /** Of a projection of other tilted masses onto the same margins: where this one begins. */
  readonly factors?: Float64Array | undefined
  readonly fills?: KnownFill | undefined
}

export interface ProjectedCells {
  readonly projection: Projection
  /** Length K: q / s. */
  readonly mix: Float64Array
  /** The projected objects: the cells, or their combinations of margins. */
  readonly cellMargins: Int32Array
}

/** What is projected: the cells, or their combinations of margins where the cells are too many. */
export interface CappedTable {
  /** Length G: their share under the tilt. */
  readonly natural: Float64Array
  /** Length G: largest mass of each, and the largest part of the mix. */
  readonly cap: Float64Array
  readonly limit: Float64Array
  /** G × D, row-major. */
  readonly cellMargins: Int32Array
  /** Null: the cells themselves. */
  readonly patterns: Patterns | null
}

export function cappedTable(weighted: WeightedCells): CappedTable {
  const { margins, cellMargins: ofCells, natural, tilted, evidence, counted, rowCount, evidenceCap } = weighted
  const capped = (cellMargins: Int32Array, shares: Float64Array, usual: Float64Array, rows: Evidence) => {
    const { evidence: seedRows, natural: released, limit } = counted(rows, usual)
    return { natural: shares, cap: evidenceCaps(released, seedRows, rowCount, evidenceCap), limit, cellMargins }
  }
  if (natural.length <= MAX_PROJECTED_CELLS) return { ...capped(ofCells, tilted, natural, evidence), patterns: null }
  const patterns = patternsOf(tilted, ofCells, margins.columnCount)
  const sumsOf = (values: Float64Array): Float64Array =>
    Float64Array.from(patterns.masses, (_, g) => {
      let sum = 0
      for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) sum += values[patterns.cells[i]!]!
      return sum
    })
  const { people, noise, effective } = evidence
  const rows = { people: sumsOf(people), noise: sumsOf(noise), effective: sumsOf(effective) }
  return { ...capped(patterns.margins, patterns.masses, sumsOf(natural), rows), patterns }
}

export async function projectCells(weighted: WeightedCells): Promise<ProjectedCells> {
  const { margins, tilted, rowCount, factors, fills, isFillEnough } = weighted
  const { patterns, ...table } = cappedTable(weighted)
  const { cellMargins } = table
  const projection = await project({ ...table, margins, rowCount, factors, fills, isFillEnough })
  if (patterns === null) return { projection, cellMargins, mix: normalised(projection.masses) }
  const spread = new Float64Array(tilted.length)
  patterns.masses.forEach((mass, g) => {
    const factor = projection.masses[g]! / mass
    for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) {
      const c = patterns.cells[i]!
      spread[c] = tilted[c]! * factor
    }
  })
  return { projection, cellMargins, mix: normalised(spread) }
}

/** Divided by their sum, unless that is 0. */
export function normalised(masses: Float64Array): Float64Array {
  const total = masses.reduce((before, mass) => before + mass, 0)
  return total > 0 ? masses.map((mass) => mass / total) : masses
}
