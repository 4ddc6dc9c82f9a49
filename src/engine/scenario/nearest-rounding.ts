/**
 * A table of whole rows in which every margin is the row below or above its quota, by integer programming: for tables whose margins,
 * each rounded to its nearest row, contradict each other, as tables of cells that share columns may.
 *
 * D  conditioned columns, M  margins, G  patterns (see patterns.ts), R  rows
 *
 * With two columns such a table always exists (Cox 1987). With more, and with cells that share columns, it need not: then the
 * margins are off by as few rows as the search finds, those of listed levels last.
 */
import { marginEnds } from './integer-margins.ts'
import type { Margins } from './margins.ts'
import { loadSolver } from './solver.ts'

/** Rows that a pattern may lie below the floor of its ideal, and above its ceiling. */
const SLACK_ROWS = 1

/** Larger tables are left as they are: their margins are then a row off, and say so. */
const MAX_PATTERNS = 4_000

/** Bounds the search by work, not by time: the same table always gets the same answer. */
const MAX_NODES = 500

/** Cost of a row by which a margin is outside its ends, far above that of any detour; a listed level is the last to be. */
const MISS_COST = 1e4
const LISTED_MISS_COST = 1e5

interface NearestProblem {
  /** Length G: rows; changed in place. */
  readonly counts: Int32Array
  /** Length G: rows that each pattern would have if rows could be divided, all positive. */
  readonly ideal: Float64Array
  /** G × D, row-major */
  readonly patternMargins: Int32Array
  readonly margins: Margins
  /** R */
  readonly rows: number
}

/**
 * Replaces the counts if that brings the margins closer to their ends.
 *
 * @returns Length M: the rows that each margin should have, which are those that it has where these lie between its ends.
 */
export async function roundToEnds({
  counts,
  ideal,
  patternMargins,
  margins,
  rows,
}: NearestProblem): Promise<Int32Array> {
  const _G = ideal.length
  const M = margins.targets.length
  const D = margins.columnCount
  const { low, high } = marginEnds(margins, rows)
  const clipped = (sums: Int32Array) => sums.map((count, m) => Math.max(low[m]!, Math.min(high[m]!, count)))
  const N = ideal.length
  const now = marginsOfCounts(counts, patternMargins, D, M)
  if (N > MAX_PATTERNS) return clipped(now)

  // Columns: rows that each pattern gains, then for every margin the rows that it lacks and those that it has too many.
  const numCols = N + 2 * M
  const colCost = new Float64Array(numCols).fill(MISS_COST)
  const colLower = new Float64Array(numCols)
  const colUpper = new Float64Array(numCols).fill(rows)
  const integrality: (0 | 1)[] = new Array(numCols).fill(0)
  const starts = new Int32Array(numCols + 1)
  const indices = new Int32Array(N * (D + 1) + 2 * M)
  const values = new Float64Array(indices.length).fill(1)
  let entry = 0
  ideal.forEach((quota, g) => {
    const floor = Math.floor(quota)
    // Away from the ideal it costs more.
    colCost[g] = 1 - 2 * (quota - floor)
    colLower[g] = Math.max(0, floor - SLACK_ROWS) - counts[g]!
    colUpper[g] = floor + 1 + SLACK_ROWS - counts[g]!
    integrality[g] = 1
    for (let d = 0; d < D; d++) indices[entry++] = patternMargins[g * D + d]!
    indices[entry++] = M
    starts[g + 1] = entry
  })
  for (let m = 0; m < 2 * M; m++) {
    if (margins.codes[m % M]! >= 0) colCost[N + m] = LISTED_MISS_COST
    indices[entry] = m % M
    values[entry++] = m < M ? 1 : -1
    starts[N + m + 1] = entry
  }
  const rowLower = new Float64Array(M + 1)
  const rowUpper = new Float64Array(M + 1)
  for (let m = 0; m < M; m++) {
    rowLower[m] = low[m]! - now[m]!
    rowUpper[m] = high[m]! - now[m]!
  }

  const highs = await loadSolver()
  const matrix = { format: 'csc' as const, numRows: M + 1, numCols, starts, indices, values }
  const model = highs.createModel({
    ...{ numCols, numRows: M + 1, colCost, colLower, colUpper, rowLower, rowUpper, integrality, matrix },
  })
  try {
    model.options.set({ output_flag: false, mip_max_nodes: MAX_NODES, mip_rel_gap: 0.01 })
    model.run()
    const { colValue } = model.getSolution()
    if (colValue.length === numCols) {
      const found = counts.map((count, g) => count + Math.round(colValue[g]!))
      const then = marginsOfCounts(found, patternMargins, D, M)
      const isWhole = found.every((count) => count >= 0) && found.reduce((sum, count) => sum + count, 0) === rows
      if (isWhole && missOf(then, low, high, margins) < missOf(now, low, high, margins)) counts.set(found)
    }
  } finally {
    model.dispose()
  }
  return clipped(marginsOfCounts(counts, patternMargins, D, M))
}

function marginsOfCounts(counts: Int32Array, patternMargins: Int32Array, D: number, M: number): Int32Array {
  const sums = new Int32Array(M)
  for (let g = 0, o = 0; g < counts.length; g++)
    for (let d = 0; d < D; d++, o++) sums[patternMargins[o]!]! += counts[g]!
  return sums
}

/** What the solver is asked to make small, as far as margins go. */
function missOf(sums: Int32Array, low: Int32Array, high: Int32Array, { codes }: Margins): number {
  let cost = 0
  sums.forEach((rows, m) => {
    const miss = Math.max(0, low[m]! - rows, rows - high[m]!)
    cost += miss * (codes[m]! >= 0 ? LISTED_MISS_COST : MISS_COST)
  })
  return cost
}
