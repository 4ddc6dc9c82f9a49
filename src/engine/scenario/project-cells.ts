/**
 * The mix of a scenario's cells: their projection onto the margins, within the caps of the evidence.
 *
 * K  cells of the conditioned categorical columns
 */

import type { CountedCells, Evidence } from './evidence.ts'
import { evidenceCaps } from './fill.ts'
import type { Margins } from './margins.ts'
import { patternsOf } from './patterns.ts'
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

export async function projectCells(weighted: WeightedCells): Promise<ProjectedCells> {
  const {
    margins,
    cellMargins: ofCells,
    natural,
    tilted,
    evidence,
    counted,
    rowCount,
    evidenceCap,
    factors,
    fills,
  } = weighted
  const K = natural.length
  const projectCounted = async (of: Int32Array, shares: Float64Array, usual: Float64Array, rows: Evidence) => {
    const { evidence: seedRows, natural: released, limit } = counted(rows, usual)
    const cap = evidenceCaps(released, seedRows, rowCount, evidenceCap)
    const projection = await project({
      natural: shares,
      cap,
      limit,
      cellMargins: of,
      margins,
      rowCount,
      factors,
      fills,
    })
    return { projection, cellMargins: of }
  }
  if (K <= MAX_PROJECTED_CELLS) {
    const projected = await projectCounted(ofCells, tilted, natural, evidence)
    return { ...projected, mix: normalised(projected.projection.masses) }
  }
  const patterns = patternsOf(tilted, ofCells, margins.columnCount)
  const G = patterns.masses.length
  const sumsOf = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(G)
    for (let g = 0; g < G; g++) {
      for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) sums[g]! += values[patterns.cells[i]!]!
    }
    return sums
  }
  const { people, noise, effective } = evidence
  const patternEvidence = { people: sumsOf(people), noise: sumsOf(noise), effective: sumsOf(effective) }
  const projected = await projectCounted(patterns.margins, patterns.masses, sumsOf(natural), patternEvidence)
  const spread = new Float64Array(K)
  for (let g = 0; g < G; g++) {
    const factor = projected.projection.masses[g]! / patterns.masses[g]!
    for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) {
      const c = patterns.cells[i]!
      spread[c] = tilted[c]! * factor
    }
  }
  return { ...projected, mix: normalised(spread) }
}

/** Divided by their sum, unless that is 0. */
export function normalised(masses: Float64Array): Float64Array {
  const total = masses.reduce((before, mass) => before + mass, 0)
  return total > 0 ? masses.map((mass) => mass / total) : masses
}
