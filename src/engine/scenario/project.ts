/**
 * The mix of cells closest to the model that has the wanted margins: the I-projection (Csiszar 1975) of the model's
 * cell shares, under caps.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts)
 * N  rows wanted,  s  fill
 *
 * Iterative proportional fitting comes first (Deming and Stephan 1940). If it does not converge, or its answer exceeds a cap, the
 * maximal fill is found by linear programming (fill.ts), and the mix of that fill by Dykstra's algorithm with Kullback-Leibler
 * projections (Benamou, Carlier, Cuturi, Nenna, Peyre 2015).
 *
 * Only + - * / and comparisons, in a fixed order: the same bits everywhere.
 */
import { type Fill, FULL_FILL_TOLERANCE } from './fill.ts'
import { forcedCells } from './forced-cells.ts'
import { type LimitedCells, type LimitedFill, largestFill } from './limited-fill.ts'
import type { Margins } from './margins.ts'
import {
  errorAgainst,
  fitProportionally,
  multiplyMargins,
  type Swept,
  scaleColumn,
  sweepBound,
  worstMargin,
} from './proportional-fitting.ts'
import { settleBounds } from './settle-bounds.ts'

/** The capped projection has converged when every margin is within this share of a row; the integer step does the rest. */
const CAPPED_TOLERANCE_ROWS = 0.1

/** Rows by which a fill may fall short of a whole row and still give it. */
const ROW_TOLERANCE = 1e-3

/** Most sweeps of the capped projection. */
const MAX_CAPPED_SWEEPS = 20_000

/** The capped projection has stalled if it has not converged after this many sweeps. */
const CREEPING_SWEEPS = 500

/** Corrections beyond this only risk overflow: the cell has long been at its cap. */
const MAX_CORRECTION = 1e200

export interface ProjectionProblem {
  /** Length K: share of each cell in the model within the ranges; sums to 1 over the cells that may occur. */
  readonly natural: Float64Array
  /** Length K: largest mass of each cell. */
  readonly cap: Float64Array
  /** Length K: largest part of the mix that each cell may have, however many rows are filled; absent: all of it. */
  readonly limit?: Float64Array
  /** K × D, row-major; -1 throughout for a cell that must not occur. */
  readonly cellMargins: Int32Array
  readonly margins: Margins
  /** N */
  readonly rowCount: number
  /** Whether only the fill is asked for: then any masses that have it do, and the sweeps towards the closest ones are saved. */
  readonly isFillEnough?: boolean | undefined
  /** Where fitting begins: see `fitProportionally`. It decides how long that takes, and the last digits. */
  readonly factors?: Float64Array | undefined
  /** For projections of other masses under the same caps, whose largest fill is found once. */
  readonly fills?: KnownFill | undefined
}

/** The largest fill of a table, which its masses do not decide. */
export interface KnownFill {
  found: { readonly cells: LimitedCells; readonly targets: Float64Array; readonly fill: LimitedFill } | null
}

export interface Projection {
  /** s: 1 when all wanted rows can be filled. */
  readonly fill: number
  /** R: rows of exactly the wanted mix. */
  readonly rows: number
  /** Length K: mass of each cell, summing to s; 0 where R is 0. */
  readonly masses: Float64Array
  /** Whether the sweeps converged. If not, `masses` are between their last iterate and a solution, with its margins. */
  readonly converged: boolean
  /** Sweeps of the algorithm that gave the answer. */
  readonly sweeps: number
  /** Largest distance of a margin from s t, in mass; at most a tenth of a row. */
  readonly marginError: number
  /** With the targets that bounds come to. */
  readonly margins: Margins
  /** The program of the maximal fill; null if proportional fitting converged. */
  readonly proof: FillProof | null
  /** Length M: what proportional fitting multiplied each margin by; undefined if it did not converge. */
  readonly factors: Float64Array | undefined
}

/** Why no more rows can be filled. */
export interface FillProof {
  /** Length K: the largest mass of each cell in the program, its limit included; 0 for a cell that cannot occur. */
  readonly cap: Float64Array
  /** Length K: 1 where that is the limit of the cell, 0 where it is its cap. */
  readonly limited: Float64Array
  /** The largest fill with these caps; that of the projection if it has rows. */
  readonly fill: number
  /** Length M: price of each margin (see `Fill`). */
  readonly prices: Float64Array
}

/** Projects onto the margins at the largest fill the caps allow. */
export async function project(problem: ProjectionProblem): Promise<Projection> {
  const { rowCount } = problem
  const cells = occurringCells(problem)
  const margins = settleBounds(cells, problem.margins)
  const scatter = (masses: Float64Array): Float64Array => {
    const all = new Float64Array(problem.natural.length)
    cells.index.forEach((c, i) => {
      all[c] = masses[i]!
    })
    return all
  }

  let fitted = fitProportionally(cells, margins, { factors: problem.factors })
  if (!fitted.converged && problem.factors !== undefined) fitted = fitProportionally(cells, margins)
  const factors = fitted.converged ? fitted.factors : undefined
  if (fitted.converged && fitted.masses.every((mass, i) => mass <= Math.min(cells.cap[i]!, cells.limit[i]!))) {
    return { ...fitted, fill: 1, rows: rowCount, masses: scatter(fitted.masses), margins, proof: null, factors }
  }

  const { fill: most, last, cap } = await fillOf(cells, margins, (1 - ROW_TOLERANCE) / rowCount, problem.fills)
  const fill = most >= 1 - FULL_FILL_TOLERANCE ? 1 : most
  const rows = fill === 1 ? rowCount : Math.floor(rowCount * fill + ROW_TOLERANCE)
  const limited = cap.map((most, i) => (most < cells.cap[i]! ? 1 : 0))
  const proof = { cap: scatter(cap), limited: scatter(limited), fill: last.fill, prices: last.prices }
  if (rows < 1) {
    const masses = new Float64Array(problem.natural.length)
    return { fill, rows: 0, masses, converged: true, sweeps: 0, marginError: 0, margins, proof, factors }
  }
  if (problem.isFillEnough) {
    const masses = scatter(last.masses)
    return { fill, rows, masses, converged: true, sweeps: 0, marginError: 0, margins, proof, factors }
  }
  const tolerance = CAPPED_TOLERANCE_ROWS / rowCount
  const begin = problem.fills === undefined ? undefined : factors
  const capped = await projectWithCaps({ ...cells, cap }, margins, { ...last, fill }, tolerance, begin)
  return { ...capped, fill, rows, masses: scatter(capped.masses), margins, proof, factors }
}

async function fillOf(cells: LimitedCells, margins: Margins, least: number, known: KnownFill | undefined) {
  const before = known?.found ?? null
  const isKnown =
    before !== null &&
    areEqual(before.targets, margins.targets) &&
    areEqual(before.cells.cap, cells.cap) &&
    areEqual(before.cells.limit, cells.limit) &&
    areEqual(before.cells.margins, cells.margins)
  if (isKnown) return before.fill
  const fill = await largestFill(cells, margins, least)
  if (known !== undefined) known.found = { cells, targets: margins.targets, fill }
  return fill
}

function areEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The cells that may occur, compactly. */
interface Cells extends LimitedCells {
  readonly natural: Float64Array
  /** Their indices in the problem. */
  readonly index: Int32Array
}

function occurringCells({ natural, cap, limit, cellMargins, margins }: ProjectionProblem): Cells {
  const d = margins.columnCount
  if (cap.length !== natural.length || cellMargins.length !== natural.length * d) {
    throw new RangeError(`${natural.length} cells, ${cap.length} caps and ${cellMargins.length} margins do not match`)
  }
  const isKept = (c: number): boolean => natural[c]! > 0 && cap[c]! > 0 && (d === 0 || cellMargins[c * d]! >= 0)
  let count = 0
  for (let c = 0; c < natural.length; c++) if (isKept(c)) count++
  const index = new Int32Array(count)
  const packed = new Int32Array(count * d)
  for (let c = 0, i = 0; c < natural.length; c++) {
    if (!isKept(c)) continue
    index[i] = c
    for (let j = 0; j < d; j++) packed[i * d + j] = cellMargins[c * d + j]!
    i++
  }
  const compact = (values: Float64Array): Float64Array => {
    const kept = new Float64Array(count)
    for (let i = 0; i < count; i++) kept[i] = values[index[i]!]!
    return kept
  }
  return {
    index,
    margins: packed,
    natural: compact(natural),
    cap: compact(cap),
    limit: limit === undefined ? new Float64Array(count).fill(1) : compact(limit),
  }
}

/**
 * The capped projection at a given fill.
 *
 * Cells that must be at their cap or at 0 are fixed beforehand: iterating towards them costs the algorithm thousands of sweeps. The
 * prices of the maximal fill show most of these cells. If the sweeps still converge slowly, or the fill is 1 and has no prices, a
 * search finds them.
 */
async function projectWithCaps(
  cells: Cells,
  margins: Margins,
  most: Fill,
  tolerance: number,
  begin: Float64Array | undefined,
): Promise<Swept> {
  const forced = most.fill < 1 ? most.forced : new Int8Array(cells.cap.length)
  const bound = sweepBound(MAX_CAPPED_SWEEPS, cells.margins.length)
  const first = sweepWithCaps(cells, margins, { ...most, forced }, tolerance, Math.min(bound, CREEPING_SWEEPS), begin)
  if (first.converged) return first
  const all = await forcedCells(cells, margins, most.fill)
  return sweepWithCaps(cells, margins, { ...most, forced: all ?? forced }, tolerance, bound)
}

/**
 * Dykstra's algorithm: scale each column's margins in turn, then q := min(q z, cap), the correction z carried from sweep
 * to sweep. (The corrections of the margins cancel: they are affine constraints.)
 *
 * @param begin Length M: factors of the margins to begin with. The sweeps climb the dual function, whose top is the same from everywhere.
 */
function sweepWithCaps(
  cells: Cells,
  margins: Margins,
  most: Fill,
  tolerance: number,
  bound: number,
  begin?: Float64Array,
): Swept {
  const { fill, forced } = most
  const D = margins.columnCount
  const free: number[] = []
  const fixedMasses = new Float64Array(cells.natural.length)
  const left = margins.targets.map((target) => fill * target)
  for (let c = 0; c < cells.natural.length; c++) {
    const force = forced[c]!
    if (force === 0) free.push(c)
    if (force <= 0) continue
    fixedMasses[c] = cells.cap[c]!
    for (let d = 0; d < D; d++) {
      const m = cells.margins[c * D + d]!
      left[m] = Math.max(0, left[m]! - cells.cap[c]!)
    }
  }
  const index = Int32Array.from(free)
  const masses = Float64Array.from(index, (c) => cells.natural[c]!)
  const cap = Float64Array.from(index, (c) => cells.cap[c]!)
  const correction = new Float64Array(index.length).fill(1)
  const packed = new Int32Array(index.length * D)
  index.forEach((c, i) => {
    for (let d = 0; d < D; d++) packed[i * D + d] = cells.margins[c * D + d]!
  })

  const keepCaps = (): void => {
    for (let i = 0; i < masses.length; i++) {
      const wanted = masses[i]! * correction[i]!
      const kept = Math.min(wanted, cap[i]!)
      correction[i] = kept > 0 ? Math.min(wanted / kept, MAX_CORRECTION) : 1
      masses[i] = kept
    }
  }
  if (begin !== undefined) {
    multiplyMargins(masses, packed, D, begin)
    keepCaps()
  }

  const sums = new Float64Array(margins.targets.length)
  let sweeps = 0
  let marginError = Number.POSITIVE_INFINITY
  while (marginError > tolerance && sweeps < bound) {
    sweeps++
    for (let d = 0; d < D; d++) scaleColumn(masses, packed, margins, d, left, sums)
    keepCaps()
    marginError = errorAgainst(left, masses, packed, D, sums)
  }

  const converged = marginError <= tolerance
  // The maximal fill has the margins: as much of it as brings them within tolerance, at least half.
  const weight = converged ? 1 : Math.min(0.5, tolerance / marginError)
  index.forEach((c, i) => {
    fixedMasses[c] = converged ? masses[i]! : weight * masses[i]! + (1 - weight) * Math.min(cap[i]!, most.masses[c]!)
  })
  return {
    masses: fixedMasses,
    converged,
    sweeps,
    marginError: worstMargin(fixedMasses, cells.margins, margins, fill, sums),
  }
}
