/**
 * Iterative proportional fitting (Deming and Stephan 1940), and the sweeps over margins that the capped projection shares with it.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts)
 */
import type { Margins } from './margins.ts'

/** Proportional fitting has converged when every margin is this close. */
export const FITTING_TOLERANCE = 1e-9

/** Most sweeps, and the most work (cells x columns x sweeps), of either algorithm. */
const MAX_FITTING_SWEEPS = 2_000
const MAX_SWEEP_WORK = 4e8

/**
 * Fitting has stalled if the error has not fallen to this fraction in this many sweeps: it would not converge in time.
 */
const STALL_SWEEPS = 50
const STALL_FACTOR = 0.7

/** Masses after the last sweep. */
export interface Swept {
  readonly masses: Float64Array
  readonly converged: boolean
  readonly sweeps: number
  readonly marginError: number
}

export interface Fitted extends Swept {
  /** Length M: what the masses of each margin were multiplied by. */
  readonly factors: Float64Array
}

interface FittingOptions {
  /** Converged is every margin this close to its target. */
  readonly tolerance?: number
  /** Length M: those of a table with other masses that converged. They are near to what is sought if the masses are near. */
  readonly factors?: Float64Array | undefined
}

/** Cells that may occur, compactly. */
interface FittedCells {
  /** Length K */
  readonly natural: Float64Array
  /** K × D, row-major. */
  readonly margins: Int32Array
}

/**
 * Iterative proportional fitting at fill 1, without caps. Gives up if the margins stop coming closer: on a table that cannot have
 * them it cycles (Gietl and Reffel 2013).
 */
export function fitProportionally(
  cells: FittedCells,
  margins: Margins,
  { tolerance = FITTING_TOLERANCE, factors: known }: FittingOptions = {},
): Fitted {
  const masses = Float64Array.from(cells.natural)
  const sums = new Float64Array(margins.targets.length)
  const factors = known === undefined ? new Float64Array(sums.length).fill(1) : Float64Array.from(known)
  const most = sweepBound(MAX_FITTING_SWEEPS, cells.margins.length)
  if (known !== undefined) multiplyMargins(masses, cells.margins, margins.columnCount, factors)
  let marginError = worstMargin(masses, cells.margins, margins, 1, sums)
  // A margin without a cell stays empty.
  const reachable = sums.every((sum) => sum > 0) && masses.length > 0
  let sweeps = 0
  let errorThen = Number.POSITIVE_INFINITY
  while (reachable && marginError > tolerance && sweeps < most) {
    sweeps++
    let found = 0
    for (let d = 0; d < margins.columnCount; d++) {
      found = Math.max(found, scaleColumn(masses, cells.margins, margins, d, margins.targets, sums))
      for (let m = margins.start[d]!; m < margins.start[d + 1]!; m++) factors[m]! *= sums[m]!
    }
    // The error that the sweep found column by column is free; the error of all margins at once costs a pass over the cells.
    marginError = found <= tolerance ? worstMargin(masses, cells.margins, margins, 1, sums) : found
    if (sweeps % STALL_SWEEPS === 0) {
      if (marginError > STALL_FACTOR * errorThen) break
      errorThen = marginError
    }
  }
  return { masses, converged: reachable && marginError <= tolerance, sweeps, marginError, factors }
}

/** Multiplies each cell by the factors of its margins. */
export function multiplyMargins(masses: Float64Array, cellMargins: Int32Array, D: number, factors: Float64Array): void {
  for (let c = 0, o = 0; c < masses.length; c++) {
    for (let d = 0; d < D; d++, o++) masses[c]! *= factors[cellMargins[o]!]!
  }
}

/** How many sweeps of `work` cells x columns may be made, at most `most`. */
export function sweepBound(most: number, work: number): number {
  return Math.max(50, Math.min(most, Math.floor(MAX_SWEEP_WORK / Math.max(1, work))))
}

/**
 * Scales the cells so that column d has the given margins. `sums` is scratch of length M; it receives what the margins of d were
 * multiplied by.
 *
 * @returns the largest distance of a margin from what is wanted, before.
 */
export function scaleColumn(
  masses: Float64Array,
  cellMargins: Int32Array,
  margins: Margins,
  d: number,
  wanted: Float64Array,
  sums: Float64Array,
): number {
  const D = margins.columnCount
  const first = margins.start[d]!
  const end = margins.start[d + 1]!
  sums.fill(0, first, end)
  for (let c = 0, o = d; c < masses.length; c++, o += D) sums[cellMargins[o]!]! += masses[c]!
  let error = 0
  for (let m = first; m < end; m++) {
    error = Math.max(error, Math.abs(sums[m]! - wanted[m]!))
    sums[m] = sums[m]! > 0 ? wanted[m]! / sums[m]! : 0
  }
  for (let c = 0, o = d; c < masses.length; c++, o += D) masses[c]! *= sums[cellMargins[o]!]!
  return error
}

/** Largest distance of any margin from `fill` times its target; leaves the sums of all margins in `sums`. */
export function worstMargin(
  masses: Float64Array,
  cellMargins: Int32Array,
  { targets, columnCount }: Margins,
  fill: number,
  sums: Float64Array,
): number {
  return errorAgainst(
    targets.map((target) => fill * target),
    masses,
    cellMargins,
    columnCount,
    sums,
  )
}

/** Largest distance of any margin from what is wanted; leaves the sums of all margins in `sums`. */
export function errorAgainst(
  wanted: Float64Array,
  masses: Float64Array,
  cellMargins: Int32Array,
  D: number,
  sums: Float64Array,
): number {
  sums.fill(0)
  for (let c = 0, o = 0; c < masses.length; c++) {
    for (let d = 0; d < D; d++, o++) sums[cellMargins[o]!]! += masses[c]!
  }
  let worst = 0
  for (let m = 0; m < wanted.length; m++) {
    const error = Math.abs(sums[m]! - wanted[m]!)
    if (!(error <= worst)) worst = error
  }
  return worst
}
