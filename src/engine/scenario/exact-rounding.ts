/**
 * The nearest integer table with exact margins, by integer programming: for the few tables with structural zeros that
 * moving single rows does not correct (repair-margins.ts).
 *
 * D  conditioned columns, M  margins, G  patterns (see patterns.ts)
 */
import type { RepairProblem } from './repair-margins.ts'
import { loadSolver } from './solver.ts'

/** Rows that a pattern may lie below the floor of its ideal, and above its ceiling. */
const SLACK_ROWS = 1

/** Larger tables are left as they are: their margins are then a row off, and say so. */
const MAX_PATTERNS = 20_000

/** Bounds the search by work, not by time: the same table always gets the same answer. */
const MAX_NODES = 200

/** Cost of a row by which a margin is off, far above that of any detour; a listed level is the last to be off. */
const MISS_COST = 1e4
const LISTED_MISS_COST = 1e5

/**
 * Replaces the counts by those of the nearest table whose margins are off by less, if the search finds one: by fewer
 * rows of listed levels first.
 *
 * @param deviation Largest distance of a margin from `wanted` now, in rows.
 * @returns the same afterwards.
 */
export async function repairExactly(problem: RepairProblem, deviation: number): Promise<number> {
  const { counts, ideal, patternMargins, margins, wanted } = problem
  const G = ideal.length
  const M = wanted.length
  const D = margins.columnCount
  if (G > MAX_PATTERNS) return deviation

  // Columns: x(g) rows above floor(ideal), then for every margin the rows it lacks and the rows it has too many.
  const colCost = new Float64Array(G + 2 * M).fill(MISS_COST)
  const colLower = new Float64Array(G + 2 * M)
  const colUpper = new Float64Array(G + 2 * M).fill(deviation)
  const integrality: (0 | 1)[] = new Array(G + 2 * M).fill(0)
  const starts = new Int32Array(G + 2 * M + 1)
  const indices = new Int32Array(G * (D + 1) + 2 * M)
  const values = new Float64Array(indices.length).fill(1)
  // Rows: every margin, and all rows together, which margins that may be off do not fix.
  const lacking = new Float64Array(M + 1)
  lacking.set(wanted)
  lacking[M] = counts.reduce((sum, rows) => sum + rows, 0)
  let entry = 0
  for (let g = 0; g < G; g++) {
    const floor = Math.floor(ideal[g]!)
    colCost[g] = 1 - 2 * (ideal[g]! - floor)
    colLower[g] = -Math.min(SLACK_ROWS, floor)
    colUpper[g] = 1 + SLACK_ROWS
    integrality[g] = 1
    for (let d = 0; d < D; d++) {
      const m = patternMargins[g * D + d]!
      indices[entry++] = m
      lacking[m] = lacking[m]! - floor
    }
    indices[entry++] = M
    lacking[M] = lacking[M]! - floor
    starts[g + 1] = entry
  }
  for (let m = 0; m < 2 * M; m++) {
    if (margins.codes[m % M]! >= 0) colCost[G + m] = LISTED_MISS_COST
    indices[entry] = m % M
    values[entry++] = m < M ? 1 : -1
    starts[G + m + 1] = entry
  }

  const highs = await loadSolver()
  const model = highs.createModel({
    numCols: G + 2 * M,
    numRows: M + 1,
    colCost,
    colLower,
    colUpper,
    rowLower: lacking,
    rowUpper: lacking,
    integrality,
    matrix: { format: 'csc', numRows: M + 1, numCols: G + 2 * M, starts, indices, values },
  })
  try {
    model.options.set({ output_flag: false, mip_max_nodes: MAX_NODES, mip_rel_gap: 0.01 })
    model.run()
    const { colValue } = model.getSolution()
    if (colValue.length !== G + 2 * M) return deviation
    const found = Int32Array.from(ideal, (rows, g) => Math.floor(rows) + Math.round(colValue[g]!))
    const now = missesOf(counts, problem)
    const then = missesOf(found, problem)
    if (then.cost >= now.cost || found.some((rows) => rows < 0)) return deviation
    counts.set(found)
    return then.largest
  } finally {
    model.dispose()
  }
}

function missesOf(counts: Int32Array, { patternMargins, margins, wanted }: RepairProblem) {
  const excess = Int32Array.from(wanted, (rows) => -rows)
  for (let o = 0; o < patternMargins.length; o++) {
    const m = patternMargins[o]!
    excess[m] = excess[m]! + counts[Math.floor(o / margins.columnCount)]!
  }
  let cost = 0
  let largest = 0
  excess.forEach((rows, m) => {
    cost += Math.abs(rows) * (margins.codes[m]! >= 0 ? LISTED_MISS_COST : MISS_COST)
    largest = Math.max(largest, Math.abs(rows))
  })
  return { cost, largest }
}
