/**
 * The evidence cap of the cells, and the largest share of the wanted rows that can be filled within it.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts)
 * s  fill in [0, 1];  t  targets;  cap  largest mass of each cell
 *
 *   maximise s   subject to   sum of q over margin m = s t_m for every m,   0 <= q(c) <= cap(c),   0 <= s <= 1
 *
 * q = 0, s = 0 always solves it, so the program is never infeasible.
 */

import type { Margins } from './margins.ts'
import type { EvidenceCap } from './scenario.ts'
import { loadSolver } from './solver.ts'

/**
 * cap(c) = max(A N Pn(c), M e(c)) / N.
 *
 * @param natural Length K: share of each cell in the model within the ranges (Pn, sums to 1).
 * @param evidence Length K: seed rows in the cell and inside the ranges (e).
 * @param rowCount N
 */
export function evidenceCaps(
  natural: Float64Array,
  evidence: Float64Array,
  rowCount: number,
  { naturalShareFactor, rowsPerSeedRow }: EvidenceCap,
): Float64Array {
  const cap = new Float64Array(natural.length)
  for (let c = 0; c < cap.length; c++) {
    cap[c] = Math.max(naturalShareFactor * natural[c]!, (rowsPerSeedRow * evidence[c]!) / rowCount)
  }
  return cap
}

/** Fills this close to each other are the same. */
export const FULL_FILL_TOLERANCE = 1e-9

export interface Fill {
  /** s */
  readonly fill: number
  /** Length K: a q of that fill (a vertex, not the one closest to the model). */
  readonly masses: Float64Array
  /**
   * Length M: y, the price of each margin. Where s < 1: sum of t_m y_m = 1, and
   * sum over the cells of cap(c) max(0, sum of y over the cell's margins) = s; cells of positive price bind.
   */
  readonly prices: Float64Array
  /** Length K: 1 where every q of this fill has the cell at its cap, -1 where every one has it at 0, else 0. */
  readonly forced: Int8Array
}

/**
 * Mass of the program in the solver's units. Its tolerances are absolute (1e-10 at the least), so shares are spread to
 * a range where they are negligible.
 */
const SOLVER_MASS = 1e5
const SOLVER_TOLERANCE = 1e-9
/** A price beyond this is not the solver's rounding. */
const PRICE_TOLERANCE = 1e-7

/** `cells.margins` is K × D row-major without -1; `cells.cap` has length K. */
export interface CappedCells {
  readonly margins: Int32Array
  readonly cap: Float64Array
}

/**
 * Solves the program above with HiGHS (dual simplex, compiled to WebAssembly and so the same on every machine).
 *
 * Presolve is off: on some of these tables it answers "infeasible", which cannot be. One redundant margin is left out
 * of every column but the first (each column's margins sum to the same total).
 *
 * @throws Error when the solver does not reach an optimum.
 */
export async function maximalFill(cells: CappedCells, margins: Margins): Promise<Fill> {
  const cellCount = cells.cap.length
  const rowOfMargin = keptMargins(margins)
  const rowCount = rowOfMargin.reduce((most, row) => Math.max(most, row + 1), 0)
  const highs = await loadSolver()
  const model = highs.createModel({
    numCols: cellCount + 1,
    numRows: rowCount,
    sense: highs.constants.objectiveSense.maximize,
    ...columnsOfProgram(cells, margins, rowOfMargin),
    rowLower: new Float64Array(rowCount),
    rowUpper: new Float64Array(rowCount),
  })
  try {
    model.options.set({
      output_flag: false,
      presolve: 'off',
      solver: 'simplex',
      primal_feasibility_tolerance: SOLVER_TOLERANCE,
      dual_feasibility_tolerance: SOLVER_TOLERANCE,
    })
    model.run()
    if (model.getModelStatus() !== highs.constants.modelStatus.optimal) {
      throw new Error(`the fill of ${cellCount} cells has no optimum: solver status ${model.getModelStatus()}`)
    }
    const { colValue, colDual, rowDual } = model.getSolution()
    const fill = Math.min(1, Math.max(0, colValue[cellCount]! / SOLVER_MASS))
    const masses = new Float64Array(cellCount)
    const forced = new Int8Array(cellCount)
    for (let c = 0; c < cellCount; c++) {
      masses[c] = Math.min(cells.cap[c]!, Math.max(0, colValue[c]! / SOLVER_MASS))
      const price = colDual[c]!
      forced[c] = price > PRICE_TOLERANCE ? 1 : price < -PRICE_TOLERANCE ? -1 : 0
    }
    const prices = new Float64Array(rowOfMargin.length)
    // The dual of a row of a maximisation is the gain in s per unit of its right-hand side: minus our price.
    rowOfMargin.forEach((row, m) => {
      prices[m] = row < 0 ? 0 : -rowDual[row]!
    })
    return { fill, masses, prices, forced }
  } finally {
    model.dispose()
  }
}

/** Row of each margin in the program, -1 for the one left out of every column but the first (its largest). */
function keptMargins(margins: Margins): Int32Array {
  const { start, targets, columnCount } = margins
  const rows = new Int32Array(targets.length)
  let next = 0
  for (let d = 0; d < columnCount; d++) {
    let largest = -1
    for (let m = start[d]!; d > 0 && m < start[d + 1]!; m++) {
      if (largest < 0 || targets[m]! > targets[largest]!) largest = m
    }
    for (let m = start[d]!; m < start[d + 1]!; m++) rows[m] = m === largest ? -1 : next++
  }
  return rows
}

/** The program column by column: one column per cell, and s last. */
function columnsOfProgram(cells: CappedCells, { columnCount, targets }: Margins, rowOfMargin: Int32Array) {
  const cellCount = cells.cap.length
  const rowCount = rowOfMargin.reduce((most, row) => Math.max(most, row + 1), 0)
  const colLower = new Float64Array(cellCount + 1)
  const colUpper = new Float64Array(cellCount + 1)
  const colCost = new Float64Array(cellCount + 1)
  const starts = new Int32Array(cellCount + 2)
  const indices = new Int32Array(cellCount * columnCount + rowCount)
  const values = new Float64Array(indices.length)
  let entry = 0
  for (let c = 0; c < cellCount; c++) {
    let bound = cells.cap[c]!
    for (let d = 0; d < columnCount; d++) {
      const m = cells.margins[c * columnCount + d]!
      // No cell exceeds its margins; saying so keeps wide caps (A N Pn > N) out of the solver's scaling. Strictly
      // above the target, so that this bound never binds in place of the margin and takes its price.
      bound = Math.min(bound, 2 * targets[m]!)
      const row = rowOfMargin[m]!
      if (row < 0) continue
      indices[entry] = row
      values[entry++] = 1
    }
    colUpper[c] = bound * SOLVER_MASS
    starts[c + 1] = entry
  }
  rowOfMargin.forEach((row, m) => {
    if (row < 0) return
    indices[entry] = row
    values[entry++] = -targets[m]!
  })
  starts[cellCount + 1] = entry
  colUpper[cellCount] = SOLVER_MASS
  colCost[cellCount] = 1
  return {
    colCost,
    colLower,
    colUpper,
    matrix: {
      format: 'csc' as const,
      numRows: rowCount,
      numCols: cellCount + 1,
      starts,
      indices: indices.subarray(0, entry),
      values: values.subarray(0, entry),
    },
  }
}
