/**
 * Combinations of margins that the seed's rows have, and the mix of them closest to the seed.
 *
 * n  kept rows of the seed, D  conditioned categorical columns, K  their combinations of margins
 */

import type { Model } from '../model/model.ts'
import { CellIndex } from '../scenario/cell-index.ts'
import { FULL_FILL_TOLERANCE } from '../scenario/fill.ts'
import type { Margins } from '../scenario/margins.ts'
import { project } from '../scenario/project.ts'
import { fitProportionally } from '../scenario/proportional-fitting.ts'

/**
 * One to two seconds of a processor. Steps are counted instead of time, so that a question has the same answer on every machine,
 * however busy.
 */
const MOST_STEPS = 2e8

/**
 * The limit on the cost of weighting one side of an estimate. Only trying shows whether shares are possible, and some
 * questions keep a processor busy for minutes.
 */
export class Effort {
  #left = MOST_STEPS

  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** @param steps A step is one visit to one column of one cell. */
  spend(steps: number): void {
    this.#left -= steps
  }
}

/** The parts of a model that estimates read. */
export type Seed = Pick<Model, 'seedRows' | 'rowCount' | 'columns' | 'codes' | 'positions' | 'weights' | 'design'>

/**
 * With more combinations than this, only proportional fitting is tried: proving that none of their mixes has the shares
 * would take too long. Shares that it does not reach count as impossible.
 */
const MAX_PROVED_PATTERNS = 20_000
/** The same limit for combinations times margins: the time of the proof grows faster than either. */
const MAX_PROVED_SIZE = 4_000_000

/** How close raked margins are to their targets: figures that two programs compute agree to 10 digits. */
export const RAKING_TOLERANCE = 1e-13

/** The linear program counts as this many sweeps of fitting, including sweeps that were abandoned before it. */
const PROGRAM_SWEEPS = 1_000

export interface SeedPatterns {
  /** K × D, row-major. */
  readonly margins: Int32Array
  /** Length K: rows inside, each as often as it counts. */
  readonly rows: Float64Array
  /** Length n: pattern of each row inside, else -1. */
  readonly ofRow: Int32Array
}

/**
 * @param codes D columns of length n.
 * @param ofCode Per column: margin of each code.
 * @param inside Length n: the case weight of rows inside, which have a margin in every column; 0 for the others.
 */
export function patternsOf(
  codes: readonly Uint16Array[],
  ofCode: readonly Int32Array[],
  inside: Float64Array,
): SeedPatterns {
  const D = codes.length
  const index = new CellIndex(D)
  const pattern = new Int32Array(D)
  const ofRow = new Int32Array(inside.length).fill(-1)
  const rows: number[] = []
  // Of a single column, by margin: most questions are about one, and need no search.
  const known: number[] = []
  for (let row = 0; row < inside.length; row++) {
    if (inside[row] === 0) continue
    for (let d = 0; d < D; d++) pattern[d] = ofCode[d]![codes[d]![row]!]!
    const margin = pattern[0] ?? 0
    const at = D > 1 ? index.add(pattern) : (known[margin] ?? index.add(pattern))
    if (D <= 1) known[margin] = at
    ofRow[row] = at
    rows[at] = (rows[at] ?? 0) + inside[row]!
  }
  return { margins: index.codes, rows: Float64Array.from(rows), ofRow }
}

/** Length K: the mix closest to the rows that meets all targets; null if there is none, or the effort is used up. */
export async function mixOf(
  { rows, margins: cellMargins }: Pick<SeedPatterns, 'rows' | 'margins'>,
  margins: Margins,
  rowCount: number,
  effort: Effort,
): Promise<Float64Array | null> {
  const total = rows.reduce((sum, count) => sum + count, 0)
  if (!(total > 0) || effort.isSpent) return null
  const natural = rows.map((count) => count / total)
  if (rows.length > MAX_PROVED_PATTERNS || rows.length * margins.targets.length > MAX_PROVED_SIZE) {
    const { masses, converged, sweeps } = fitProportionally({ natural, margins: cellMargins }, margins)
    effort.spend(sweeps * cellMargins.length)
    return converged ? polished(masses, cellMargins, margins, effort) : null
  }
  const projection = await project({
    natural,
    // The seed's own rows are not multiplied, only weighted: there is nothing to cap.
    cap: new Float64Array(rows.length).fill(1),
    cellMargins,
    margins,
    rowCount,
  })
  // Prices come from the linear program if proportional fitting gave up.
  const isProgram = projection.proof !== null
  effort.spend((projection.sweeps + (isProgram ? PROGRAM_SWEEPS : 1)) * cellMargins.length)
  return projection.fill >= 1 - FULL_FILL_TOLERANCE ? polished(projection.masses, cellMargins, margins, effort) : null
}

/** A mix whose margins are as close as doubles allow. Those that do not come closer are close enough for rows. */
function polished(masses: Float64Array, cellMargins: Int32Array, margins: Margins, effort: Effort): Float64Array {
  const closer = fitProportionally({ natural: masses, margins: cellMargins }, margins, { tolerance: RAKING_TOLERANCE })
  effort.spend(closer.sweeps * cellMargins.length)
  return closer.masses
}
