/**
 * Cells that are at 0, or at their cap, in every mix of a given fill.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts)
 * s  fill,  t  targets,  q  masses
 *
 * Round shares often coincide exactly with structural zeros: if half of the rows must have a level that excludes another, and half
 * must have that other, nothing is left for rows of neither. Scaling approaches such an answer ever more slowly. Without these
 * cells, the rest converges in a few sweeps.
 *
 *   maximise sum of u + sum of v   subject to   q = u + w,   k cap = q + v + x,   sum of q over margin m = k s t_m,
 *                                               0 <= u, v <= 1,   w, x >= 0,   0 <= k <= most
 *
 * The factor k lets the freedom of every cell grow to 1 at once (mixes form a cone), so that one program finds all cells.
 */
import type { CappedCells } from './fill.ts'
import type { Margins } from './margins.ts'
import { loadSolver } from './solver.ts'

/** Mass by which a cell must be able to move to count as free. */
const LEAST_FREEDOM = 1e-7

/** u (or v) of a cell that can fall to 0 (or rise to its cap) reaches 1. */
const FORCED_BELOW = 0.5

/** Larger tables are left to the sweeps: the program has up to four variables per cell. */
const MAX_CELLS = 20_000

/**
 * @returns Length K: 1 where the cell is at its cap in every mix, -1 where it is at 0, else 0; null when the table is too
 *   large or the solver does not answer.
 */
export async function forcedCells(
  { margins: cellMargins, cap }: CappedCells,
  { columnCount: D, targets }: Margins,
  fill: number,
): Promise<Int8Array | null> {
  const K = cap.length
  if (K > MAX_CELLS) return null
  const M = targets.length
  // Only a cap below all the cell's margins can bind.
  const cappedRow = new Int32Array(K).fill(-1)
  let rowCount = M
  for (let c = 0; c < K; c++) {
    let least = Number.POSITIVE_INFINITY
    for (let d = 0; d < D; d++) least = Math.min(least, fill * targets[cellMargins[c * D + d]!]!)
    if (cap[c]! < least) cappedRow[c] = rowCount++
  }
  // Columns: u of every cell, w of every cell, v and x of every capped cell, k.
  const starts: number[] = []
  const indices: number[] = []
  const values: number[] = []
  const colUpper: number[] = []
  const colCost: number[] = []
  const column = (cost: number, upper: number, rows: readonly (readonly [row: number, value: number])[]) => {
    starts.push(indices.length)
    colCost.push(cost)
    colUpper.push(upper)
    for (const [row, value] of rows) {
      indices.push(row)
      values.push(value)
    }
  }
  for (const isFreedom of [true, false]) {
    for (let c = 0; c < K; c++) {
      const rows = Array.from(cellMargins.subarray(c * D, (c + 1) * D), (m) => [m, 1] as const)
      if (cappedRow[c]! >= 0) rows.push([cappedRow[c]!, 1])
      column(isFreedom ? 1 : 0, isFreedom ? 1 : Number.POSITIVE_INFINITY, rows)
    }
  }
  const firstRoom = starts.length
  for (const isFreedom of [true, false]) {
    for (const row of cappedRow) {
      if (row >= 0) column(isFreedom ? 1 : 0, isFreedom ? 1 : Number.POSITIVE_INFINITY, [[row, 1]])
    }
  }
  const factor: [number, number][] = Array.from(targets, (target, m) => [m, -fill * target])
  cappedRow.forEach((row, c) => {
    if (row >= 0) factor.push([row, -cap[c]!])
  })
  column(0, 1 / LEAST_FREEDOM, factor)
  starts.push(indices.length)

  const highs = await loadSolver()
  const numCols = colCost.length
  const model = highs.createModel({
    numCols,
    numRows: rowCount,
    sense: highs.constants.objectiveSense.maximize,
    colCost: Float64Array.from(colCost),
    colLower: new Float64Array(numCols),
    colUpper: Float64Array.from(colUpper),
    rowLower: new Float64Array(rowCount),
    rowUpper: new Float64Array(rowCount),
    matrix: {
      format: 'csc',
      numRows: rowCount,
      numCols,
      starts: Int32Array.from(starts),
      indices: Int32Array.from(indices),
      values: Float64Array.from(values),
    },
  })
  try {
    model.options.set({ output_flag: false, presolve: 'off', solver: 'simplex' })
    model.run()
    if (model.getModelStatus() !== highs.constants.modelStatus.optimal) return null
    const { colValue } = model.getSolution()
    const forced = new Int8Array(K)
    let room = firstRoom
    for (let c = 0; c < K; c++) {
      const canRise = cappedRow[c]! < 0 || colValue[room++]! >= FORCED_BELOW
      const canFall = colValue[c]! >= FORCED_BELOW
      // If both are false, the cap itself is negligible and the decision does not matter.
      if (canRise !== canFall) forced[c] = canRise ? -1 : 1
    }
    return forced
  } finally {
    model.dispose()
  }
}
